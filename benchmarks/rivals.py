"""The same jobs, done in other ways: plain compiled loops, numpy over replicates, plain Python, and poold's learners.

All draw the costs and the learners' random numbers from the same seeds as `by.simulate`, so that their regrets can be
compared with ours, run by run.
"""

import math
import sys
import warnings
from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numba
import numpy as np
from matplotlib import rc_context
from numpy.random import PCG64, Generator, SeedSequence
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
import reference

import bygones as by

Array = NDArray[np.float64]
jit = numba.njit(nogil=True, error_model="numpy")


@jit
def plain_ftarl(costs: Array, noise: Array, window: int, regrets: Array) -> None:
    """One pass over the actions per round: the loss, the totals, the best, and the next leader."""
    rounds, n = costs.shape
    totals, counts, played = np.zeros(n), np.zeros(n), np.empty(rounds, np.int64)
    leader, lost = 0, 0.0
    for i in range(n):
        if noise[i] > noise[leader]:
            leader = i
    for t in range(rounds):
        played[t] = leader
        counts[leader] += 1.0
        if t >= window:
            counts[played[t - window]] -= 1.0
        loss, best, least = 0.0, math.inf, math.inf
        for i in range(n):
            loss += costs[t, i] * counts[i]
            totals[i] += costs[t, i]
            best = min(best, totals[i])
            if totals[i] - noise[i] < least:
                leader, least = i, totals[i] - noise[i]
        lost += loss / min(t + 1, window)
        regrets[t] = lost - best


@jit
def plain_lsa(costs: Array, rate: float, action: int, uniforms: Array, window: int, regrets: Array) -> None:
    """One pass over the actions per round; the weights only where an action is redrawn."""
    rounds, n = costs.shape
    totals, counts, played, weights = np.zeros(n), np.zeros(n), np.empty(rounds, np.int64), np.empty(n)
    lost = 0.0
    for t in range(rounds):
        played[t] = action
        counts[action] += 1.0
        if t >= window:
            counts[played[t - window]] -= 1.0
        loss, best, least = 0.0, math.inf, math.inf
        for i in range(n):
            loss += costs[t, i] * counts[i]
            totals[i] += costs[t, i]
            best = min(best, totals[i])
            least = min(least, costs[t, i])
        lost += loss / min(t + 1, window)
        regrets[t] = lost - best
        keep = math.exp(-rate * (costs[t, action] - least))
        if uniforms[t] >= keep:
            total = 0.0
            for i in range(n):
                weights[i] = math.exp(-rate * (totals[i] - best))
                total += weights[i]
            left = (uniforms[t] - keep) / (1.0 - keep) * total
            action = 0
            while left >= weights[action] and action < n - 1:
                left -= weights[action]
                action += 1


@jit
def plain_moments(regrets: Array) -> tuple[Array, Array]:
    """Mean and standard deviation over the replicates, round by round."""
    replicates, rounds = regrets.shape
    mean, deviation = np.zeros(rounds), np.zeros(rounds)
    for r in range(replicates):
        for t in range(rounds):
            mean[t] += regrets[r, t] / replicates
    for r in range(replicates):
        for t in range(rounds):
            deviation[t] += (regrets[r, t] - mean[t]) ** 2
    for t in range(rounds):
        deviation[t] = math.sqrt(deviation[t] / (replicates - 1))
    return mean, deviation


@jit
def _stretch(uniforms: Array, low: Array, high: Array) -> None:
    for t in range(uniforms.shape[0]):
        for i in range(uniforms.shape[1]):
            uniforms[t, i] = low[i] + (high[i] - low[i]) * uniforms[t, i]


