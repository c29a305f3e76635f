"""The potential inequality, which bounds the regret of any decisions under any memory."""

import numpy as np

from ..kernels import Array


def potential(totals: Array, rates: Array) -> Array:
    """`Phi_eta(G) = -(1/eta) ln((1/n) sum_i exp(-eta G_i))` of each row.

    Args:
        totals: (T, n), the `G`.
        rates: T rates `eta`.

    Returns:
        T potentials.

    >>> potential(np.array([[0.0, 0.0], [0.0, 100.0]]), np.array([1.0, 1.0])).round(3)
    array([0.   , 0.693])
    """
    least = totals.min(axis=1)
    value: Array = least - np.log(np.exp(-rates[:, np.newaxis] * (totals - least[:, np.newaxis])).mean(axis=1)) / rates
    return value


def deltas(costs: Array, states: Array, rates: Array) -> Array:
    """Each round's loss minus the growth of the potential: `<g^t, x^t> - [Phi_(eta_t)(G^t) - Phi_(eta_t)(G^(t-1))]`.

    For any decisions, under any memory, and for any rates that do not rise, the regret is at most
    `sum_t delta_t + ln n/eta_T`. With Hedge at a fixed rate each is at most `(eta R^2/8)(1 + 2 m1(t))`.

    Args:
        costs: (T, n).
        states: (T, n).
        rates: T rates.

    Returns:
        T numbers `delta_t`.
    """
    totals = np.vstack([np.zeros(costs.shape[1]), np.cumsum(costs, axis=0)])
    growth = potential(totals[1:], rates) - potential(totals[:-1], rates)
    excess: Array = np.einsum("ti,ti->t", costs, states) - growth
    return excess
