"""Tracking: aim the state, not the decision."""

import math
from typing import Literal

import numpy as np

from ..kernels import Array
from ..memory import Window
from ..problem import Problem
from ..theory import anytime_rates, tracking_bound, tracking_rate
from ..validation import word
from .ada_hedge import AdaHedgePlayer
from .base import RatedLearner
from .hedge import falling_rates
from .player import Player


class Tracking(RatedLearner):
    r"""Take the state, rather than the decision, to the exponential weights.

    What is paid for is the state `x^t = y^(t-1) + beta^t v^t`, where `y^(t-1)` is what the past decisions that still
    count contribute. With weights `w^t` as Hedge's or AdaHedge's, play

        v^t = argmin over the simplex of |v - (w^t - y^(t-1)) / beta^t|,

    which makes the state `w^t` itself wherever one decision can.

    With `tuning="adaptive"` the rate is AdaHedge's, and on every path the regret is at most `sum_t delta_t + D_(T-1)`,
    hence at most `2 D_T`: the proof is AdaHedge's, which holds for any decisions. Nothing need be known. With
    `"anytime"` the rate is `2 sqrt(ln n / (R^2 S_t))`, with `"horizon"` it is Hedge's.

    Under a geometric memory, and at a rate of at most `ln(1/rho)/R`, no weight falls by more than the factor rho a
    round, so that the decision exists and the state is the weights in every round: the regret is that of Hedge without
    memory, at most `ln n/eta + eta R^2 T/8`. The rate of `"horizon"` is then `min(sqrt(8 ln n/(R^2 T)), ln(1/rho)/R)`.
    Elsewhere no bound before the first round is known.

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

    def as_hedge(self, problem: Problem) -> tuple[Problem, float] | None:
        """Memoryless Hedge, where it has its bound."""
        if self.bound(problem) is None:
            return None
        return problem.replace(memory=Window(1)), self.rate_for(problem)

    def player(self) -> type[Player]:
        """The aim."""
        return TrackingPlayer


class TrackingPlayer(AdaHedgePlayer):
    """Plays what takes the state to the weights."""

    aiming = True
    learner: Tracking

    def begin(self) -> None:
        """Begin with all weights alike, and S_1 = 1."""
        self._rate = self.learner.rate_for(self.problem)
        self.lag_sum = 1.0
        super().begin()

    def _rates(self, rounds: int) -> Array:
        if self.learner.rate is None and self.learner.tuning == "adaptive":
            return super()._rates(rounds)
        if self.learner.tuning == "anytime":
            rates, self.lag_sum = falling_rates(self.problem, self.rounds, rounds, self.lag_sum)
            return rates
        return np.full(rounds, self._rate)
