"""The mean of all decisions."""

import math

import numpy as np

from ..kernels import Array, compiled
from .base import Memory, MemoryState, elapsed


class FullHistory(Memory):
    """The mean of all decisions so far: the paper's window with H = T.

    >>> import bygones as by
    >>> by.FullHistory().mean_lag(101)
    50.0
    """

    def weights(self, t: int) -> Array:
        """`1/t` for every decision."""
        return np.full(t, 1.0 / t)

    def beta(self, t: int) -> float:
        """`1/t`."""
        return 1.0 / t

    def mean_lag(self, t: int | None = None) -> float:
        """`(t - 1)/2`; it tends to infinity."""
        return math.inf if t is None else (t - 1) / 2

    def lag_total(self, t: int) -> float:
        """`t (t - 1)/4`."""
        return t * (t - 1) / 4

    def charges(self, costs: Array, past: int = 0) -> Array:
        """`c^tau`, the sum of `g^t / t` over t from tau on."""
        return np.cumsum((costs / elapsed(costs, past))[::-1], axis=0)[::-1]

    def state(self, n: int) -> "FullHistoryState":
        """A running mean."""
        return FullHistoryState(self, n)


class FullHistoryState(MemoryState):
    """The sum of all decisions, with what rounding took off it."""

    def __init__(self, memory: FullHistory, n: int) -> None:
        self.total = np.zeros(n)
        self.lost = np.zeros(n)
        super().__init__(memory, n)

    def _advance(self, decisions: Array, states: Array) -> None:
        average_all(decisions, self.total, self.lost, self.count, states)


def _average_all(decisions: Array, total: Array, lost: Array, count: int, states: Array) -> None:
    # Kahan's compensated sum: nothing is kept to sum afresh from.
    for b in range(decisions.shape[0]):
        for i in range(total.shape[0]):
            gain = decisions[b, i] - lost[i]
            new = total[i] + gain
            lost[i] = (new - total[i]) - gain
            total[i] = new
            states[b, i] = new / (count + b + 1)


average_all = compiled(_average_all)
