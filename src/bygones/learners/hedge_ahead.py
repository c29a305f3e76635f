"""HedgeAhead: exponential weights that are played ahead of the memory."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ..kernels import Actions, Array, Block, Tally, admit, compiled, first_fault, softmin
from ..memory import Memory
from ..problem import Problem
from ..theory import FARTHEST, AheadPlan, ahead_plan, can_lead, hedge_rate, kernel_of, known
from ..validation import whole
from .base import RatedLearner
from .player import BlockPlayer, Player, Snapshot


class HedgeAhead(RatedLearner):
    """Play exponential weights ahead of themselves, so that their average arrives on time.

        v^t = u^t + sum_j psi_j (u^(t-j+1) - u^(t-j)),     u^t_i = exp(-eta G^(t-1)_i) / sum_k exp(-eta G^(t-1)_k)

    A memory blurs the weights; the filter `psi` sharpens them beforehand. Rate and filter come from linear programs
    that minimise what is proved of them (see `theory.ahead_bound` for the bound and its proof, `theory.ahead_plan` for
    the programs); one condition of theirs is that decisions stay on the simplex. Under a geometric memory one
    coefficient undoes the memory exactly. Where no filter promises less than Hedge, mostly in fewer rounds than three
    to ten times the length of the memory, there is none, and it is Hedge.

    For a window, Hedge's bound is of order `sqrt(T H)`. In every case computed with T at least ten times H, with H from
    5 to 500 and up to 100 actions, this one is below it. For fixed H, as T grows, the leading term of `ahead_bound`
    does not grow with H, if the filter is long enough. The filters that are found by default look back two windows with
    at most 64 coefficients; the leading term that they have grows with H, but stays well below Hedge's.

    The programs run when the first costs come, once for each problem; the filter is saved with the player. The weights
    are those of Hedge at that rate, so overrides change nothing.

    Reference: this project. Kumar, Dean and Kleinberg (2023), *Online Convex Optimization with Unbounded Memory*, have
    a lower bound of order `sqrt(T H)` for memories in which the costs may choose which past decisions count; here they
    may not.

    Args:
        rate: `eta`, by hand.
        length: how many rounds back the filter may look, at most 16,384; None: twice as many as the memory, at least
            16.

    >>> import bygones as by
    >>> problem = by.Problem(10, 10_000, by.Window(100))
    >>> [round(learner.bound(problem), 1) for learner in (by.HedgeAhead(), by.Hedge())]
    [61..., 1070.3]
    >>> player = by.HedgeAhead().start(by.Problem(2, 10_000, by.Geometric(0.9)))
    >>> player.observe([0.0, 1.0])
    >>> print(player.describe())
    HedgeAhead plays exponential weights at the rate ..., and adds multiples of their moves: 9 (last round).
    >>> player.decide().round(3)
    array([0.559, 0.441])
    """

    length: int | None = None
    solves: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.length is not None:
            self._set("length", whole("the filter's length", self.length, 1, FARTHEST))

    def plan(self, problem: Problem) -> AheadPlan:
        """The rate, the filter and the bound on a problem.

        Raises:
            ValueError: if the horizon or the range is unknown, or the weights of the memory do not stay the same.
        """
        return ahead_plan(problem, self.rate, self.length)

    def tuned_rate(self, problem: Problem) -> float:
        """The rate that makes the bound least."""
        return self.plan(problem).rate

    def accepts(self, memory: Memory) -> bool:
        """Not where the weights of a memory do not stay the same once it is full."""
        return can_lead(memory)

    def proved_bound(self, problem: Problem) -> float | None:
        """That of `theory.ahead_bound`, or Hedge's; None where the weights of the memory do not stay the same."""
        return self.plan(problem).bound if self.accepts(problem.memory) else None

    @property
    def source(self) -> str:
        """This project's."""
        return "bygones, by playing ahead"

    @property
    def player_type(self) -> type[Player]:
        """Weights, and their moves."""
        return HedgeAheadPlayer


