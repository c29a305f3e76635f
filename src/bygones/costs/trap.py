"""Trap: equal costs for long, then one action is better."""

from numpy.random import Generator

from ..kernels import Array
from ..validation import whole
from .base import Costs, Source


class Trap(Costs):
    """All costs are 0 until one action, drawn by a coin, stays at -1 for the last `final` rounds.

    With `final = H/4` this is the paper's claim on the horizon's length: the window still holds decisions from before
    the coin was drawn, so every learner has a regret of at least H/32, in the mean over the coin.

    Args:
        final: how many rounds the last phase lasts.
        coin: the action that becomes the better one; None: drawn.

    >>> import bygones as by
    >>> import numpy as np
    >>> by.Trap(final=1, coin=1).draw(n=2, rounds=3, generator=np.random.default_rng(0))
    array([[ 0.,  0.],
           [ 0.,  0.],
           [ 0., -1.]])
    """

    final: int
    coin: int | None = None

    def __post_init__(self) -> None:
        self._set("final", whole("final", self.final, 1))
        if self.coin is not None:
            self._set("coin", whole("coin", self.coin, 0))

    def source(self, n: int, rounds: int, generator: Generator) -> "TrapSource":
        """A source; the coin is drawn now."""
        if self.final > rounds:
            raise ValueError(f"final is {self.final}, but there are only {rounds} rounds: give at most {rounds}")
        if self.coin is not None and self.coin >= n:
            raise ValueError(f"coin is {self.coin}: with {n} actions the last one is {n - 1}")
        coin = int(generator.integers(n)) if self.coin is None else self.coin
        return TrapSource(n, rounds, rounds - self.final, coin)


class TrapSource(Source):
    """Zeros, then -1 for one action."""

    def __init__(self, n: int, rounds: int, quiet: int, coin: int) -> None:
        super().__init__(n, rounds)
        self.quiet, self.coin = quiet, coin

    def _fill(self, costs: Array) -> None:
        costs.fill(0.0)
        costs[max(0, self.quiet - self.taken) :, self.coin] = -1.0
