"""Guarded, following the worst action so far: what it promises, on every path; and meters of overridden decisions."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..accounting import regret
from ..kernels import Actions, Array
from ..learners import Advice, FixedShare, Guarded, Learner, Steering
from ..memory import as_decisions
from ..problem import Problem
from .case import Case, Margin

SLACK, CHANGES = 0.05, 3
LOOKS = 40  # at a run


def of_guarded(case: Case) -> Iterator[Margin]:
    """Margins of the statements on Guarded, and on overrides."""
    problem, worst = case.problem, Advice(worst_actions(case.behind))
    guarded = Guarded(worst, slack=SLACK)
    excess = [max(lost - limit, limit - promise) for lost, limit, promise in _watched(case, guarded, problem)]
    yield "Guarded", case.within(excess)
    past = np.full(case.H, int(case.behind.sum(axis=0).argmax()))
    yield "Guarded, history", case.within([lost - most for lost, _, most in _watched(case, guarded, problem, past)])
    unknown = problem.replace(horizon=None)
    yield "Guarded, any horizon", case.within([lost - most for lost, _, most in _watched(case, guarded, unknown)])
    sharing = guarded.replace(shadow=FixedShare(changes=CHANGES))
    states = problem.memory.start(problem.n).extend(sharing.start(problem).play(case.costs))
    against = regret(case.behind, states, changes=CHANGES)[-1]
    yield "Guarded, paths", case.within(against - (sharing.bound(problem) or 0.0))
    player: Any = Steering().start(problem)
    real = as_decisions(worst_actions(case.behind), problem.n)
    player.play(case.costs[:-1], decisions=real[:-1])
    before = player.largest_sum
    player.play(case.costs[-1:], decisions=real[-1:])
    lost = regret(case.behind, problem.memory.start(problem.n).extend(real))[-1]
    yield "Overrides", case.within(lost - player.delta_sum - before)


def worst_actions(costs: Array) -> Actions:
    """In each round, the action that has cost most before it."""
    totals = np.vstack([np.zeros(costs.shape[1]), np.cumsum(costs, axis=0)[:-1]])
    worst: Actions = totals.argmax(axis=1)
    return worst


def _watched(
    case: Case, learner: Learner, problem: Problem, past: Actions | None = None
) -> Iterator[tuple[float, float, float]]:
    """The regret, what the player guarantees and what it promises, at some rounds and at the end of a run.

    A promise that is lost is no more than the guarantee, and not what was promised.
    """
    player: Any = learner.start(problem, history=past)
    memory, states = problem.memory.start(problem.n, past), []
    for block in np.array_split(case.costs, LOOKS):
        states.append(memory.extend(player.play(block)))
        if len(block):
            lost = regret(case.behind[: player.rounds], np.vstack(states))[-1]
            yield float(lost), player.guarantee, player.promise if player.lost is None else -np.inf
