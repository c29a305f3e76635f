"""Losses of paths under a memory; of pure ones without the states in between.

A pure decision moves only the weight of the action that comes and, under a window, of the one that goes. So a state is
kept as the few actions that have any weight, and a round costs as many products.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..kernels import Actions, Array, Ledger, compiled, enter
from .base import Memory
from .full_history import FullHistory
from .geometric import Geometric
from .weights import Weights
from .window import Window

NEGLIGIBLE = 2.0**-60  # a weight that no longer moves a loss


class Paths(ABC):
    """Replicates under one memory: decisions in, losses out."""

    def __init__(self, n: int, replicates: int) -> None:
        self.n, self.replicates = n, replicates
        self.count = 0

    def pay(self, costs: Array, decisions: Any, ledger: Ledger) -> Array:  # noqa: ANN401
        """Enter `<g^t, x^t> - g^t_0` of a block of rounds, and give their sums so far as (replicates, B).

        The first action's cost is taken off each round's: regret stays what it is, and large constants cost no digits.

        Args:
            costs: (B, n).
            decisions: (replicates, B) action numbers; of mixed play (B, n) weights for each replicate.
            ledger: where to enter them.
        """
        lost = np.empty((self.replicates, len(costs)))
        self._advance(costs, decisions, lost, ledger)
        self.count += len(costs)
        return lost

    @abstractmethod
    def _advance(self, costs: Array, decisions: Any, lost: Array, ledger: Ledger) -> None:  # noqa: ANN401
        """Take decisions in, write the losses so far, and enter them."""


def start_paths(memory: Memory, n: int, replicates: int, pure: bool = True, history: ArrayLike | None = None) -> Paths:
    """Paths under a memory; mixed decisions, those after a history, and other people's memories go through states."""
    if not pure or history is not None:
        return StatePaths(n, replicates, memory, history)
    if type(memory) is Window:
        return FadingPaths(n, replicates, 1.0, memory.length)
    if type(memory) is FullHistory:
        return FadingPaths(n, replicates, 1.0, None)
    if type(memory) is Geometric:
        return FadingPaths(n, replicates, memory.rho, None)
    if type(memory) is Weights:
        return WeightedPaths(n, replicates, np.array(memory.lags))
    return StatePaths(n, replicates, memory)


class FadingPaths(Paths):
    """Counts that fade by a factor a round and leave after a length: windows, full history and geometric memory."""

    def __init__(self, n: int, replicates: int, fade: float, length: int | None) -> None:
        super().__init__(n, replicates)
        self.fade, self.length = fade, length
        self.ring = np.zeros((replicates, 0), dtype=np.int32)
        self.mass = np.zeros(1)
        self.weight = np.zeros((replicates, n))
        self.active = np.zeros((replicates, n), dtype=np.int64)
        self.size = np.zeros(replicates, dtype=np.int64)

    def _advance(self, costs: Array, decisions: Actions, lost: Array, ledger: Ledger) -> None:
        length = 0 if self.length is None else min(self.length, self.count + len(costs))
        if length > self.ring.shape[1]:
            room = min(self.length or length, max(length, 2 * self.ring.shape[1]))
            longer = np.zeros((self.replicates, room), dtype=np.int32)
            longer[:, : self.ring.shape[1]] = self.ring
            self.ring = longer
        lose_fading(
            costs,
            decisions,
            self.fade,
            self.length or 0,
            self.ring,
            self.count,
            self.mass,
            self.weight,
            self.active,
            self.size,
            lost,
            *ledger,
        )


