"""The memories of this library in use: compiled, alone or inside the kernel of a learner that looks at its state."""

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ..kernels import Array, compiled
from .form import FADING, FULL, WINDOW, Form
from .state import MemoryState

if TYPE_CHECKING:
    from .base import Memory

Running: TypeAlias = tuple[int, int, float, Array, Array, Array, Array]


class RunningState(MemoryState):
    """What kernels need to go on: a ring of the last decisions, running sums, the mass of fading weights.

    Args:
        memory: the description.
        n: the number of actions.
        form: how its kernels average.
    """

    def __init__(self, memory: "Memory", n: int, form: Form) -> None:
        super().__init__(memory, n)
        self._kind, self._length, self._fade = form.kind, form.length, form.fade
        self._lags = np.array(form.lags, dtype=np.float64)
        self.ring = np.zeros((0, n))
        self.sums = np.zeros((2, n))
        self.mass = np.zeros(1)

    def running(self, rounds: int) -> Running:
        """What the kernels take, in their order, with room for so many more rounds."""
        wanted = min(self._length, self.count + rounds)  # a very long window may never fill
        if len(self.ring) < wanted:
            longer = np.zeros((min(self._length, max(wanted, 2 * len(self.ring))), self.n))
            longer[: len(self.ring)] = self.ring
            self.ring = longer
        return self._kind, self._length, self._fade, self._lags, self.ring, self.sums, self.mass

    def carried(self) -> tuple[Array, float]:
        """`(y, beta)` such that the next state is `y + beta * v`."""
        y = np.empty(self.n)
        return y, carry(*self.running(0), self.count, y)

    def _advance(self, decisions: Array, states: Array) -> None:
        average(*self.running(len(decisions)), self.count, decisions, states)


def _average(
    kind: int,
    length: int,
    fade: float,
    lags: Array,
    ring: Array,
    sums: Array,
    mass: Array,
    count: int,
    decisions: Array,
    states: Array,
) -> None:
    """Take decisions in, after `count` others, and write the state after each."""
    if kind == WINDOW:
        average_window(decisions, length, ring, sums[0], count, states)
    elif kind == FULL:
        average_all(decisions, sums[0], sums[1], count, states)
    elif kind == FADING:
        average_fading(decisions, fade, sums[0], mass, states)
    else:
        average_weighted(decisions, lags, ring, count, states)


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


def _average_all(decisions: Array, total: Array, lost: Array, count: int, states: Array) -> None:
    # Kahan's compensated sum: nothing is kept to sum afresh from.
    for b in range(decisions.shape[0]):
        for i in range(total.shape[0]):
            gain = decisions[b, i] - lost[i]
            new = total[i] + gain
            lost[i] = (new - total[i]) - gain
            total[i] = new
            states[b, i] = new / (count + b + 1)


def _average_fading(decisions: Array, fade: float, last: Array, mass: Array, states: Array) -> None:
    for b in range(decisions.shape[0]):
        mass[0] = 1.0 + fade * mass[0]
        for i in range(last.shape[0]):
            last[i] += (decisions[b, i] - last[i]) / mass[0]
            states[b, i] = last[i]


def _average_weighted(decisions: Array, lags: Array, ring: Array, count: int, states: Array) -> None:
    length, n = lags.shape[0], ring.shape[1]
    for b in range(decisions.shape[0]):
        t = count + b
        for i in range(n):
            ring[t % length, i] = decisions[b, i]
            states[b, i] = 0.0
        mass = 0.0
        for k in range(min(t + 1, length)):
            mass += lags[k]
            for i in range(n):
                states[b, i] += lags[k] * ring[(t - k) % length, i]
        for i in range(n):
            states[b, i] /= mass


def _carry(
    kind: int,
    length: int,
    fade: float,
    lags: Array,
    ring: Array,
    sums: Array,
    mass: Array,
    count: int,
    y: Array,
) -> float:
    """Write what `count` decisions contribute to the next state, and give the weight of the one to come."""
    n = y.shape[0]
    if kind == WINDOW:
        held = min(count + 1, length)
        for i in range(n):
            gone = ring[count % length, i] if count >= length else 0.0
            y[i] = max(sums[0, i] - gone, 0.0) / held
        return 1.0 / held
    if kind == FULL:
        for i in range(n):
            y[i] = sums[0, i] / (count + 1)
        return 1.0 / (count + 1)
    if kind == FADING:
        beta: float = 1.0 / (1.0 + fade * mass[0])
        for i in range(n):
            y[i] = (1.0 - beta) * sums[0, i]
        return beta
    first: float = lags[0]
    here = first
    for i in range(n):
        y[i] = 0.0
    for k in range(1, min(count + 1, lags.shape[0])):
        here += lags[k]
        for i in range(n):
            y[i] += lags[k] * ring[(count - k) % lags.shape[0], i]
    for i in range(n):
        y[i] /= here
    return first / here


average_window = compiled(_average_window)
average_all = compiled(_average_all)
average_fading = compiled(_average_fading)
average_weighted = compiled(_average_weighted)
average = compiled(_average)
carry = compiled(_carry)
