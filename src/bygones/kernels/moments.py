"""Means and deviations over replicates."""

import math

from .arrays import Array
from .compiler import compiled


def _moments(values: Array, mean: Array, deviation: Array) -> None:
    """Write mean and standard deviation of each column, one row after the other (Welford); one row has no deviation."""
    rows, columns = values.shape
    for k in range(columns):
        mean[k] = 0.0
        deviation[k] = 0.0
    for r in range(rows):
        share = 1.0 / (r + 1)
        for k in range(columns):
            step = values[r, k] - mean[k]
            mean[k] += step * share
            deviation[k] += step * (values[r, k] - mean[k])
    for k in range(columns):
        deviation[k] = math.sqrt(deviation[k] / (rows - 1)) if rows > 1 else math.nan


moments = compiled(_moments)
