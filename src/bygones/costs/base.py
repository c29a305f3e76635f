"""What all cost families share."""

from abc import ABC, abstractmethod

import numpy as np
from numpy.random import Generator

from ..description import Description
from ..kernels import Array
from ..validation import whole


class Costs(Description):
    """A family of costs, which can draw a table: one row per round, one column per action."""

    @abstractmethod
    def source(self, n: int, rounds: int, generator: Generator) -> "Source":
        """Return a source of costs; the arguments are checked already.

        Args:
            n: the number of actions.
            rounds: the number of rounds.
            generator: the source of randomness.

        Returns:
            The source, before its first round.

        Raises:
            ValueError: if the family cannot give costs for so many actions or rounds.
        """

    @staticmethod
    def parse(text: str) -> "Costs":
        """A family from its words: its name in any case, then its parameters if any.

        `package.module:Class` is a family of your own, which is imported.

        Raises:
            ValueError: if there is no such family, module, class or parameter, or a value is not allowed.

        >>> import bygones as by
        >>> by.Costs.parse("cyclic:hold=50,vectors=2"), by.Costs.parse("square-wave:half_period=200")
        (Cyclic(vectors=2), SquareWave(half_period=200))
        """
        from .words import cost_words  # which knows all families

        return cost_words().parse(text)

    @property
    def words(self) -> str:
        """The words that `parse` makes this family from.

        Raises:
            ValueError: if a parameter has no words, as with data.

        >>> import bygones as by
        >>> by.StocHet().words, by.Trap(final=25).words
        ('stochet', 'trap:final=25')
        """
        from .words import cost_words

        return cost_words().write(self)

    def start(self, n: int, rounds: int, generator: Generator) -> "Source":
        """Start a source of costs, which are taken in blocks of any size.

        Args:
            n: the number of actions.
            rounds: the number of rounds.
            generator: the source of randomness.

        Returns:
            The source.

        Raises:
            ValueError: if an argument does not fit.
        """
        if not isinstance(generator, Generator):
            raise ValueError(f"the generator is {generator!r}: give one such as numpy.random.default_rng(0)")
        return self.source(whole("the number of actions", n, 2), whole("the number of rounds", rounds, 0), generator)

    def draw(self, n: int, rounds: int, generator: Generator) -> Array:
        """Draw the whole table at once; blocks give the same one.

        Args:
            n: the number of actions.
            rounds: the number of rounds.
            generator: the source of randomness.

        Returns:
            A table of shape (rounds, n).

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
        """The costs of the next rounds; fewer at the end."""
        costs = np.empty((min(whole("the number of rounds to take", rounds, 0), self.rounds - self.taken), self.n))
        self.fill(costs)
        return costs

    def fill(self, costs: Array) -> None:
        """Write the costs of the next rounds into an array of as many rows, at most as many as are left."""
        self._fill(costs)
        self.taken += len(costs)

    @abstractmethod
    def _fill(self, costs: Array) -> None:
        """Write the next `len(costs)` rounds; `self.taken` rounds came before."""
