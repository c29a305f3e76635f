"""What the bounds mean for somebody who has to choose a learner, and how far they reach."""

from collections.abc import Callable
from math import floor, inf

from ..memory import FullHistory, Window
from ..problem import Problem
from ..validation import LONGEST
from .requirements import known
from .table import FLOORS, PROMISES, THEOREM

Bound = Callable[[Problem], float | None]


def advise(problem: Problem) -> list[str]:
    """Sentences: which learner to use, what to expect of it, how far its guarantee reaches, what nobody can beat.

    >>> import bygones as by
    >>> for sentence in advise(by.Problem(2, 1000, by.Window(10))):
    ...     print(sentence)
    Use Hedge(): its regret is at most 58.74, or 0.05874 a round.
    Where a decision cannot be split, Pure draws the action by its weights: the same then holds in expectation.
    The guarantee of Hedge says something at any number of rounds, the paper's theorem from 412 rounds on.
    With 1,000 rounds it does so with any window, the paper's theorem with windows of up to 26.
    No learner can promise less than 2.75.
    """
    T, _ = known(problem, "advice")
    best = min(PROMISES, key=lambda line: _value(line.value, problem))
    value = _value(best.value, problem)
    first = speaks_from(best.value, problem)
    windowed = type(problem.memory) in (Window, FullHistory)
    longest = longest_window(best.value, problem) if windowed else 0
    said = []
    if _share(best.value, problem) < 1:  # then it is Hedge or Tracking, whose decisions are weights
        said.append(f"Use {best.call}: its regret is at most {amount(value)}, or {amount(value / T)} a round.")
        said.append(
            "Where a decision cannot be split, Pure draws the action by its weights: "
            "the same then holds in expectation."
        )
    else:
        remedies = ["fewer actions", *["more rounds"] * (first is not None), *["a shorter window"] * (longest > 0)]
        said.append(
            f"No guarantee says anything here: the least, that of {best.name}, is {amount(value)}, and no run can lose "
            f"more than the range times the rounds. What would help: {', '.join(remedies)}."
        )
    if windowed:
        theorem = THEOREM.value
        said.append(
            f"The guarantee of {best.name} says something {_from(first)}, "
            f"the paper's theorem {_from(speaks_from(theorem, problem))}."
        )
        said.append(
            f"With {T:,} round{'s'[: T > 1]} it does so with {_up_to(longest, T)}, "
            f"the paper's theorem with {_up_to(longest_window(theorem, problem), T)}."
        )
    else:
        said.append(f"The guarantee of {best.name} says something {_from(first)}.")
    floors = [least for line in FLOORS if (least := line.value(problem)) is not None]
    if floors:
        said.append(f"No learner can promise less than {amount(max(floors))}.")
    return said


def speaks_from(bound: Bound, problem: Problem) -> int | None:
    """The first horizon from which on a bound stays below the trivial R*T; None: there is none.

    A bound that is v at T is at most v before, and so says something at every horizon above v/R up to T. Hence each
    step down from the longest horizon leaps to v/R, and the first vacuous horizon it meets is the last there is. (The
    theorem's bound falls once, at T = H + 1; but from there on it is above 5RH, and no leap goes below that.)

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


def longest_window(bound: Bound, problem: Problem) -> int:
    """The longest window, up to the horizon, with which a bound stays below the trivial R*T; 0: there is none.

    Bounds grow with the window as long as they say anything, so bisection finds it. (The theorem's falls again towards
    H = T, but from H = T/5 on it is above 5RH, and vacuous.)

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
    """A regret as people read it.

    >>> amount(7804.71), amount(0.0123456), amount(1.5e12)
    ('7,804.7', '0.01235', '1.5e+12')
    """
    return f"{value:,.1f}" if 1000 <= value < 1e9 else f"{value:.4g}"


def _value(bound: Bound, problem: Problem) -> float:
    """The bound; where nothing is proved, infinity."""
    value = bound(problem)
    return inf if value is None else value


def _share(bound: Bound, problem: Problem) -> float:
    T, R = known(problem, "a bound")
    return _value(bound, problem) / (R * T)


def _from(horizon: int | None) -> str:
    if horizon is None:
        return "at no number of rounds"
    return "at any number of rounds" if horizon == 1 else f"from {horizon:,} rounds on"


def _up_to(length: int, horizon: int) -> str:
    if length == 0:
        return "no window"
    return "any window" if length == horizon else f"windows of up to {length:,}"
