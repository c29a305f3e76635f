"""The law of the leader under exponential noise."""

import math

import numpy as np

from .arrays import Array
from .compiler import compiled


def quadrature(n: int) -> tuple[Array, Array]:
    """Nodes and weights on [0, 1] that integrate a product of n - 1 linear factors in [0, 1].

    `ceil(n/2)` Gauss-Legendre nodes are exact for it. It falls off like `exp(-n w)` at the slowest, so
    `16 + 3 sqrt(n)` of them leave less than 1e-12 when n is large.
    """
    nodes, weights = np.polynomial.legendre.leggauss(min(math.ceil(n / 2), math.ceil(16 + 3 * math.sqrt(n))))
    return (nodes + 1) / 2, weights / 2


def _perturbed_mean(totals: Array, rate: float, nodes: Array, weights: Array, near: Array, out: Array) -> None:
    """Write the probability that each action leads `totals - Z`, where the `Z_i` are independent `Exp(rate)`.

    With `a_i = exp(-rate (G_i - min G))` it is `a_i * integral_0^1 prod_(k != i) (1 - a_k w) dw`. The factors are
    written `(1 - w) + w b_k` with `b = 1 - a` by `expm1`, so nothing cancels; a product that underflows belongs to a
    node that adds nothing.

    Args:
        totals: (n,) costs so far.
        rate: of the exponential noise.
        nodes: (k,) of the quadrature.
        weights: (k,) of the quadrature.
        near: (n,) room for `b`.
        out: (n,), written.
    """
    n = totals.shape[0]
    least = totals[0]
    for i in range(1, n):
        if totals[i] < least:
            least = totals[i]
    for i in range(n):
        near[i] = -math.expm1(-rate * (totals[i] - least))
        out[i] = 0.0
    for k in range(nodes.shape[0]):
        w = nodes[k]
        product = weights[k]
        for i in range(n):
            product *= (1.0 - w) + w * near[i]
        for i in range(n):
            out[i] += product / ((1.0 - w) + w * near[i])
    mass = 0.0
    for i in range(n):
        out[i] *= math.exp(-rate * (totals[i] - least))
        mass += out[i]
    for i in range(n):
        out[i] /= mass


perturbed_mean = compiled(_perturbed_mean)
