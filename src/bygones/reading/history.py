"""Reading decisions that were made before a table begins."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from ..describing import listed, shown
from ..kernels import Array
from ..tables import matched
from .batches import Batch, Source
from .columns import time_columns
from .numbers import floats
from .table import calling, open_source
from .times import NUMBER, check_forward, form, read_times, ticks


def read_history(source: Any, names: Sequence[str], before: Any = None) -> Array:  # noqa: ANN401
    """Decisions that were made before, the oldest first: a row each, a column an option.

    Args:
        source: a file or data frame, as for `read`: a column of weights for each option, or a column with the name
            of the option that was chosen. Times must go forward; other columns are left alone.
        names: the options.
        before: when the table begins, if it has times.

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
        time = next(iter(time_columns(table, rest)), None)
        numbers = [column for column in rest if form(table.sample[column]) == NUMBER]
        if chosen is not None and time is None and numbers:
            raise ValueError(
                f"{shown(chosen)} has options and {shown(numbers[0])} numbers: give one option a row and no numbers, "
                "or a column of weights for each option"
            )
        written = None if time is None else form(table.sample[time])
        decisions, last = [], None
        for batch in table.batches:
            if time is not None:
                times = read_times(batch, time, written, drop=False)
                check_forward(batch, times, last, time)
                last = ticks(times)[-1], batch.place(len(times) - 1, times[-1])
                if type(times[-1]) is type(before) and times[-1] >= before:
                    raise ValueError(f"{last[1]} is not before {before}, when the table begins: leave it out")
            decisions.append(_weights(batch, names) if chosen is None else _choices(batch, chosen, names))
        return np.concatenate(decisions)


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
    import polars as pl

    texts = {column: table.sample[column].cast(pl.String, strict=False).str.strip_chars() for column in table.columns}
    found = [column for column, text in texts.items() if text.is_in(list(names)).any()]
    if len(found) != 1:
        which = f"{listed(found)} each do" if found else f"of {listed(table.columns)} none does"
        raise ValueError(
            f"one column must hold the names of options chosen, and {which}: give one that does, or a column "
            f"of weights for each of {listed(names)}"
        )
    return found[0]


def _choices(batch: Batch, column: str, names: Sequence[str]) -> Array:
    """One option a row, as weights."""
    import polars as pl

    texts = batch.frame[column].cast(pl.String).str.strip_chars()
    strange = (~texts.is_in(list(names)).fill_null(value=False)).arg_true()
    if len(strange):
        place = _cell(batch, strange[0], column)
        raise ValueError(f"{place} is {shown(texts[strange[0]])}, and no option: give one of {listed(names)}")
    weights = np.zeros((len(texts), len(names)))
    weights[np.arange(len(texts)), [names.index(text) for text in texts]] = 1.0
    return weights
