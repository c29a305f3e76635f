"""HedgeAhead: its bound, the filter that it rests on, and what its states are."""

from collections.abc import Iterator
from math import pi

import numpy as np

from ..kernels import Array
from ..learners import Hedge, HedgeAhead
from ..memory import Window
from ..problem import Problem
from ..theory import AheadPlan, kernel_of, spectrum
from .case import STATE_TOLERANCE, Case, Margin

FREQUENCIES = 200_003  # a prime: many times as many as the library looks at, and nearly all at other places
SPECTRUM_TOLERANCE = 1e-9  # for a sum of errors, each of them of the order of one


def of_ahead(case: Case) -> Iterator[Margin]:
    """Margins of the statements on HedgeAhead, on the longest window up to that of the case that has a filter."""
    problem, plan = led(case)
    (lost,) = case.expected([HedgeAhead()], problem)
    yield "HedgeAhead", case.within(lost - (HedgeAhead().bound(problem) or 0.0))
    errors, eps = spectrum(problem.memory, plan.psi, case.T)
    frequencies = np.linspace(0, pi, FREQUENCIES)
    waves = np.polynomial.chebyshev.chebval(np.cos(frequencies), [eps, *errors])  # eps + sum_j k_j cos(j w)
    yield "HedgeAhead, spectrum", case.within(-waves, SPECTRUM_TOLERANCE)
    weights = Hedge(rate=plan.rate).start(problem).play(case.costs)
    apart = np.sqrt(weights) * (case.behind - (weights * case.behind).sum(axis=1, keepdims=True))
    gained = -(apart * delayed(errors, apart)).sum() - eps * (apart**2).sum()
    yield "HedgeAhead, errors", case.within(plan.rate * gained)
    states = problem.memory.start(problem.n).extend(HedgeAhead().start(problem).play(case.costs))
    held = np.ones((case.T, 1))  # A_t, the weight that the memory has had decisions for
    sums = np.cumsum(kernel_of(problem.memory, case.T))
    held[: len(sums), 0] = sums
    moves = np.vstack([np.diff(weights, axis=0), np.zeros((1, problem.n))])
    due = weights + delayed(errors, moves)
    yield "HedgeAhead, states", case.within(np.abs(held * states + (1 - held) / problem.n - due), STATE_TOLERANCE)


def led(case: Case) -> tuple[Problem, AheadPlan]:
    """The problem that is audited, and how HedgeAhead plays it: a shorter window where that of the case has no filter.

    Args:
        case: whose problem, with a window, is taken.

    Returns:
        The problem and the plan.
    """
    length = case.H
    while True:
        problem = case.problem.replace(memory=Window(length))
        plan = HedgeAhead().plan(problem)
        if len(plan.psi) or length == 1:
            return problem, plan
        length //= 2


def delayed(errors: Array, rows: Array) -> Array:
    """`sum_j k_j y_(t-j)` in every round t; rows before the first are 0.

    Args:
        errors: `k_1, k_2, ...`.
        rows: `y_1, y_2, ...`.

    Returns:
        One row per round.
    """
    found = np.zeros_like(rows)
    for j, error in enumerate(errors[: len(rows) - 1], start=1):
        found[j:] += error * rows[:-j]
    return found
