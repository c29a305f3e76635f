"""One table of costs to audit on, and the margins by which statements hold there."""

from collections.abc import Sequence
from functools import cached_property
from math import sqrt
from typing import TypeAlias

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import ArrayLike

from ..engine import expected, learner_seed
from ..kernels import Array
from ..learners import Learner
from ..problem import Problem
from ..theory import known

ERRORS = 3.5  # standard errors allowed to chance; a normal variable exceeds them with probability 2.3e-4
STATE_TOLERANCE = 1e-12  # for weights between 0 and 1

# A statement's name, its margin, and the standard error if there is one.
Margin: TypeAlias = tuple[str, float, *tuple[float, ...]]


def sizes(problem: Problem) -> tuple[int, int, float]:
    """T, H and R of a problem; ValueError if it cannot be audited."""
    T, R = known(problem, "an audit")
    H = problem.memory.window(T)
    if H is None or not 2 <= H < T:
        raise ValueError(
            f"the memory is {problem.memory!r} and the horizon {T}: an audit of the paper needs a Window of at least 2 "
            "rounds that is shorter than the horizon"
        )
    return T, H, R


class Case:
    """A problem, a table of costs, and the seed of the draws.

    Args:
        problem: what is decided.
        costs: (T, n).
        seed: the seed of the draws, used as in `simulate`.
        draws: the number of draws.
    """

    def __init__(self, problem: Problem, costs: Array, seed: int, draws: int) -> None:
        self.problem, self.costs, self.seed, self.draws = problem, costs, seed, draws
        self.T, self.H, self.R = sizes(problem)
        self.behind = costs - costs.min(axis=1, keepdims=True)
        self.round_tolerance = 1e-12 * max(1.0, float(self.behind.sum(axis=0).max()))
        self.tolerance = self.T * self.round_tolerance

    @cached_property
    def seeds(self) -> list[SeedSequence]:
        """The seeds of the replicates, as in `simulate`."""
        return [learner_seed(self.seed, draw) for draw in range(self.draws)]

    def expected(self, learners: Sequence[Learner], problem: Problem | None = None) -> list[float]:
        """The final regrets of learners' mean decisions, as `expected` reports them.

        Args:
            learners: the learners.
            problem: None: that of the case.

        Returns:
            One number per learner.
        """
        result = expected(problem or self.problem, learners, self.costs, workers=1, record="end")
        return [float(values[0, -1]) for values in result.regrets.values()]

    def within(self, excess: ArrayLike, tolerance: float | None = None) -> float:
        """The margin of something that must not exceed zero, except for rounding, in units of the tolerance.

        Args:
            excess: the numbers that must not exceed zero.
            tolerance: None: that of the case.

        Returns:
            The margin, negative if it fails.
        """
        return float(1 - np.max(excess) / (tolerance or self.tolerance))

    def below(self, excess: Array) -> tuple[float, float]:
        """The margin of something whose mean must not exceed zero, in standard errors; and the standard error."""
        return self.chance(float(excess.mean()), float(excess.std(ddof=1)))

    def at_zero(self, excess: Array, deviation: float) -> tuple[float, float]:
        """The margin of something whose mean must be zero and whose standard deviation is known.

        A known deviation is reliable even if rare events matter.

        Args:
            excess: one number per draw.
            deviation: the standard deviation of one draw.

        Returns:
            The margin in standard errors, and the standard error.
        """
        return self.chance(abs(float(excess.mean())), deviation)

    def chance(self, excess: float, deviation: float) -> tuple[float, float]:
        """The margin of a mean over all draws that must not exceed zero.

        Args:
            excess: the mean.
            deviation: the standard deviation of one draw.

        Returns:
            The margin in standard errors, and the standard error.
        """
        error = deviation / sqrt(self.draws) + self.tolerance
        return ERRORS - excess / error, error
