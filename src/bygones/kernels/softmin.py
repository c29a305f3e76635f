"""Exponential weights."""

import math

from .arrays import Array
from .compiler import compiled


def _softmin(totals: Array, rate: float, out: Array) -> float:
    """Write `exp(-rate * totals)`, normalised, into `out`, and give the potential, which has the same normaliser.

    That is `Phi(G) = -(1/rate) ln((1/n) sum_i exp(-rate G_i))`. At an infinite rate it is the least total, and the
    weights are alike on the actions that have it. The least total is taken off first, so nothing overflows.
    """
    n = totals.shape[0]
    least: float = totals[0]
    for i in range(1, n):
        if totals[i] < least:
            least = totals[i]
    mass = 0.0
    for i in range(n):
        behind = totals[i] - least
        out[i] = 1.0 if behind == 0.0 else math.exp(-rate * behind)
        mass += out[i]
    for i in range(n):
        out[i] /= mass
    return least - math.log(mass / n) / rate


softmin = compiled(_softmin, inline=True)
