"""What no learner can beat: regret that some costs of range R force on every learner, randomised ones included.

All of it comes from the trap: costs are equal for long, then one action, drawn uniformly among all n, is better by R
until the end. The decision of the first such round, and all before, do not depend on the draw, and each of them misses
with probability `1 - 1/n`. So the mean regret over the draw is at least `R (1 - 1/n)` times the weight that these
decisions have in the states of the last phase, and some outcome of the draw costs at least the mean.
"""

from ..problem import Problem
from .requirements import known


def claim_floor(problem: Problem) -> float | None:
    """`R H/32`: the paper's claim, for a window whose length is a multiple of 4 and at most `0.8 T`; else None.

    >>> import bygones as by
    >>> claim_floor(by.Problem(10, 10_000, by.Window(100)))
    3.125
    """
    T, R = known(problem, "the paper's claim")
    H = problem.memory.window(T)
    return R * H / 32 if H is not None and H % 4 == 0 and 5 * H <= 4 * T else None


def short_trap_floor(problem: Problem) -> float | None:
    """`R (1 - 1/n)(7H/32 + 1/8)`: the exact value of the claim's trap of H/4 rounds; `R (7H/64 + 1/16)` if n = 2.

    For a window whose length is a multiple of 4, with `T - H/4 >= H - 2`; else None.

    >>> import bygones as by
    >>> short_trap_floor(by.Problem(2, 10_000, by.Window(100)))
    11.0
    """
    T, R = known(problem, "the trap's value")
    H = problem.memory.window(T)
    if H is None or H % 4 != 0 or T - H // 4 < H - 2:
        return None
    return R * (1 - 1 / problem.n) * (7 * H / 32 + 1 / 8)


def long_trap_floor(problem: Problem) -> float | None:
    """`R (1 - 1/n)` times the weight of the decisions made in ignorance, in a trap as long as the memory.

    That weight is `problem.memory.ignorance(T)`; None if the memory does not define it.

    >>> import bygones as by
    >>> memories = (by.Window(100), by.Geometric(0.75), by.FullHistory())
    >>> [round(long_trap_floor(by.Problem(2, 10_000, memory)), 2) for memory in memories]
    [25.25, 2.0, 1839.58]
    """
    T, R = known(problem, "the trap's value")
    weight = problem.memory.ignorance(T)
    return None if weight is None else R * (1 - 1 / problem.n) * weight
