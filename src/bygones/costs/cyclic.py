"""Cyclic: one action after the other is cheap."""

from numpy.random import Generator

from ..kernels import Array, compiled
from ..validation import whole
from .base import Costs, Source


class Cyclic(Costs):
    """The vectors `-e_1, -e_2, ...` in turn, each held for some rounds: the paper's Cyc, with its L = `hold`.

    Args:
        hold: how many rounds each vector lasts.
        vectors: how many of them take turns; None: one per action, as in the paper's text. Its figure must have been
            made with two.

    >>> import bygones as by
    >>> import numpy as np
    >>> by.Cyclic(hold=1, vectors=2).draw(n=3, rounds=3, generator=np.random.default_rng(0))
    array([[-1.,  0.,  0.],
           [ 0., -1.,  0.],
           [-1.,  0.,  0.]])
    """

    hold: int = 50
    vectors: int | None = None

    def __post_init__(self) -> None:
        self._set("hold", whole("hold", self.hold, 1))
        if self.vectors is not None:
            self._set("vectors", whole("vectors", self.vectors, 1))

    def source(self, n: int, rounds: int, generator: Generator) -> Source:
        """A source of the turns; nothing is drawn."""
        vectors = n if self.vectors is None else self.vectors
        if vectors > n:
            raise ValueError(f"vectors is {vectors}: with {n} actions at most {n} vectors can take turns")
        return TurnsSource(n, rounds, self.hold, vectors)


class TurnsSource(Source):
    """-1 for one action at a time, 0 for the others."""

    def __init__(self, n: int, rounds: int, hold: int, vectors: int) -> None:
        super().__init__(n, rounds)
        self.hold, self.vectors = hold, vectors

    def _fill(self, costs: Array) -> None:
        costs.fill(0.0)
        take_turns(costs, self.taken, self.hold, self.vectors)


def _take_turns(costs: Array, taken: int, hold: int, vectors: int) -> None:
    turn = taken // hold % vectors
    left = hold - taken % hold
    for b in range(costs.shape[0]):
        costs[b, turn] = -1.0
        left -= 1
        if left == 0:
            turn, left = (turn + 1) % vectors, hold


take_turns = compiled(_take_turns)
