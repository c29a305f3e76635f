"""Reading decisions that were made before a table begins."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from ..describing import listed, shown
from ..kernels import Array
from ..tables import matched
from .batches import Batch, Source
from .numbers import floats
from .table import calling, open_source


def read_history(source: Any, names: Sequence[str]) -> Array:  # noqa: ANN401
    """Decisions that were made before, the oldest first: a row each, a column an option.

    Args:
        source: a file or data frame, as for `read`: a column of weights for each option, or a column with the name
            of the option that was chosen. Other columns, such as the time, are left alone.
        names: the options.

    >>> import polars as pl
    >>> read_history(pl.DataFrame({"chosen": ["rail", "sea"]}), ["rail", "road", "sea"])
    array([[1., 0., 0.],
           [0., 0., 1.]])
    """
    with calling(source):
        table = open_source(source, None)
        if any(name in table.columns for name in names):
            matched(table.columns, names)
            return np.concatenate([_weights(batch, names) for batch in table.batches])
        column = _chosen(table, names)
        return np.concatenate([_choices(batch, column, names) for batch in table.batches])


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

    texts = {column: table.sample[column].cast(pl.String, strict=False) for column in table.columns}
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

    texts = batch.frame[column].cast(pl.String)
    strange = (~texts.is_in(list(names)).fill_null(value=False)).arg_true()
    if len(strange):
        place = _cell(batch, strange[0], column)
        raise ValueError(f"{place} is {shown(texts[strange[0]])}, and no option: give one of {listed(names)}")
    weights = np.zeros((len(texts), len(names)))
    weights[np.arange(len(texts)), [names.index(text) for text in texts]] = 1.0
    return weights
