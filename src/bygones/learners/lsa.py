"""LSA: the low-switch algorithm, exponential weights that are redrawn rarely."""

import math
from typing import Literal

import numpy as np

from ..kernels import Actions, Array, Block, Tally, catch_up, compiled, fill_uniforms, softmin
from ..problem import Problem
from ..theory import anava_rate, geulen_rate, hedge_bound
from ..validation import word
from .base import HedgeTwin, RandomisedLearner
from .hedge import HedgePlayer
from .player import BlockPlayer, Player


class LSA(RandomisedLearner):
    """Draw an action from exponential weights, and keep it as long as its own weight allows.

    With `c^t = g^t - min_i g^t_i` the weights are `w^(t+1)_i = w^t_i exp(-alpha c^t_i)`. The first action is uniform;
    after each round the action i is kept with probability `w^(t+1)_i / w^t_i = exp(-alpha c^t_i)`, and otherwise drawn
    again from the normalised weights (the shrinking dartboard). Its law in every round is exactly Hedge's at the rate
    alpha, so its expected regret is Hedge's too, at most `ln n/alpha + (alpha R^2/8) sum_t (1 + 2 m1(t))`; it redraws
    at most `ln n + alpha min_i sum_t c^t_i` times in expectation.

    References: Geulen, Voecking and Winkler (2010), *Regret Minimization for Online Buffering Problems Using the
    Weighted Majority Algorithm*; Anava, Hazan and Mannor (2015), *Online Learning for Adversaries with Memory: Price of
    Past Mistakes*. Where this differs: Anava's version has a constant factor on all weights that only adds redraws.

    Args:
        rate: `alpha`, by hand.
        play: `"pure"` draws; `"mean"` plays the exact mean of that.
        tuning: `"anava"`, `sqrt((1 + ln(T + 1)) / (H T)) / (4R)`; or `"geulen"`, `-ln(1 - eta) / R` with
            `eta = sqrt(ln n / (H T))`.

    >>> import bygones as by
    >>> problem = by.Problem(actions=10, horizon=10_000, memory=by.Window(100))
    >>> [round(by.LSA(tuning=tuning).rate_for(problem), 6) for tuning in ("anava", "geulen")]
    [0.000799, 0.001519]
    """

    tuning: Literal["anava", "geulen"] = "anava"

    def __post_init__(self) -> None:
        super().__post_init__()
        word("tuning", self.tuning, ("anava", "geulen"))
        if self.rate is not None and self.tuning != "anava":
            raise ValueError(
                f"both rate={self.rate!r} and tuning={self.tuning!r} are given: the tuning serves to find the rate"
            )

    def tuned_rate(self, problem: Problem) -> float:
        """Anava's rate or Geulen's."""
        return anava_rate(problem) if self.tuning == "anava" else geulen_rate(problem)

    def proved_bound(self, problem: Problem) -> float:
        """Hedge's bound at this rate."""
        return hedge_bound(problem, self.rate_for(problem))

    @classmethod
    def variants(cls, problem: Problem) -> "tuple[LSA, ...]":
        """Both tunings."""
        return cls(), cls(tuning="geulen")

    def as_hedge(self, problem: Problem) -> HedgeTwin | None:
        """Hedge at the same rate, in expectation."""
        known = problem.horizon is not None and problem.cost_range is not None
        return HedgeTwin(problem, self.rate_for(problem)) if known else None

    @property
    def player_type(self) -> type[Player]:
        """The dartboard, or its law."""
        return LSAPlayer if self.play == "pure" else HedgePlayer


class LSAPlayer(BlockPlayer):
    """Plays the shrinking dartboard; one uniform a round decides whether to redraw, and what is left of it, what."""

    pure = True
    many_tables = True
    current: Actions
    learner: LSA

    def begin(self) -> None:
        """Draw the first action."""
        n = self.problem.n
        self.rate = self.learner.rate_for(self.problem)
        self.tally = Tally(n)
        self.current = np.array([int(n * generator.random()) for generator in self.generators])

    def run(self, block: Block) -> Actions:
        """Play the dartboard."""
        actions = np.empty((len(self.current), block.rounds), dtype=np.int64)
        uniforms = np.empty(actions.shape)
        for generator, room in zip(self.generators, uniforms, strict=True):
            fill_uniforms(generator, room)
        throw_darts.call(block, self.rate, self._limits[1], uniforms, self.current, actions)
        return actions

    def step(self, costs: Array) -> bool:
        """Draw the next darts once the costs are in."""
        if not self.admit(costs):
            return False
        darts = np.array([generator.random() for generator in self.generators])
        throw_round.call(costs, self.tally.totals, self.rate, darts, self.current)
        return True


def _throw_darts(block: Block, rate: float, widest: float, uniforms: Array, current: Actions, actions: Actions) -> None:
    tables, rounds, n = block.costs.shape
    totals, law = np.empty(n), np.empty(n)
    safe = 1.0 - rate * widest  # below exp(-rate * c) of any cost; a dart below it keeps the action, unseen
    for r in range(current.shape[0]):
        table = min(r, tables - 1)
        costs, low, marks = block.costs[table], block.low[table], block.marks[table]
        action = current[r]
        at = -1  # where the totals are, which only a redraw needs
        for b in range(rounds):
            actions[r, b] = action
            dart = uniforms[r, b]
            if dart < safe:
                continue
            keep = math.exp(-rate * (costs[b, action] - low[b]))
            if dart < keep:
                continue
            catch_up(costs, low, marks, at, b + 1, totals)
            at = b + 1
            softmin(totals, rate, law)
            action = hit(law, (dart - keep) / (1.0 - keep))
        current[r] = action


def _hit(law: Array, left: float) -> int:
    """The action that a dart hits, once what is left of it is uniform again.

    It passes weights until it is used up; rounding may leave a rest, which the last weight takes.
    """
    action = 0
    for i in range(law.shape[0]):
        if law[i] > 0.0:
            action = i
            left -= law[i]
            if left < 0.0:
                break
    return action


def _throw_round(costs: Array, totals: Array, rate: float, darts: Array, current: Actions) -> None:
    """What `throw_darts` does to a block of one row, whose costs are in the totals already."""
    n = costs.shape[0]
    low = costs[0]
    for i in range(1, n):
        low = min(low, costs[i])
    law = np.empty(n)
    drawn = False
    for r in range(current.shape[0]):
        keep = math.exp(-rate * (costs[current[r]] - low))
        if darts[r] >= keep:
            if not drawn:
                softmin(totals, rate, law)
                drawn = True
            current[r] = hit(law, (darts[r] - keep) / (1.0 - keep))


hit = compiled(_hit, inline=True)
throw_round = compiled(_throw_round)
throw_darts = compiled(_throw_darts)
