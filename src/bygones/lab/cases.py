"""What all worst cases have in common: a learner whose regret can be computed, and the result."""

import math
from typing import NamedTuple

from ..accounting import regret, regret_against
from ..kernels import Array
from ..learners import Learner
from ..problem import Problem


class WorstCase(NamedTuple):
    """Costs on which a learner does badly, so that others can check it: play them, and add the losses up."""

    costs: Array  # (T, n)
    regret: float  # of a fresh player on them
    bound: float | None  # what the learner promises; None: nothing
    share: float | None  # the regret's share of it
    found_by: str
    tries: int  # sequences that were played to find it; 0: none


def power(exponent: float) -> str:
    """A power of ten in few digits, for messages; it may be too large for a number.

    Args:
        exponent: of ten.

    Returns:
        It, as numbers are written.

    >>> power(3.5), power(5000.5)
    ('3.16e+03', '3.16e+5000')
    """
    whole = math.floor(exponent)
    return f"{10 ** (exponent - whole):.2f}e+{whole:02}"


def as_played(learner: Learner | str, problem: Problem) -> tuple[Learner, Learner]:
    """A learner, and the one whose decisions are its mean: costs are chosen beforehand, so its regret is what counts.

    Args:
        learner: or its words.
        problem: what is decided; horizon and range must be known.

    Returns:
        Both; they are the same where nothing is drawn.

    Raises:
        ValueError: if horizon or range is unknown, or nobody knows the mean.
    """
    given = Learner.parse(learner) if isinstance(learner, str) else learner
    if not isinstance(given, Learner):
        raise ValueError(f"the learner is {learner!r}: give one such as Hedge(), or its words")
    if not isinstance(problem, Problem):
        raise ValueError(f"the problem is {problem!r}: give a Problem")
    if problem.horizon is None or problem.cost_range is None:
        raise ValueError("a worst case needs a game that ends, and costs in a range: give horizon and cost_range")
    mean = given.mean()
    if mean is None:
        raise ValueError(
            f"{given!r} draws its decisions, and their mean is not known: give a learner that draws nothing, or one "
            "whose mean() is known"
        )
    return given, mean


def regret_on(learner: Learner, problem: Problem, costs: Array) -> float:
    """The regret of a fresh player.

    Args:
        learner: one that draws nothing.
        problem: what is decided.
        costs: (T, n).

    Returns:
        The regret at the end.
    """
    decisions = learner.start(problem).play(costs)
    return float(regret_against(costs, problem.memory.start(problem.n).extend(decisions)).max())


def case(learner: Learner, mean: Learner, problem: Problem, costs: Array, found_by: str, tries: int) -> WorstCase:
    """The result, with the regret computed once more.

    Args:
        learner: whose worst case it is.
        mean: the one that plays its mean.
        problem: what is decided.
        costs: (T, n).
        found_by: how the costs were found.
        tries: how many sequences were played.

    Returns:
        The worst case.
    """
    states = problem.memory.start(problem.n).extend(mean.start(problem).play(costs))
    end, bound = float(regret(costs, states)[-1]), learner.bound(problem)
    return WorstCase(costs, end, bound, None if not bound else end / bound, found_by, tries)
