"""Hedge: exponential weights."""

import numpy as np

from ..kernels import Array, add_shifted, compiled, softmin
from ..problem import Problem
from ..theory import hedge_bound, hedge_rate
from .base import RatedLearner
from .player import BlockPlayer, Player


class Hedge(RatedLearner):
    """Weight every action by the exponential of its costs so far.

        v^t_i = exp(-eta G^(t-1)_i) / sum_k exp(-eta G^(t-1)_k)

    The rate is tuned for the memory: `sqrt(8 ln n / (R^2 S_T))` with `S_T = sum_t (1 + 2 m1(t))`, for a window
    `sum_t min(t, H)`. On every path the regret is at most `ln n/eta + (eta R^2/8) S_T`, with that rate
    `R sqrt(S_T ln n / 2)`.

    Reference: Freund and Schapire (1997) for the algorithm; the bound under memory is this project's.

    Args:
        rate: `eta`, by hand.

    >>> import bygones as by
    >>> player = by.Hedge(rate=np.log(2)).start(by.Problem(2, None, by.Window(5)))
    >>> player.play([[0.0, 1.0], [0.0, 1.0]])
    array([[0.5       , 0.5       ],
           [0.66666667, 0.33333333]])
    >>> player.decide()
    array([0.8, 0.2])
    """

    def tuned_rate(self, problem: Problem) -> float:
        """The rate that makes the bound least."""
        return hedge_rate(problem)

    def proved_bound(self, problem: Problem) -> float:
        """`ln n/eta + (eta R^2/8) S_T`."""
        return hedge_bound(problem, self.rate_for(problem))

    def player(self) -> type[Player]:
        """Weights."""
        return HedgePlayer


class HedgePlayer(BlockPlayer):
    """Plays `softmin(rate * totals)`; also the mean of LSA at the same rate."""

    learner: RatedLearner
    current: Array

    def begin(self) -> None:
        """Begin with all actions alike."""
        self.rate = self.learner.rate_for(self.problem)
        self.totals = np.zeros(self.problem.n)
        self.current = np.full(self.problem.n, 1 / self.problem.n)

    def run(self, costs: Array) -> Array:
        """Play the weights."""
        decisions = np.empty_like(costs)
        weigh.call(costs, self.totals, self.rate, self.current, decisions)
        return decisions


def _weigh(costs: Array, totals: Array, rate: float, current: Array, decisions: Array) -> None:
    for b in range(costs.shape[0]):
        for i in range(totals.shape[0]):
            decisions[b, i] = current[i]
        add_shifted(costs, b, totals)
        softmin(totals, rate, current)


weigh = compiled(_weigh)
