"""Players in plain Python."""

import math
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...kernels import Actions, Array, Block, Tally
from .player import Player

TOLD = "told_of_overrides"  # marks methods that are wrapped already


class RowPlayer(Player):
    """A player in plain Python: give `begin`, `decide` and `observe`, and `play` goes row by row.

    After an override `decide` gives the decision really taken, inside `observe` too: what a subclass makes of its own
    decision there, such as a state or a loss, is then about the real one, and nothing need be written for that.
    """

    _playing = False
    _observing = False

    def __init_subclass__(cls, **kwargs: Any) -> None:  # noqa: ANN401
        """Put the real decision in the place of the one that a subclass decides, until it has observed the round."""
        super().__init_subclass__(**kwargs)
        for name, wrap in (("decide", _really), ("observe", _once)):
            method = getattr(cls, name)  # its own, or that of a class beside this one
            if not getattr(method, "__isabstractmethod__", False) and not hasattr(method, TOLD):
                setattr(cls, name, wrap(method))

    @property
    def reactive(self) -> bool:
        """It may look at what it decided, so it is told what was really done."""
        return True

    @property
    def advice(self) -> Array:
        """What it decided, whatever was really done."""
        real, self.real = self.real, self.real[:0]
        try:
            return self.decide()
        finally:
            self.real = real

    def accept(self, costs: ArrayLike) -> Array:
        """One round's costs, checked and counted: what `observe` calls first."""
        row: Array = self.problem.check_row(costs, self.rounds)[0].copy()  # it may be the caller's own
        row.setflags(write=False)
        if not self._playing:
            self._expect(1)
        self.rounds += 1
        return row

    def survey(self, costs: Array) -> Block:
        """The next rounds as a block."""
        return Tally(self.problem.n).survey(costs[np.newaxis], math.inf)[0]

    def advance(self, block: Block, real: Array | None = None) -> Array | Actions:
        """Decide and observe, row by row.

        Args:
            block: the rounds.
            real: (B, n) the decisions really taken; None: those advised.

        Returns:
            What was advised.
        """
        decisions = np.empty((block.rounds, self.problem.n))
        self._playing = True  # so that `play` alone warns of the horizon
        try:
            for b, row in enumerate(block.costs[0].copy()):
                decisions[b] = self.advice
                if real is not None:
                    self.real = real[b : b + 1]
                self.observe(row)
        finally:
            self._playing = False
            if real is not None:  # also where it failed: whoever said so will say so again
                self.real = self.real[:0]
        return decisions.argmax(axis=1)[np.newaxis] if self.pure else decisions


def _really(decide: Callable[..., Array]) -> Callable[..., Array]:
    """What a player decides, unless an override says what was really done."""

    @wraps(decide)
    def decided(self: RowPlayer) -> Array:
        return self.mixture(self.real[0]) if len(self.real) else decide(self)

    setattr(decided, TOLD, True)
    return decided


def _once(observe: Callable[..., None]) -> Callable[..., None]:
    """Observe a round; the override is for this round, also where one class calls the other's `observe`."""

    @wraps(observe)
    def observed(self: RowPlayer, costs: ArrayLike) -> None:
        if self._observing:
            observe(self, costs)
            return
        self._observing = True
        try:
            observe(self, costs)
            self.real = self.real[:0]
        finally:
            self._observing = False

    setattr(observed, TOLD, True)
    return observed
