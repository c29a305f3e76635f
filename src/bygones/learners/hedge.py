"""Hedge: exponential weights."""

from abc import abstractmethod
from typing import Literal

import numpy as np

from ..kernels import Array, Block, Tally, admit, compiled, softmin
from ..problem import Problem
from ..theory import anytime_bound, anytime_rates, hedge_bound, hedge_rate
from ..validation import word
from .base import HedgeTwin, RatedLearner
from .player import BlockPlayer, Player


class Hedge(RatedLearner):
    """Weight every action by the exponential of its costs so far.

        v^t_i = exp(-eta G^(t-1)_i) / sum_k exp(-eta G^(t-1)_k)

    The rate is tuned for the memory: `sqrt(8 ln n / (R^2 S_T))` with `S_T = sum_t (1 + 2 m1(t))`, for a window
    `sum_t min(t, H)`. On every path the regret is at most `ln n/eta + (eta R^2/8) S_T`, with that rate
    `R sqrt(S_T ln n / 2)`.

    With `tuning="anytime"` the horizon need not be known: `eta_t = 2 sqrt(ln n / (R^2 (S_t + c)))`, where c is known of
    the memory (a window's is `(H - 1)(7H + 1)/12`), and on every path the regret is at most `R sqrt((S_T + c) ln n)`
    (see `theory.anytime_bound`, also for memories that have no c).

    Reference: Freund and Schapire (1997) for the algorithm; the bound under memory is this project's.

    Args:
        rate: `eta`, by hand.
        tuning: `"horizon"`, or `"anytime"`.

    >>> import bygones as by
    >>> player = by.Hedge(rate=np.log(2)).start(by.Problem(2, None, by.Window(5)))
    >>> player.play([[0.0, 1.0], [0.0, 1.0]])
    array([[0.5       , 0.5       ],
           [0.66666667, 0.33333333]])
    >>> player.decide()
    array([0.8, 0.2])
    """

    tuning: Literal["horizon", "anytime"] = "horizon"

    def __post_init__(self) -> None:
        super().__post_init__()
        word("tuning", self.tuning, ("horizon", "anytime"))
        if self.rate is not None and self.tuning != "horizon":
            raise ValueError(
                f"rate={self.rate!r} and tuning={self.tuning!r} are given, and each finds the rate: give one"
            )

    def tuned_rate(self, problem: Problem) -> float:
        """The rate that makes the bound least; of the anytime tuning, that of the first round."""
        return hedge_rate(problem) if self.tuning == "horizon" else float(anytime_rates(problem, np.ones(1))[0])

    def proved_bound(self, problem: Problem) -> float | None:
        """`ln n/eta + (eta R^2/8) S_T`, or the anytime bound."""
        return hedge_bound(problem, self.rate_for(problem)) if self.tuning == "horizon" else anytime_bound(problem)

    @classmethod
    def variants(cls, problem: Problem) -> "tuple[Hedge, ...]":
        """Both tunings."""
        return cls(), cls(tuning="anytime")

    def as_hedge(self, problem: Problem) -> HedgeTwin | None:
        """Itself, at a fixed rate."""
        known = problem.horizon is not None and problem.cost_range is not None
        return HedgeTwin(problem, self.rate_for(problem)) if known and self.tuning == "horizon" else None

    @property
    def player_type(self) -> type[Player]:
        """Weights at one rate, or at one that falls."""
        return HedgePlayer if self.tuning == "horizon" else AnytimeHedgePlayer


class WeightsPlayer(BlockPlayer):
    """Plays `softmin(rate * totals)`, at rates that a subclass gives."""

    learner: RatedLearner
    current: Array

    def begin(self) -> None:
        """Begin with all actions alike."""
        self.rate = self.learner.rate_for(self.problem)
        self.tally = Tally(self.problem.n)
        self.current = np.full(self.problem.n, 1 / self.problem.n)

    def run(self, block: Block) -> Array:
        """Play the weights."""
        decisions = np.empty(block.costs.shape[1:])
        weigh.call(block, self.rates(block.rounds), self.current, decisions)
        return decisions

    @abstractmethod
    def rates(self, rounds: int) -> Array:
        """The rates of the decisions that so many rounds lead to."""

    def weigh(self, costs: Array, rate: float) -> bool:
        """Take one round in, and weigh at a rate.

        Args:
            costs: (n,), of the round.
            rate: of the next decision.

        Returns:
            Whether the costs are sound; if not, nothing has changed.
        """
        return weigh_round.call(costs, *self._limits, self.tally.totals, self.tally.spent, rate, self.current)


class HedgePlayer(WeightsPlayer):
    """Plays `softmin(rate * totals)`; also the mean of LSA at the same rate."""

    shrinking = True

    def rates(self, rounds: int) -> Array:
        """One rate for all."""
        return np.full(rounds, self.rate)

    def step(self, costs: Array) -> bool:
        """Find the next weights."""
        return self.weigh(costs, self.rate)


class AnytimeHedgePlayer(WeightsPlayer):
    """Plays `softmin(eta_t * totals)`, where `eta_t` falls with `S_t`, the sum of `1 + 2 m1(s)` so far."""

    def begin(self) -> None:
        """Begin with all actions alike, and S_1 = 1."""
        super().begin()
        self.lag_sum = 1.0

    def rates(self, rounds: int) -> Array:
        """Rates that fall; advances `S_t`."""
        rates, self.lag_sum = falling_rates(self.problem, self.rounds, rounds, self.lag_sum)
        return rates

    def step(self, costs: Array) -> bool:
        """Find the next weights at the next rate."""
        rates, lag_sum = falling_rates(self.problem, self.rounds, 1, self.lag_sum)
        if not self.weigh(costs, float(rates[0])):
            return False
        self.lag_sum = lag_sum
        return True


def falling_rates(problem: Problem, before: int, rounds: int, lag_sum: float) -> tuple[Array, float]:
    """The anytime rates of the decisions that `rounds` rounds lead to, and `S_t` after them, given that before them.

    Args:
        problem: what is decided.
        before: how many rounds came before.
        rounds: how many rounds to find rates for.
        lag_sum: `S_t` before them.

    Returns:
        One rate per round, and `S_t` after the last one.
    """
    sums = []
    for t in range(before + 2, before + rounds + 2):
        lag_sum += 1 + 2 * problem.memory.mean_lag(t)
        sums.append(lag_sum)
    return anytime_rates(problem, np.array(sums)), lag_sum


def _weigh(block: Block, rates: Array, current: Array, decisions: Array) -> None:
    rounds, n = decisions.shape
    totals = block.marks[0, 0].copy()
    for b in range(rounds):
        for i in range(n):
            decisions[b, i] = current[i]
            totals[i] += block.costs[0, b, i] - block.low[0, b]
        softmin(totals, rates[b], current)


def _weigh_round(
    costs: Array, largest: float, widest: float, totals: Array, spent: Array, rate: float, current: Array
) -> bool:
    low = admit(costs, largest, widest, totals, spent)
    if low != low:
        return False
    softmin(totals, rate, current)
    return True


weigh = compiled(_weigh)
weigh_round = compiled(_weigh_round)
