"""FTARL: follow the adaptively regularised leader, the paper's algorithm."""

from typing import Literal

import numpy as np

from ..kernels import Actions, Array, Block, Tally, admit, compiled, follow, follow_round, perturbed_mean, quadrature
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
        H = _window(problem)
        if H is not None and self._as_in_the_paper:
            if self.memory_bound is None:
                return theorem_bound(problem)
            if self.memory_bound >= H:
                return corollary_bound(problem, self.memory_bound)
        return perturbed_bound(problem, self.rate_for(problem))

    @property
    def _as_in_the_paper(self) -> bool:
        return self.rate is None and self.tuning == "paper"

    @property
    def source(self) -> str:
        """The paper, at its rates."""
        return "Hebbar and Langbort 2024" if self._as_in_the_paper else super().source

    @classmethod
    def variants(cls, problem: Problem) -> "tuple[FTARL, ...]":
        """The sharper rate; on a window first the theorem, and the corollary with `Theta = H`."""
        H = _window(problem)
        return (*(() if H is None else (cls(), cls(memory_bound=H))), cls(tuning="sharp"))

    @property
    def player_type(self) -> type[Player]:
        """One leader, or the law of leaders."""
        return FTARLPlayer if self.play == "pure" else PerturbedMeanPlayer


def _window(problem: Problem) -> int | None:
    """The length of the window that the memory is, at most the horizon; None: it is not a window."""
    T = problem.horizon
    H = None if T is None else problem.memory.window(T)
    return None if T is None or H is None else min(H, T)


class FTARLPlayer(BlockPlayer):
    """Plays the leader of `totals - noise`."""

    pure = True
    many_tables = True
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
        actions = np.empty((len(self.noise), block.rounds), dtype=np.int64)
        follow.call(block, self.noise, self.due, self.current, actions)
        return actions

    def step(self, costs: Array) -> bool:
        """Find the leaders that can have changed."""
        tally = self.tally
        return follow_round.call(costs, *self._limits, tally.totals, tally.spent, self.noise, self.due, self.current)


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
        decisions = np.empty(block.costs.shape[1:])
        follow_mean.call(block, self.rate, self._nodes, self._weights, self.current, decisions)
        return decisions

    def step(self, costs: Array) -> bool:
        """Find the next mean."""
        tally, nodes, weights = self.tally, self._nodes, self._weights
        return follow_mean_round.call(
            costs, *self._limits, tally.totals, tally.spent, self.rate, nodes, weights, self.current
        )


def _follow_mean(block: Block, rate: float, nodes: Array, weights: Array, current: Array, decisions: Array) -> None:
    rounds, n = decisions.shape
    near, totals = np.empty(n), block.marks[0, 0].copy()
    for b in range(rounds):
        for i in range(n):
            decisions[b, i] = current[i]
            totals[i] += block.costs[0, b, i] - block.low[0, b]
        perturbed_mean(totals, rate, nodes, weights, near, current)


def _follow_mean_round(
    costs: Array,
    largest: float,
    widest: float,
    totals: Array,
    spent: Array,
    rate: float,
    nodes: Array,
    weights: Array,
    current: Array,
) -> bool:
    low = admit(costs, largest, widest, totals, spent)
    if low != low:
        return False
    perturbed_mean(totals, rate, nodes, weights, np.empty(totals.shape[0]), current)
    return True


follow_mean = compiled(_follow_mean)
follow_mean_round = compiled(_follow_mean_round)
