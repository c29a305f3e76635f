"""Blocks of rows: how long they are, how they are drawn, and how far they are wrong."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..kernels import Array

SLOWEST = 0.97  # the largest correlation of a row with the next that is reckoned with
COLUMNS = 64  # from which the length of blocks is taken; of more, so many evenly spaced ones


def block_length(series: ArrayLike) -> float:
    """The mean block length that estimates the variance of a mean best, for the slowest of some series.

    It is `(2 G^2 T / D)^(1/3)` with `G = sum_k |k| R(k)`, `g = sum_k R(k)` and `D = 2 g^2`, where `R(k)` is the
    covariance at lag k, under a flat-top window that ends at twice the lag from which on no correlation is significant.

    Reference: Politis and White (2004), *Automatic Block-Length Selection for the Dependent Bootstrap*; Patton,
    Politis and White (2009), the correction.

    Args:
        series: (T,) or (T, k), at least one row.

    Returns:
        A length from 1 to `min(3 sqrt(T), T/3)` rows, rounded up; the largest over the series. Constant series count
        as 1.

    >>> import numpy as np
    >>> noise = np.random.default_rng(0).standard_normal(500)
    >>> walk = np.convolve(noise, np.ones(20), "valid")  # each value has 19 terms in common with the next
    >>> round(block_length(noise)), round(block_length(walk))
    (1, 25)
    """
    table = np.asarray(series, dtype=np.float64)
    table = table.reshape(len(table), -1)
    rows = len(table)
    table = table - table.mean(axis=0)
    quiet = 5  # so many lags in a row without a significant correlation
    most = min(math.ceil(math.sqrt(rows)) + quiet, rows - 1)
    longest = math.ceil(min(3 * math.sqrt(rows), rows / 3))
    covariances = np.array([np.einsum("ti,ti->i", table[: rows - k], table[k:]) for k in range(most + 1)]) / rows
    lengths = [1.0]
    for column in covariances.T[covariances[0] > 0]:
        last = _last_lag(np.abs(column[1:] / column[0]) >= 2 * math.sqrt(math.log10(rows) / rows), quiet)
        end = min(2 * last, most)
        lags = np.arange(1, end + 1)
        weighed = np.minimum(1, 2 * (1 - lags / end)) * column[1 : end + 1]
        level, slope = column[0] + 2 * weighed.sum(), 2 * (lags * weighed).sum()
        lengths.append(((slope / level) ** 2 * rows) ** (1 / 3) if level else longest)
    return float(min(max(lengths), longest))


def _last_lag(significant: NDArray[np.bool_], quiet: int) -> int:
    """The last lag before `quiet` ones without significance; the last significant one if there is no such gap."""
    for lag in range(len(significant) - quiet + 1):
        if not significant[lag : lag + quiet].any():
            return max(1, lag)
    return int(significant.nonzero()[0].max(initial=0)) + 1


def resample(rows: int, length: float, resamples: int, seed: int = 0) -> NDArray[np.int32]:
    """Row numbers drawn in blocks: each row follows its predecessor, or with probability `1/length` starts a new block.

    Blocks start anywhere and go on from the last row to the first.

    Args:
        rows: how many there are, and how many each resample has.
        length: the mean length of the blocks, at least 1.
        resamples: how many.
        seed: of the draws.

    Returns:
        (resamples, rows) row numbers from 0.

    >>> resample(8, length=4, resamples=2)
    array([[5, 6, 7, 0, 1, 6, 5, 0],
           [3, 4, 5, 6, 7, 0, 1, 2]], dtype=int32)
    """
    generator, places = np.random.default_rng(seed), np.arange(rows, dtype=np.int32)
    new = generator.random((resamples, rows), dtype=np.float32) < 1 / length
    starts = generator.integers(rows, size=(resamples, rows), dtype=np.int32)
    first = np.maximum.accumulate(np.where(new, places, np.int32(0)), axis=1)  # where each row's block begins
    drawn: NDArray[np.int32] = (np.take_along_axis(starts, first, axis=1) + places - first) % np.int32(rows)
    return drawn


class Draws(NamedTuple):
    """Resamples of a table's rows, and how much wider than they say intervals must be."""

    rows: NDArray[np.int32]  # (resamples, T)
    counts: Array  # (resamples, T): how often each row was drawn, as a part of one
    widening: float


