"""Geometrically fading weights."""

import math

import numpy as np
from numpy.typing import ArrayLike

from ..describing import real
from ..kernels import Array, compiled
from .base import Memory, MemoryState


class Geometric(Memory):
    """Weights that fade by the factor `rho` a round.

    `x^t = (1 - b_t) x^(t-1) + b_t v^t` with `b_t = (1 - rho) / (1 - rho^t)`.

    >>> import bygones as by
    >>> by.Geometric(0.5).weights(2), by.Geometric(0.5).mean_lag()
    (array([0.66666667, 0.33333333]), 1.0)
    """

    rho: float

    def __post_init__(self) -> None:
        rho = real("rho", self.rho)
        if not 0 < rho < 1:
            raise ValueError(
                f"rho is {self.rho!r}: give a number above 0 and below 1 "
                "(Window(1) has no memory at all, FullHistory() never forgets)"
            )
        self._set("rho", rho)

    def weights(self, t: int) -> Array:
        """`b_t rho^k`."""
        return np.power(self.rho, np.arange(t, dtype=np.float64)) * self.beta(t)

    def beta(self, t: int) -> float:
        """`b_t = (1 - rho)/(1 - rho^t)`."""
        return (1 - self.rho) / -math.expm1(t * math.log(self.rho))

    def mean_lag(self, t: int | None = None) -> float:
        """`rho/(1 - rho) - t rho^t/(1 - rho^t)`."""
        limit = self.rho / (1 - self.rho)
        return limit if t is None else float(limit - self._missing(np.array([float(t)]))[0])

    def lag_total(self, t: int) -> float:
        """The sum of the mean lags up to t."""
        # Past `settled` the mean lag is what it tends to, to the last bit.
        settled = min(t, math.ceil(50 / (1 - self.rho)))
        missing = math.fsum(
            self._missing(np.arange(first, min(first + 2**16, settled + 1), dtype=np.float64)).sum()
            for first in range(1, settled + 1, 2**16)
        )
        return t * self.mean_lag() - missing

    def _missing(self, t: Array) -> Array:
        """By how much the mean lag at round t falls short of its limit."""
        decay = t * math.log(self.rho)
        return t * np.exp(decay) / -np.expm1(decay)

    def charges(self, costs: Array, past: int = 0) -> Array:
        """`c^t = b_t l^t`, where `l^t = g^t + (1 - b_(t+1)) l^(t+1)`."""
        charges = np.empty_like(costs)
        ahead, beta_next = np.zeros(costs.shape[1]), 1.0
        for t in range(len(costs), 0, -1):
            beta = self.beta(past + t)
            ahead = costs[t - 1] + (1 - beta_next) * ahead
            charges[t - 1] = beta * ahead
            beta_next = beta
        return charges

    def start(self, n: int, history: ArrayLike | None = None) -> "GeometricState":
        """A running fading average."""
        return GeometricState(self, n, history)


class GeometricState(MemoryState):
    """The last state, and the mass `1 + rho + rho^2 + ...` of the weights in it."""

    def __init__(self, memory: Geometric, n: int, history: ArrayLike | None) -> None:
        self.rho = memory.rho
        self.last = np.zeros(n)
        self.mass = np.zeros(1)
        super().__init__(memory, n, history)

    def _advance(self, decisions: Array, states: Array) -> None:
        average_fading(decisions, self.rho, self.last, self.mass, states)


def _average_fading(decisions: Array, rho: float, last: Array, mass: Array, states: Array) -> None:
    for b in range(decisions.shape[0]):
        mass[0] = 1.0 + rho * mass[0]
        for i in range(last.shape[0]):
            last[i] += (decisions[b, i] - last[i]) / mass[0]
            states[b, i] = last[i]


average_fading = compiled(_average_fading)