@jit
def _take_turns(costs: Array, hold: int, vectors: int) -> None:
    for t in range(costs.shape[0]):
        costs[t, t // hold % vectors] = -1.0


def stream(replicate: int, purpose: int) -> Generator:
    """The library's random numbers: purpose 0 draws the costs of a replicate, 1 feeds each of its learners."""
    return Generator(PCG64(SeedSequence(0, spawn_key=(replicate, purpose))))


def fill(costs: Array, family: by.Costs, replicate: int) -> None:
    """Draw one of the paper's tables in place."""
    generator, n = stream(replicate, 0), costs.shape[1]
    if isinstance(family, by.Cyclic):
        costs[:] = 0.0
        _take_turns(costs, family.hold, family.vectors or n)
    elif isinstance(family, by.StocId):
        np.negative(generator.random(out=costs), out=costs)
    else:
        high = -0.2 * generator.random(n)
        low = high - 0.8 * generator.random(n)
        _stretch(generator.random(out=costs), low, high)


def noise(problem: by.Problem, replicate: int) -> Array:
    """FTARL's noise."""
    return stream(replicate, 1).standard_exponential(problem.n) / by.FTARL().rate_for(problem)


def darts(problem: by.Problem, replicate: int, rounds: int) -> tuple[int, Array]:
    """LSA's first action, and its uniforms."""
    generator = stream(replicate, 1)
    return int(problem.n * generator.random()), generator.random(rounds)


def plain(problem: by.Problem, costs: Array, replicate: int, ftarl: Array, lsa: Array, compiled: bool = True) -> None:
    """Play one replicate of both learners by the plain loops; without the compiler, FTARL as the paper writes it."""
    window, rate = problem.memory.length, by.LSA().rate_for(problem)
    first, uniforms = darts(problem, replicate, len(costs))
    if compiled:
        plain_ftarl(costs, noise(problem, replicate), window, ftarl)
        plain_lsa(costs, rate, first, uniforms, window, lsa)
    else:
        _, _, losses = reference.ftarl(costs, noise(problem, replicate), window)
        ftarl[:] = np.cumsum(losses) - np.cumsum(costs, axis=0).min(axis=1)
        plain_lsa.py_func(costs, rate, first, uniforms, window, lsa)


def standard_plain(
    problem: by.Problem, families: Sequence[by.Costs], replicates: int, rounds: int, compiled: bool = True
) -> list[Array]:
    """The standard job by plain loops, one table at a time in one buffer; the regrets of all runs."""
    kept, costs = [], np.empty((rounds, problem.n))
    for family in families:
        ftarl, lsa = np.empty((replicates, rounds)), np.empty((replicates, rounds))
        for r in range(replicates):
            fill(costs, family, r)
            plain(problem, costs, r, ftarl[r], lsa[r], compiled)
        if compiled:
            plain_moments(ftarl), plain_moments(lsa)
        kept += [ftarl, lsa]
    return kept


def standard_numpy(problem: by.Problem, families: Sequence[by.Costs], replicates: int, rounds: int) -> list[Array]:
    """The standard job by numpy, round by round for all replicates at once; the regrets of all runs."""
    kept, one = [], np.empty((rounds, problem.n))
    for family in families:
        costs = np.empty((rounds, replicates, problem.n))
        for r in range(replicates):
            fill(one, family, r)
            costs[:, r] = one
        for play in (_numpy_ftarl, _numpy_lsa):
            regrets = play(problem, costs)
            regrets.mean(axis=1), regrets.std(axis=1, ddof=1)
            kept.append(regrets.T)
    return kept


def _numpy_ftarl(problem: by.Problem, costs: Array) -> Array:
    rounds, replicates, n = costs.shape
    window, each = problem.memory.length, np.arange(replicates)
    scores = -np.array([noise(problem, r) for r in range(replicates)])
    totals, counts, lost = np.zeros((replicates, n)), np.zeros((replicates, n)), np.zeros(replicates)
    played, regrets = np.empty((rounds, replicates), np.int64), np.empty((rounds, replicates))
    for t in range(rounds):
        played[t] = (totals + scores).argmin(axis=1)
        counts[each, played[t]] += 1
        if t >= window:
            counts[each, played[t - window]] -= 1
        lost += np.einsum("ri,ri->r", costs[t], counts) / min(t + 1, window)
        totals += costs[t]
        regrets[t] = lost - totals.min(axis=1)
    return regrets


def _numpy_lsa(problem: by.Problem, costs: Array) -> Array:
    rounds, replicates, n = costs.shape
    window, rate, each = problem.memory.length, by.LSA().rate_for(problem), np.arange(replicates)
    firsts, uniforms = zip(*(darts(problem, r, rounds) for r in range(replicates)), strict=True)
    action, thrown = np.array(firsts), np.array(uniforms).T.copy()
    totals, counts, lost = np.zeros((replicates, n)), np.zeros((replicates, n)), np.zeros(replicates)
    played, regrets = np.empty((rounds, replicates), np.int64), np.empty((rounds, replicates))
    for t in range(rounds):
        played[t] = action
        counts[each, action] += 1
        if t >= window:
            counts[each, played[t - window]] -= 1
        lost += np.einsum("ri,ri->r", costs[t], counts) / min(t + 1, window)
        totals += costs[t]
        best = totals.min(axis=1)
        regrets[t] = lost - best
        keep = np.exp(-rate * (costs[t, each, action] - costs[t].min(axis=1)))
        moved = np.flatnonzero(thrown[t] >= keep)
        if moved.size:
            passed = np.exp(-rate * (totals[moved] - best[moved, None])).cumsum(axis=1)
            left = (thrown[t, moved] - keep[moved]) / (1 - keep[moved]) * passed[:, -1]
            action[moved] = np.minimum((passed <= left[:, None]).sum(axis=1), n - 1)
    return regrets


class DelayedPlayer(by.RowPlayer):
    """Tells one of poold's learners of each decision once all that it is charged is known.

    Under a memory that counts H decisions, the decision of round t is charged `c^t = sum_(s >= t) a_(s-t)^(s) g^s`, and
    that is known after round `t + H - 1`: to poold it is feedback with a delay of H - 1 rounds. Each round's least cost
    is taken off first, for poold's learners depend on the size of costs, not only on their differences.

    The costs and decisions so far are the state; poold's own objects are made from them where they are missing.
    """

    learner: "Delayed"

    def begin(self) -> None:
        """Begin without any round."""
        memory, n = self.problem.memory, self.problem.n
        if memory.support is None:
            raise ValueError(
                f"under {memory!r} a decision is charged up to the last round, so that no feedback is ever complete: "
                "give a memory that counts a limited number of decisions, such as Window(100)"
            )
        self.seen = np.zeros((2, 64, n))  # costs and decisions, with room for more
        self._told = 0
        self._charges, self._played = np.zeros((0, n)), np.zeros((0, n))  # of the decisions that are not settled
        self._rival = self.learner.rival(n)
        self._next: Array = self._rival.update_and_play([], None)

    def decide(self) -> Array:
        """What poold's learner plays."""
        while self._told < self.rounds:
            self._tell(self._told)
            self._told += 1
        return self.mixture(self._next)

    def observe(self, costs: Any) -> None:  # noqa: ANN401
        """Keep the round's costs, and the decision really taken."""
        decision, row = self.decide(), self.accept(costs)
        t = self.rounds - 1
        if t == self.seen.shape[1]:
            self.seen = np.concatenate([self.seen, np.zeros_like(self.seen)], axis=1)
        self.seen[:, t] = row - row.min(), decision

    def _tell(self, t: int) -> None:
        """Take round t in: charge the decisions that count in it, and give feedback on the one that is settled."""
        row, decision = self.seen[:, t]
        weights = self.problem.memory.weights(len(self.history) + t + 1)
        self._rival.history.record_play(t, decision)  # the one really taken
        self._charges = np.vstack([self._charges, np.zeros_like(row)])
        self._played = np.vstack([self._played, decision])
        self._charges += weights[: len(self._charges), np.newaxis][::-1] * row
        feedback, hint = [], None
        if len(self._charges) == self.problem.memory.support:
            charge = self._charges[0].copy()
            feedback = [(t + 1 - len(self._charges), {"fun": lambda w: float(w @ charge), "grad": lambda w: charge})]
            self._charges, self._played = self._charges[1:], self._played[1:]
        if self.learner.hints:
            guess = self.learner.hint(self._charges, self._played)
            hint = {"grad": lambda w: guess}
        with np.errstate(all="ignore"):  # where all actions cost the same, poold divides nothing by nothing
            self._next = self._rival.update_and_play(feedback, hint)


class Delayed(by.Learner):
    """A learner of the package poold, which has the same name there: it is made for delayed feedback.

    Reference: Flaspohler et al. (2021), *Online Learning with Optimism and Delay*.

    Args:
        hints: tell it in every round what is known already of the charges that are not settled; else nothing.
    """

    hints: bool = False

    player_type = DelayedPlayer

    def rival(self, n: int) -> Any:  # noqa: ANN401
        """Return poold's own object, before its first round."""
        with rc_context(), warnings.catch_warnings():  # for poold tells matplotlib to write all text by LaTeX,
            warnings.simplefilter("ignore")  # and its sources have escapes that Python warns of when it compiles them
            from poold import learners
        made = getattr(learners, type(self).__name__)([str(i) for i in range(n)])
        made.history.low_memory = True  # it need not copy every function that it is given
        return made

    @abstractmethod
    def hint(self, charges: Array, played: Array) -> Array:
        """What poold's learner is told of the decisions that are not settled, from their charges so far."""


class AdaHedgeD(Delayed):
    """Exponential weights of what decisions were charged, at a rate that is found on the way."""

    def hint(self, charges: Array, played: Array) -> Array:
        """The sum of the charges."""
        return charges.sum(axis=0)


class DORMPlus(Delayed):
    """Weights in proportion to the regrets to each action that are above zero."""

    def hint(self, charges: Array, played: Array) -> Array:
        """The sum of the regrets, which is what it adds up."""
        return ((charges * played).sum(axis=1, keepdims=True) - charges).sum(axis=0)
