"""What no learner can beat: regret that some costs of range R force on every learner, randomised ones included.

All of it comes from the trap: costs are alike for long, then one action, drawn by a fair coin among all n, is better
by R to the end. The decision of the first round that shows it, and all before, know nothing of the coin, and each of
them misses with probability `1 - 1/n`. So the mean regret over the coin is at least `R (1 - 1/n)` times the weight that
these decisions have in the states of the last phase, and some fall of the coin costs at least the mean.
"""

from math import ceil, e, expm1, log

from ..memory import FullHistory, Geometric, Weights, Window
from ..problem import Problem
from .requirements import known


def claim_floor(problem: Problem) -> float | None:
    """`R H/32`: the paper's claim, for a window whose length is a multiple of 4 and at most `0.8 T`; else None.

    >>> import bygones as by
    >>> claim_floor(by.Problem(10, 10_000, by.Window(100)))
    3.125
    """
    T, R = known(problem, "the paper's claim")
    H = _length(problem)
    return R * H / 32 if H is not None and H % 4 == 0 and 5 * H <= 4 * T else None


def short_trap_floor(problem: Problem) -> float | None:
    """`R (1 - 1/n)(7H/32 + 1/8)`: the claim's trap, of H/4 rounds, exactly; for two actions `R (7H/64 + 1/16)`.

    For a window whose length is a multiple of 4, with `T - H/4 >= H - 2`; else None.

    >>> import bygones as by
    >>> short_trap_floor(by.Problem(2, 10_000, by.Window(100)))
    11.0
    """
    T, R = known(problem, "the trap's value")
    H = _length(problem)
    if H is None or H % 4 != 0 or T - H // 4 < H - 2:
        return None
    return R * (1 - 1 / problem.n) * (7 * H / 32 + 1 / 8)


def long_trap_floor(problem: Problem) -> float | None:
    """`R (1 - 1/n)` times the weight of what was decided in ignorance, in a trap that lasts as the memory does.

    - A window or weights of your own, of support L, with `T >= 2L - 2`: exactly `1 + m1`, of a window `(H + 1)/2`.
    - Geometric memory, with a trap of `F = ceil(T/2)` rounds: at least `(1 - rho^F)(1 - rho^(T-F+1)) / (1 - rho)`.
    - Full history, and a window that the horizon never fills, with `s = ceil(T/e)` rounds of ignorance: at least
      `s ln((T + 1)/s)`, about `T/e`.

    None for any other memory, and for a horizon in between.

    >>> import bygones as by
    >>> memories = (by.Window(100), by.Geometric(0.75), by.FullHistory())
    >>> [round(long_trap_floor(by.Problem(2, 10_000, memory)), 2) for memory in memories]
    [25.25, 2.0, 1839.58]
    """
    T, R = known(problem, "the trap's value")
    weight = _ignorance(problem, T)
    return None if weight is None else R * (1 - 1 / problem.n) * weight


def _ignorance(problem: Problem, T: int) -> float | None:
    memory = problem.memory
    if (type(memory) is Window or type(memory) is Weights) and 2 * memory.support - 2 <= T:
        return 1 + memory.mean_lag()
    if type(memory) is FullHistory or (type(memory) is Window and memory.length >= T):
        s = ceil(T / e)
        return s * log((T + 1) / s)
    if type(memory) is Geometric:
        F = ceil(T / 2)
        return expm1(F * log(memory.rho)) * expm1((T - F + 1) * log(memory.rho)) / (1 - memory.rho)
    return None


def _length(problem: Problem) -> int | None:
    """The window's length; None: it is no window."""
    return problem.memory.length if type(problem.memory) is Window else None
