"""Weights of any shape: least squares on the simplex."""

from typing import NamedTuple

import numpy as np

from ..kernels import Array, project

STEPS = 300  # of the descent, each time
TURNS = 12  # between weights and effects
SETTLED = 1e-6  # change of a weight


class Effects(NamedTuple):
    """How outcomes follow from features: `y = constant + <each, features>`."""

    constant: float
    each: Array


def effects_of(features: Array, outcomes: Array, known: bool) -> Effects:
    """The constant, and the effect of each feature.

    Args:
        features: (T, m).
        outcomes: (T,).
        known: the effects are one each, as of costs that are known.

    Returns:
        Those with the least squared error; of equally good ones the smallest.
    """
    mean, level = features.mean(axis=0), float(outcomes.mean())
    each = np.ones(features.shape[1])
    if not known:
        each = np.linalg.lstsq(features - mean, outcomes - level, rcond=1e-9)[0]
    return Effects(level - float(mean @ each), each)


def free_weights(lagged: Array, outcomes: Array, start: Array, known: bool) -> Array:
    """Weights of lags on the simplex that explain the outcomes best, `y_t = b + sum_k a_k <theta, z_tk>`.

    With known effects this is a convex problem; otherwise weights and effects are improved in turn, from a good start.

    Args:
        lagged: (T, K, m), the features of each lag.
        outcomes: (T,).
        start: (K,), weights to begin with.
        known: the effects `theta` are one each.

    Returns:
        (K,), not negative, with the sum one.
    """
    weights = start
    for _ in range(1 if known else TURNS):
        features = np.einsum("tkm,k->tm", lagged, weights)
        series = lagged @ effects_of(features, outcomes, known).each
        series = series - series.mean(axis=0)
        before, weights = weights, _descend(series.T @ series, series.T @ (outcomes - outcomes.mean()), weights)
        if np.abs(weights - before).max() <= SETTLED:
            break
    return weights


def _descend(gram: Array, right: Array, start: Array) -> Array:
    """The point of the simplex with the least `<a, gram a>/2 - <right, a>`, by accelerated projected gradients.

    Reference: Beck and Teboulle (2009), *A Fast Iterative Shrinkage-Thresholding Algorithm for Linear Inverse
    Problems*.
    """
    steepest = float(np.linalg.eigvalsh(gram)[-1])
    weights, ahead, momentum = start.copy(), start, 1.0
    for _ in range(STEPS if steepest > 0 else 0):
        before, weights = weights, np.empty(len(start))
        project(ahead - (gram @ ahead - right) / steepest, weights)
        if np.abs(weights - before).max() <= SETTLED:
            break
        after = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = weights + (momentum - 1) / after * (weights - before)
        momentum = float(after)
    return weights
