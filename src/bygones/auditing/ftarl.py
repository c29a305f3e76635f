"""FTARL: the paper's decomposition and identities on its runs, and its bounds."""

from collections.abc import Iterator
from math import expm1, sqrt
from typing import Any

import numpy as np

from ..accounting import policy_regret
from ..engine import simulate
from ..kernels import Array
from ..learners import FTARL
from ..theory import corollary_bound, perturbed_bound, theorem_bound
from ..theory.decomposition import Run, Terms, decompose, mean_bounds, path_bounds
from .case import STATE_TOLERANCE, Case, Margin

AT_ONCE = 2**20  # numbers in the states of the draws that are handled together
FEW = 8  # draws, for what need not be checked in all of them


def of_ftarl(case: Case) -> Iterator[Margin]:
    """Margins of the statements on FTARL, on every path and on average over the draws."""
    H, learner = case.H, FTARL()
    simulated = simulate(case.problem, [learner], case.costs, case.draws, case.seed, workers=1, record="end")
    (regrets,) = (values[:, -1] for values in simulated.regrets.values())
    rate, shares = learner.rate_for(case.problem), 1 / np.arange(1, case.problem.n + 1)
    changes, samples = np.zeros(case.T - H + 1), []
    together = max(1, AT_ONCE // case.costs.size)
    for first in range(0, case.draws, together):
        here = slice(first, first + together)
        run = _play(case, learner, here)
        terms, slack = decompose(run)
        yield from _of_terms(case, run, terms, slack, regrets[here])
        yield from _of_states(case, run, regrets[here])
        for theta in (1, H):
            yield "Leaders' values", _leaders_values(case, run, theta)
        changes += (run.states[:, H:] != run.states[:, H - 1 : -1]).any(axis=2).sum(axis=0)
        bounds = mean_bounds(run, rate)
        excess = [term - bound for term, bound in zip(terms, bounds, strict=True)]
        samples.append([*excess, terms.total - bounds.total, run.noise.max(axis=1) - shares.sum() / rate])
    *excess, noise = np.concatenate(samples, axis=1)
    for name, values in zip(("Term A", "Term B", "Term C", "Terms together"), excess, strict=True):
        yield name, *case.below(values)
    yield "Largest noise", *case.at_zero(noise, sqrt(shares @ shares) / rate)
    claim = -expm1(-rate * case.R * H)
    yield "Leader changes", *case.chance(float(changes.max()) / case.draws - claim, sqrt(claim * (1 - claim)))
    yield from _of_means(case, regrets)


def _play(case: Case, learner: FTARL, here: slice) -> Run:
    """Play some of the draws, for one round more than the horizon."""
    player: Any = learner.player_type(learner, case.problem, case.seeds[here])
    noise = player.noise.copy()
    actions = np.hstack([player.advance(player.survey(case.costs)), player.current[:, np.newaxis]])
    states = np.stack([case.problem.memory.start(case.problem.n).extend(own) for own in actions])
    return Run(case.behind, noise, actions, states, case.H, case.R)


def _of_terms(case: Case, run: Run, terms: Terms, slack: Array, regrets: Array) -> Iterator[Margin]:
    yield "Theorem 2", case.within(regrets - terms.total)
    yield "Theorem 2, equality", case.within(np.abs(terms.total - regrets - slack))
    for letter, term, bound in zip("ABC", terms, path_bounds(run), strict=True):
        yield f"Term {letter}, path", case.within(term - bound)


def _of_states(case: Case, run: Run, regrets: Array) -> Iterator[Margin]:
    H, x, stars = run.length, run.states, run.stars
    step, t = np.diff(x, axis=1), np.arange(1, x.shape[1])
    yield "I.1", case.within(np.abs(step[:, H - 1 :] - (stars[:, H:] - stars[:, :-H]) / H), STATE_TOLERANCE)
    early = (stars[:, 1:H] - x[:, : H - 1]) / (t[: H - 1, np.newaxis] + 1)
    yield "I.2", case.within(np.abs(step[:, : H - 1] - early), STATE_TOLERANCE)
    yield "I.3", case.within(np.abs(step).sum(axis=2) - 2 / np.minimum(t, H), STATE_TOLERANCE)
    for states, lost in zip(x[:FEW, :-1], regrets[:FEW], strict=True):
        yield "Policy regret", case.within(abs(policy_regret(case.costs, states, case.problem.memory) - lost))


def _leaders_values(case: Case, run: Run, theta: int) -> float:
    """The margin of the bound `R Theta` on the difference of any two actions played within `Theta + 1` rounds."""
    moves = np.zeros(run.actions.shape)
    np.cumsum(np.diff(run.actions, axis=1) != 0, axis=1, out=moves[:, 1:])
    draw, start = np.nonzero(moves[:, theta:] > moves[:, :-theta])  # elsewhere there is one leader only
    window = draw[:, np.newaxis], start[:, np.newaxis] + np.arange(theta + 1)
    scores = run.scores[window]
    led = (run.actions[window][..., np.newaxis] == np.arange(scores.shape[2])).any(axis=1)[:, np.newaxis]
    apart = scores.max(axis=2, where=led, initial=-np.inf) - scores.min(axis=2, where=led, initial=np.inf)
    return case.within(apart.max(initial=0.0) - run.cost_range * theta, case.round_tolerance)


def _of_means(case: Case, regrets: Array) -> Iterator[Margin]:
    """Margins of the statements on means, which are exact over the noise."""
    problem, memory_bound = case.problem, case.H + 1
    learners = FTARL(), FTARL(memory_bound=memory_bound), FTARL(tuning="sharp")
    means = case.expected(learners)
    yield "FTARL's mean", *case.at_zero(regrets - means[0], _deviation(case, learners[0]))
    yield "Theorem", case.within(means[0] - theorem_bound(problem))
    yield "Corollary", case.within(means[1] - corollary_bound(problem, memory_bound))
    for learner, mean in zip(learners, means, strict=True):
        yield "FTARL, sharper", case.within(mean - perturbed_bound(problem, learner.rate_for(problem)))


def _deviation(case: Case, learner: FTARL) -> float:
    """A bound on the standard deviation of the regret: the sum of those of what each decision is charged."""
    law: Any = learner.mean().start(case.problem).play(case.costs)
    charges = case.problem.memory.charges(case.behind)
    mean = np.einsum("ti,ti->t", law, charges)[:, np.newaxis]
    return float(np.sqrt(np.einsum("ti,ti->t", law, (charges - mean) ** 2)).sum())
