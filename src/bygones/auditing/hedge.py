"""Hedge and what is built on it: bounds on every path, and the potential behind them."""

from collections.abc import Iterator
from math import log
from typing import Any

import numpy as np

from ..accounting import policy_regret, regret
from ..kernels import Array
from ..learners import AdaHedge, FixedShare, Hedge, Steering
from ..memory import Geometric, Window
from ..theory import anytime_bound, anytime_rates, hedge_bound, steering_bound, steering_rate
from ..theory.potential import deltas
from .case import STATE_TOLERANCE, Case, Margin


def of_hedge(case: Case) -> Iterator[Margin]:
    """Margins of the statements on Hedge, at a fixed and at a falling rate, and on FixedShare."""
    problem, lags = case.problem, _lags(case)
    fixed, anytime = Hedge(), Hedge(tuning="anytime")
    rate = fixed.rate_for(problem)
    lost, lost_anytime = case.expected([fixed, anytime])
    yield "Hedge", case.within(lost - hedge_bound(problem, rate))
    yield "Hedge, anytime", case.within(lost_anytime - anytime_bound(problem))
    sharing = FixedShare()
    shared = problem.memory.start(problem.n).extend(sharing.start(problem).play(case.costs))
    against = regret(case.behind, shared, changes=sharing.changes)[-1]
    yield "FixedShare", case.within(against - (sharing.bound(problem) or 0.0))
    states = problem.memory.start(problem.n).extend(fixed.start(problem).play(case.costs))
    rounds = deltas(case.behind, states, np.full(case.T, rate))
    yield "Hedge, each round", case.within(rounds - rate * case.R**2 / 8 * lags, case.round_tolerance)


def of_any(case: Case) -> Iterator[Margin]:
    """Margins of what holds for any decisions, and of the meters of the adaptive learners."""
    problem, costs, memory = case.problem, case.costs, case.problem.memory
    rates = anytime_rates(problem, np.cumsum(_lags(case)))
    learners = Hedge(), Hedge(tuning="anytime"), AdaHedge(), Steering()
    for learner, lost in zip(learners, case.expected(learners), strict=True):
        player: Any = learner.start(problem)
        decisions = player.play(costs[:-1])
        if not isinstance(learner, Hedge):
            before = player.largest_sum
        states = memory.start(problem.n).extend(np.vstack([decisions, player.play(costs[-1:])]))
        yield "Policy regret", case.within(abs(policy_regret(costs, states, memory) - lost))
        bound = deltas(case.behind, states, rates).sum() + log(problem.n) / rates[-1]
        yield "Potential inequality", case.within(lost - bound)
        if not isinstance(learner, Hedge):
            total, largest = player.delta_sum, player.largest_sum
            yield type(learner).__name__, case.within([lost - total - before, total + before - 2 * largest])


def of_fading(case: Case) -> Iterator[Margin]:
    """Margins of the statements on Steering, on a geometric memory about as long as the window."""
    learner, problem = Steering(Hedge()), case.problem.replace(memory=Geometric(case.H / (case.H + 1)))
    rate = steering_rate(problem)
    states = problem.memory.start(problem.n).extend(learner.start(problem).play(case.costs))
    weights = Hedge(rate=rate).start(problem.replace(memory=Window(1))).play(case.costs)
    yield "Geometric steering, states", case.within(np.abs(states - weights), STATE_TOLERANCE)
    (lost,) = case.expected([learner], problem)
    yield "Geometric steering", case.within(lost - (steering_bound(problem, rate) or 0.0))
    yield "Policy regret", case.within(abs(policy_regret(case.costs, states, problem.memory) - lost))


def _lags(case: Case) -> Array:
    """`1 + 2 m1(t)` of every round."""
    return np.array([1 + 2 * case.problem.memory.mean_lag(t) for t in range(1, case.T + 1)])
