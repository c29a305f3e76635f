"""Losses of paths under a memory; of pure ones without the states in between.

A pure decision moves only the weight of the action that comes and, under a window, of the one that goes. So a state is
kept as the few actions that have any weight, and a round costs as many products.
"""

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..kernels import Actions, Array, Block, compiled
from .base import Memory
from .form import WEIGHTED
from .state import vertices

NEGLIGIBLE = 2.0**-60  # a weight that no longer moves a loss


class Ledger(NamedTuple):
    """Where losses are added up, each round's least cost taken off, and where regrets are written."""

    total: Array  # (replicates,) losses so far; advanced
    picks: Actions  # the rounds of the block whose regret is written, from 0
    regrets: Array  # (replicates, recorded rounds), written
    column: int  # where the first of them goes


class Paths(ABC):
    """Replicates under one memory: decisions in, losses out."""

    def __init__(self, n: int, replicates: int) -> None:
        self.n, self.replicates = n, replicates
        self.count = 0

    def pay(self, block: Block, decisions: Any, ledger: Ledger) -> None:  # noqa: ANN401
        """Enter what a block of decisions costs.

        Args:
            block: the rounds.
            decisions: (replicates, B) action numbers; of mixed play (replicates, B, n) weights.
            ledger: where to enter it.
        """
        self._pay(block, decisions, ledger)
        self.count += block.rounds

    @abstractmethod
    def _pay(self, block: Block, decisions: Any, ledger: Ledger) -> None:  # noqa: ANN401
        """Take decisions in, and enter the losses."""


def start_paths(memory: Memory, n: int, replicates: int, pure: bool = True, history: ArrayLike | None = None) -> Paths:
    """Paths under a memory; mixed decisions, those after a history, and user memories go through states.

    Args:
        memory: how past decisions make the state.
        n: the number of actions.
        replicates: how many paths.
        pure: the decisions are action numbers.
        history: decisions taken before.

    Returns:
        The paths, before their first round.
    """
    form = memory.form
    if not pure or history is not None or form is None:
        return StatePaths(n, replicates, memory, history)
    if form.kind == WEIGHTED:
        return WeightedPaths(n, replicates, np.array(form.lags))
    return FadingPaths(n, replicates, form.fade, form.length)


class Held(NamedTuple):
    """Of each replicate, the actions that have any weight in its state."""

    mass: Array  # (1,) the sum of the weights, the same for all
    weight: Array  # (replicates, n)
    active: Actions  # (replicates, n) the actions with a weight, the first `size` entries
    size: Actions  # (replicates,)


class FadingPaths(Paths):
    """Counts that fade by a factor a round and leave after a length: windows, full history and geometric memory."""

    def __init__(self, n: int, replicates: int, fade: float, length: int) -> None:
        super().__init__(n, replicates)
        self.fade, self.length = fade, length  # length 0: nothing ever leaves
        self.ring = np.zeros((replicates, 0), dtype=np.int32)
        self.held = Held(
            np.zeros(1),
            np.zeros((replicates, n)),
            np.zeros((replicates, n), dtype=np.int64),
            np.zeros(replicates, dtype=np.int64),
        )

    def _pay(self, block: Block, decisions: Actions, ledger: Ledger) -> None:
        wanted = min(self.length, self.count + block.rounds)  # a very long window may never fill
        if wanted > self.ring.shape[1]:
            longer = np.zeros((self.replicates, min(self.length, max(wanted, 2 * self.ring.shape[1]))), dtype=np.int32)
            longer[:, : self.ring.shape[1]] = self.ring
            self.ring = longer
        pay_fading(block, decisions, self.fade, self.length, self.ring, self.count, self.held, ledger)


