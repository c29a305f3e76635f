"""What a guard knows in advance: the shadow's bound, how it is spent, and what decisions can still do."""

from collections.abc import Callable
from functools import lru_cache, wraps
from math import log
from typing import NamedTuple

import numpy as np

from ..kernels import Array
from ..memory import Memory
from ..problem import Problem
from .any_memory import COMPUTED, anytime_bound, anytime_rates
from .requirements import known, known_range

LONGEST_PLAN = 2**24  # rounds that are planned one by one
LONGEST_MEMORY = LONGEST_PLAN // 2  # rounds for which a decision may count if the horizon is unknown
AT_ONCE = 2**12  # rounds
NEGLIGIBLE = 1e-18  # weight of the past


class KnownPlan(NamedTuple):
    """What a guard knows of every round where the horizon is known.

    Args:
        bound: what the shadow promises; with a history, for a shadow that imagines a uniform past.
        rows: (T + 1, 4), for t = 0 ... T: the charges `ch_t` and `ch_(t+1)`, what the bound still adds after round t,
            and how much the history can still do.
    """

    bound: float
    rows: Array


def known_plan(problem: Problem, start: float, rate: float, share: float, history: Array) -> KnownPlan:
    """The plan of a guard whose shadow is Hedge or FixedShare at a fixed rate.

    The bound is `start + sum_t [(eta R^2/8)(1 + 2 m(t)) + a (1 - 1/n) R m(t)]`, a the share. Without a history `m(t)`
    is the mean lag; with one it is `sum_k min(k, t - 1) a_k^(t)`, for the decisions before round one, imagined as
    uniform, are those of round one. The history can do `R sum_(s > t) TV(sum_(r <= 0) a^(s)_(s-r) (v^r - u), 0)`.

    Args:
        problem: what is decided; its horizon and its range must be known.
        start: what the bound begins with, such as `ln n/eta`.
        rate: `eta`.
        share: a; 0: Hedge.
        history: (N, n) decisions taken before round one.

    Returns:
        The plan.

    Raises:
        ValueError: if the horizon or the range is unknown, or the horizon is too long to plan every round.
    """
    T, R = known(problem, "Guarded's promise")
    if T > LONGEST_PLAN:
        raise ValueError(
            f"the horizon is {T:,}, and Guarded plans every round up to {LONGEST_PLAN:,}: "
            "give a shorter one, or horizon=None, with which it promises something at every round"
        )
    charges, lags = _charges(problem.memory, T, len(history)), _mean_lags(problem.memory, T, len(history))
    spent = rate * R * (R / 8) * (1 + 2 * lags) + share * (1 - 1 / problem.n) * R * lags
    rows = np.zeros((T + 1, 4))
    rows[1:, 0], rows[:-1, 1] = charges, charges
    rows[:-1, 2] = np.cumsum(spent[::-1])[::-1]
    rows[:, 2] += start
    if len(history):
        distances = np.concatenate([part for part, _ in _inherited(problem, history, T)])
        rows[: len(distances), 3] = R * np.cumsum(distances[::-1])[::-1]
    return KnownPlan(float(rows[0, 2]), rows)


def _kept(compute: Callable[[Memory, int, int], Array]) -> Callable[[Memory, int, int], Array]:
    """Keep the last results; somebody's own memory may have parameters that cannot be looked up, such as a list."""
    known = lru_cache(maxsize=4)(compute)

    @wraps(compute)
    def looked_up(memory: Memory, T: int, past: int) -> Array:
        try:
            hash(memory)
        except TypeError:
            return compute(memory, T, past)
        return known(memory, T, past)

    return looked_up


@_kept
def _charges(memory: Memory, T: int, past: int) -> Array:
    """`ch_t = sum_(s=t)^T a^(s)_(s-t)`, what each decision weighs in all."""
    return memory.charges(np.ones((T, 1)), past)[:, 0]


@_kept
def _mean_lags(memory: Memory, T: int, past: int) -> Array:
    """`sum_k min(k, t - 1) a_k^(t)` in round t, after `past` decisions; without any, the mean lags."""
    if past == 0:
        settled = min(T, memory.settled() or T)
        lags = np.full(T, memory.mean_lag(settled))
        lags[:settled] = [memory.mean_lag(t) for t in range(1, settled + 1)]
        return lags
    state = memory.state(1)  # of the rounds' numbers, all of the past being round one
    state.take(np.ones((past, 1)))
    rounds = np.arange(1.0, T + 1)
    return rounds - state.take(rounds[:, np.newaxis])[:, 0]


def _inherited(problem: Problem, history: Array, rounds: int) -> "list[tuple[Array, float]]":
    """How far the history keeps the next states from one of uniform decisions, and its weight in them, in parts."""
    state, parts = problem.memory.start(problem.n, history), []
    for first in range(0, rounds, AT_ONCE):
        y = state.idle(min(AT_ONCE, rounds - first))
        mass = y.sum(axis=1)
        parts.append((np.abs(y - mass[:, np.newaxis] / problem.n).sum(axis=1) / 2, float(mass.sum())))
        if mass[-1] <= NEGLIGIBLE:
            break
    return parts


