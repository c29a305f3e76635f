"""One table of costs on which to look, and how far from failing something is there."""

from collections.abc import Sequence
from functools import cached_property
from math import sqrt
from typing import TypeAlias

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import ArrayLike

from ..kernels import Array
from ..learners import Learner
from ..memory import Window
from ..problem import Problem
from ..simulation import expected
from ..theory import known

ERRORS = 3.5  # standard errors that chance is allowed; a normal variable passes them upwards with probability 2.3e-4
STATE_TOLERANCE = 1e-12  # of weights between 0 and 1

Margin: TypeAlias = tuple[str, float, *tuple[float, ...]]  # a statement's name, its margin, and what it is measured in


def sizes(problem: Problem) -> tuple[int, int, float]:
    """T, H and R of a problem that can be audited."""
    T, R = known(problem, "an audit")
    if type(problem.memory) is not Window or not 2 <= problem.memory.length < T:
        raise ValueError(
            f"the memory is {problem.memory!r} and the horizon {T}: an audit of the paper needs a Window of at least 2 "
            "rounds that is shorter than the horizon"
        )
    return T, problem.memory.length, R


class Case:
    """A problem, a table of costs, and the seed of the draws.

    Args:
        problem: what is decided.
        costs: (T, n).
        seed: of the draws; those of `simulate`.
        draws: how many.
    """

    def __init__(self, problem: Problem, costs: Array, seed: int, draws: int) -> None:
        self.problem, self.costs, self.seed, self.draws = problem, costs, seed, draws
        self.T, self.H, self.R = sizes(problem)
        self.behind = costs - costs.min(axis=1, keepdims=True)
        self.round_tolerance = 1e-12 * max(1.0, float(self.behind.sum(axis=0).max()))
        self.tolerance = self.T * self.round_tolerance

    @cached_property
    def seeds(self) -> list[SeedSequence]:
        """What `simulate` feeds its replicates from."""
        return [SeedSequence(self.seed, spawn_key=(draw, 1)) for draw in range(self.draws)]

    def expected(self, learners: Sequence[Learner], problem: Problem | None = None) -> list[float]:
        """The end regrets of learners' mean decisions, as `expected` reports them."""
        result = expected(problem or self.problem, learners, self.costs, workers=1, record="end")
        return [float(values[0, -1]) for values in result.regrets.values()]

    def within(self, excess: ArrayLike, tolerance: float | None = None) -> float:
        """How far from failing something is that must not exceed zero but for rounding, in units of the tolerance."""
        return float(1 - np.max(excess) / (tolerance or self.tolerance))

    def below(self, excess: Array) -> tuple[float, float]:
        """The same of something whose mean must not exceed zero, in standard errors; and the standard error."""
        return self.chance(float(excess.mean()), float(excess.std(ddof=1)))

    def at_zero(self, excess: Array, deviation: float) -> tuple[float, float]:
        """The same of something whose mean must be zero; its deviation is known, which rare events do not deceive."""
        return self.chance(abs(float(excess.mean())), deviation)

    def chance(self, excess: float, deviation: float) -> tuple[float, float]:
        """The same of the mean of all draws, one of which deviates so much."""
        error = deviation / sqrt(self.draws) + self.tolerance
        return ERRORS - excess / error, error
