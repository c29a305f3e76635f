"""Discounted: exponential weights of costs that fade."""

import math

import numpy as np

from ..kernels import Array, Block, Tally, admit, compiled, softmin
from ..problem import Problem
from ..theory import hedge_rate
from ..validation import LONGEST, positive
from .base import RatedLearner
from .player import BlockPlayer, Player


class Discounted(RatedLearner):
    """Weigh every action by the exponential of its costs so far, the older the less they count.

        v^t = softmin(eta F^(t-1)),        F^t = gamma F^(t-1) + g^t,        gamma = 2^(-1/half_life)

    The simple way to follow a best action that changes. It promises nothing; `FixedShare` does. The rate is Hedge's for
    as many rounds as the costs weigh together, `1/(1 - gamma)`, so no horizon is needed.

    Reference: Cesa-Bianchi and Lugosi (2006), *Prediction, Learning, and Games*, section 2.11, for discounted regret.

    Args:
        rate: `eta`, by hand.
        half_life: after how many rounds a cost counts half.

    >>> import bygones as by
    >>> costs = [[0.0, 1.0]] * 30 + [[1.0, 0.0]] * 5
    >>> problem = by.Problem(2, None, by.Window(1))
    >>> by.Discounted(half_life=3).start(problem).play(costs)[-1, 1].round(2)
    np.float64(0.74)
    """

    half_life: float = 50.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("half_life", positive("the half-life", self.half_life))

    @property
    def fade(self) -> float:
        """`gamma = 2^(-1/half_life)`."""
        return math.exp2(-1 / self.half_life)

    def tuned_rate(self, problem: Problem) -> float:
        """Hedge's rate for `1/(1 - gamma)` rounds."""
        rounds = round(-1 / math.expm1(-math.log(2) / self.half_life))
        return hedge_rate(problem.replace(horizon=max(1, min(rounds, problem.horizon or LONGEST))))

    def proved_bound(self, problem: Problem) -> None:
        """Nothing is proved."""

    @property
    def player_type(self) -> type[Player]:
        """The weights."""
        return DiscountedPlayer


class DiscountedPlayer(BlockPlayer):
    """Plays `softmin(rate * faded)`, where the totals fade."""

    learner: Discounted
    current: Array

    def begin(self) -> None:
        """Begin with all actions alike."""
        n = self.problem.n
        self.rate, self._fade = self.learner.rate_for(self.problem), self.learner.fade
        self.tally = Tally(n)
        self.faded = np.zeros(n)
        self.current = np.full(n, 1 / n)

    def run(self, block: Block) -> Array:
        """Play the weights."""
        decisions = np.empty(block.costs.shape[1:])
        discount.call(block, self.rate, self._fade, self.faded, self.current, decisions)
        return decisions

    def step(self, costs: Array) -> bool:
        """Find the next weights."""
        tally, fade = self.tally, self._fade
        return discount_round.call(
            costs, *self._limits, tally.totals, tally.spent, self.rate, fade, self.faded, self.current
        )


def _discount(block: Block, rate: float, fade: float, faded: Array, current: Array, decisions: Array) -> None:
    rounds, n = decisions.shape
    for b in range(rounds):
        for i in range(n):
            decisions[b, i] = current[i]
            faded[i] = fade * faded[i] + (block.costs[0, b, i] - block.low[0, b])
        softmin(faded, rate, current)


def _discount_round(
    costs: Array,
    largest: float,
    widest: float,
    totals: Array,
    spent: Array,
    rate: float,
    fade: float,
    faded: Array,
    current: Array,
) -> bool:
    low = admit(costs, largest, widest, totals, spent)
    if low != low:
        return False
    for i in range(faded.shape[0]):
        faded[i] = fade * faded[i] + (costs[i] - low)
    softmin(faded, rate, current)
    return True


discount = compiled(_discount)
discount_round = compiled(_discount_round)