def affordable(resamples: int, values: int) -> int:
    """How many resamples of a table with so many values do not take long; at least 199, which 1 % can do with.

    Args:
        resamples: how many there should be.
        values: in the table.

    Returns:
        So many, or fewer.
    """
    return min(resamples, max(199, 2**31 // values))


def draw(residuals: Array, resamples: int, seed: int) -> Draws:
    """Draw rows in blocks that suit some series, and widen what the blocks miss.

    Blocks cut off the covariance of distant rows, so the variance of a mean comes out too small, the more so the fewer
    rows there are. The widening makes up for it: it is the root of the variance that a mean of rows has whose
    correlation with the next is `r`, in parts of the variance that the resamples have; at least 1. `r` is the mean over
    the series, plus its bias `(1 + 3r)/T`.

    Args:
        residuals: (T, k), without their means.
        resamples: how many.
        seed: of the draws.

    Returns:
        The draws.
    """
    rows = len(residuals)
    some = residuals[:, :: math.ceil(residuals.shape[1] / COLUMNS)]
    scale = np.sqrt(np.mean(some**2, axis=0))
    some = some[:, scale > 0] / scale[scale > 0]
    drawn = resample(rows, block_length(some), resamples, seed)
    numbers = drawn + np.arange(0, drawn.size, rows)[:, np.newaxis]
    counts = np.bincount(numbers.ravel(), minlength=drawn.size).reshape(drawn.shape) / rows
    if not some.size:
        return Draws(drawn, counts, 1.0)
    r = float(np.einsum("ti,ti->", some[1:], some[:-1])) / some.size
    r = min(max(r + (1 + 3 * r) / rows, -SLOWEST), SLOWEST)
    wanted = (1 + r) / (1 - r) - 2 * r * (1 - r**rows) / (1 - r) ** 2 / rows
    wanted /= max(1 - wanted / rows, 0.2)  # for the rows' own spread is measured around their mean
    return Draws(drawn, counts, math.sqrt(max(1.0, wanted / (rows * float(np.mean((counts @ some) ** 2))))))


def merged(costs: Array, lengths: Array, most: int) -> tuple[Array, Array]:
    """Sums over equally many consecutive rows, so that a table has about so many values, but not under 50 rows.

    Args:
        costs: (T, n).
        lengths: (T,), the periods of each row.
        most: values.

    Returns:
        Costs and lengths; the same ones where there are few enough.
    """
    each = min(math.ceil(costs.size / most), len(costs) // 50)
    if each < 2:
        return costs, lengths
    starts = np.arange(0, len(costs) - each + 1, each)  # the last one takes what is left
    return np.add.reduceat(costs, starts), np.add.reduceat(lengths, starts)


def checked(costs: ArrayLike, lengths: ArrayLike | None) -> tuple[Array, Array]:
    """Costs and the periods of each row, as arrays.

    Args:
        costs: (T, n).
        lengths: (T,), or None: one period each.

    Returns:
        Both.

    Raises:
        ValueError: if they are not finite numbers of these shapes, or there is no row or column.
    """
    table = np.asarray(costs, dtype=np.float64)
    if table.ndim != 2 or not table.size or not np.isfinite(table).all():
        raise ValueError(
            f"costs of shape {table.shape}: give finite numbers, one row per period, one column per option"
        )
    periods = np.ones(len(table)) if lengths is None else np.asarray(lengths, dtype=np.float64)
    if periods.shape != table.shape[:1] or not (periods > 0).all():
        raise ValueError(f"lengths of shape {periods.shape} for {len(table)} rows: give the periods of each row")
    return table, periods
