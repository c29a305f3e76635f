"""AdaHedge: exponential weights that find their own rate."""

import math
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..kernels import Array, Block, Tally, admit, compiled, project, softmin
from ..memory import average, carry
from .base import Learner
from .player import BlockPlayer, Player, Snapshot


class AdaHedge(Learner):
    r"""Weight every action by the exponential of its costs so far, at a rate that falls as the learner loses ground.

    With the potential `Phi_eta(G) = -(1/eta) ln((1/n) sum_i exp(-eta G_i))`, round t costs

        delta_t = <g^t, x^t> - [Phi_(eta_t)(G^t) - Phi_(eta_t)(G^(t-1))]

    more than the potential grows. The rate is `eta_(t+1) = ln n / D_t`, where `D_t` is the largest sum
    `delta_1 + ... + delta_s` up to t, or 0; while that is 0 the rate is infinite, and the weights are alike on the best
    actions. The loss is that of the state, so the rate knows of the memory. Nothing else need be known: neither the
    horizon, nor the memory, nor the range of the costs.

    On every path the regret is at most `sum_t delta_t + D_(T-1)`, hence at most `2 D_T`. Proof: summed up, the losses
    are `sum_t delta_t` and the growth of the potentials, which telescopes but for the changes of rate; those only take
    away, for `Phi_eta` does not fall when `eta` does; and `Phi_eta(G) <= min_i G_i + ln n/eta` at the end. A bound
    before the first round is not known.

    Reference: de Rooij, van Erven, Gruenwald and Koolen (2014), *Follow the Leader If You Can, Hedge If You Must*, for
    memoryless losses. Where this differs: the loss is the state's, and the largest sum takes the place of the sum, for
    under a memory `delta_t` may be negative.

    >>> import bygones as by
    >>> player = by.AdaHedge().start(by.Problem(2, None, by.Window(5), cost_range=None))
    >>> player.play([[0.0, 1.0], [0.0, 1.0], [9.0, 0.0]]).round(3)
    array([[0.5  , 0.5  ],
           [0.8  , 0.2  ],
           [0.869, 0.131]])
    """

    @property
    def player_type(self) -> type[Player]:
        """The weights."""
        return AdaHedgePlayer


class StatePlayer(BlockPlayer):
    """Keeps exponential weights and the state that the decisions lead to; a subclass plays the one or the other."""

    aiming: ClassVar[bool]  # True: the decision is what takes the state to the weights; False: it is the weights
    current: Array

    def begin(self) -> None:
        """Begin with all weights alike."""
        n = self.problem.n
        self.tally = Tally(n)
        self.weights = np.full(n, 1 / n)
        self.meter = np.zeros(3)  # see DELTAS, MOST and POTENTIAL
        self.memory = self.problem.memory.start(n, self.history)
        self.current, self.state = np.empty(n), np.empty(n)
        self._move()

    @property
    def delta_sum(self) -> float:
        """`delta_1 + ... + delta_t`, of an adaptive rate."""
        return float(self.meter[DELTAS])

    @property
    def largest_sum(self) -> float:
        """`D_t`, the largest of these sums so far, or 0."""
        return float(self.meter[MOST])

    @abstractmethod
    def rates(self, rounds: int) -> Array:
        """The rates of the decisions that so many rounds lead to; 0: the learner finds its own."""

    def run(self, block: Block) -> Array:
        """Play the block; a memory without a compiled form is asked round by round."""
        rounds, memory = block.rounds, self.memory
        decisions, rates, running = np.empty(block.costs.shape[1:]), self.rates(rounds), memory.running(rounds)
        if running is not None:
            mine = Weighing(self.meter, self.weights, self.state, self.current)
            adapt.call(block, rates, mine, self.aiming, *running, memory.count, decisions)
            memory.advanced(rounds, running)
        else:
            totals = block.marks[0, 0].copy()
            for b in range(rounds):
                decisions[b] = self.current
                behind = block.costs[0, b] - block.low[0, b]
                totals += behind
                reweigh.call(float(behind @ self.state), float(rates[b]), totals, self.meter, self.weights)
                self._move()
        return decisions

    def take(self, costs: Array, rate: float) -> bool:
        """Take one round in, and make the next decision.

        Args:
            costs: (n,).
            rate: of the next weights; 0: the learner finds its own.

        Returns:
            Whether the costs are sound.
        """
        memory, tally, (largest, widest) = self.memory, self.tally, self._limits
        checked = (costs, largest, widest, tally.totals, tally.spent)
        running = memory.running(1)
        if running is not None:
            mine = (self.meter, self.weights, self.state, self.current)
            sound = adapt_round.call(*checked, rate, *mine, self.aiming, *running, memory.count)
            if sound:
                memory.advanced(1, running)
            return sound
        low = admit.call(*checked)
        if low != low:
            return False
        reweigh.call(float((costs - low) @ self.state), rate, tally.totals, self.meter, self.weights)
        self._move()
        return True

    def _move(self) -> None:
        """Make the next decision from the weights, and push it."""
        self.current[:] = self.weights
        if self.aiming:
            aim.call(self.weights, *self.memory.carried(), self.current)
        self.state[:] = self.memory.push(self.current)

    def _check(self, mine: Snapshot, snapshot: Mapping[str, Any]) -> None:
        super()._check(mine, snapshot)
        count = snapshot["rounds"] + len(snapshot["history"]) + 1
        if snapshot["memory.count"] != count:
            held = snapshot["memory.count"]
            raise ValueError(f"the snapshot's memory holds {held!r} decisions: by its rounds it should be {count}")


