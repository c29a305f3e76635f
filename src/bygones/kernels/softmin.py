"""Exponential weights."""

import math

from .arrays import Array
from .compiling import compiled


def _add_shifted(costs: Array, b: int, totals: Array) -> float:
    """Add row b's costs, less their least, to the totals, and give the least: large constants then cost no digits."""
    least = math.inf
    for i in range(totals.shape[0]):
        least = min(least, costs[b, i])
    for i in range(totals.shape[0]):
        totals[i] += costs[b, i] - least
    return least


add_shifted = compiled(_add_shifted)


def _softmin(totals: Array, rate: float, out: Array) -> None:
    """Write `exp(-rate * totals)`, normalised, into `out`; the least total is taken off first, so nothing overflows."""
    least = totals[0]
    for i in range(1, totals.shape[0]):
        if totals[i] < least:
            least = totals[i]
    mass = 0.0
    for i in range(totals.shape[0]):
        out[i] = math.exp(-rate * (totals[i] - least))
        mass += out[i]
    for i in range(totals.shape[0]):
        out[i] /= mass


softmin = compiled(_softmin)
