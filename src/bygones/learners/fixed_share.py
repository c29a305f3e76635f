"""FixedShare: exponential weights that never give an action up, for a best action that changes."""

import math

import numpy as np

from ..kernels import Array, Block, Tally, admit, compiled
from ..problem import Problem
from ..theory import ShareTuning, share_bound, share_tuning
from ..validation import LARGEST, positive, real, whole
from .base import HedgeTwin, Learner
from .hedge import HedgePlayer
from .player import BlockPlayer, Player


class FixedShare(Learner):
    """Weigh every action by the exponential of its costs, and share a little of all weight out after every round.

        w^(t+1) = (1 - a) w^t exp(-eta g^t) / mass + a/n

    So an action that was bad for long comes back within about `ln(n/a)/eta` of lead, where Hedge makes it earn back
    all that it had lost. Rate and share are found for the number of changes expected, the horizon and the memory. On
    every path of costs and under any memory it pays at most `bound(problem)` more than any path of actions with at
    most that many changes, each round paid at its own cost; so the regret against the best fixed action is at most
    that too (see `theory.share_bound` for the formula and the proof). With no changes it is Hedge.

    Reference: Herbster and Warmuth (1998), *Tracking the Best Expert*, for the algorithm; the bound under memory is
    this project's.

    Args:
        changes: how often the best action may change; more than `T - 1` is taken as `T - 1`.
        share: a, by hand: 0, or more and below 1.
        rate: `eta`, by hand.

    >>> import bygones as by
    >>> costs = [[0.0, 1.0]] * 30 + [[1.0, 0.0]] * 5
    >>> problem = by.Problem(2, 35, by.Window(1))
    >>> [learner.start(problem).play(costs)[-1, 1].round(2) for learner in (by.FixedShare(changes=1), by.Hedge())]
    [np.float64(0.7), np.float64(0.0)]
    """

    changes: int = 3
    share: float | None = None
    rate: float | None = None

    def __post_init__(self) -> None:
        if self.rate is not None:
            self._set("rate", positive("the rate", self.rate))
        self._set("changes", whole("changes", self.changes, 0))
        if self.share is not None:
            share = real("the share", self.share)
            if not (share == 0 or 1 / LARGEST <= share < 1):
                raise ValueError(f"the share is {self.share!r}: give 0, or a number from {1 / LARGEST:g} to below 1")
            self._set("share", share)

    def tuning_for(self, problem: Problem) -> ShareTuning:
        """The rate and the share in use on a problem."""
        if self.rate is not None and self.share is not None:
            return ShareTuning(self.rate, self.share)
        if self.rate is not None and problem.horizon is None:
            raise ValueError("FixedShare's share needs the problem's horizon, unknown here: give share= by hand too")
        return share_tuning(problem, self.changes, self.rate, self.share)

    def rate_for(self, problem: Problem) -> float:
        """The rate in use on a problem."""
        return self.tuning_for(problem).rate

    def bound(self, problem: Problem, changes: int | None = None) -> float | None:
        """What it pays at most more than any path with so many changes.

        Args:
            problem: what is decided.
            changes: of the path; None: as many as the learner expects.

        Returns:
            The bound; None where the horizon or the range is unknown, or nothing is proved.
        """
        K = self.changes if changes is None else whole("changes", changes, 0)
        known = problem.horizon is not None and problem.cost_range is not None
        return share_bound(problem, *self.tuning_for(problem), K) if known else None

    @property
    def source(self) -> str:
        """Against paths, the bound is this project's."""
        return "bygones, against paths"

    def as_hedge(self, problem: Problem) -> HedgeTwin | None:
        """Hedge at its rate, where nothing is shared out."""
        known = problem.horizon is not None and problem.cost_range is not None
        return HedgeTwin(problem, self.rate_for(problem)) if known and self._shares_nothing else None

    @property
    def _shares_nothing(self) -> bool:
        return self.share == 0 or (self.share is None and self.changes == 0)

    @property
    def player_type(self) -> type[Player]:
        """The weights that are shared out; where nothing is, Hedge's."""
        return HedgePlayer if self._shares_nothing else FixedSharePlayer


class FixedSharePlayer(BlockPlayer):
    """Plays weights that are mixed with the uniform ones after every round."""

    learner: FixedShare
    current: Array

    def begin(self) -> None:
        """Begin with all actions alike."""
        n = self.problem.n
        self.rate, self._share = self.learner.tuning_for(self.problem)
        self.tally = Tally(n)
        self.current = np.full(n, 1 / n)

    def run(self, block: Block) -> Array:
        """Play the weights."""
        decisions = np.empty(block.costs.shape[1:])
        share_out.call(block, self.rate, self._share, self.current, decisions)
        return decisions

    def step(self, costs: Array) -> bool:
        """Find the next weights."""
        tally = self.tally
        return share_round.call(costs, *self._limits, tally.totals, tally.spent, self.rate, self._share, self.current)


def _reshare(costs: Array, low: float, rate: float, share: float, current: Array) -> float:
    """Write the next weights, and give `<w, exp(-rate (costs - low))>` of the last ones: their mix loss is -ln/rate."""
    n = current.shape[0]
    mass = 0.0
    for i in range(n):
        current[i] *= math.exp(-rate * (costs[i] - low))
        mass += current[i]
    for i in range(n):  # at an extreme rate all weights may vanish, and are alike again
        current[i] = (1.0 - share) * (current[i] / mass) + share / n if mass > 0.0 else 1.0 / n
    return mass


def _share_out(block: Block, rate: float, share: float, current: Array, decisions: Array) -> None:
    rounds, n = decisions.shape
    for b in range(rounds):
        for i in range(n):
            decisions[b, i] = current[i]
        reshare(block.costs[0, b], block.low[0, b], rate, share, current)


def _share_round(
    costs: Array,
    largest: float,
    widest: float,
    totals: Array,
    spent: Array,
    rate: float,
    share: float,
    current: Array,
) -> bool:
    low = admit(costs, largest, widest, totals, spent)
    if low != low:
        return False
    reshare(costs, low, rate, share, current)
    return True


reshare = compiled(_reshare, inline=True)
share_out = compiled(_share_out)
share_round = compiled(_share_round)
