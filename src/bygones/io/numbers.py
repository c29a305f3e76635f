"""Columns of any kind as numbers; raises ValueError with the place of what is not a number."""

import re
from typing import Any

import numpy as np
import polars as pl

from ..kernels import Array
from ..validation import SHOWN, shown
from .batches import Batch, cell

MISSING = ("", "na", "n/a", "nan", "null", "none", "#n/a")
YEAR_LAST = re.compile(r"(\d\d?)([./])(\d\d?)\2\d{4}( .*)?")
NUMERALS = {  # what was meant as a number, and what to do about it
    re.compile(r"[-+]?\d{1,3}([, '\u00a0\u202f]\d{3})+(\.\d*)?"): "its digits in groups: write 1234.5, not 1,234.5",
    re.compile(r"[-+]?\d[\d. \u00a0\u202f]*,\d*"): "a decimal comma: write a point",
    re.compile(r"[$€£¥]\s?[-+]?\d[\d.,]*|[-+]?[$€£¥]?\d[\d.,]*\s?[$€£¥%‰]"): (
        "a sign that is not part of a number: write the number alone"
    ),
}


def floats(batch: Batch, column: str) -> Array:
    """A column's numbers; nan: missing.

    Args:
        batch: the rows.
        column: its name.

    Returns:
        One number per row.

    Raises:
        ValueError: if an entry is not a number; the message has its place.
    """
    series = batch.frame[column]
    if series.dtype.is_numeric():
        return series.cast(pl.Float64).to_numpy(writable=True)
    if series.null_count() == len(series):
        return np.full(len(series), np.nan)
    if not is_text(series):
        row = series.is_not_null().arg_max() or 0
        place = cell(batch.places, row, column)
        if series.dtype.is_temporal():
            raise ValueError(f"{place} is a time, not a number: name the columns that are options with actions=")
        raise ValueError(no_number(place, series.gather([row]).to_list()[0]))
    texts = series.cast(pl.String)
    numbers = texts.cast(pl.Float64, strict=False)
    if numbers.null_count() == texts.null_count():  # for the sake of tables with 100,000 columns
        return numbers.to_numpy(writable=True)
    odd = (numbers.is_null() & texts.is_not_null()).arg_true()
    trimmed = trim(texts.gather(odd))
    again = trimmed.cast(pl.Float64, strict=False)
    wrong = odd.filter(again.is_null() & trimmed.is_not_null())
    if len(wrong):
        raise ValueError(no_number(cell(batch.places, wrong[0], column), texts[wrong[0]]))
    return numbers.scatter(odd, again).to_numpy(writable=True)


def is_text(series: pl.Series) -> bool:
    """Whether a column holds words, or numbers written as such."""
    return series.dtype in (pl.String, pl.Categorical, pl.Enum)


def trim(texts: pl.Series) -> pl.Series:
    """Texts without the blanks around them; null where they say that something is missing."""
    trimmed = texts.cast(pl.String).str.strip_chars()
    return trimmed.set(trimmed.str.to_lowercase().is_in(MISSING), None)


def misspelt(text: str) -> str | None:
    """What something that was meant as a number has that numbers have not, and what to do; None: it is another thing.

    >>> [misspelt(text) is not None for text in ("1,5", "1,234.5", "12%", "$3", "rail")]
    [True, True, True, True, False]
    """
    return next((words for kind, words in NUMERALS.items() if kind.fullmatch(text.strip()[:SHOWN])), None)


def no_number(place: str, value: Any) -> str:  # noqa: ANN401
    """What is wrong with a value that is not a number, and what to do.

    Args:
        place: where it is.
        value: as it was read.

    Returns:
        A sentence.

    >>> no_number("row 3, column 'rail'", "1,5")
    "row 3, column 'rail' is '1,5', with a decimal comma: write a point"
    >>> no_number("row 3, column 'region'", "north")  # doctest: +ELLIPSIS
    "row 3, column 'region' is 'north', not a number: fix it, or name the columns that are options with actions=..."
    """
    text = value.strip()[:SHOWN] if isinstance(value, str) else ""
    words = misspelt(text)
    dated = day_or_month(place, text)
    if dated or words:
        return dated or f"{place} is {shown(value)}, with {words}"
    if isinstance(value, bool) or text in ("True", "False", "true", "false"):
        return f"{place} is {value}, not a number: write 1 and 0, or name the columns that are options with actions="
    remedy = "fix it, or name the columns that are options with actions= and the one that is the time with time="
    return f"{place} is {shown(value)}, not a number: {remedy}"


def day_or_month(place: str, text: str) -> str | None:
    """What is wrong with a date whose year is last, and what to do; None: it is another thing.

    Args:
        place: where it is.
        text: as it was read.

    Returns:
        A sentence.

    >>> day_or_month("row 1, column 'date'", "01/02/2013")
    "row 1, column 'date' is '01/02/2013', and the day or the month may be first: write 2013-01-17"
    >>> day_or_month("row 1, column 'date'", "12/31/2013")
    "row 1, column 'date' is '12/31/2013', with the month first: write 2013-01-17"
    """
    parts = YEAR_LAST.fullmatch(text.strip())
    if parts is None:
        return None
    how = "with the month first" if int(parts[3]) > 12 else "and the day or the month may be first"
    return f"{place} is {shown(text)}, {how}: write 2013-01-17"
