"""Which options really cost more than the best one."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..kernels import Array
from .blocks import affordable, checked, draw, merged

FEWEST = 8  # rows; fewer tell nothing
PAIRS = 2016  # compared one by one; of more, each option has a scale of its own
VALUES = 2**22  # in a table; rows of a larger one are merged
CHUNK = 2**22  # numbers at a time
MIDDLE = 0.5  # of the middle scale: options that hardly differ from the named one shall not rule the others' intervals
LEAST_SCALE = 0.1  # of a resample, in parts of the data's: some resamples miss the few rows that differ


class Comparison(NamedTuple):
    """Mean differences per period to the option with the least mean cost, with intervals that hold for all together."""

    best: int  # the option with the least mean, of equal ones the first; or the one that was named
    differences: Array  # (n,) its own is 0, as are both ends of its interval
    low: Array  # (n,) above 0: this option is worse than the best
    high: Array  # (n,)
    beaten: NDArray[np.bool_]  # (n,) whether some other option, the best or not, is clearly better


def compare(
    costs: ArrayLike,
    lengths: ArrayLike | None = None,
    level: float = 0.95,
    resamples: int = 999,
    seed: int = 0,
    against: int | None = None,
) -> Comparison:
    """Compare every option with the one that had the least mean cost.

    Which option is the best is found from the same data, and that must not count as evidence: of four options with
    nothing but noise, naive tests at 5 % call one worse in some 37 of 100 tables. So the intervals hold for all pairs
    of options at once, and with them for those that have the best option in them, whichever that is. With the errors
    `e_ij = (m_i - m_j) - (mu_i - mu_j)` of the differences of two means, and scales `s_ij`,

        P(max_ij |e_ij| / s_ij <= q) = level   gives   mu_i - mu_j in m_i - m_j +- q s_ij   for all i, j together.

    The quantile q is that of the same maximum in the resamples, each with its own scales (the bootstrap-t). `s_ij` is
    the root mean square of the rows' differences; it need not be the standard error, as both maxima have the same.
    Intervals are then widened by what blocks miss (`blocks.draw`). With more than 64 options `s_ij = s_i + s_j`, where
    `s_i` is the scale of option i less the row's median. The maximum over all pairs then takes a time linear in n
    (Dinkelbach 1967). The intervals hold as well; they are wider for pairs that move together.

    How often at least one of four options was called worse where all were equal, in 1,000 tables each, in percent; 5 is
    promised. Where each period depends much on the last, few rows tell too little of how much.

    | rows | normal | t with 3 degrees of freedom | autoregressive, 0.5 | autoregressive, 0.8 |
    |---|---|---|---|---|
    | 10 | 3.3 | 2.1 | 7.7 | 24.3 |
    | 14 | 4.7 | 2.9 | 7.9 | 18.4 |
    | 24 | 4.1 | 2.4 | 6.7 | 15.3 |
    | 50 | 3.9 | 2.2 | 6.5 | 9.0 |
    | 200 | 5.6 | 3.8 | 5.0 | 4.8 |

    An option that was named beforehand (`against`) is compared with all others, and only those pairs count. The two
    tails then have quantiles of their own, as differences may be skewed.

    Fewer than 8 rows tell nothing: their intervals are infinite.

    Args:
        costs: (T, n), one row per period; or sums over bins of periods.
        lengths: (T,) the periods of each row; None: one each.
        level: how often all intervals together hold.
        resamples: of the bootstrap; fewer, but not under 199, where tables are very large.
        seed: of the resamples.
        against: the option to compare with; None: the one with the least mean.

    Returns:
        Differences per period, and their intervals.

    Raises:
        ValueError: if the costs are not a table of finite numbers, or the lengths do not fit it.

    >>> import numpy as np
    >>> noise = np.random.default_rng(0).standard_normal((200, 3))
    >>> done = compare([10, 10, 12] + noise)
    >>> done.best, done.low.round(1), done.high.round(1)
    (0, array([ 0. , -0.1,  1.8]), array([0. , 0.3, 2.3]))
    """
    table, periods = merged(*checked(costs, lengths), VALUES)
    rows, n = table.shape
    rounding = 16 * np.finfo(np.float64).eps * float(max(table.max(), -table.min())) * rows / periods.sum()
    table = table - np.median(table, axis=1, keepdims=True)
    means = table.sum(axis=0) / periods.sum()
    residuals = table - periods[:, np.newaxis] * means
    best = int(means.argmin()) if against is None else against
    differences = means - means[best]
    above = below = np.full(n, math.inf)
    beaten = np.zeros(n, dtype=bool)
    if rows >= FEWEST:
        resamples = affordable(resamples, table.size)
        apart = residuals - residuals[:, [best]]
        draws = draw(apart, resamples, seed)
        if against is not None:
            least = MIDDLE * float(np.median(_root(apart)))
            scales = np.maximum(_root(apart), least)
            tails, level = _extremes(apart, draws.counts, least), (1 + level) / 2
        elif n * (n - 1) // 2 <= PAIRS:
            scales, tails = _root(apart), [_largest_of_pairs(residuals, draws.counts)] * 2
        else:
            scales, tails = _root(residuals) + _root(residuals[:, [best]]), [_largest(residuals, draws.counts)] * 2
        place = min(math.ceil((resamples + 1) * level), resamples) - 1
        unit = draws.widening * scales * rows / periods.sum()
        below, above = (float(np.sort(tail)[place]) * unit + rounding for tail in tails)
        if against is None:
            reach = float(np.sort(tails[0])[place]) * draws.widening * rows / periods.sum()
            beaten = _beaten(means, residuals, reach) & (means - means.min() > rounding)
    low, high = differences - below, differences + above
    low[best] = high[best] = 0.0
    return Comparison(best, differences, low, high, beaten)


def _beaten(means: Array, residuals: Array, reach: float) -> NDArray[np.bool_]:
    """Whether some option's mean is less than each one's by more than the reach of their pair, `reach s_ij`."""
    n = len(means)
    roots = _root(residuals)
    if n * (n - 1) // 2 > PAIRS:
        return np.asarray(means - reach * roots > (means + reach * roots).min(), dtype=bool)
    pairs = np.array([_root(residuals - residuals[:, [j]]) for j in range(n)])
    return np.asarray((means[np.newaxis] - means[:, np.newaxis] > reach * pairs).any(axis=0), dtype=bool)


def _root(table: Array) -> Array:
    """The root mean square of each column."""
    roots: Array = np.sqrt(np.einsum("ti,ti->i", table, table) / len(table))
    return roots


def _scales(squares: Array, errors: Array, scales: Array) -> Array:
    """The columns' scales in each resample, from their mean squares and means."""
    return np.maximum(np.sqrt(np.maximum(squares - errors**2, 0)), LEAST_SCALE * scales)


