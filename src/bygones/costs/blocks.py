"""Blocks: random costs that stay the same for some rounds."""

import numpy as np
from numpy.random import Generator

from ..kernels import Array
from ..validation import whole
from .base import Costs, Source


class Blocks(Costs):
    """Each action costs 0 or -1 by a fair coin, tossed again every `length` rounds.

    Args:
        length: how many rounds pass between tosses.

    >>> import bygones as by
    >>> import numpy as np
    >>> by.Blocks(length=2).draw(n=3, rounds=4, generator=np.random.default_rng(1))
    array([[ 0.,  0., -1.],
           [ 0.,  0., -1.],
           [ 0., -1., -1.],
           [ 0., -1., -1.]])
    """

    length: int

    def __post_init__(self) -> None:
        self._set("length", whole("length", self.length, 1))

    def source(self, n: int, rounds: int, generator: Generator) -> "BlocksSource":
        """A source that tosses as blocks are taken."""
        return BlocksSource(n, rounds, generator, self.length)


class BlocksSource(Source):
    """The last coins, and the generator of the next ones."""

    def __init__(self, n: int, rounds: int, generator: Generator, length: int) -> None:
        super().__init__(n, rounds)
        self.generator, self.length = generator, length
        self.lying = np.zeros((0, n))
        self.tosses = 0

    def _fill(self, costs: Array) -> None:
        toss = np.arange(self.taken, self.taken + len(costs)) // self.length
        fresh = max(0, int(toss[-1]) + 1 - self.tosses) if len(costs) else 0
        coins = np.concatenate([self.lying, np.where(self.generator.random((fresh, self.n)) < 0.5, -1.0, 0.0)])
        first = self.tosses - len(self.lying)
        self.tosses += fresh
        self.lying = coins[-1:]
        costs[:] = coins[toss - first]