def _lose_fading(
    costs: Array,
    actions: Actions,
    fade: float,
    length: int,
    ring: NDArray[np.int32],
    count: int,
    mass: Array,
    weight: Array,
    active: Actions,
    size: Actions,
    lost: Array,
    best: Array,
    picks: Actions,
    total: Array,
    regrets: Array,
    row: int,
    column: int,
) -> None:
    # Replicate by replicate: a row of costs stays in the cache for the next one, and a path is followed in its order.
    start = mass[0]
    for r in range(actions.shape[0]):
        here = start
        so_far = total[r]
        slot = count % length if length > 0 else 0
        for b in range(actions.shape[1]):
            action = actions[r, b]
            gone = -1
            if length > 0:
                if count + b >= length:
                    gone = ring[r, slot]
                ring[r, slot] = action
                slot = slot + 1 if slot + 1 < length else 0
            if action == gone and size[r] == 1:
                so_far += costs[b, action] - costs[b, 0]
                lost[r, b] = so_far
                continue
            if fade < 1.0 or gone < 0:
                here = 1.0 + fade * here
            if action != gone:
                if fade < 1.0:
                    for k in range(size[r]):
                        weight[r, active[r, k]] *= fade
                if weight[r, action] == 0.0:
                    active[r, size[r]] = action
                    size[r] += 1
                weight[r, action] += 1.0
                if gone >= 0:
                    weight[r, gone] -= 1.0
                k = 0
                while k < size[r]:
                    if weight[r, active[r, k]] > NEGLIGIBLE:
                        k += 1
                    else:
                        weight[r, active[r, k]] = 0.0
                        size[r] -= 1
                        active[r, k] = active[r, size[r]]
            loss = 0.0
            for k in range(size[r]):
                loss += weight[r, active[r, k]] * (costs[b, active[r, k]] - costs[b, 0])
            so_far += loss / here
            lost[r, b] = so_far
        mass[0] = here
    enter(lost, best, picks, total, regrets, row, column)


lose_fading = compiled(_lose_fading)


class WeightedPaths(Paths):
    """The last actions, weighted by their lags."""

    def __init__(self, n: int, replicates: int, lags: Array) -> None:
        super().__init__(n, replicates)
        self.lags = lags
        self.ring = np.zeros((replicates, len(lags)), dtype=np.int32)
        self.run = np.zeros(replicates, dtype=np.int64)

    def _advance(self, costs: Array, decisions: Actions, lost: Array, ledger: Ledger) -> None:
        lose_weighted(costs, decisions, self.lags, self.ring, self.count, self.run, lost, *ledger)


def _lose_weighted(
    costs: Array,
    actions: Actions,
    lags: Array,
    ring: NDArray[np.int32],
    count: int,
    run: Actions,
    lost: Array,
    best: Array,
    picks: Actions,
    total: Array,
    regrets: Array,
    row: int,
    column: int,
) -> None:
    length = lags.shape[0]
    for r in range(actions.shape[0]):
        so_far = total[r]
        for b in range(actions.shape[1]):
            t = count + b
            action = actions[r, b]
            run[r] = run[r] + 1 if t > 0 and ring[r, (t - 1) % length] == action else 1
            ring[r, t % length] = action
            seen = min(t + 1, length)
            if run[r] >= seen:
                so_far += costs[b, action] - costs[b, 0]
                lost[r, b] = so_far
                continue
            loss = 0.0
            mass = 0.0
            for k in range(seen):
                mass += lags[k]
                loss += lags[k] * (costs[b, ring[r, (t - k) % length]] - costs[b, 0])
            so_far += loss / mass
            lost[r, b] = so_far
    enter(lost, best, picks, total, regrets, row, column)


lose_weighted = compiled(_lose_weighted)


class StatePaths(Paths):
    """The states of any memory, one running memory a replicate; for mixed decisions too."""

    def __init__(self, n: int, replicates: int, memory: Memory, history: ArrayLike | None = None) -> None:
        super().__init__(n, replicates)
        self.states = [memory.start(n, history) for _ in range(replicates)]

    def _advance(self, costs: Array, decisions: Sequence[Array] | Actions, lost: Array, ledger: Ledger) -> None:
        for state, own, total, rows in zip(self.states, decisions, ledger.total, lost, strict=True):
            lose_states(costs, state.extend(own), total, rows)
        enter(lost, *ledger)


def _lose_states(costs: Array, states: Array, so_far: float, lost: Array) -> None:
    # Each added up in the order of the actions, so that the cut into blocks changes no bit.
    for b in range(costs.shape[0]):
        loss = 0.0
        for i in range(costs.shape[1]):
            loss += (costs[b, i] - costs[b, 0]) * states[b, i]
        so_far += loss
        lost[b] = so_far


lose_states = compiled(_lose_states)
