"""The memories of this library in use: compiled, alone or inside the kernel of a learner that looks at its state."""

from typing import TYPE_CHECKING

import numpy as np

from ..kernels import Array, compiled
from .form import FADING, FULL, WINDOW, Form
from .state import MemoryState

if TYPE_CHECKING:
    from .base import Memory

KIND, LENGTH, FADE, LAGS = range(4)  # of the numbers that kernels take: the last is where the weights begin
SUMS, LOST, RING = range(3)  # of the rows: running sums, what rounding lost of them, and where the decisions begin


class RunningState(MemoryState):
    """A memory that kernels advance.

    They keep rows: sums of the decisions that count, and the last decisions themselves, where they leave again. Under
    fading weights the first row is the last state, and the second begins with the sum of the weights.

    Args:
        memory: the description.
        n: the number of actions.
        form: how its kernels average.
    """

    def __init__(self, memory: "Memory", n: int, form: Form) -> None:
        super().__init__(memory, n)
        self._form = np.array([form.kind, form.length, form.fade, *form.lags], dtype=np.float64)
        self.rows = np.zeros((RING, n))

    def running(self, rounds: int) -> tuple[Array, Array]:
        """What kernels take: the numbers of the form, and the rows, with room for so many more rounds."""
        length, here = int(self._form[LENGTH]), len(self.rows) - RING
        wanted = min(length, self.count + rounds)  # a very long window may never fill
        if here >= wanted:
            return self._form, self.rows
        room = min(length, max(wanted, 2 * here)) - here
        return self._form, np.concatenate([self.rows, np.zeros((room, self.n))])

    def advanced(self, rounds: int, rows: Array) -> None:
        """Keep the rows, which may be more than before."""
        super().advanced(rounds, rows)
        self.rows = rows

    def carried(self) -> tuple[Array, float]:
        """`(y, beta)` such that the next state is `y + beta * v`."""
        y = np.empty(self.n)
        return y, carry(*self.running(0), self.count, y)

    def _advance(self, decisions: Array, states: Array) -> None:
        form, rows = self.running(len(decisions))
        average(form, rows, self.count, decisions, states)
        self.rows = rows


def _average(form: Array, rows: Array, count: int, decisions: Array, states: Array) -> None:
    """Take decisions in, after `count` others, and write the state after each."""
    kind, length = form[KIND], int(form[LENGTH])
    n = decisions.shape[1]
    for b in range(decisions.shape[0]):
        t = count + b + 1
        if kind == WINDOW:
            # Sums of zeros and ones are whole numbers, so pure decisions never drift. Fractions are summed afresh
            # whenever the round is a multiple of the length: a rule of the absolute round, so that the cut into blocks
            # changes no bit.
            slot = RING + (t - 1) % length
            for i in range(n):
                if t > length:
                    rows[SUMS, i] -= rows[slot, i]
                rows[slot, i] = decisions[b, i]
                rows[SUMS, i] += decisions[b, i]
            if t % length == 0:
                for i in range(n):
                    rows[SUMS, i] = 0.0
                for k in range(length):
                    for i in range(n):
                        rows[SUMS, i] += rows[RING + k, i]
            for i in range(n):
                states[b, i] = max(rows[SUMS, i], 0.0) / min(t, length)
        elif kind == FULL:
            for i in range(n):  # Kahan's compensated sum: nothing is kept to sum afresh from
                gain = decisions[b, i] - rows[LOST, i]
                new = rows[SUMS, i] + gain
                rows[LOST, i] = (new - rows[SUMS, i]) - gain
                rows[SUMS, i] = new
                states[b, i] = new / t
        elif kind == FADING:
            mass = 1.0 + form[FADE] * rows[LOST, 0]
            rows[LOST, 0] = mass
            for i in range(n):
                rows[SUMS, i] += (decisions[b, i] - rows[SUMS, i]) / mass
                states[b, i] = rows[SUMS, i]
        else:
            for i in range(n):
                rows[RING + (t - 1) % length, i] = decisions[b, i]
                states[b, i] = 0.0
            mass = 0.0
            for k in range(min(t, length)):
                mass += form[LAGS + k]
                for i in range(n):
                    states[b, i] += form[LAGS + k] * rows[RING + (t - 1 - k) % length, i]
            for i in range(n):
                states[b, i] /= mass


def _carry(form: Array, rows: Array, count: int, y: Array) -> float:
    """Write what `count` decisions contribute to the next state, and give the weight of the one to come."""
    n = y.shape[0]
    kind, length = form[KIND], int(form[LENGTH])
    if kind == WINDOW:
        held = min(count + 1, length)
        for i in range(n):
            gone = rows[RING + count % length, i] if count >= length else 0.0
            y[i] = max(rows[SUMS, i] - gone, 0.0) / held
        return 1.0 / held
    if kind == FULL:
        for i in range(n):
            y[i] = rows[SUMS, i] / (count + 1)
        return 1.0 / (count + 1)
    if kind == FADING:
        beta: float = 1.0 / (1.0 + form[FADE] * rows[LOST, 0])
        for i in range(n):
            y[i] = (1.0 - beta) * rows[SUMS, i]
        return beta
    first: float = form[LAGS]
    here = first
    for i in range(n):
        y[i] = 0.0
    for k in range(1, min(count + 1, length)):
        here += form[LAGS + k]
        for i in range(n):
            y[i] += form[LAGS + k] * rows[RING + (count - k) % length, i]
    for i in range(n):
        y[i] /= here
    return first / here


average = compiled(_average, inline=True)
carry = compiled(_carry, inline=True)
