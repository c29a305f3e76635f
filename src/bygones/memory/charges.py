"""What decisions are charged in the end, computed from the last round to the first, a block at a time."""

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from ..kernels import Array, compiled
from .form import FADING, FULL, WINDOW
from .running import FADE, KIND, LAGS, LENGTH, LOST, SUM

if TYPE_CHECKING:
    from .base import Memory

Take = Callable[[int, int], Array]


def charged(memory: "Memory", take: Take, rounds: int, n: int, past: int, step: int) -> Iterator[Array]:
    """The charges of a run's decisions, in blocks of rows, the last block first.

    A memory that is not of this library is asked for all at once.

    Args:
        memory: how past decisions make the state.
        take: gives the costs of some rounds, from one number up to before another, from 0.
        rounds: how many there are.
        n: the number of actions.
        past: how many decisions were taken before.
        step: how many rows a block has.

    Yields:
        (B, n), one row per decision, in the order of the rounds.
    """
    running = memory.state(n).running(rounds)  # its sums and its ring are for what lies ahead here, not behind
    if running is None:
        yield memory.charges(take(0, rounds), past)
        return
    for first in reversed(range(0, rounds, step)):
        costs = take(first, min(first + step, rounds))
        charges = np.empty_like(costs)
        charge(*running, past + first, rounds - first - len(costs), costs, charges)
        yield charges


def charges_of(memory: "Memory", costs: Array, past: int) -> Array:
    """The charges of a run's decisions, for a memory of this library.

    Args:
        memory: how past decisions make the state.
        costs: (rounds, n), of the run.
        past: how many decisions were taken before.

    Returns:
        (rounds, n), one row per decision.
    """
    table = np.require(costs, np.float64, ["C", "W"])
    rounds, n = table.shape
    if rounds == 0:
        return np.empty_like(table)
    return next(charged(memory, lambda first, last: table[first:last], rounds, n, past, rounds))


def _charge(form: Array, sums: Array, ring: Array, before: int, after: int, costs: Array, charges: Array) -> None:
    """Write what the decisions of a block are charged; `after` later rounds were taken in already."""
    rounds, n = costs.shape
    kind, length, fade = form[KIND], int(form[LENGTH]), form[FADE]
    for b in range(rounds - 1, -1, -1):
        t = before + b + 1
        k = after + rounds - 1 - b
        if kind == WINDOW:
            # Summed afresh at fixed rounds, so that nothing drifts, whatever the cut into blocks.
            slot = k % length
            for i in range(n):
                share = costs[b, i] / min(t, length)
                if k >= length:
                    sums[SUM, i] -= ring[slot, i]
                ring[slot, i] = share
                sums[SUM, i] += share
            if (k + 1) % length == 0:
                for i in range(n):
                    sums[SUM, i] = 0.0
                for j in range(length):
                    for i in range(n):
                        sums[SUM, i] += ring[j, i]
            for i in range(n):
                charges[b, i] = sums[SUM, i]
        elif kind == FULL:
            for i in range(n):
                sums[SUM, i] += costs[b, i] / t
                charges[b, i] = sums[SUM, i]
        elif kind == FADING:
            # c^t = b_t l^t, where l^t = g^t + (1 - b_(t+1)) l^(t+1); the second sum begins with b_(t+1).
            beta = (1.0 - fade) / -math.expm1(t * math.log(fade))
            for i in range(n):
                sums[SUM, i] = costs[b, i] + (1.0 - sums[LOST, 0]) * sums[SUM, i]
                charges[b, i] = beta * sums[SUM, i]
            sums[LOST, 0] = beta
        else:
            here = 0.0
            for j in range(min(t, length)):
                here += form[LAGS + j]
            for i in range(n):
                ring[k % length, i] = costs[b, i] / here
                charges[b, i] = 0.0
            for j in range(min(k + 1, length)):
                for i in range(n):
                    charges[b, i] += form[LAGS + j] * ring[(k - j) % length, i]


charge = compiled(_charge)
