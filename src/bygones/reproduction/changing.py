"""Costs whose best action changes, and what the best path of actions has on them; beyond the paper."""

import numpy as np
from numpy.random import Generator

from ..accounting import best_path
from ..costs import Costs, Cyclic, Source
from ..kernels import Array

CHANGES = (1, 3, 10)  # of the paths that learners are compared with


class Break(Costs):
    """One break in the middle: costs are uniform within 0.3 of their means, which change once.

    In the first half action 0 has the mean 0.3 and all others 0.5. In the second half action 0 has 0.7, action 1 has
    0.4, and the others still have 0.5.
    """

    def source(self, n: int, rounds: int, generator: Generator) -> Source:
        """A source that draws the costs as blocks are taken."""
        return BreakSource(n, rounds, generator)


class BreakSource(Source):
    """Uniform numbers around means that change in the middle."""

    def __init__(self, n: int, rounds: int, generator: Generator) -> None:
        super().__init__(n, rounds)
        self.generator = generator

    def _fill(self, costs: Array) -> None:
        costs[:] = 0.5 + 0.3 * _spread(self.generator, costs.shape)
        late = np.arange(self.taken, self.taken + len(costs)) >= self.rounds // 2
        costs[:, 0] += np.where(late, 0.2, -0.2)
        costs[:, 1] -= np.where(late, 0.1, 0.0)


class Walk(Costs):
    """A random walk of the means: costs are uniform within 0.25 of means that move a little in every round.

    All means begin at 0.5. In every round each moves by a step that is uniform between -0.01 and 0.01; it turns back at
    0.25 and 0.75.
    """

    def source(self, n: int, rounds: int, generator: Generator) -> Source:
        """A source that draws steps and costs as blocks are taken."""
        return WalkSource(n, rounds, generator)


class WalkSource(Source):
    """Uniform numbers around means that walk."""

    def __init__(self, n: int, rounds: int, generator: Generator) -> None:
        super().__init__(n, rounds)
        self.generator, self.here = generator, np.zeros((1, n))  # where they would be if they did not turn back

    def _fill(self, costs: Array) -> None:
        rounds, n = costs.shape
        steps, noise = _spread(self.generator, (rounds, 2, n)).transpose(1, 0, 2)
        walked = np.cumsum(np.concatenate([self.here, 0.01 * steps]), axis=0)
        self.here = walked[-1:]
        costs[:] = 0.25 + np.abs((walked[1:] - 0.25) % 1.0 - 0.5) + 0.25 * noise


CHANGING: dict[str, Costs] = {"one break": Break(), "random walk": Walk(), "turns of 500": Cyclic(hold=500)}


def saved(costs: Array) -> Array:
    """By how much less than the best fixed action the best paths with `CHANGES` cost: one number each.

    So much is added to a regret against the best fixed action to make it one against these paths.

    >>> saved(np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]))
    array([0., 1., 1.])
    """
    totals = best_path(costs, max(CHANGES)).totals
    less: Array = totals[0] - totals[np.minimum(CHANGES, len(totals) - 1)]
    return less


def _spread(generator: Generator, shape: tuple[int, ...]) -> Array:
    """Uniform numbers between -1 and 1."""
    return 2 * generator.random(shape) - 1
