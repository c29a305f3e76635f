"""What all cost families share."""

from abc import ABC, abstractmethod

from numpy.random import Generator

from ..description import Description
from ..kernels import Array
from ..validation import whole


class Costs(Description):
    """A family that can draw a table of costs: one row a round, one column an action."""

    @abstractmethod
    def source(self, n: int, rounds: int, generator: Generator) -> "Source":
        """What `start` gives, from checked arguments."""

    def start(self, n: int, rounds: int, generator: Generator) -> "Source":
        """A source of the costs of `rounds` rounds over `n` actions, to be taken in blocks of any size."""
        if not isinstance(generator, Generator):
            raise ValueError(f"the generator is {generator!r}: give one such as numpy.random.default_rng(0)")
        return self.source(whole("the number of actions", n, 2), whole("the number of rounds", rounds, 0), generator)

    def draw(self, n: int, rounds: int, generator: Generator) -> Array:
        """The whole table at once; the same one that blocks would give.

        >>> import bygones as by
        >>> import numpy as np
        >>> by.SquareWave(half_period=2).draw(n=2, rounds=4, generator=np.random.default_rng(0))
        array([[-1.,  0.],
               [-1.,  0.],
               [ 0., -1.],
               [ 0., -1.]])
        """
        return self.start(n, rounds, generator).take(rounds)


class Source(ABC):
    """Costs in the order of the rounds."""

    def __init__(self, n: int, rounds: int) -> None:
        self.n, self.rounds, self.taken = n, rounds, 0

    def __repr__(self) -> str:
        return f"<{type(self).__name__} over {self.n} actions, {self.taken} of {self.rounds} rounds taken>"

    def take(self, rounds: int) -> Array:
        """The costs of the next rounds; fewer than asked for at the end."""
        count = min(whole("the number of rounds to take", rounds, 0), self.rounds - self.taken)
        costs = self._next(count)
        if costs.shape != (count, self.n):
            raise ValueError(f"{self!r} gave costs of shape {costs.shape}, and ({count}, {self.n}) was asked for")
        self.taken += count
        return costs

    @abstractmethod
    def _next(self, count: int) -> Array:
        """A fresh array of the next `count` rounds; `self.taken` came before."""
