"""Reading decisions that were made before a table begins."""

from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from ..kernels import Array
from ..validation import listed, matched, shown
from .batches import Batch, Source
from .columns import CALLED
from .numbers import floats
from .rows import calling
from .table import open_source
from .times import NUMBER, WHOLE, dated, form, parse, ticks


def read_history(source: Any, names: Sequence[str], before: Any = None) -> Array:  # noqa: ANN401
    """Decisions that were made before, the oldest first: one row each, one column per option.

    Args:
        source: a file or data frame: a column of weights for each option, or a column with the name of the option that
            was chosen. Dates must go forward; other columns are ignored.
        names: the options.
        before: when the table begins, if it has times.

    Returns:
        The weights of each decision.

    Raises:
        ValueError: if these are not decisions over the options, or not all before the table.

    >>> import polars as pl
    >>> read_history(pl.DataFrame({"chosen": ["rail", "sea"]}), ["rail", "road", "sea"])
    array([[1., 0., 0.],
           [0., 0., 1.]])
    """
    with calling(source):
        table = open_source(source, None)
        chosen = None
        if any(name in table.columns for name in names):
            matched(table.columns, names)
        else:
            chosen = _chosen(table, names)
        rest = [column for column in table.columns if column not in names and column != chosen]
        dates = [column for column in rest if dated(form(table.sample[column]))]
        numbers = [column for column in rest if not CALLED.fullmatch(column) and _falls(table.sample[column])]
        if chosen is not None and not dates and numbers:
            raise ValueError(
                f"{shown(chosen)} has options and {shown(numbers[0])} numbers: give one option a row and no numbers, "
                "or a column of weights for each option"
            )
        decisions, written = [], form(table.sample[dates[0]]) if len(dates) == 1 else None
        for batch in table.batches:
            if written is not None:
                _check_dates(batch, parse(batch.frame[dates[0]], written), before)
            decisions.append(_weights(batch, names) if chosen is None else _choices(batch, chosen, names))
        return np.concatenate(decisions)


def _falls(series: pl.Series) -> bool:
    """Whether a column has numbers that do not rise from row to row, as times would."""
    return form(series) in (WHOLE, NUMBER) and bool((parse(series, NUMBER).diff().drop_nulls() <= 0).any())


def _check_dates(batch: Batch, dates: pl.Series, before: Any) -> None:  # noqa: ANN401
    """Raise ValueError unless there is one decision per period, the oldest first, and all before the table."""
    early = np.flatnonzero([] if dates.has_nulls() else np.diff(ticks(dates)) <= 0)
    if early.size:
        row = int(early[0]) + 1
        raise ValueError(
            f"{batch.place(row, dates[row])} is not after {batch.place(row - 1, dates[row - 1])}: give one decision a "
            "period, the oldest first"
        )
    last = dates[-1]
    alike = type(last) is type(before) and getattr(last, "tzinfo", None) is None is getattr(before, "tzinfo", None)
    if alike and isinstance(before, date) and last >= before:
        place = batch.place(len(dates) - 1, last)
        raise ValueError(f"{place} is not before {before}, when the table begins: leave it out")


def _named(series: pl.Series, names: Sequence[str]) -> pl.Series:
    """A column's texts, without the blanks around them where only so they are options."""
    texts = series.cast(pl.String, strict=False)
    return texts.zip_with(texts.is_in(list(names)).fill_null(value=False), texts.str.strip_chars())


def _weights(batch: Batch, names: Sequence[str]) -> Array:
    """A column of weights for each option."""
    weights = np.stack([floats(batch.frame[name], partial(_cell, batch, column=name)) for name in names], axis=1)
    gaps = np.argwhere(~np.isfinite(weights))
    if gaps.size:
        row, column = gaps[0]
        raise ValueError(f"{_cell(batch, int(row), names[column])} is {weights[row, column]:g}: give a weight")
    return weights


def _cell(batch: Batch, row: int, column: str) -> str:
    return f"{batch.place(row)}, column {shown(column)}"


def _chosen(table: Source, names: Sequence[str]) -> str:
    """The column that holds options' names."""
    found = [column for column in table.columns if _named(table.sample[column], names).is_in(list(names)).any()]
    if len(found) != 1:
        which = f"{listed(found)} each do" if found else f"of {listed(table.columns)} none does"
        raise ValueError(
            f"one column must hold the names of options chosen, and {which}: give one that does, or a column "
            f"of weights for each of {listed(names)}"
        )
    return found[0]


def _choices(batch: Batch, column: str, names: Sequence[str]) -> Array:
    """One option a row, as weights."""
    texts = _named(batch.frame[column], names)
    strange = (~texts.is_in(list(names)).fill_null(value=False)).arg_true()
    if len(strange):
        place = _cell(batch, strange[0], column)
        raise ValueError(f"{place} is {shown(texts[strange[0]])}, and no option: give one of {listed(names)}")
    weights = np.zeros((len(texts), len(names)))
    weights[np.arange(len(texts)), [names.index(text) for text in texts]] = 1.0
    return weights