def _pay_fading(
    block: Block,
    actions: Actions,
    fade: float,
    length: int,
    ring: NDArray[np.int32],
    count: int,
    held: Held,
    ledger: Ledger,
) -> None:
    # Replicate by replicate: a row of costs stays in the cache for the next one, and a path is followed in its order.
    mass, weight, active, sizes = held
    totals, picks, regrets, column = ledger
    tables, rounds, _ = block.costs.shape
    picked = picks.shape[0]
    start = mass[0]
    for r in range(actions.shape[0]):
        table = min(r, tables - 1)
        costs, low, best = block.costs[table], block.low[table], block.best[table]
        path, out = actions[r], regrets[r]
        here = start
        so_far = totals[r]
        size = sizes[r]
        slot = count % length if length > 0 else 0
        k = 0
        b = 0
        while 0 <= b < rounds:  # never below, which saves the compiler from minding negative indices
            action = path[b]
            gone = -1
            if length > 0:
                if count + b >= length:
                    gone = ring[r, slot]
                ring[r, slot] = action
                slot = slot + 1 if slot + 1 < length else 0
            if action == gone and size == 1:
                # A window full of one action stays as it is for as long as that action is played.
                if picked == rounds:
                    while b < rounds and path[b] == action:
                        so_far += costs[b, action] - low[b]
                        out[column + b] = so_far - best[b]
                        b += 1
                    k = b
                else:
                    while b < rounds and path[b] == action:
                        so_far += costs[b, action] - low[b]
                        if k < picked and picks[k] == b:
                            out[column + k] = so_far - best[b]
                            k += 1
                        b += 1
                slot = (count + b) % length
                continue
            if fade < 1.0 or gone < 0:
                here = 1.0 + fade * here
            if action != gone:
                if fade < 1.0:
                    for j in range(size):
                        weight[r, active[r, j]] *= fade
                if weight[r, action] == 0.0:
                    active[r, size] = action
                    size += 1
                weight[r, action] += 1.0
                if gone >= 0:
                    weight[r, gone] -= 1.0
                j = 0
                while j < size:
                    if weight[r, active[r, j]] > NEGLIGIBLE:
                        j += 1
                    else:
                        weight[r, active[r, j]] = 0.0
                        size -= 1
                        active[r, j] = active[r, size]
            loss = 0.0
            for j in range(size):
                loss += weight[r, active[r, j]] * (costs[b, active[r, j]] - low[b])
            so_far += loss / here
            if k < picked and picks[k] == b:
                out[column + k] = so_far - best[b]
                k += 1
            b += 1
        mass[0] = here
        sizes[r] = size
        totals[r] = so_far


pay_fading = compiled(_pay_fading)


class WeightedPaths(Paths):
    """The last actions, weighted by their lags."""

    def __init__(self, n: int, replicates: int, lags: Array) -> None:
        super().__init__(n, replicates)
        self.lags = lags
        self.ring = np.zeros((replicates, len(lags)), dtype=np.int32)
        self.run = np.zeros(replicates, dtype=np.int64)

    def _pay(self, block: Block, decisions: Actions, ledger: Ledger) -> None:
        pay_weighted(block, decisions, self.lags, self.ring, self.count, self.run, ledger)


def _pay_weighted(
    block: Block,
    actions: Actions,
    lags: Array,
    ring: NDArray[np.int32],
    count: int,
    run: Actions,
    ledger: Ledger,
) -> None:
    length = lags.shape[0]
    for r in range(actions.shape[0]):
        table = min(r, block.costs.shape[0] - 1)
        costs, low = block.costs[table], block.low[table]
        so_far = ledger.total[r]
        k = 0
        for b in range(actions.shape[1]):
            t = count + b
            action = actions[r, b]
            run[r] = run[r] + 1 if t > 0 and ring[r, (t - 1) % length] == action else 1
            ring[r, t % length] = action
            seen = min(t + 1, length)
            if run[r] >= seen:
                so_far += costs[b, action] - low[b]
            else:
                loss = 0.0
                mass = 0.0
                for j in range(seen):
                    mass += lags[j]
                    loss += lags[j] * (costs[b, ring[r, (t - j) % length]] - low[b])
                so_far += loss / mass
            if k < ledger.picks.shape[0] and ledger.picks[k] == b:
                ledger.regrets[r, ledger.column + k] = so_far - block.best[table, b]
                k += 1
        ledger.total[r] = so_far


pay_weighted = compiled(_pay_weighted)


class StatePaths(Paths):
    """The states of any memory, one running memory for each replicate; for mixed decisions too."""

    def __init__(self, n: int, replicates: int, memory: Memory, history: ArrayLike | None) -> None:
        super().__init__(n, replicates)
        self.states = [memory.start(n, history) for _ in range(replicates)]

    def _pay(self, block: Block, decisions: Any, ledger: Ledger) -> None:  # noqa: ANN401
        for r, (state, own) in enumerate(zip(self.states, decisions, strict=True)):
            pay_states(block, state.take(own if own.ndim == 2 else vertices(own, self.n)), r, ledger)


def _pay_states(block: Block, states: Array, r: int, ledger: Ledger) -> None:
    # Each added up in the order of the actions, so that the cut into blocks changes no bit.
    table = min(r, block.costs.shape[0] - 1)
    costs, low = block.costs[table], block.low[table]
    so_far = ledger.total[r]
    k = 0
    for b in range(states.shape[0]):
        loss = 0.0
        for i in range(states.shape[1]):
            loss += (costs[b, i] - low[b]) * states[b, i]
        so_far += loss
        if k < ledger.picks.shape[0] and ledger.picks[k] == b:
            ledger.regrets[r, ledger.column + k] = so_far - block.best[table, b]
            k += 1
    ledger.total[r] = so_far


pay_states = compiled(_pay_states)