class AdaHedgePlayer(StatePlayer):
    """Plays the weights."""

    aiming = False

    def rates(self, rounds: int) -> Array:
        """Its own."""
        return np.zeros(rounds)

    def step(self, costs: Array) -> bool:
        """Find the next weights."""
        return self.take(costs, 0.0)


DELTAS, MOST, POTENTIAL = range(3)  # of the meter: the sum of the deltas, the largest so far, the potential


def _reweigh(loss: float, rate: float, totals: Array, meter: Array, weights: Array) -> None:
    """Write the weights after a round, at the rate given; at rate 0, at the one that the meter asks for.

    Args:
        loss: of the round, its least cost taken off.
        rate: of the weights, or 0.
        totals: (n,) costs so far, the round's included.
        meter: (3,), advanced where the rate is 0.
        weights: (n,), written.
    """
    if rate > 0.0:
        softmin(totals, rate, weights)
        return
    n = totals.shape[0]
    own = math.log(n) / meter[MOST] if meter[MOST] > 0.0 else math.inf
    potential = softmin(totals, own, weights)
    meter[DELTAS] += loss - (potential - meter[POTENTIAL])
    meter[POTENTIAL] = potential
    if meter[DELTAS] > meter[MOST]:
        meter[MOST] = meter[DELTAS]
        meter[POTENTIAL] = softmin(totals, math.log(n) / meter[MOST], weights)


def _aim(weights: Array, y: Array, beta: float, out: Array) -> None:
    """Write the decision that takes the state `y + beta v` as near to the weights as one decision can; uses `y` up."""
    for i in range(weights.shape[0]):
        y[i] = (weights[i] - y[i]) / beta
    project(y, out)


class Weighing(NamedTuple):
    """What a player with a state keeps, for its kernel."""

    meter: Array
    weights: Array
    state: Array
    current: Array


def _move_on(
    weights: Array,
    decision: Array,
    state: Array,
    aiming: bool,
    form: Array,
    sums: Array,
    ring: Array,
    count: int,
    y: Array,
) -> None:
    """Make the next decision from the weights, and the state that it leads to, each (1, n); `y` is room."""
    if aiming:
        beta = carry(form, sums, ring, count, y)
        aim(weights, y, beta, decision[0])
    else:
        for i in range(y.shape[0]):
            decision[0, i] = weights[i]
    average(form, sums, ring, count, decision, state)


def _adapt(
    block: Block,
    rates: Array,
    mine: Weighing,
    aiming: bool,
    form: Array,
    sums: Array,
    ring: Array,
    count: int,
    decisions: Array,
) -> None:
    rounds, n = decisions.shape
    costs, low, totals, y = block.costs[0], block.low[0], block.marks[0, 0].copy(), np.empty(n)
    meter, weights = mine.meter, mine.weights
    decision, state = mine.current.reshape((1, n)), mine.state.reshape((1, n))  # the same numbers
    for b in range(rounds):
        loss = 0.0
        for i in range(n):
            decisions[b, i] = decision[0, i]
            cost = costs[b, i] - low[b]
            totals[i] += cost
            loss += cost * state[0, i]
        reweigh(loss, rates[b], totals, meter, weights)
        move_on(weights, decision, state, aiming, form, sums, ring, count + b, y)


def _adapt_round(
    costs: Array,
    largest: float,
    widest: float,
    totals: Array,
    spent: Array,
    rate: float,
    meter: Array,
    weights: Array,
    state: Array,
    current: Array,
    aiming: bool,
    form: Array,
    sums: Array,
    ring: Array,
    count: int,
) -> bool:
    low = admit(costs, largest, widest, totals, spent)
    if low != low:
        return False
    n = totals.shape[0]
    loss = 0.0
    for i in range(n):
        loss += (costs[i] - low) * state[i]
    reweigh(loss, rate, totals, meter, weights)
    decision, reached = current.reshape((1, n)), state.reshape((1, n))
    move_on(weights, decision, reached, aiming, form, sums, ring, count, np.empty(n))
    return True


reweigh = compiled(_reweigh, inline=True)
aim = compiled(_aim, inline=True)
move_on = compiled(_move_on, inline=True)
adapt = compiled(_adapt)
adapt_round = compiled(_adapt_round)