def open_bound(problem: Problem) -> float | None:
    """What the shadow of a guard promises that makes no use of the horizon; None where there can be no such guard.

    It is `anytime_bound`, which is at least the `b_T` of `OpenPlan` where it is a closed form. Else it is `b_T` itself:
    there the charges of `anytime_bound` end at the horizon, which the guard does not know.

    Args:
        problem: what is decided; its horizon and its range must be known.

    Returns:
        The bound, or None.
    """
    T, _ = known(problem, "Guarded's bound")
    if _settled(problem.memory) is None:
        return None
    if problem.memory.second_lag is not None or T > COMPUTED:
        return anytime_bound(problem)
    plan = OpenPlan(problem, np.zeros((0, problem.n)))
    return float(plan.rows(plan.begin, 0, T)[0][-1, 2])


def _settled(memory: Memory) -> int | None:
    """The round from which on all decisions weigh 1 in all; None: there is none, or it is too far away to plan."""
    settled = memory.support if memory.second_lag is None else memory.settled()
    return None if settled is None or settled > LONGEST_MEMORY else settled


class OpenPlan:
    """What a guard knows of every round where any horizon may be the last one; the shadow is anytime Hedge.

    With `d_t = min(R ch_t, (eta_t R^2/8)(ch_t^2 + 2 ch_t M_t))` the shadow's bound at horizon t is
    `b_t = d_1 + ... + d_t + ln n/eta_t` (see `anytime_bound`). After a history, whose decisions still weigh `M_1` in
    all and are imagined as uniform, it begins with `d_0 = eta_1 R^2 M_1^2/8`: as one decision that is charged at once.

    Args:
        problem: what is decided; its range must be known.
        history: (N, n) decisions taken before round one.

    Raises:
        ValueError: if the range is unknown, or decisions count for ever, or for too long to plan.
    """

    def __init__(self, problem: Problem, history: Array) -> None:
        self.problem, self.range = problem, known_range(problem, "Guarded's promise")
        memory = problem.memory
        settled = _settled(memory)
        if settled is None:
            raise ValueError(
                f"under {memory!r} a decision counts for ever, or for too many rounds to plan, so Guarded needs the "
                "horizon and shadow=Hedge(): give Problem(horizon=...), or a memory that forgets sooner"
            )
        self.reach = settled  # rounds after which a decision does not count any more
        self._charges = _charges(memory, 2 * settled, len(history))[:settled]  # later ones are 1
        self._inherited, weight = np.zeros(1), 0.0
        if len(history):
            parts = _inherited(problem, history, 2 * settled)
            distances = np.concatenate([part for part, _ in parts])
            self._inherited = np.append(self.range * np.cumsum(distances[::-1])[::-1], 0.0)
            weight = sum(mass for _, mass in parts)
        first = float(anytime_rates(problem, np.ones(1))[0])
        self.begin = np.array([0.0, first * self.range**2 * weight**2 / 8, weight])

    @property
    def inherited(self) -> float:
        """What the history can do in all."""
        return float(self._inherited[0])

    def bound(self, pace: Array, t: int) -> float:
        """`b_t` after the t rounds that led to a pace; before the first of them, `b_1`."""
        if t == 0:
            return float(self.rows(pace, 0, 0)[0][0, 4])
        return float(pace[1] + log(self.problem.n) / anytime_rates(self.problem, pace[:1])[0])

    def rows(self, pace: Array, before: int, rounds: int) -> tuple[Array, Array]:
        """What is known of round `before` and of so many after it.

        Args:
            pace: `S`, `d_0 + ... + d_t` and `M_(t+1)` at `t = before`.
            before: how many rounds came before.
            rounds: how many more.

        Returns:
            One row per round: the charges of the round and of the next one; the bound at this horizon; what the history
            can still do; the bound at the next horizon; the next rate; the terms of the bound so far; what the
            decisions so far still weigh. Then the pace after them.
        """
        memory, R, n = self.problem.memory, self.range, self.problem.n
        turns = range(before + 1, before + rounds + 2)
        lags = np.cumsum([pace[0], *(1 + 2 * memory.mean_lag(t) for t in turns)])
        rates = anytime_rates(self.problem, lags[1:])
        charges = np.array([self._charges[t - 1] if t <= len(self._charges) else 1.0 for t in turns])
        weighing = np.cumsum(np.append(pace[2], charges - 1))
        terms = np.minimum(R * charges, rates * R * (R / 8) * charges * (charges + 2 * weighing[:-1]))
        so_far = np.cumsum(np.append(pace[1], terms))
        bounds = so_far[1:] + log(n) / rates
        rows = np.zeros((rounds + 1, 8))
        rows[1:, 0], rows[:, 1] = charges[:-1], charges
        rows[1:, 2], rows[:, 4] = bounds[:-1], bounds
        rows[:, 3] = [self._inherited[min(t, len(self._inherited) - 1)] for t in range(before, before + rounds + 1)]
        rows[:, 5], rows[:, 6], rows[:, 7] = rates, so_far[:-1], weighing[:-1]
        return rows, np.array([lags[rounds], so_far[rounds], weighing[rounds]])
