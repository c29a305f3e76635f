"""Exponents: how regret grows with a parameter."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .kernels import Array

LEAST = 3  # values of a parameter, for an exponent


class Fit(NamedTuple):
    """An exponent: regret grows like a power of a parameter."""

    exponent: float
    se: float
    misfit: float  # the largest share by which a mean is off the line


def fitted(x: Sequence[float], table: Array) -> Fit | None:
    """The exponent of regret: least squares of the logarithms of means on those of a parameter.

    Its standard error is over replicates, by the jackknife: each replicate is left out of all means once. So the values
    may have costs in common. With one replicate it is that of the regression.

    Args:
        x: the parameter's values.
        table: regrets: replicates, values.

    Returns:
        The exponent; None with fewer than three different values, or if a value or a mean is not above zero.

    >>> fitted([1, 10, 100], np.array([[3.0, 30.0, 300.0]])).exponent.__round__(6)
    1.0
    """
    count = len(table)
    left_out = (table.sum(axis=0) - table) / (count - 1) if count > 1 else table
    if len(set(x)) < LEAST or min(x) <= 0 or table.mean(axis=0).min() <= 0 or left_out.min() <= 0:
        return None
    across = np.log(x) - np.log(x).mean()
    weights = across / (across**2).sum()
    logs = np.log(table.mean(axis=0))
    exponent = float(weights @ logs)
    off = logs - logs.mean() - exponent * across
    if count > 1:
        slopes = np.log(left_out) @ weights
        se = math.sqrt((count - 1) / count * float(((slopes - slopes.mean()) ** 2).sum()))
    else:
        se = math.sqrt(float((off**2).sum()) / (len(x) - 2) / float((across**2).sum()))
    return Fit(exponent, se, float(np.expm1(np.abs(off)).max()))
