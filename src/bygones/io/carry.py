"""Values that are missing, and the last ones carried on in their place."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..kernels import Array
from .periods import Piece
from .rows import Carried


def filled(values: Array, last: Array | None) -> Array:
    """The last value in place of each that is missing.

    Args:
        values: one row per period; nan: missing.
        last: the row before, filled; None: there is none.

    Returns:
        The values; nan where there is none before.
    """
    first = np.full((1, values.shape[1]), np.nan) if last is None else last[np.newaxis]
    longer = pl.DataFrame(np.concatenate([first, values])).fill_nan(None)
    return longer.fill_null(strategy="forward").to_numpy(order="c")[1:]


class Stretches:
    """Of each option, the longest stretch of values that were carried on, and the one that reaches the end."""

    def __init__(self) -> None:
        self.count = 0  # of values that were carried on
        self._longest: dict[int, Carried] = {}
        self._open: dict[int, Carried] = {}
        self._before: object = None  # the time of the period before

    def add(self, piece: Piece, gaps: NDArray[np.bool_]) -> None:
        """Take in the next periods.

        Args:
            piece: the periods, at least one.
            gaps: which of their values were carried on.
        """
        opened, self._open = self._open, {}
        self.count += int(gaps.sum())
        for column in np.flatnonzero(gaps.any(axis=0)).tolist():
            ends = np.flatnonzero(np.diff(gaps[:, column], prepend=False, append=False)).reshape(-1, 2)
            lengths, earlier = ends[:, 1] - ends[:, 0], opened.get(column)
            if ends[0, 0] == 0 and earlier:
                lengths[0] += earlier.periods
            for k in (int(lengths.argmax()), len(ends) - 1):
                start, end = ends[k].tolist()
                after = piece.times[start - 1] if start else earlier.after if earlier else self._before
                stretch = Carried(piece.names[column], after, piece.times[end - 1], int(lengths[k]))
                known = self._longest.get(column)
                if known is None or stretch.periods > known.periods:
                    self._longest[column] = stretch
                if end == len(gaps):
                    self._open[column] = stretch
        self._before = piece.times[-1]

    def all(self) -> list[Carried]:
        """The stretches, each once."""
        return list(dict.fromkeys([*self._longest.values(), *self._open.values()]))