class HedgeAheadPlayer(BlockPlayer):
    """Plays the weights and a filter of their moves, which are kept as far back as the filter looks.

    Before the first round it has Hedge's rate and no filter: the programs run when the first costs come.
    """

    learner: HedgeAhead
    current: Array

    def begin(self) -> None:
        """Begin with all actions alike."""
        n = self.problem.n
        known(self.problem, "HedgeAhead's filter")
        kernel_of(self.problem.memory, 1)
        self.rate = self.learner.rate or hedge_rate(self.problem)
        self.tally = Tally(n)
        self.psi = np.zeros(0)
        self.moves = np.zeros((0, n))  # move s is in row (s - 1) % len(psi)
        self.weights = np.full(n, 1 / n)
        self.current = np.full(n, 1 / n)
        self._filter: tuple[Actions, Array] | None = None

    def _arrange(self) -> None:
        """Find the filter, before the first round."""
        if self.rounds == 0:
            self.rate, self.psi, _ = self.learner.plan(self.problem)
            self.moves = np.zeros((len(self.psi), self.problem.n))
            self._filter = None

    @property
    def filter(self) -> tuple[Actions, Array]:
        """The coefficients that are not 0: how many rounds each looks back beyond the last move, and its value."""
        if self._filter is None:
            backs = np.flatnonzero(self.psi)
            self._filter = backs, self.psi[backs]
        return self._filter

    @property
    def target(self) -> Array:
        """The weights: with equal costs from now on there are no more moves, and it decides for them."""
        return self.mixture(self.weights)

    def run(self, block: Block) -> Array:
        """Play the weights, and what they have moved by."""
        decisions = np.empty(block.costs.shape[1:])
        if block.rounds:
            self._arrange()
            lead_on.call(block, self.rate, self.rounds, *self.filter, self.moves, self.weights, self.current, decisions)
        return decisions

    def step(self, costs: Array) -> bool:
        """Find the next weights, and go ahead of them."""
        if self.rounds == 0:
            if first_fault.call(costs[np.newaxis], *self._limits)[0] >= 0:
                return False
            self._arrange()
        tally = self.tally
        return lead_on_round.call(
            costs,
            *self._limits,
            tally.totals,
            tally.spent,
            self.rate,
            self.rounds,
            *self.filter,
            self.moves,
            self.weights,
            self.current,
        )

    def describe(self) -> str:
        """The rate, and the filter if there is one, in a sentence."""
        plan = self.learner.plan(self.problem) if self.rounds == 0 else None
        rate, psi = (self.rate, self.psi) if plan is None else (plan.rate, plan.psi)
        said = f"HedgeAhead plays exponential weights at the rate {rate:.6g}"
        lags = np.flatnonzero(psi)
        if len(lags) == 0:
            return f"{said}, as Hedge does: at this size no filter promises less."
        moves = [f"{psi[lag]:.6g} ({_ago(int(lag))})" for lag in lags]
        return f"{said}, and adds multiples of their moves: {', '.join(moves)}."

    def __repr__(self) -> str:
        if self.rounds == 0:
            return super().__repr__()
        lags = np.flatnonzero(self.psi)
        seen = "no moves, as Hedge"
        if len(lags):
            count, back = len(lags), int(lags[-1]) + 1
            seen = f"{count} move{'s'[: count > 1]}, up to {back} round{'s'[: back > 1]} ago"
        return f"{super().__repr__()[:-1]}, a filter of {seen}>"

    def _check(self, mine: Snapshot, snapshot: Mapping[str, Any]) -> None:
        psi, moves = snapshot["psi"], snapshot["moves"]
        n, rounds = self.problem.n, snapshot["rounds"]
        shapes = psi.ndim == 1 and moves.shape == (len(psi), n) and psi.dtype == moves.dtype == np.float64
        if not shapes or (len(psi) and rounds == 0):
            raise ValueError("the snapshot's psi and moves do not fit: there should be a move for each coefficient")
        if not (np.isfinite(psi).all() and np.isfinite(moves).all()):
            raise ValueError("the snapshot is damaged: psi and moves must be finite")
        super()._check({**mine, "psi": psi, "moves": moves}, snapshot)


def _ago(lag: int) -> str:
    return "last round" if lag == 0 else f"{lag} round{'s'[: lag > 1]} earlier"


def _lead(
    totals: Array,
    rate: float,
    t: int,
    backs: Actions,
    values: Array,
    moves: Array,
    weights: Array,
    current: Array,
) -> None:
    """Find the weights after round t, 0 for the first, and the decision that goes ahead of them.

    Args:
        totals: (n,), the round included.
        rate: `eta`.
        t: how many rounds came before.
        backs: how far before the last move the filter looks.
        values: its coefficients there.
        moves: ring of the last moves; one is written.
        weights: (n,), advanced.
        current: (n,), written.
    """
    n, length = weights.shape[0], moves.shape[0]
    slot = t % length if length > 0 else 0
    for i in range(n):
        current[i] = weights[i]
    softmin(totals, rate, weights)
    if length > 0:
        for i in range(n):
            moves[slot, i] = weights[i] - current[i]
    for i in range(n):
        current[i] = weights[i]
    for k in range(backs.shape[0]):
        place = slot - backs[k]
        if place < 0:
            place += length
        for i in range(n):
            current[i] += values[k] * moves[place, i]
    low = 0.0
    for i in range(n):
        low = min(low, current[i])
    if low < 0.0:  # by rounding, or by the slack that a range has
        mass = 0.0
        for i in range(n):
            current[i] = max(current[i], 0.0)
            mass += current[i]
        for i in range(n):
            current[i] /= mass


def _lead_on(
    block: Block,
    rate: float,
    before: int,
    backs: Actions,
    values: Array,
    moves: Array,
    weights: Array,
    current: Array,
    decisions: Array,
) -> None:
    rounds, n = decisions.shape
    totals = block.marks[0, 0].copy()
    for b in range(rounds):
        for i in range(n):
            decisions[b, i] = current[i]
            totals[i] += block.costs[0, b, i] - block.low[0, b]
        lead(totals, rate, before + b, backs, values, moves, weights, current)


def _lead_on_round(
    costs: Array,
    largest: float,
    widest: float,
    totals: Array,
    spent: Array,
    rate: float,
    before: int,
    backs: Actions,
    values: Array,
    moves: Array,
    weights: Array,
    current: Array,
) -> bool:
    low = admit(costs, largest, widest, totals, spent)
    if low != low:
        return False
    lead(totals, rate, before, backs, values, moves, weights, current)
    return True


lead = compiled(_lead, inline=True)
lead_on = compiled(_lead_on)
lead_on_round = compiled(_lead_on_round)