def _extremes(apart: Array, counts: Array, least: float = 0.0) -> list[Array]:
    """The maxima over options of `e_i / s_i` and of `-e_i / s_i`, for each resample, from differences to one option."""
    apart = apart[:, apart.any(axis=0)]
    errors = counts @ apart
    ratios = errors / np.maximum(_scales(counts @ apart**2, errors, _root(apart)), least)
    return [(sign * ratios).max(axis=1, initial=0) for sign in (1, -1)]


def _largest_of_pairs(residuals: Array, counts: Array) -> Array:
    """The maximum over all pairs of options of `|e_ij| / s_ij`, for each resample."""
    largest = np.zeros(len(counts))
    for i in range(1, residuals.shape[1]):
        largest = np.maximum(largest, np.maximum(*_extremes(residuals[:, :i] - residuals[:, [i]], counts)))
    return largest


def _largest(residuals: Array, counts: Array) -> Array:
    """The maximum over pairs of options of `(e_i - e_j) / (s_i + s_j)`, for each resample.

    A ratio q is the largest if and only if `max_i (e_i - q s_i) + max_j (-e_j - q s_j) = 0`. From a smaller one, the
    pair that attains both maxima has a larger one, and a few such steps find the largest.
    """
    squares, roots = residuals**2, _root(residuals)
    largest, step = np.zeros(len(counts)), max(1, CHUNK // residuals.shape[1])
    for start in range(0, len(counts), step):
        some = counts[start : start + step]
        errors = some @ residuals
        scales, every = _scales(some @ squares, errors, roots), np.arange(len(some))
        ratio = np.zeros(len(some))
        while True:
            taken = ratio[:, np.newaxis] * scales
            high, low = (errors - taken).argmax(axis=1), (errors + taken).argmin(axis=1)
            apart, scale = errors[every, high] - errors[every, low], scales[every, high] + scales[every, low]
            new = np.divide(apart, scale, out=np.zeros(len(some)), where=scale > 0)
            if not (new > ratio).any():
                break
            ratio = np.maximum(new, ratio)
        largest[start : start + step] = ratio
    return largest
