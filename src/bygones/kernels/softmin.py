"""Exponential weights."""

import math

from .arrays import Array
from .compiling import compiled


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
