"""The theorem and the corollary of the paper, with the cost range R for its M.

Hebbar and Langbort (2024), *Online Decision Making with History-Average Dependent Costs*. Adding a constant to all
costs of a round changes no decision and no regret, so the range takes the place of the paper's bound on the costs.
"""

from math import log, sqrt

from ..problem import Problem
from .requirements import effective_length, known


def theorem_rate(problem: Problem) -> float:
    """`eps = sqrt(4 (ln n + 1) / (R^2 (T - H)(2 + H)))`.

    If the memory is not a window, `H` is `1 + 2 m1`. If that exceeds T - 1, the formula would divide by zero or by
    nearly zero, and the corollary's rate with `Theta = T` takes its place.

    >>> import bygones as by
    >>> round(theorem_rate(by.Problem(10, 10_000, by.Window(100))), 7)
    0.0036169
    """
    T, R = known(problem, "the rate of FTARL and FTPL")
    H = effective_length(problem)
    if H > T - 1:
        return corollary_rate(problem, T)
    return sqrt(4 * (log(problem.n) + 1) / ((T - H) * (2 + H))) / R


def theorem_bound(problem: Problem) -> float:
    """`5RH + 4R sqrt((T - H)(H + 2)(ln n + 1))`, on the expected regret; proved for a window of length H < T.

    From H = T on it is the corollary's with `Theta = T`, which is above the trivial bound RT.

    >>> import bygones as by
    >>> round(theorem_bound(by.Problem(10, 10_000, by.Window(100))), 1)
    7804.7
    """
    T, R = known(problem, "the theorem's bound")
    H = effective_length(problem)
    if H > T - 1:
        return corollary_bound(problem, T)
    return 5 * R * H + 4 * R * sqrt((T - H) * (H + 2) * (log(problem.n) + 1))


def corollary_rate(problem: Problem, memory_bound: float) -> float:
    """`eps = sqrt(4 (ln n + 1) / (T R^2 Theta))`, where only a bound Theta on the memory's length is known.

    Args:
        problem: what is decided.
        memory_bound: Theta.

    Returns:
        The rate.
    """
    T, R = known(problem, "the rate of FTARL and FTPL")
    return sqrt(4 * (log(problem.n) + 1) / (T * memory_bound)) / R


def corollary_bound(problem: Problem, memory_bound: float) -> float:
    """`5R Theta + 4R sqrt(T Theta (ln n + 1))`, on the expected regret; for every window of length H <= Theta.

    Args:
        problem: what is decided.
        memory_bound: Theta.

    Returns:
        The bound.
    """
    T, R = known(problem, "the corollary's bound")
    return 5 * R * memory_bound + 4 * R * sqrt(T * memory_bound * (log(problem.n) + 1))
