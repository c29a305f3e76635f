"""Tracking: aim the state, not the decision."""

import math
import warnings
from typing import Literal

import numpy as np

from ..kernels import Array
from ..memory import Memory, Window
from ..problem import Problem
from ..theory import anytime_rates, tracking_bound, tracking_rate
from ..validation import word
from .ada_hedge import StatePlayer
from .base import HedgeTwin, RatedLearner
from .hedge import falling_rates
from .player import Player

TOLERATED_GROWTH = 2.0  # of a rounding error, each round
RELEVANT = 64  # lags; at a growth of 2 or more the later ones add less than a rounding error


class Tracking(RatedLearner):
    r"""Take the state, rather than the decision, to the exponential weights.

    What is paid for is the state `x^t = y^(t-1) + beta^t v^t`, where `y^(t-1)` is what the past decisions that still
    count contribute. With weights `w^t` as Hedge's or AdaHedge's, play

        v^t = argmin over the simplex of |v - (w^t - y^(t-1)) / beta^t|,

    which makes the state `w^t` itself wherever one decision can.

    With `tuning="adaptive"` the rate is AdaHedge's, and on every path the regret is at most `sum_t delta_t + D_(T-1)`,
    hence at most `2 D_T`: the proof is AdaHedge's, which holds for any decisions. Nothing need be known. With
    `"anytime"` the rate is `2 sqrt(ln n / (R^2 (S_t + c)))` as in Hedge, with `"horizon"` it is Hedge's too.

    Under a geometric memory, and at a rate of at most `ln(1/rho)/R`, no weight falls by more than the factor rho a
    round, so that the decision exists and the state is the weights in every round: the regret is that of Hedge without
    memory, at most `ln n/eta + eta R^2 T/8`. The rate of `"horizon"` is then `min(sqrt(8 ln n/(R^2 T)), ln(1/rho)/R)`.
    Elsewhere no bound before the first round is known.

    Where the newest decision has little weight, the problem itself is ill-conditioned. As long as no weight of the
    decision is 0, an error in it calls for the opposite errors later, which grow by the largest root, in size, of
    `a_0 z^K + a_1 z^(K-1) + ... + a_K` each round. Weights that do not rise with the lag have no root beyond 1, so
    windows, full histories and geometric memories are safe. With `Weights` whose root is 8, costs that differ by 1e-15
    can change the regret by 0.3; no order of the operations helps. A player on a memory whose root is beyond 2 warns.

    Reference: this project's.

    Args:
        rate: `eta`, by hand.
        tuning: `"adaptive"`, `"anytime"` or `"horizon"`.

    >>> import bygones as by
    >>> problem = by.Problem(2, None, by.Window(2), cost_range=None)
    >>> by.Tracking().start(problem).play([[0.0, 1.0], [0.0, 1.0], [9.0, 0.0]])
    array([[0.5       , 0.5       ],
           [1.        , 0.        ],
           [0.79884849, 0.20115151]])
    >>> by.Tracking(tuning="horizon").bound(by.Problem(10, 10_000, by.Geometric(0.98)))
    139.2...
    """

    tuning: Literal["adaptive", "anytime", "horizon"] = "adaptive"

    def __post_init__(self) -> None:
        super().__post_init__()
        word("tuning", self.tuning, ("adaptive", "anytime", "horizon"))
        if self.rate is not None and self.tuning != "adaptive":
            raise ValueError(
                f"rate={self.rate!r} and tuning={self.tuning!r} are given, and each finds the rate: give one"
            )

    def tuned_rate(self, problem: Problem) -> float:
        """The rate of the first round: infinite where it is adaptive."""
        if self.tuning == "adaptive":
            return math.inf
        return tracking_rate(problem) if self.tuning == "horizon" else float(anytime_rates(problem, np.ones(1))[0])

    def proved_bound(self, problem: Problem) -> float | None:
        """Memoryless Hedge's bound under a geometric memory, where the rate is fixed and slow enough."""
        fixed = self.rate is not None or self.tuning == "horizon"
        return tracking_bound(problem, self.rate_for(problem)) if fixed else None

    @property
    def source(self) -> str:
        """The bound is this project's."""
        return "bygones, by the state"

    @classmethod
    def variants(cls, problem: Problem) -> "tuple[Tracking, ...]":
        """The one at a fixed rate."""
        return (cls(tuning="horizon"),)

    def as_hedge(self, problem: Problem) -> HedgeTwin | None:
        """Memoryless Hedge, where it has its bound."""
        if self.bound(problem) is None:
            return None
        return HedgeTwin(problem.replace(memory=Window(1)), self.rate_for(problem))

    @property
    def player_type(self) -> type[Player]:
        """The aim."""
        return TrackingPlayer


class TrackingPlayer(StatePlayer):
    """Plays what takes the state to the weights."""

    aiming = True
    learner: Tracking

    def begin(self) -> None:
        """Begin with all weights alike, and S_1 = 1."""
        rate = self.learner.rate_for(self.problem)
        self._falling = self.learner.tuning == "anytime"
        self._rate = rate if math.isfinite(rate) else 0.0  # 0: the learner finds its own
        self.lag_sum = 1.0
        growth = error_growth(self.problem.memory)
        if growth > TOLERATED_GROWTH:
            warnings.warn(
                f"{self.learner!r} on {self.problem.memory!r} can depend on rounding: the newest decision has little "
                f"weight, so that an error in it may grow {growth:.3g}-fold every round; another order of the actions "
                "may give another regret. AdaHedge() and Hedge() do not depend on it",
                stacklevel=4,
            )
        super().begin()

    def rates(self, rounds: int) -> Array:
        """Its own, rates that fall, or one for all."""
        if not self._falling:
            return np.full(rounds, self._rate)
        rates, self.lag_sum = falling_rates(self.problem, self.rounds, rounds, self.lag_sum)
        return rates

    def step(self, costs: Array) -> bool:
        """Find the next weights, and aim at them."""
        if not self._falling:
            return self.take(costs, self._rate)
        rates, lag_sum = falling_rates(self.problem, self.rounds, 1, self.lag_sum)
        if not self.take(costs, float(rates[0])):
            return False
        self.lag_sum = lag_sum
        return True


def error_growth(memory: Memory) -> float:
    """By how much an error of one decision grows a round in those that make up for it; at most 1: it does not grow.

    >>> import bygones as by
    >>> round(error_growth(by.Weights([0.2, 0.5, 0.3])), 9), error_growth(by.Window(10))
    (1.5, 1.0)
    """
    weights = memory.weights(min(memory.support or RELEVANT, RELEVANT))
    if not np.any(np.diff(weights) > 0):
        return 1.0
    return float(np.abs(np.roots(weights)).max(initial=0.0))
