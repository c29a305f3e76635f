"""FTARL: follow the adaptively regularised leader, the paper's algorithm."""

from typing import Literal

import numpy as np

from ..kernels import Actions, Array, Block, Tally, compiled, follow, perturbed_mean, quadrature
from ..memory import FullHistory, Window
from ..problem import Problem
from ..theory import corollary_bound, corollary_rate, perturbed_bound, perturbed_rate, theorem_bound, theorem_rate
from ..validation import positive, word
from .base import RandomisedLearner
from .player import BlockPlayer, Player


class FTARL(RandomisedLearner):
    r"""Follow the leader of the costs so far less a noise that is drawn once.

    Draw `Z_i ~ Exp(eps)` before the first round; in every round play the action

        i_t = argmin_i (G^(t-1)_i - Z_i),        G^t = g^1 + ... + g^t.

    The leader changes rarely, and that is what a memory asks for. The paper derives this from a regularised leader
    whose regularisers depend on the past decisions; both give the same states.

    The rate is the theorem's, `sqrt(4 (ln n + 1) / (R^2 (T - H)(2 + H)))`, or with `memory_bound` the corollary's;
    with `tuning="sharp"` it is `sqrt(2 ln n / (R^2 (T + S_T)))`, `S_T = sum_t (1 + 2 m1(t))`, for any memory. The
    bound on the expected regret is the theorem's `5RH + 4R sqrt((T - H)(H + 2)(ln n + 1))`, or the corollary's, where
    the paper proves it: on windows. On other memories, and at any other rate, it is
    `(H_n - 1)/eps + (eps R^2/2) sum_t (2 + 2 m1(t))`, which holds for any memory and any rate.

    Reference: Hebbar and Langbort (2024), *Online Decision Making with History-Average Dependent Costs*. Where this
    differs: the paper's bound M on the costs is read as their range R, which is all that matters.

    Args:
        rate: `eps`, by hand.
        play: `"pure"` draws; `"mean"` plays the exact mean of that, with the same expected regret and no variance.
        tuning: `"paper"`, or `"sharp"`.
        memory_bound: the corollary's Theta, where all that is known of the memory's length is a bound on it.

    >>> import bygones as by
    >>> problem = by.Problem(actions=3, horizon=100, memory=by.Window(5))
    >>> player = by.FTARL().start(problem, seed=7)
    >>> player.play([[0.0, 0.5, 1.0]] * 40)[-1]
    np.int64(0)
    >>> round(by.FTARL().bound(problem), 1), round(by.FTARL(rate=0.05).bound(problem), 1)
    (174.4, 31.4)
    """

    tuning: Literal["paper", "sharp"] = "paper"
    memory_bound: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        word("tuning", self.tuning, ("paper", "sharp"))
        if self.memory_bound is not None:
            self._set("memory_bound", positive("the memory bound", self.memory_bound))
        given = {
            "rate": self.rate,
            "tuning": None if self.tuning == "paper" else self.tuning,
            "memory_bound": self.memory_bound,
        }
        said = [f"{name}={value!r}" for name, value in given.items() if value is not None]
        if len(said) > 1:
            raise ValueError(f"{' and '.join(said)} are given, and each of them finds the rate: give one")

    def tuned_rate(self, problem: Problem) -> float:
        """The theorem's rate, or with a memory bound the corollary's, or the sharper one."""
        if self.tuning == "sharp":
            return perturbed_rate(problem)
        return theorem_rate(problem) if self.memory_bound is None else corollary_rate(problem, self.memory_bound)

    def proved_bound(self, problem: Problem) -> float:
        """The paper's bound where it is proved, else the one for any memory and any rate."""
        if type(problem.memory) in (Window, FullHistory) and self.rate is None and self.tuning == "paper":
            if self.memory_bound is None:
                return theorem_bound(problem)
            if 1 + 2 * problem.memory.mean_lag(problem.horizon) <= self.memory_bound:
                return corollary_bound(problem, self.memory_bound)
        return perturbed_bound(problem, self.rate_for(problem))

    def player(self) -> type[Player]:
        """One leader, or the law of leaders."""
        return FTARLPlayer if self.play == "pure" else PerturbedMeanPlayer


class FTARLPlayer(BlockPlayer):
    """Plays the leader of `totals - noise`."""

    pure = True
    current: Actions
    learner: FTARL

    def begin(self) -> None:
        """Draw the noise, and lead with the largest."""
        n = self.problem.n
        self.rate = self.learner.rate_for(self.problem)
        self.tally = Tally(n)
        self.noise = np.array([generator.standard_exponential(n) for generator in self.generators]) / self.rate
        self.current = self.noise.argmax(axis=1)
        self.due = np.zeros(len(self.noise))

    def run(self, block: Block) -> Actions:
        """Play the leaders."""
        actions = np.empty((len(self.noise), len(block.costs)), dtype=np.int64)
        follow.call(block, self.noise, self.due, self.current, actions)
        return actions


class PerturbedMeanPlayer(BlockPlayer):
    """Plays the probabilities with which each action leads; FTARL and FTPL have the same."""

    learner: RandomisedLearner
    current: Array

    def begin(self) -> None:
        """Begin with all actions alike."""
        n = self.problem.n
        self.rate = self.learner.rate_for(self.problem)
        self.tally = Tally(n)
        self.current = np.full(n, 1 / n)
        self._nodes, self._weights = quadrature(n)

    def run(self, block: Block) -> Array:
        """Play the exact means."""
        decisions = np.empty_like(block.costs)
        follow_mean.call(block, self.rate, self._nodes, self._weights, self.current, decisions)
        return decisions


def _follow_mean(block: Block, rate: float, nodes: Array, weights: Array, current: Array, decisions: Array) -> None:
    rounds, n = block.costs.shape
    near, totals = np.empty(n), block.marks[0].copy()
    for b in range(rounds):
        for i in range(n):
            decisions[b, i] = current[i]
            totals[i] += block.costs[b, i] - block.low[b]
        perturbed_mean(totals, rate, nodes, weights, near, current)


follow_mean = compiled(_follow_mean)
