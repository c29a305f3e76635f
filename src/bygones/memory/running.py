"""The memories of this library in use: compiled, alone or inside the kernel of a learner that looks at its state."""

from typing import TYPE_CHECKING

import numpy as np

from ..kernels import Array, compiled
from .form import FADING, FULL, WINDOW, Form
from .state import MemoryState, Running

if TYPE_CHECKING:
    from .base import Memory

KIND, LENGTH, FADE, LAGS = range(4)  # of the numbers that kernels take: the last is where the weights begin
SUM, LOST = range(2)  # of the sums: that of the decisions that count, and what rounding lost of it


class RunningState(MemoryState):
    """A memory that kernels advance.

    They keep sums of the decisions that count, and a ring of the last ones, where these leave again. Under fading
    weights the first sum is the last state, and the second begins with the sum of the weights.

    Args:
        memory: the description.
        n: the number of actions.
        form: how its kernels average.
    """

    def __init__(self, memory: "Memory", n: int, form: Form) -> None:
        super().__init__(memory, n)
        self._form = np.array([form.kind, form.length, form.fade, *form.lags], dtype=np.float64)
        self.sums, self.ring = np.zeros((2, n)), np.zeros((0, n))

    def running(self, rounds: int) -> Running:
        """What kernels take: the numbers of the form, the sums, and the ring with room for so many more rounds."""
        length, here = int(self._form[LENGTH]), len(self.ring)
        wanted = min(length, self.count + rounds)  # a very long window may never fill
        if here >= wanted:
            return self._form, self.sums, self.ring
        room = min(length, 1 << (wanted - 1).bit_length()) - here  # by the round alone, however it was reached
        return self._form, self.sums, np.concatenate([self.ring, np.zeros((room, self.n))])

    def advanced(self, rounds: int, running: Running) -> None:
        """Keep the ring too, which may be longer than before."""
        super().advanced(rounds, running)
        self.ring = running[-1]

    def carried(self) -> tuple[Array, float]:
        """`(y, beta)` such that the next state is `y + beta * v`."""
        y = np.empty(self.n)
        return y, carry(*self.running(0), self.count, y)

    def _advance(self, decisions: Array, states: Array) -> None:
        running = self.running(len(decisions))
        average(*running, self.count, decisions, states)
        self.ring = running[-1]


def _average(form: Array, sums: Array, ring: Array, count: int, decisions: Array, states: Array) -> None:
    """Take decisions in, after `count` others, and write the state after each."""
    kind, length = form[KIND], int(form[LENGTH])
    n = decisions.shape[1]
    for b in range(decisions.shape[0]):
        t = count + b + 1
        if kind == WINDOW:
            # Sums of zeros and ones are whole numbers, so pure decisions never drift. Fractions are summed afresh
            # whenever the round is a multiple of the length: a rule of the absolute round, so that the cut into blocks
            # changes no bit.
            slot = (t - 1) % length
            for i in range(n):
                if t > length:
                    sums[SUM, i] -= ring[slot, i]
                ring[slot, i] = decisions[b, i]
                sums[SUM, i] += decisions[b, i]
            if t % length == 0:
                for i in range(n):
                    sums[SUM, i] = 0.0
                for k in range(length):
                    for i in range(n):
                        sums[SUM, i] += ring[k, i]
            for i in range(n):
                states[b, i] = max(sums[SUM, i], 0.0) / min(t, length)
        elif kind == FULL:
            for i in range(n):  # Kahan's compensated sum: nothing is kept to sum afresh from
                gain = decisions[b, i] - sums[LOST, i]
                new = sums[SUM, i] + gain
                sums[LOST, i] = (new - sums[SUM, i]) - gain
                sums[SUM, i] = new
                states[b, i] = new / t
        elif kind == FADING:
            mass = 1.0 + form[FADE] * sums[LOST, 0]
            sums[LOST, 0] = mass
            for i in range(n):
                sums[SUM, i] += (decisions[b, i] - sums[SUM, i]) / mass
                states[b, i] = sums[SUM, i]
        else:
            for i in range(n):
                ring[(t - 1) % length, i] = decisions[b, i]
                states[b, i] = 0.0
            mass = 0.0
            for k in range(min(t, length)):
                mass += form[LAGS + k]
                for i in range(n):
                    states[b, i] += form[LAGS + k] * ring[(t - 1 - k) % length, i]
            for i in range(n):
                states[b, i] /= mass


def _carry(form: Array, sums: Array, ring: Array, count: int, y: Array) -> float:
    """Write what `count` decisions contribute to the next state, and give the weight of the one to come."""
    n = y.shape[0]
    kind, length = form[KIND], int(form[LENGTH])
    if kind == WINDOW:
        held = min(count + 1, length)
        for i in range(n):
            gone = ring[count % length, i] if count >= length else 0.0
            y[i] = max(sums[SUM, i] - gone, 0.0) / held
        return 1.0 / held
    if kind == FULL:
        for i in range(n):
            y[i] = sums[SUM, i] / (count + 1)
        return 1.0 / (count + 1)
    if kind == FADING:
        beta: float = 1.0 / (1.0 + form[FADE] * sums[LOST, 0])
        for i in range(n):
            y[i] = (1.0 - beta) * sums[SUM, i]
        return beta
    first: float = form[LAGS]
    here = first
    for i in range(n):
        y[i] = 0.0
    for k in range(1, min(count + 1, length)):
        here += form[LAGS + k]
        for i in range(n):
            y[i] += form[LAGS + k] * ring[(count - k) % length, i]
    for i in range(n):
        y[i] /= here
    return first / here


def _linger(form: Array, sums: Array, ring: Array, count: int, left: float, target: Array) -> float:
    """How far the last columns will be from `target` while the decisions so far still count.

    With `y_s` what the last columns of `count` decisions contribute to the state of a later round s, and `mu_s` their
    weight in it, this is `sum_s |y_s - mu_s target|_1 / 2`.

    Args:
        form: the numbers of the memory; it must not be a full history.
        sums: of the running memory.
        ring: of the running memory.
        count: how many decisions there are.
        left: `sum_s mu_s`, which fading weights need.
        target: as many weights as there are last columns.

    Returns:
        The sum.
    """
    kind, length = form[KIND], int(form[LENGTH])
    n = target.shape[0]
    first = sums.shape[1] - n
    total = 0.0
    if kind == FADING:
        for i in range(n):
            total += abs(sums[SUM, first + i] - target[i])
        return total * left / 2.0
    here = np.zeros(n)
    if kind == WINDOW:
        held = 0  # the newest decisions still count the longest, so the rounds are gone through from the last
        gap = 0.0
        for ahead in range(length - 1, 0, -1):
            if held < min(count, length - ahead):
                gap = 0.0
                for i in range(n):
                    here[i] += ring[(count - 1 - held) % length, first + i]
                    gap += abs(here[i] - (held + 1) * target[i])
                held += 1
            total += gap / min(count + ahead, length)
        return total / 2.0
    for ahead in range(1, length):
        seen = min(count + ahead, length)
        mass = 0.0
        weight = 0.0
        for i in range(n):
            here[i] = 0.0
        for k in range(seen):
            mass += form[LAGS + k]
            if k >= ahead:
                weight += form[LAGS + k]
                for i in range(n):
                    here[i] += form[LAGS + k] * ring[(count + ahead - 1 - k) % length, first + i]
        for i in range(n):
            total += abs(here[i] - weight * target[i]) / mass
    return total / 2.0


average = compiled(_average, inline=True)
carry = compiled(_carry)
linger = compiled(_linger)
