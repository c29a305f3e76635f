"""Geometrically fading weights."""

import math
from functools import cache
from typing import ClassVar

import numpy as np

from ..kernels import Array
from ..validation import positive, real
from .base import Memory
from .form import FADING, Form

LONG = 2**13  # terms
HUGE = 700.0  # whose exponential is still a float; beyond, what it divides is 0
SPENT = 40.0  # whose exponential's inverse is nothing beside 1
NODES = 64  # of a quadrature over a function that is analytic well beyond the range


class Geometric(Memory):
    """Weights that fade by the factor `rho` a round.

    `x^t = (1 - b_t) x^(t-1) + b_t v^t` with `b_t = (1 - rho) / (1 - rho^t)`.

    >>> import bygones as by
    >>> by.Geometric(0.5).weights(2), by.Geometric(0.5).mean_lag()
    (array([0.66666667, 0.33333333]), 1.0)
    """

    rho: float
    example: ClassVar[str] = "geometric:0.9"

    def __post_init__(self) -> None:
        rho = real("rho", self.rho)
        if not 0 < rho < 1:
            raise ValueError(
                f"rho is {self.rho!r}: give a number above 0 and below 1 "
                "(Window(1) has no memory at all, FullHistory() never forgets)"
            )
        self._set("rho", rho)

    @classmethod
    def from_half_life(cls, periods: float) -> "Geometric":
        """The memory in which a decision counts half as much after so many periods: `rho = 2^(-1/periods)`.

        >>> Geometric.from_half_life(1), Geometric.from_half_life(4).short_words
        (Geometric(rho=0.5), 'geometric:0.8409')
        >>> round(Geometric.from_half_life(4).half_life, 9)
        4.0
        """
        return cls(2 ** (-1 / positive("the half-life", periods)))

    @property
    def half_life(self) -> float:
        """After how many periods a decision counts half as much: `-1 / log2(rho)`."""
        return -1 / math.log2(self.rho)

    def weights(self, t: int) -> Array:
        """`b_t rho^k`."""
        return np.power(self.rho, np.arange(t, dtype=np.float64)) * self.beta(t)

    def beta(self, t: int) -> float:
        """`b_t = (1 - rho)/(1 - rho^t)`."""
        return (1 - self.rho) / -math.expm1(t * math.log(self.rho))

    def mean_lag(self, t: int | None = None) -> float:
        """`rho/(1 - rho) - t rho^t/(1 - rho^t)`."""
        return self.rho / (1 - self.rho) if t is None else _mean_lag(self.rho, t)

    @property
    def second_lag(self) -> float:
        """`2 m1^2`."""
        return 2 * self.mean_lag() ** 2

    def kernel(self, count: int) -> Array:
        """`(1 - rho) rho^k`, until what is left is nothing beside 1."""
        few = min(count, math.ceil(SPENT / -math.log(self.rho)))
        return np.power(self.rho, np.arange(few, dtype=np.float64)) * (1 - self.rho)

    @property
    def inverse(self) -> tuple[float, ...]:
        """`rho/(1 - rho)`: one move ahead makes up for all that the memory holds back."""
        return (self.rho / (1 - self.rho),)

    def lag_total(self, t: int) -> float:
        """The sum of the mean lags up to t."""
        settled = min(t, math.ceil(50 / -math.log(self.rho)))  # from there on the mean lag is its limit
        if settled <= LONG:
            total = math.fsum(self._lags(np.arange(1.0, settled + 1)))
        else:  # for so slow a change a sum is the integral from 1/2 on, less the first term of Euler and Maclaurin
            nodes, weights = _quadrature()
            total = float(weights @ self._lags(0.5 + settled * (nodes + 1) / 2)) * settled / 2
            total -= (self._slope(settled + 0.5) - self._slope(0.5)) / 24
        return total + (t - settled) * self.mean_lag()

    def _lags(self, t: Array) -> Array:
        """Mean lags at many rounds: `(B(a) - B(a t)) / a`, where `a = -ln rho` and `B(x) = x / (exp(x) - 1)`.

        Where `a t` is small the two nearly cancel, and their series do it instead.
        """
        a = -math.log(self.rho)
        x = a * t
        series = (t - 1) / 2 - a * (t**2 - 1) / 12 + a**3 * (t**4 - 1) / 720 - a**5 * (t**6 - 1) / 30240
        with np.errstate(over="ignore"):  # of exp(x), and x / inf is 0
            direct = ((a / math.expm1(a) if a < HUGE else 0.0) - x / np.expm1(x)) / a
        return np.where(x < 0.05, series, direct)

    def _slope(self, t: float) -> float:
        """The derivative of a mean lag by the round, `-B'(a t)`."""
        x = -math.log(self.rho) * t
        if x < 0.05:
            return 1 / 2 - x / 6 + x**3 / 180
        return (x / -math.expm1(-x) - 1) / math.expm1(x) if x < HUGE else 0.0

    @property
    def form(self) -> Form:
        """A running average that fades."""
        return Form(FADING, fade=self.rho)

    def ignorance(self, T: int) -> float:
        """At least `(1 - rho^F)(1 - rho^(T-F+1)) / (1 - rho)` in a trap of `F = ceil(T/2)` rounds."""
        F = math.ceil(T / 2)
        a = math.log(self.rho)
        return math.expm1(F * a) * math.expm1((T - F + 1) * a) / (1 - self.rho)

    @property
    def fastest_rate(self) -> float:
        """`ln(1/rho)`: then Hedge's weights fall by the factor rho a round at most, as the memory does by itself."""
        return -math.log(self.rho)

    def scaled(self, factor: float) -> "Geometric | None":
        """A geometric memory of another mean lag; None for a factor of 0, and where rho would round to 1."""
        lag = factor * self.mean_lag()
        rho = self.rho if factor == 1 else lag / (1 + lag)
        return Geometric(rho) if 0 < rho < 1 else None

    @property
    def short_words(self) -> str:
        """Its words with four digits of `1 - rho`.

        >>> Geometric(1 - 1e-9).words, Geometric(1 - 1e-9).short_words
        ('geometric:0.999999999', 'geometric:0.999999999')
        >>> Geometric(1 / 3).short_words
        'geometric:0.3333'
        """
        return f"{self.words.rpartition(':')[0]}:{round(self.rho, 4 - math.ceil(math.log10(1 - self.rho)))}"

    @property
    def phrase(self) -> str:
        """`a memory that keeps 0.9 of itself each period`."""
        return f"a memory that keeps {self.rho:.6g} of itself each period"


@cache
def _quadrature() -> tuple[Array, Array]:
    """Nodes and weights of Gauss and Legendre on [-1, 1]."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    return nodes, weights


def _mean_lag(rho: float, t: int) -> float:
    """The mean lag at one round, as `Geometric._lags` has it for many, without numpy: it is asked in every round."""
    a = -math.log(rho)
    x = a * t
    if x < 0.05:
        return (t - 1) / 2 - a * (t**2 - 1) / 12 + a**3 * (t**4 - 1) / 720 - a**5 * (t**6 - 1) / 30240
    return (1 / math.expm1(a) if a < HUGE else 0.0) - (t / math.expm1(x) if x < HUGE else 0.0)
