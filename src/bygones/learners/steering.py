"""Steering: aim the state, not the decision."""

import warnings
from typing import Any

import numpy as np

from ..memory import Memory, Window
from ..problem import Problem
from ..theory import steering_bound, steering_rate
from .ada_hedge import AdaHedge
from .base import HedgeTwin, Learner, Wrapper
from .hedge import Hedge
from .player import Player, StatePlayer

TOLERATED_GROWTH = 2.0  # of a rounding error, each round
RELEVANT = 64  # lags; at a growth of 2 or more the later ones add less than a rounding error


class Steering(Wrapper):
    r"""Take the state, rather than the decision, to what another learner decides.

    What is paid for is the state `x^t = y^(t-1) + beta^t v^t`, where `y^(t-1)` is what the past decisions that still
    count contribute. With `w^t` the decision of the other learner, play

        v^t = argmin over the simplex of |v - (w^t - y^(t-1)) / beta^t|,

    which makes the state `w^t` itself wherever one decision can. The other learner is told the decision really taken.

    With AdaHedge inside, the rate is found by the states there really are, and on every path the regret is at most
    `sum_t delta_t + D_(T-1)`, hence at most `2 D_T`: the proof is AdaHedge's, which holds for any decisions. Nothing
    need be known.

    Under a geometric memory, and with Hedge inside at a rate of at most `ln(1/rho)/R`, no weight falls by more than the
    factor rho a round, so that the decision exists and the state is the weights in every round: the regret is that of
    Hedge without memory, at most `ln n/eta + eta R^2 T/8`. So `Steering(Hedge())` takes the rate
    `min(sqrt(8 ln n/(R^2 T)), ln(1/rho)/R)` there, and elsewhere Hedge's own. Tests hold the state and the bound to
    this. Elsewhere no bound before the first round is known; `Guarded` gives one.

    Where the newest decision has little weight, the problem itself is ill-conditioned. As long as no weight of the
    decision is 0, an error in it calls for the opposite errors later, which grow by the largest root, in size, of
    `a_0 z^K + a_1 z^(K-1) + ... + a_K` each round. Weights that do not rise with the lag have no root beyond 1, so
    windows, full histories and geometric memories are safe. With `Weights` whose root is 8, costs that differ by 1e-15
    can change the regret by 0.3; no order of the operations helps. A player on a memory whose root is beyond 2 warns.

    Reference: this project's.

    Args:
        learner: whose decisions the state is to follow, or its words.

    >>> import bygones as by
    >>> problem = by.Problem(2, None, by.Window(2), cost_range=None)
    >>> by.Steering().start(problem).play([[0.0, 1.0], [0.0, 1.0], [9.0, 0.0]])
    array([[0.5       , 0.5       ],
           [1.        , 0.        ],
           [0.79884849, 0.20115151]])
    >>> by.Steering(by.Hedge()).bound(by.Problem(10, 10_000, by.Geometric(0.98)))
    139.2...
    """

    learner: Any = AdaHedge()

    def followed(self, problem: Problem) -> Learner:
        """The learner that the state follows: the one given, or Hedge at the rate for a geometric memory."""
        given: Learner = self.learner
        plain = type(given) is Hedge and given.rate is None and given.tuning == "horizon"
        return Hedge(rate=steering_rate(problem)) if plain and problem.memory.fastest_rate is not None else given

    def bound(self, problem: Problem) -> float | None:
        """Memoryless Hedge's bound under a geometric memory, where the rate is fixed and slow enough."""
        like = self.as_hedge(problem)
        return None if like is None else steering_bound(problem, like.rate)

    @property
    def source(self) -> str:
        """The bound is this project's."""
        return "bygones, by the state"

    @classmethod
    def variants(cls, problem: Problem) -> "tuple[Steering, ...]":
        """The one at a fixed rate."""
        return (cls(Hedge()),)

    def as_hedge(self, problem: Problem) -> HedgeTwin | None:
        """Memoryless Hedge, where it has its bound."""
        if problem.horizon is None or problem.cost_range is None:
            return None
        followed = self.followed(problem)
        if type(followed) is not Hedge or followed.tuning != "horizon":
            return None
        rate = followed.rate_for(problem)
        return None if steering_bound(problem, rate) is None else HedgeTwin(problem.replace(memory=Window(1)), rate)

    @property
    def player_type(self) -> type[Player]:
        """The aim."""
        return SteeringPlayer


class SteeringPlayer(StatePlayer):
    """Plays what takes the state to the decisions of another learner."""

    learner: Steering

    def layers(self) -> tuple[bool, Learner | None]:
        """Decisions are aimed at the other learner's."""
        return steered(self.learner, self.problem)


def steered(learner: Steering, problem: Problem) -> tuple[bool, Learner | None]:
    """The layers of a learner that steers; a warning where rounding errors would grow.

    Args:
        learner: that steers.
        problem: what is decided.

    Returns:
        That decisions are aimed, and whose decisions the state follows; None: weights that find their own rate.
    """
    growth = error_growth(problem.memory)
    if growth > TOLERATED_GROWTH:
        warnings.warn(
            f"{learner!r} on {problem.memory!r} can depend on rounding: the newest decision has little "
            f"weight, so that an error in it may grow {growth:.3g}-fold every round; another order of the actions "
            "may give another regret. AdaHedge() and Hedge() do not depend on it",
            stacklevel=6,
        )
    followed = learner.followed(problem)
    return True, None if type(followed) is AdaHedge else followed


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
