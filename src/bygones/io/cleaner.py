"""What is missing, infinite or absurd in periods, and what prices become."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..kernels import Array
from ..validation import LARGEST
from .batches import Numbers
from .periods import Piece

MISSING = ("error", "drop", "carry")


class Cleaner:
    """Cleans one piece of a table after the other.

    Args:
        missing: what to do about a value that is missing: `error`, `drop` the period, or `carry` the last value on.
        prices: the values are prices, and become the returns since the period before.
    """

    def __init__(self, missing: str, prices: bool) -> None:
        self.missing = missing
        self.prices = prices
        self.dropped = 0
        self.carried = 0
        self.absent = np.zeros(1, dtype=np.int64)  # of each column, the values missing where periods were dropped
        self._last: Array | None = None  # the last row, cleaned

    def clean(self, piece: Piece) -> tuple[pl.Series, Array]:
        """The times and values of a piece, without fault."""
        values, kept = piece.values, np.arange(len(piece.values))
        if len(values) and not -LARGEST <= values.min() <= values.max() <= LARGEST:  # nan is not either
            gaps = np.isnan(values)
            if self.missing == "drop":
                kept = np.flatnonzero(~gaps.any(axis=1))
                values = values[kept]
                self.dropped += len(gaps) - len(kept)
                self.absent = self.absent + gaps.sum(axis=0)
            elif self.missing == "carry":
                values = self._filled(values, gaps)
                self.carried += int((gaps & ~np.isnan(values)).sum())
            for row, column in np.argwhere(~(np.abs(values) <= LARGEST))[:1]:
                self._refuse(piece, int(kept[row]), int(column))
        times = piece.times if len(kept) == len(piece.values) else piece.times.gather(kept)
        before, self._last = self._last, values[-1].copy() if len(values) else self._last
        if self.prices and len(values):
            values = self._returns(piece, values, kept, before)
            times = times.tail(len(values))
        return times, values

    def _filled(self, values: Array, gaps: NDArray[np.bool]) -> Array:
        """The last value in place of each that is missing."""
        first = np.full((1, values.shape[1]), np.nan) if self._last is None else self._last[np.newaxis]
        longer = np.concatenate([first, values])
        source = np.where(np.concatenate([np.zeros_like(gaps[:1]), gaps]), 0, np.arange(len(longer))[:, np.newaxis])
        return np.take_along_axis(longer, np.maximum.accumulate(source, axis=0), axis=0)[1:]

    def _refuse(self, piece: Piece, row: int, column: int) -> None:
        """Raise an error that says what is wrong with a value."""
        place, value = piece.place(row, column), piece.values[row, column]
        if not np.isnan(value):
            raise ValueError(f"{place} is {value:g}: give a number between -{LARGEST:g} and {LARGEST:g}")
        if self._last is None and row == 0:
            known = np.flatnonzero(~np.isnan(piece.values[:, column]))
            begin = f" (the first that is there is {piece.place(int(known[0]), column)})" if known.size else ""
            raise ValueError(
                f"{place} is missing, and there is none before it{begin}: give it, leave such periods out with "
                'missing="drop", or name the options without this one in actions='
            )
        raise ValueError(
            f'{place} is missing: give it, leave such periods out with missing="drop", or repeat the value '
            'before with missing="carry"'
        )

    def _returns(self, piece: Piece, prices: Array, kept: Numbers, before: Array | None) -> Array:
        """What each price is more than the one before, as a share of that one; the very first has none."""
        for row, column in np.argwhere(prices <= 0)[:1]:
            raise ValueError(
                f"{piece.place(int(kept[row]), int(column))} is {prices[row, column]:g}, and prices are above 0: give "
                "one, or leave prices=True out if these are no prices"
            )
        rows = prices if before is None else np.concatenate([before[np.newaxis], prices])
        with np.errstate(over="ignore"):
            returns = rows[1:] / rows[:-1] - 1
        for row, column in np.argwhere(~(np.abs(returns) <= LARGEST))[:1]:
            raise ValueError(
                f"{piece.place(int(kept[row + (before is None)]), int(column))} is {rows[row + 1, column]:g} after "
                f"{rows[row, column]:g}: the return is too large"
            )
        return returns
