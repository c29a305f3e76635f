"""SquareWave: two actions take turns."""

from numpy.random import Generator

from ..validation import whole
from .base import Costs, Source
from .cyclic import TurnsSource


class SquareWave(Costs):
    """The first two actions take turns at -1, the others stay at 0; Hedge and FTARL lose about sqrt(TH) here.

    Args:
        half_period: how many rounds each turn lasts.

    >>> import bygones as by
    >>> import numpy as np
    >>> by.SquareWave(half_period=2).draw(n=3, rounds=5, generator=np.random.default_rng(0))[:, 0]
    array([-1., -1.,  0.,  0., -1.])
    """

    half_period: int

    def __post_init__(self) -> None:
        self._set("half_period", whole("half_period", self.half_period, 1))

    def source(self, n: int, rounds: int, generator: Generator) -> Source:
        """A source of the turns; nothing is drawn."""
        return TurnsSource(n, rounds, self.half_period, 2)
