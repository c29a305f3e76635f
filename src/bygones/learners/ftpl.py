"""FTPL: follow the perturbed leader with fresh noise every round."""

import numpy as np

from ..kernels import Actions, Array, Block, Tally, compiled, lead, replicates_of
from ..problem import Problem
from ..theory import perturbed_bound, theorem_rate
from .base import RandomisedLearner
from .ftarl import PerturbedMeanPlayer
from .player import BlockPlayer, Player

NOISE_AT_ONCE = 2**18  # numbers; what a block draws beforehand is bounded by this


class FTPL(RandomisedLearner):
    """Follow the leader of the costs so far less a noise that is drawn afresh every round.

        i_t = argmin_i (G^(t-1)_i - Z^t_i),        Z^t_i ~ Exp(eps) independent.

    In every round it has the law of FTARL at the same rate, hence the same mean decision, the same expected regret and
    the same bound, `(H_n - 1)/eps + (eps R^2/2) sum_t (2 + 2 m1(t))`; but it switches far more often. The rate is
    FTARL's.

    Reference: Kalai and Vempala (2005), *Efficient Algorithms for Online Decision Problems*.

    Args:
        rate: `eps`, by hand.
        play: `"pure"` draws; `"mean"` plays the exact mean of that.

    >>> import bygones as by
    >>> problem = by.Problem(actions=3, horizon=100, memory=by.Window(5))
    >>> by.accounting.switches(by.FTPL().start(problem).play(np.zeros((100, 3)))) > 30
    True
    >>> by.accounting.switches(by.FTARL().start(problem).play(np.zeros((100, 3))))
    0.0
    """

    def tuned_rate(self, problem: Problem) -> float:
        """FTARL's rate."""
        return theorem_rate(problem)

    def proved_bound(self, problem: Problem) -> float:
        """FTARL's bound for any memory and any rate."""
        return perturbed_bound(problem, self.rate_for(problem))

    @property
    def player_type(self) -> type[Player]:
        """Leaders drawn afresh, or the law of leaders."""
        return FTPLPlayer if self.play == "pure" else PerturbedMeanPlayer


class FTPLPlayer(BlockPlayer):
    """Plays the leader of `totals - noise`, the noise drawn when the round before is observed."""

    pure = True
    many_tables = True
    current: Actions
    learner: FTPL

    def begin(self) -> None:
        """Draw the first round's noise."""
        self.rate = self.learner.rate_for(self.problem)
        self.tally = Tally(self.problem.n)
        self.current = self._draw(1)[:, 0].argmax(axis=1)

    def run(self, block: Block) -> Actions:
        """Play the leaders, a piece at a time so that the noise stays small."""
        rounds, totals = block.rounds, block.marks[:, 0].copy()
        actions = np.empty((len(self.current), rounds), dtype=np.int64)
        step = max(1, NOISE_AT_ONCE // (self.problem.n * len(self.current)))
        for first in range(0, rounds, step):
            noise = self._draw(min(step, rounds - first))
            follow_fresh.call(block, first, totals, noise, self.current, actions)
        return actions

    def step(self, costs: Array) -> bool:
        """Draw the next noise once the costs are in."""
        if not self.admit(costs):
            return False
        lead_all.call(self.tally.totals, self._draw(1)[:, 0], self.current)
        return True

    def _draw(self, rounds: int) -> Array:
        noise = np.empty((len(self.generators), rounds, self.problem.n))
        for generator, room in zip(self.generators, noise, strict=True):
            generator.standard_exponential(out=room)
        noise /= self.rate
        return noise


def _follow_fresh(block: Block, first: int, totals: Array, noise: Array, current: Actions, actions: Actions) -> None:
    tables, n = totals.shape
    for k in range(tables):
        begin, end = replicates_of(k, tables, current.shape[0])
        own = totals[k]
        for b in range(first, first + noise.shape[1]):
            for i in range(n):
                own[i] += block.costs[k, b, i] - block.low[k, b]
            for r in range(begin, end):
                actions[r, b] = current[r]
                current[r] = lead(own, noise[r], b - first)[0]


def _lead_all(totals: Array, noise: Array, current: Actions) -> None:
    for r in range(current.shape[0]):
        current[r] = lead(totals, noise, r)[0]


lead_all = compiled(_lead_all)
follow_fresh = compiled(_follow_fresh)
