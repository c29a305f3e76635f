"""The mean of the last H decisions."""

import numpy as np

from ..describing import whole
from ..kernels import Array, compiled
from .base import Memory, MemoryState, elapsed


class Window(Memory):
    """The mean of the last `length` decisions: the paper's memory, its H.

    `x^t = (v^(t-h+1) + ... + v^t) / h` with `h = min(t, length)`.

    >>> import bygones as by
    >>> by.Window(4).weights(2), by.Window(4).mean_lag()
    (array([0.5, 0.5]), 1.5)
    """

    length: int

    def __post_init__(self) -> None:
        self._set("length", whole("the window's length", self.length, 1))

    @property
    def support(self) -> int:
        """Its length."""
        return self.length

    def weights(self, t: int) -> Array:
        """`1/h` for each of the last `h = min(t, length)` decisions."""
        h = min(t, self.length)
        return np.full(h, 1.0 / h)

    def beta(self, t: int) -> float:
        """`1/h`."""
        return 1.0 / min(t, self.length)

    def mean_lag(self, t: int | None = None) -> float:
        """`(h - 1)/2`."""
        return ((self.length if t is None else min(t, self.length)) - 1) / 2

    def lag_total(self, t: int) -> float:
        """The sum of `(min(s, length) - 1)/2` over s up to t."""
        h = min(t, self.length)
        return (h * (h - 1) + 2 * (t - h) * (h - 1)) / 4

    def charges(self, costs: Array, past: int = 0) -> Array:
        """`c^tau`, the sum of `g^t / min(t, length)` over t from tau to tau + length - 1."""
        shares = costs / np.minimum(elapsed(costs, past), self.length)
        ahead = np.cumsum(shares[::-1], axis=0)[::-1]
        ahead[: -self.length] -= ahead[self.length :].copy()
        return ahead

    def state(self, n: int) -> "WindowState":
        """A running window."""
        return WindowState(self, n)


class WindowState(MemoryState):
    """The last decisions in a ring that grows up to the window's length, and their sum."""

    def __init__(self, memory: Window, n: int) -> None:
        self.length = memory.length
        self.ring = np.zeros((0, n))
        self.total = np.zeros(n)
        super().__init__(memory, n)

    def _advance(self, decisions: Array, states: Array) -> None:
        wanted = min(self.length, self.count + len(decisions))
        if len(self.ring) < wanted:
            longer = np.zeros((min(self.length, max(wanted, 2 * len(self.ring))), self.n))
            longer[: len(self.ring)] = self.ring
            self.ring = longer
        average_window(decisions, self.length, self.ring, self.total, self.count, states)


def _average_window(decisions: Array, length: int, ring: Array, total: Array, count: int, states: Array) -> None:
    # Sums of zeros and ones are whole numbers, so pure decisions never drift. Fractions are summed afresh whenever the
    # round is a multiple of the length: a rule of the absolute round, so the cut into blocks changes no bit.
    n = total.shape[0]
    for b in range(decisions.shape[0]):
        t = count + b + 1
        slot = (t - 1) % length
        for i in range(n):
            if t > length:
                total[i] -= ring[slot, i]
            ring[slot, i] = decisions[b, i]
            total[i] += decisions[b, i]
        if t % length == 0:
            for i in range(n):
                total[i] = 0.0
            for k in range(length):
                for i in range(n):
                    total[i] += ring[k, i]
        for i in range(n):
            states[b, i] = max(total[i], 0.0) / min(t, length)


average_window = compiled(_average_window)
