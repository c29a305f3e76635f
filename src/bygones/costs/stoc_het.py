"""StocHet: every action has an interval of its own."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.random import Generator

from ..kernels import Array, compiled, fill_uniforms
from .base import Costs, Source

IntervalLaw: TypeAlias = Callable[[Generator, int], tuple[Array, Array]]


def paper_intervals(generator: Generator, n: int) -> tuple[Array, Array]:
    """The law of the paper's figure: `a = -0.2 U`, `b = a - 0.8 U` for each action; costs lie in [b, a].

    Args:
        generator: the source of randomness.
        n: the number of actions.

    Returns:
        The lower and the upper ends.
    """
    high = -0.2 * generator.random(n)
    return high - 0.8 * generator.random(n), high


class StocHet(Costs):
    """Each action's cost is uniform on an interval that is drawn once: the paper's StocHet.

    Args:
        law: a function of a generator and the number of actions that draws the intervals and returns their lower and
            upper ends.

    >>> import bygones as by
    >>> import numpy as np
    >>> costs = by.StocHet().draw(n=3, rounds=1000, generator=np.random.default_rng(0))
    >>> costs.min(axis=0).round(2), costs.max(axis=0).round(2)
    (array([-0.14, -0.7 , -0.74]), array([-0.13, -0.05, -0.01]))
    >>> steady = by.StocHet(law=lambda generator, n: (np.full(n, -1.0), np.linspace(-1, 0, n)))
    """

    law: IntervalLaw = paper_intervals

    def __post_init__(self) -> None:
        if not callable(self.law):
            raise ValueError(f"the law is {self.law!r}: give a function of a generator and a number of actions")

    def source(self, n: int, rounds: int, generator: Generator) -> "StocHetSource":
        """A source that draws the intervals now, and the costs as blocks are taken."""
        return StocHetSource(n, rounds, generator, self.law)


class StocHetSource(Source):
    """Uniform numbers, scaled to the actions' intervals."""

    def __init__(self, n: int, rounds: int, generator: Generator, law: IntervalLaw) -> None:
        super().__init__(n, rounds)
        self.generator = generator
        self.low, self.high = (np.asarray(end, dtype=np.float64) for end in law(generator, n))
        for end in (self.low, self.high):
            if end.shape != (n,):
                raise ValueError(
                    f"the law of the intervals gave the ends {end!r}: it must give {n} numbers for each end"
                )
        sound = (self.low <= self.high) & (self.high < np.inf) & (self.low > -np.inf)
        if not sound.all():
            i = int(sound.argmin())
            raise ValueError(
                f"the interval of action {i} goes from {self.low[i]} to {self.high[i]}: give finite ends, lower first"
            )

    def _fill(self, costs: Array) -> None:
        fill_uniforms(self.generator, costs)
        stretch(costs, self.low, self.high - self.low)


def _stretch(uniforms: Array, low: Array, width: Array) -> None:
    # By hand, because numpy is slow at broadcasting along short rows.
    for b in range(uniforms.shape[0]):
        for i in range(uniforms.shape[1]):
            uniforms[b, i] = low[i] + width[i] * uniforms[b, i]


stretch = compiled(_stretch)
