"""Players that look at the state their decisions lead to: AdaHedge, Steering and, with more on top, Guarded."""

import math
from abc import abstractmethod
from collections.abc import Mapping
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import numpy as np

from ...kernels import Array, Block, Tally, admit, compiled, first_fault, project, softmin
from ...memory import MemoryState, Running, average, carry, vertices
from .block import BlockPlayer
from .player import Player, Snapshot

if TYPE_CHECKING:
    from ..base import Learner

OWN, AHEAD, ASKED = range(3)  # where proposals come from: own weights, a player asked for a block, one asked each round
DELTAS, MOST, POTENTIAL = range(3)  # of the meter: the sum of the deltas, the largest so far, the potential


class StatePlayer(BlockPlayer):
    """Keeps the state of the decisions really taken. A subclass says in `layers` what is put on what.

    At the bottom are exponential weights that find their own rate, or the decisions of a player inside. One that looks
    at costs alone is asked for a block ahead; any other is told of every decision really taken, round by round. Above
    that the decision may be aimed, so that the state is what lies below.
    """

    current: Array
    inner: Player  # where there is one

    @abstractmethod
    def layers(self) -> "tuple[bool, Learner | None]":
        """Whether decisions are aimed, and whose decisions lie below; None: weights that find their own rate."""

    def begin(self) -> None:
        """Begin with all weights alike, or with the first decision of the player inside."""
        n = self.problem.n
        self._aiming, below = self.layers()
        self._nothing = np.zeros((0, n))
        self.tally, self.meter, self.current = Tally(n), np.zeros(3), np.empty(n)
        self._source, self.weights = OWN, np.full(n, 1 / n)
        if below is not None:
            self.inner = self.within(below)
            self._source = AHEAD if isinstance(self.inner, BlockPlayer) and not self.inner.reactive else ASKED
            self.weights = self.inner.decide().copy()
        self.memory = self.set_up()
        self.choose()

    def set_up(self) -> MemoryState:
        """The memory, with the history in it."""
        return self.problem.memory.start(self.problem.n, self.history)

    @property
    def reactive(self) -> bool:
        """It looks at the state."""
        return True

    @property
    def state(self) -> Array:
        """The state that this round's decision leads to."""
        row = np.zeros((1, self.memory.n))
        row[0, : self.problem.n] = self.decide()
        state: Array = deepcopy(self.memory).take(row)[0, : self.problem.n]
        return state

    @property
    def target(self) -> Array:
        """What lies below, at which the state may be aimed."""
        return self.mixture(self.weights) if self._aiming else self.coming

    @property
    def aims(self) -> bool:
        """Whether the state is aimed."""
        return self._aiming

    @property
    def delta_sum(self) -> float:
        """`delta_1 + ... + delta_t`, of an adaptive rate."""
        return float(self.meter[DELTAS])

    @property
    def largest_sum(self) -> float:
        """`D_t`, the largest of these sums so far, or 0."""
        return float(self.meter[MOST])

    @property
    def guarantee(self) -> float | None:
        """`delta_1 + ... + delta_t + D_t`, at most `2 D_t`, where the rate is adaptive."""
        return self.delta_sum + self.largest_sum if self._source == OWN else None

    def ready(self, rounds: int) -> None:
        """Ask the player inside."""
        if self._source != OWN:
            self.inner.ready(rounds)

    def _advised(self) -> Array:
        self.ready(1)
        return super()._advised()

    def run(self, block: Block) -> Array:
        """Play the block as advised."""
        return self.respond(block, self._nothing)

    def respond(self, block: Block, real: Array) -> Array:
        """Play the block; round by round where the player inside or the memory has to be asked.

        Args:
            block: the rounds.
            real: (B, n) the decisions really taken; none: those advised.

        Returns:
            What was advised.
        """
        rounds, running = block.rounds, self.memory.running(block.rounds)
        decisions = np.empty(block.costs.shape[1:])
        proposals = self._proposals(block) if self._source == AHEAD else self._nothing
        if running is not None and self._source != ASKED:
            self.play_block(block, proposals, real, running, decisions)
            self.memory.advanced(rounds, running)
            return decisions
        totals = block.marks[0, 0].copy()
        for b in range(rounds):
            decisions[b] = self.current
            costs, low = block.costs[0, b], float(block.low[0, b])
            done, proposal = real[b : b + 1], proposals[b : b + 1]
            if self._source == ASKED:
                proposal = self._ask(costs, done)
            totals += costs - low
            self._turn(costs, low, totals, self.rounds + b, done, proposal)
        return decisions

    def _ask(self, costs: Array, real: Array) -> Array:
        """Tell the player inside of a round, before anything else changes, and ask it for the next one."""
        done = real if len(real) else self.current[np.newaxis]
        self.inner.advance(self.inner.survey(costs[np.newaxis].copy()), done.copy())
        return self.inner.coming[np.newaxis]

    def _proposals(self, block: Block) -> Array:
        """What the player inside decides for the rounds that those of a block lead to."""
        given: Any = self.inner.advance(block)
        rows = vertices(given[0], self.problem.n) if self.inner.pure else given
        return np.vstack([rows[1:], self._proposal()])

    def _proposal(self) -> Array:
        """What the player inside decides for the round to come, whether or not there will be one."""
        inner: Any = self.inner
        row: Array = vertices(inner.current[:1], self.problem.n)[0] if inner.pure else inner.current
        return row

    def step(self, costs: Array) -> bool:
        """Take one round in, and make the next decision."""
        source, memory, proposal = self._source, self.memory, self._nothing
        if source == ASKED:
            self.inner.ready(1)
            if first_fault.call(costs[np.newaxis], *self._limits)[0] >= 0:
                return False
            proposal = self._ask(costs, self.real)
        if source == AHEAD:  # first, for it finds out whether the costs are sound
            inner: Any = self.inner
            if not inner.step(costs):
                return False
            inner.count(1)
            self.weights[:] = self._proposal()
            proposal = self.weights[np.newaxis].copy()
        running = None if source == ASKED else memory.running(1)
        if running is None:
            tally = self.tally
            low = admit.call(costs, *self._limits, tally.totals, tally.spent)
            if low == low:
                self._turn(costs, low, tally.totals, self.rounds, self.real, proposal)
            return low == low
        advised = self.current
        if len(self.real):
            self.current = self.real[0].copy()
        if self.play_round(costs, running):
            memory.advanced(1, running)
            return True
        self.current = advised
        return False

    def _turn(self, costs: Array, low: float, totals: Array, before: int, real: Array, proposal: Array) -> None:
        """Take one round in that is already in the totals, without a kernel of its own; `proposal` is for the next."""
        if len(real):
            self.current[:] = real[0]
        self.learn(costs, low, totals, before)
        if len(proposal):
            self.weights[:] = proposal[0]
        self.choose()

    def play_block(self, block: Block, proposals: Array, real: Array, running: Running, decisions: Array) -> None:
        """Run the kernel over a block.

        Args:
            block: the rounds.
            proposals: (B, n) what lies below, for the rounds that those of the block lead to; none: own weights.
            real: (B, n) the decisions really taken; none: those advised.
            running: what kernels take of the memory.
            decisions: (B, n), written.
        """
        mine = (self.meter, self.weights, self.current, self._aiming)
        live.call(block, proposals, real, *mine, *running, self.memory.count, decisions)

    def play_round(self, costs: Array, running: Running) -> bool:
        """Run the kernel over one round, whose decision is `current`.

        Args:
            costs: (n,).
            running: what kernels take of the memory.

        Returns:
            Whether the costs are sound; if not, nothing has changed.
        """
        largest, widest = self._limits
        return live_round.call(
            costs,
            largest,
            widest,
            self.tally.totals,
            self.tally.spent,
            self.meter,
            self.weights,
            self.current,
            self._aiming,
            self._source == OWN,
            *running,
            self.memory.count,
        )

    def learn(self, costs: Array, low: float, totals: Array, before: int) -> None:
        """Take one round in, whose decision is `current`, up to the next weights.

        Args:
            costs: (n,).
            low: the least of them.
            totals: (n,) costs so far, the round's included.
            before: how many rounds came before.
        """
        state = self.memory.take(self.current[np.newaxis].copy())[0]
        if self._source == OWN:
            reweigh.call(float((costs - low) @ state), totals, self.meter, self.weights)

    def choose(self) -> None:
        """Make the next decision from the weights."""
        self.current[:] = self.weights
        if self._aiming:
            aim.call(self.weights, *self.memory.carried(), self.current)

    def _check(self, mine: Snapshot, snapshot: Mapping[str, Any]) -> None:
        super()._check(mine, snapshot)
        count = snapshot["rounds"] + len(snapshot["history"])
        if snapshot["memory.count"] != count:
            held = snapshot["memory.count"]
            raise ValueError(f"the snapshot's memory holds {held!r} decisions: by its rounds it should be {count}")


