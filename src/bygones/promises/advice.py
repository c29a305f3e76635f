"""What the bounds mean for the choice of a learner, and when they say something."""

from collections.abc import Callable
from math import floor, inf

from ..learners import FTARL, Guarded
from ..memory import Window
from ..problem import Problem
from ..theory import known
from ..validation import LONGEST
from .table import floors, promised

BoundOf = Callable[[Problem], float | None]


def advise(problem: Problem) -> list[str]:
    """Sentences: which learner to use, its bound, when that says something, and what no learner can beat.

    >>> import bygones as by
    >>> for sentence in advise(by.Problem(2, 1000, by.Window(10))):
    ...     print(sentence)  # doctest: +NORMALIZE_WHITESPACE
    Use Guarded(): its regret is at most 64.61, or 0.06461 a round, and inside that promise it follows Steering,
    which had less regret than Hedge on nearly all costs measured.
    The least promise is that of HedgeAhead(), 33.49: use it where only the worst case counts.
    Where a decision cannot be split, Pure draws the action by its weights: the same then holds in expectation.
    The guarantee of Hedge says something at any number of rounds, the paper's theorem from 412 rounds on.
    With 1,000 rounds it does so with any window, the paper's theorem with windows of up to 26.
    No learner can promise less than 2.75.
    """
    T, R = known(problem, "advice")
    lines = promised(problem)
    learner, value = best = min(lines, key=lambda line: line.value)
    quick = min((line for line in lines if not line.learner.solves), key=lambda line: line.value)
    first = speaks_from(quick.learner.bound, problem)
    windowed = problem.memory.window(T) is not None
    longest = longest_window(quick.learner.bound, problem) if windowed else 0
    said, guarded = [], Guarded()
    promise = guarded.bound(problem) or inf
    if value < R * T:
        if promise < R * T:
            said.append(
                f"Use {guarded!r}: its regret is at most {amount(promise)}, or {amount(promise / T)} a round, and "
                "inside that promise it follows Steering, which had less regret than Hedge on nearly all costs "
                "measured."
            )
            said.append(
                f"The least promise is that of {learner!r}, {amount(value)}: use it where only the worst case counts."
            )
        else:
            said.append(f"Use {learner!r}: its regret is at most {amount(value)}, or {amount(value / T)} a round.")
        if not learner.randomised:
            said.append(
                "Where a decision cannot be split, Pure draws the action by its weights: "
                "the same then holds in expectation."
            )
    else:
        remedies = ["fewer actions", *["more rounds"] * (first is not None), *["a shorter window"] * (longest > 0)]
        said.append(
            f"No guarantee says anything here: the least, that of {best.name}, is {amount(value)}, and no run can "
            f"lose more than the range times the rounds. What would help: {', '.join(remedies)}."
        )
    if windowed:
        theorem = FTARL().bound
        said.append(
            f"The guarantee of {quick.name} says something {_from(first)}, "
            f"the paper's theorem {_from(speaks_from(theorem, problem))}."
        )
        said.append(
            f"With {T:,} round{'s'[: T > 1]} it does so with {_up_to(longest, T)}, "
            f"the paper's theorem with {_up_to(longest_window(theorem, problem), T)}."
        )
    else:
        said.append(f"The guarantee of {quick.name} says something {_from(first)}.")
    least = [line.value for line in floors(problem)]
    if least:
        said.append(f"No learner can promise less than {amount(max(least))}.")
    return said


def speaks_from(bound: BoundOf, problem: Problem) -> int | None:
    """The first horizon from which a bound stays below the trivial R*T; None if there is none.

    Args:
        bound: such as the `bound` of a learner.
        problem: what is decided; its horizon does not matter.

    Returns:
        The horizon.

    A bound with the value v at T is at most v at shorter horizons, so it is not vacuous at any horizon from v/R to T.
    Hence the search steps down from the longest horizon, each time to v/R; the first vacuous horizon that it meets is
    the last one. (The theorem's bound falls once, at T = H + 1; but from there on it is above 5RH, and no step goes
    below that.)

    >>> import bygones as by
    >>> speaks_from(by.theory.theorem_bound, by.Problem(10, 10_000, by.Window(100)))
    6264
    """
    T = LONGEST
    while T >= 1:
        share = _share(bound, problem.replace(horizon=T))
        if share >= 1:
            return None if T == LONGEST else T + 1
        T = min(floor(share * T), T - 1)
    return 1


def longest_window(bound: BoundOf, problem: Problem) -> int:
    """The longest window, up to the horizon, with which a bound stays below the trivial R*T; 0 if there is none.

    It is found by bisection, for a bound that grows with the window until it is vacuous. (The theorem's falls again
    towards H = T, but from H = T/5 on it is vacuous.)

    Args:
        bound: such as the `bound` of a learner.
        problem: what is decided; its memory does not matter.

    Returns:
        The length.

    >>> import bygones as by
    >>> longest_window(by.theory.theorem_bound, by.Problem(10, 10_000, by.Window(100)))
    160
    """
    T, _ = known(problem, "a bound")
    low, high = 0, T + 1
    while high - low > 1:
        middle = (low + high) // 2
        if _share(bound, problem.replace(memory=Window(middle))) < 1:
            low = middle
        else:
            high = middle
    return low


def amount(value: float) -> str:
    """Format a regret.

    >>> amount(7804.71), amount(0.0123456), amount(1.5e12)
    ('7,804.7', '0.01235', '1.5e+12')
    """
    return f"{value:,.1f}" if 1000 <= value < 1e9 else f"{value:.4g}"


def _share(bound: BoundOf, problem: Problem) -> float:
    """The bound over the trivial R*T; infinity if nothing is proved."""
    T, R = known(problem, "a bound")
    value = bound(problem)
    return inf if value is None else value / (R * T)


def _from(horizon: int | None) -> str:
    if horizon is None:
        return "at no number of rounds"
    return "at any number of rounds" if horizon == 1 else f"from {horizon:,} rounds on"


def _up_to(length: int, horizon: int) -> str:
    if length == 0:
        return "no window"
    return "any window" if length == horizon else f"windows of up to {length:,}"
