"""Batches of a table as it comes, each with what it takes to say where in the table something is."""

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..validation import shown
from .numerals import CELLS, Numerals

Numbers = NDArray[np.int64]

LARGE = 2**28  # bytes of a file that may not fit in memory
SAMPLE = 1000  # rows that show what a column holds; fewer will do if they have enough cells


class Batch(NamedTuple):
    """Some rows of a table.

    Args:
        frame: the rows.
        places: where each of them is: `row`, its number from 1, and, where known, `time` and the `line` it ends on.
        size: how much of the source they are, in what its `size` counts.
        numerals: how the numbers of the table are written; None: plainly.
    """

    frame: pl.DataFrame
    places: pl.DataFrame
    size: int
    numerals: Numerals | None = None


class Source(NamedTuple):
    """A table in batches.

    Args:
        sample: the first rows, which show what the columns hold.
        batches: all of them, in order.
        size: how large the table is, in bytes or in rows; None: unknown.
        large: it may not fit in memory.
        notes: what the user should know, added to as the batches are read.
        numerals: how its numbers are written; None: plainly, as far as is known.
    """

    sample: pl.DataFrame
    batches: Iterator[Batch]
    size: int | None
    large: bool
    notes: list[str]
    numerals: Numerals | None = None


def following(before: int, count: int) -> Numbers:
    """Whole numbers in a row.

    Args:
        before: the number before the first.
        count: how many.

    Returns:
        `before + 1`, `before + 2` and so on.
    """
    return np.arange(before + 1, before + count + 1)


def enough(rows: int, width: int) -> bool:
    """Whether some rows show what the columns hold.

    Args:
        rows: how many there are.
        width: the number of columns.

    Returns:
        Whether they do.
    """
    return rows >= SAMPLE or rows * width >= CELLS


def sampled(batches: Iterator[Batch], several: bool = False) -> tuple[pl.DataFrame, Iterator[Batch]]:
    """The first rows of a table, and all its batches.

    Args:
        batches: as they come.
        several: the first rows may be taken from several batches, whose columns are the same.

    Returns:
        Both.

    Raises:
        ValueError: if there is no batch.
    """
    first: list[Batch] = []
    rows = 0
    for batch in batches:
        first.append(batch)
        rows += batch.frame.height
        if rows and not (several and not enough(rows, batch.frame.width)):  # else a header fills its block
            break
    if not first:
        raise ValueError("it holds nothing but blank lines: give a table with a header and one row per period")
    frames = [batch.frame for batch in first]
    return (pl.concat(frames) if several else frames[-1]).head(SAMPLE), chain(first, batches)


def place(places: pl.DataFrame, row: int) -> str:
    """Where a row is: its number, and its time and line if known.

    Args:
        places: of the rows: the column `row`, and `line` and `time` where there are any.
        row: which of them, from 0.

    Returns:
        The words for a message.

    >>> place(pl.DataFrame({"row": [1, 2], "line": [2, 3], "time": [2013, 2014]}), 1)
    'row 2 (2014, line 3)'
    """
    at = places.row(row, named=True)
    known = [f"{word}{at[name]}" for name, word in (("time", ""), ("line", "line ")) if name in at]
    return f"row {at['row']}" + (f" ({', '.join(known)})" if known else "")


def cell(places: pl.DataFrame, row: int, column: str) -> str:
    """Where the value of a row and a column is.

    Args:
        places: of the rows.
        row: which of them, from 0.
        column: its name.

    Returns:
        The words for a message.
    """
    return f"{place(places, row)}, column {shown(column)}"