def _reweigh(loss: float, totals: Array, meter: Array, weights: Array) -> None:
    """Write the weights of AdaHedge after a round.

    Args:
        loss: of the round, its least cost taken off.
        totals: (n,) costs so far, the round's included.
        meter: (3,), advanced.
        weights: (n,), written.
    """
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


def _live(
    block: Block,
    proposals: Array,
    real: Array,
    meter: Array,
    weights: Array,
    current: Array,
    aiming: bool,
    form: Array,
    sums: Array,
    ring: Array,
    count: int,
    decisions: Array,
) -> None:
    rounds, n = decisions.shape
    costs, low, totals = block.costs[0], block.low[0], block.marks[0, 0].copy()
    decision, state, y = current.reshape((1, n)), np.empty((1, n)), np.empty(n)  # the first has the same numbers
    adaptive, overridden = proposals.shape[0] == 0, real.shape[0] > 0
    for b in range(rounds):
        for i in range(n):
            decisions[b, i] = current[i]
            totals[i] += costs[b, i] - low[b]
            if overridden:
                current[i] = real[b, i]
        average(form, sums, ring, count + b, decision, state)
        if adaptive:
            loss = 0.0
            for i in range(n):
                loss += (costs[b, i] - low[b]) * state[0, i]
            reweigh(loss, totals, meter, weights)
        else:
            for i in range(n):
                weights[i] = proposals[b, i]
        if aiming:
            beta = carry(form, sums, ring, count + b + 1, y)
            aim(weights, y, beta, current)
        else:
            for i in range(n):
                current[i] = weights[i]


def _live_round(
    costs: Array,
    largest: float,
    widest: float,
    totals: Array,
    spent: Array,
    meter: Array,
    weights: Array,
    current: Array,
    aiming: bool,
    adaptive: bool,
    form: Array,
    sums: Array,
    ring: Array,
    count: int,
) -> bool:
    low = admit(costs, largest, widest, totals, spent)
    if low != low:
        return False
    n = totals.shape[0]
    state, y = np.empty((1, n)), np.empty(n)
    average(form, sums, ring, count, current.reshape((1, n)), state)
    if adaptive:
        loss = 0.0
        for i in range(n):
            loss += (costs[i] - low) * state[0, i]
        reweigh(loss, totals, meter, weights)
    if aiming:
        beta = carry(form, sums, ring, count + 1, y)
        aim(weights, y, beta, current)
    else:
        for i in range(n):
            current[i] = weights[i]
    return True


reweigh = compiled(_reweigh, inline=True)
aim = compiled(_aim, inline=True)
live = compiled(_live)
live_round = compiled(_live_round)
