"""Columns of any kind as numbers; raises ValueError with the place of what is not a number."""

import re
from typing import Any

import numpy as np
import polars as pl

from ..kernels import Array
from ..validation import SHOWN, shown
from .batches import Batch, cell
from .numerals import Numerals, parse

DASHES = ("-", "\u2013", "\u2014")
MISSING = (
    *("", "na", "n/a", "n.a.", "nan", "null", "none", "#n/a", "#nv", "#value!", "#wert!", "#div/0!", "#ref!"),
    *DASHES,
)
MONTH_FIRST = re.compile(r"[^\W\d_]{3,}\.?[ -]\d\d")
YEAR_LAST = re.compile(r"(\d\d?)([./-])(\d\d?)\2(\d{4}|\d\d)( .*)?")


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
    numerals = batch.numerals or Numerals()
    if series.null_count() == len(series):
        return np.full(len(series), np.nan)
    if series.dtype.is_numeric():
        numerals.signs.setdefault(column, "")
        return (series if series.dtype == pl.Float64 else series.cast(pl.Float64)).to_numpy(writable=True)
    if not is_text(series):
        row = series.is_not_null().arg_max() or 0
        place = cell(batch.places, row, column)
        if series.dtype.is_temporal():
            raise ValueError(f"{place} is a time, not a number: name the columns that are options with actions=")
        raise ValueError(no_number(place, series.gather([row]).to_list()[0]))
    texts = series.cast(pl.String)
    numbers = texts.cast(pl.Float64, strict=False)
    comma = numerals.decimal == ","
    numerals.look(texts)
    if numbers.null_count() == texts.null_count() and not (comma or numerals.signs.get(column)):
        numerals.signs.setdefault(column, "")  # soon, for the sake of tables with 100,000 columns
        return numbers.to_numpy(writable=True)
    odd = numbers.is_null() & texts.is_not_null()
    if comma:
        odd |= texts.str.contains(".", literal=True).fill_null(False)
    return _odd(batch.places, texts, numbers, odd, numerals)


def _odd(places: pl.DataFrame, texts: pl.Series, numbers: pl.Series, odd: pl.Series, numerals: Numerals) -> Array:
    """The numbers of a column, of which some are not written plainly."""
    at, column = odd.arg_true(), texts.name
    trimmed = trim(texts.gather(at))
    try:
        found, signs = numerals.parse(trimmed, column)
    except ValueError as error:
        raise ValueError(f"column {shown(column)} {error}") from None
    if numerals.decimal != ",":
        found = trimmed.cast(pl.Float64, strict=False).fill_null(found)
    wrong = at.filter(found.is_null() & trimmed.is_not_null())
    if len(wrong):
        raise ValueError(no_number(cell(places, wrong[0], column), texts[wrong[0]], numerals))
    values = numbers.scatter(at, found)
    signed = pl.repeat(False, len(texts), eager=True).scatter(at, signs)
    there = values.is_not_nan().fill_null(False)
    if there.any():
        expected = numerals.signs.setdefault(column, "%" if signed.any() else "")
        for row in (there & (signed != bool(expected))).arg_true()[:1]:
            have = "has no percent sign" if expected else "has a percent sign"
            others = "others have one" if expected else "others have none"
            where = f"{cell(places, row, column)} is {shown(texts[row])}"
            raise ValueError(f"{where}, which {have}, and {others}: write all numbers of a column alike")
    return values.to_numpy(writable=True)


def is_text(series: pl.Series) -> bool:
    """Whether a column holds words, or numbers written as such."""
    return series.dtype in (pl.String, pl.Categorical, pl.Enum)


def trim(texts: pl.Series) -> pl.Series:
    """Texts without the blanks around them; null where they say that something is missing."""
    trimmed = texts.cast(pl.String).str.strip_chars()
    return trimmed.set(trimmed.str.to_lowercase().is_in(MISSING), None)


def is_numeral(texts: pl.Series) -> pl.Series:
    """Which texts are numbers, however they are written.

    >>> is_numeral(pl.Series(["1,5", "1,234.5", "12%", "$3", "(5)", "rail", "2013-01-17"])).to_list()
    [True, True, True, True, True, False, False]
    """
    plain = texts.cast(pl.Float64, strict=False)
    return plain.is_not_null() | parse(texts, ".").numbers.is_not_null() | parse(texts, ",").numbers.is_not_null()


def no_number(place: str, value: Any, numerals: Numerals | None = None) -> str:  # noqa: ANN401
    r"""What is wrong with a value that is not a number, and what to do.

    Args:
        place: where it is.
        value: as it was read.
        numerals: how the numbers of the table are written.

    Returns:
        A sentence.

    >>> no_number("row 3, column 'rail'", "1,5")
    'row 3, column \'rail\' is \'1,5\', with a decimal comma: say decimal=","'
    >>> no_number("row 3, column 'region'", "north")  # doctest: +ELLIPSIS
    "row 3, column 'region' is 'north', not a number: fix it, or name the columns that are options with actions=..."
    """
    text = value.strip()[:SHOWN] if isinstance(value, str) else ""
    words = (numerals or Numerals()).fault(text)
    dated = unclear_day(place, text)
    if dated or words:
        return dated or f"{place} is {shown(value)}, {words}"
    if isinstance(value, bool) or text in ("True", "False", "true", "false"):
        return f"{place} is {value}, not a number: write 1 and 0, or name the columns that are options with actions="
    remedy = "fix it, or name the columns that are options with actions= and the one that is the time with time="
    return f"{place} is {shown(value)}, not a number: {remedy}"


def unclear_day(place: str, text: str) -> str | None:
    r"""What is wrong with a date whose year is last, and what to do; None: it is another thing.

    Args:
        place: where it is.
        text: as it was read.

    Returns:
        A sentence.

    >>> unclear_day("row 1, column 'date'", "01/02/2013")
    'row 1, column \'date\' is \'01/02/2013\', and the day or the month may be first: say date_format="day-first" or
    date_format="month-first"'
    """
    if MONTH_FIRST.fullmatch(text.strip()):
        remedy = 'say date_format="%b-%y" or date_format="%b-%d"'.replace(
            "-", re.sub(r"\w|\.", "", text.strip()) or " "
        )
        return f"{place} is {shown(text)}, and a year or a day may follow the month: {remedy}"
    parts = YEAR_LAST.fullmatch(text.strip())
    if parts is None:
        return None
    remedy = 'say date_format="day-first" or date_format="month-first"'
    remedy += ', or date_format="%y/%m/%d"' * (len(parts[4]) == 2)
    return f"{place} is {shown(text)}, and the day or the month may be first: {remedy}"
