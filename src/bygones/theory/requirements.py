"""What a rate or a bound needs to know about a problem."""

from collections.abc import Sequence

import numpy as np

from ..kernels import Array
from ..memory import Memory
from ..problem import Problem

NEAR = 20  # rounds apart


def known(problem: Problem, who: str) -> tuple[int, float]:
    """The horizon T and the cost range R of a problem.

    Args:
        problem: what is decided.
        who: what needs them, for the message.

    Returns:
        T and R.

    Raises:
        ValueError: if one of them is unknown; it names alternatives.
    """
    return _known_horizon(problem, who), known_range(problem, who)


def known_range(problem: Problem, who: str) -> float:
    """The cost range R of a problem.

    Args:
        problem: what is decided.
        who: what needs it, for the message.

    Returns:
        R.

    Raises:
        ValueError: if it is unknown; it names alternatives.
    """
    if problem.cost_range is None:
        raise ValueError(_missing(who, "cost_range"))
    return problem.cost_range


def _known_horizon(problem: Problem, who: str) -> int:
    if not isinstance(problem, Problem):
        raise ValueError(f"the problem is {problem!r}: give a Problem")
    if problem.horizon is None:
        raise ValueError(_missing(who, "horizon"))
    return problem.horizon


def _missing(who: str, what: str) -> str:
    without = 'Hedge(tuning="anytime"), which needs none, or ' if what == "horizon" else ""
    return (
        f"{who} needs the problem's {what}, unknown here: give Problem({what}=...), or a learner such as Hedge with "
        f"its rate= by hand, or {without}AdaHedge() or Steering(), which need neither horizon nor range"
    )


def effective_length(problem: Problem) -> float:
    """`1 + 2 m1`, at most T: for a window its length H; for other memories it takes the place of the paper's H.

    >>> import bygones as by
    >>> [effective_length(by.Problem(2, 100, memory)) for memory in (by.Window(7), by.Geometric(0.5), by.FullHistory())]
    [7.0, 3.0, 100]
    """
    horizon = _known_horizon(problem, "the memory's effective length")
    return min(1 + 2 * problem.memory.mean_lag(), horizon)


def lag_sums(memory: Memory, rounds: Sequence[int]) -> Array:
    """`S_t` at some rounds: added up between rounds that are near, computed directly after a gap.

    Args:
        memory: the memory.
        rounds: in ascending order.

    Returns:
        One number per round.

    >>> import bygones as by
    >>> lag_sums(by.Window(3), [0, 1, 2, 3, 1000])
    array([0.000e+00, 1.000e+00, 3.000e+00, 6.000e+00, 2.997e+03])
    """
    sums, total, before = [], 0.0, 0
    for t in rounds:
        if t - before > NEAR:
            total = t + 2 * memory.lag_total(t)
        else:
            total += sum(1 + 2 * memory.mean_lag(s) for s in range(before + 1, t + 1))
        before = t
        sums.append(total)
    return np.array(sums)


def lag_sum(problem: Problem) -> float:
    """`S_T = sum_t (1 + 2 m1(t))`; of a window it is `sum_t min(t, H)`.

    >>> import bygones as by
    >>> lag_sum(by.Problem(10, 10_000, by.Window(100)))
    995050.0
    """
    horizon = _known_horizon(problem, "the sum of the lags")
    return horizon + 2 * problem.memory.lag_total(horizon)
