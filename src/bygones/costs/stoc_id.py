"""StocId: independent costs with the same law for all actions."""

import numpy as np
from numpy.random import Generator

from ..kernels import Array, fill_uniforms
from .base import Costs, Source


class StocId(Costs):
    """Costs uniform on [-1, 0], independent over rounds and actions: the paper's StocId.

    Every learner has the same expected regret on it, because the state does not depend on the round's costs. The
    paper's text says [0, 1], but its analysis has costs of at most 0; a constant makes no difference.

    >>> import bygones as by
    >>> import numpy as np
    >>> by.StocId().draw(n=3, rounds=2, generator=np.random.default_rng(0)).round(2)
    array([[-0.64, -0.27, -0.04],
           [-0.02, -0.81, -0.91]])
    """

    def source(self, n: int, rounds: int, generator: Generator) -> "StocIdSource":
        """A source that draws as blocks are taken."""
        return StocIdSource(n, rounds, generator)


class StocIdSource(Source):
    """Uniform numbers, negated."""

    def __init__(self, n: int, rounds: int, generator: Generator) -> None:
        super().__init__(n, rounds)
        self.generator = generator

    def _fill(self, costs: Array) -> None:
        fill_uniforms(self.generator, costs)
        np.negative(costs, out=costs)
