"""AdaHedge: exponential weights that find their own rate."""

import math
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ..kernels import Array, Block, Tally, compiled, project, softmin
from ..memory import RunningState, average, carry
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

    def player(self) -> type[Player]:
        """The weights."""
        return AdaHedgePlayer


class AdaHedgePlayer(BlockPlayer):
    """Plays the weights, and keeps the state that they lead to."""

    aiming: ClassVar[bool] = False  # True: the decision is what takes the state to the weights
    current: Array

    def begin(self) -> None:
        """Begin with all weights alike."""
        n = self.problem.n
        self.tally = Tally(n)
        self.weights = np.full(n, 1 / n)
        self.meter = np.zeros(3)  # the sum of the deltas, the largest one so far, and the potential
        self.memory = self.problem.memory.start(n, self.history)
        self.current, self.state = np.empty(n), np.empty(n)
        self._move()

    def run(self, block: Block) -> Array:
        """Play the weights; a memory that is not of this library is asked round by round."""
        rounds = len(block.costs)
        decisions, memory, rates = np.empty_like(block.costs), self.memory, self._rates(rounds)
        if type(memory) is RunningState:
            adapt.call(
                block,
                rates,
                self.meter,
                self.weights,
                self.state,
                self.current,
                self.aiming,
                *memory.running(rounds),
                memory.count,
                decisions,
            )
            memory.count += rounds
        else:
            totals = block.marks[0].copy()
            for b in range(rounds):
                decisions[b] = self.current
                reweigh.call(block, b, rates[b], totals, self.meter, self.state, self.weights)
                self._move()
        return decisions

    def _rates(self, rounds: int) -> Array:
        """The rates of the decisions that so many rounds lead to; 0: the learner finds its own."""
        return np.zeros(rounds)

    def _move(self) -> None:
        """Make the next decision from the weights."""
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


def _reweigh(block: Block, b: int, rate: float, totals: Array, meter: Array, state: Array, weights: Array) -> None:
    """Take round b in, and write the weights at the rate given; at rate 0, at the one that the meter asks for."""
    n = totals.shape[0]
    loss = 0.0
    for i in range(n):
        cost = block.costs[b, i] - block.low[b]
        totals[i] += cost
        loss += cost * state[i]
    if rate > 0.0:
        softmin(totals, rate, weights)
        return
    own = math.log(n) / meter[1] if meter[1] > 0.0 else math.inf
    potential = softmin(totals, own, weights)
    meter[0] += loss - (potential - meter[2])
    meter[2] = potential
    if meter[0] > meter[1]:
        meter[1] = meter[0]
        meter[2] = softmin(totals, math.log(n) / meter[1], weights)


def _aim(weights: Array, y: Array, beta: float, out: Array) -> None:
    """Write the decision that takes the state `y + beta v` as near to the weights as one decision can."""
    point = np.empty(weights.shape[0])
    for i in range(weights.shape[0]):
        point[i] = (weights[i] - y[i]) / beta
    project(point, out)


def _adapt(
    block: Block,
    rates: Array,
    meter: Array,
    weights: Array,
    state: Array,
    current: Array,
    aiming: bool,
    kind: int,
    length: int,
    fade: float,
    lags: Array,
    ring: Array,
    sums: Array,
    mass: Array,
    count: int,
    decisions: Array,
) -> None:
    rounds, n = block.costs.shape
    totals = block.marks[0].copy()
    y = np.empty(n)
    reached = np.empty((1, n))
    decision = np.empty((1, n))
    for b in range(rounds):
        for i in range(n):
            decisions[b, i] = current[i]
        reweigh(block, b, rates[b], totals, meter, state, weights)
        if aiming:
            beta = carry(kind, length, fade, lags, ring, sums, mass, count + b, y)
            aim(weights, y, beta, current)
        else:
            for i in range(n):
                current[i] = weights[i]
        for i in range(n):
            decision[0, i] = current[i]
        average(kind, length, fade, lags, ring, sums, mass, count + b, decision, reached)
        for i in range(n):
            state[i] = reached[0, i]


reweigh = compiled(_reweigh)
aim = compiled(_aim)
adapt = compiled(_adapt)
