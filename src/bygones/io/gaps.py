"""Values that are missing, and what it costs to do without their periods or their options."""

import numpy as np
from numpy.typing import NDArray

from ..validation import shown
from .periods import Piece


class Gaps:
    """Where values are missing.

    Args:
        count: the number of options.
    """

    def __init__(self, count: int) -> None:
        self.absent = np.zeros(count, dtype=np.int64)  # of each option, the periods without its value
        self._alone = self.absent.copy()  # of each option, those in which no other value is missing
        self._periods = self._lacking = 0  # all, and those in which a value is missing
        self._known = np.zeros(count, dtype=bool)  # which options have had a value
        self._late = self._known.copy()  # which had none at first
        self._ended = self._known.copy()  # which have none in the last period
        self._first: tuple[str, int] | None = None  # where the first value is missing, and of which option
        self._begins = ""  # where the first value of that option is
        self._names: tuple[str, ...] = ()

    def add(self, piece: Piece, gaps: NDArray[np.bool_] | None) -> None:
        """Take in the next periods.

        Args:
            piece: the periods, at least one.
            gaps: which of their values are missing; None: none is.
        """
        self._periods += len(piece.values)
        there = np.ones_like(self._known) if gaps is None else np.logical_not(gaps.all(axis=0))
        if gaps is not None:
            missing = gaps.sum(axis=1)
            self._lacking += int((missing > 0).sum())
            self.absent += gaps.sum(axis=0)
            self._alone += gaps[missing == 1].sum(axis=0)
            self._late |= ~self._known & gaps[0]
            if self._first is None:
                row, column = np.argwhere(gaps)[0].tolist()
                self._first, self._names = (piece.place(row, column), column), piece.names
        if self._first is not None and not self._begins and self._late[self._first[1]] and there[self._first[1]]:
            column = self._first[1]
            row = 0 if gaps is None else int(gaps[:, column].argmin())
            self._begins = piece.place(row, column)
        self._known |= there
        self._ended = np.zeros_like(self._known) if gaps is None else gaps[-1].copy()

    def fault(self, carry: bool) -> str:
        """What is missing first, and what can be done, with what each remedy loses.

        Args:
            carry: values are carried on, where there is one before.

        Returns:
            A sentence.
        """
        assert self._first is not None  # noqa: S101
        place, column = self._first
        fault, ways = f"{place} is missing", ["give it"]
        if self._late[column]:
            begin = f" (the first one given is {self._begins})" if self._begins else ""
            fault += f", and there is none before it{begin}"
        elif self._ended[column]:
            fault += f", and {shown(self._names[column])} has none in the last period"
        ways.append(f'leave such periods out with missing="drop" ({self._lost(self._lacking)})')
        if not self._late.any():
            ways.append('repeat the value before with missing="carry"')
        worst = column if self._alone[column] == self._alone.max() else int(self._alone.argmax())
        if len(self.absent) > 2:
            left = self._lost(self._lacking - int(self._alone[worst]))
            ways.append(f"name the options without {shown(self._names[worst])} in actions= ({left})")
        sentence = f"{fault}: {', '.join(ways[:-1])}, or {ways[-1]}"
        known = 'missing="carry" fills nothing before the first value of an option'
        return f"{sentence}; {known}" if self._late.any() and not carry else sentence

    def _lost(self, periods: int) -> str:
        """How many periods are lost, in words."""
        return f"{periods:,} of {self._periods:,} {'is' if periods == 1 else 'are'} lost" if periods else "none is lost"
