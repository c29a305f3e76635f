"""Pieces of a table as it comes, each with what it takes to say where in the table something is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

Numbers = NDArray[np.int64]

LARGE = 2**28  # bytes of a file that may not fit in memory
SAMPLE = 1000  # rows that show what a column holds


@dataclass(frozen=True)
class Batch:
    """Some rows of a table.

    Args:
        frame: the rows.
        rows: the number of each, from 1.
        size: how much of the source they are, in what its `size` counts.
        lines: of a text file, the line that each row ends on.
        lost: how many rows were left out, as they have no time.
    """

    frame: pl.DataFrame
    rows: Numbers
    size: int
    lines: Numbers | None = None
    lost: int = 0

    def place(self, row: int, time: object = None) -> str:
        """Where a row is: its number, its time if known, and its line."""
        known = [] if time is None else [str(time)]
        known += [] if self.lines is None else [f"line {self.lines[row]}"]
        return f"row {self.rows[row]}" + (f" ({', '.join(known)})" if known else "")

    def only(self, kept: Numbers) -> "Batch":
        """Some of the rows, in some order."""
        lines = None if self.lines is None else self.lines[kept]
        return replace(self, frame=self.frame[kept], rows=self.rows[kept], lines=lines)


def joined(batches: Sequence[Batch]) -> Batch:
    """Batches one after the other."""
    lines = [batch.lines for batch in batches if batch.lines is not None]
    return Batch(
        pl.concat([batch.frame for batch in batches]),
        np.concatenate([batch.rows for batch in batches]),
        sum(batch.size for batch in batches),
        np.concatenate(lines) if lines else None,
        sum(batch.lost for batch in batches),
    )


def following(before: int, count: int) -> Numbers:
    """So many numbers after another."""
    return np.arange(before + 1, before + count + 1)


@dataclass(frozen=True)
class Source:
    """A table in batches.

    Args:
        columns: their names.
        sample: the first rows, which show what the columns hold.
        batches: all of them, in order.
        size: how large the table is, in bytes or in rows; None: unknown.
        large: it may not fit in memory.
    """

    columns: tuple[str, ...]
    sample: pl.DataFrame
    batches: Iterator[Batch]
    size: int | None
    large: bool
