"""The memories that are tried, and how well each foretells what it was not fitted to."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..kernels import Array
from ..memory import Geometric, Memory, Weights, Window
from .free import effects_of, free_weights
from .record import Record

LONGEST, SHARE = 52, 5  # periods that are tried, and parts of the record that they may take at most
WINDOWS, FADING, FINE = 24, 14, 7  # windows and half-lives in a first grid, and how many are tried around the best
SHORTEST = 0.3  # half-life
FOLDS = 5
LEAST_WEIGHT = 1e-6  # of the newest decision


def first_grid(longest: int) -> list[Memory]:
    """Windows and half-lives up to some number of periods."""
    lengths = range(1, longest + 1) if longest <= WINDOWS else np.geomspace(1, longest, 32).round().astype(int)
    halves = np.geomspace(SHORTEST, longest, FADING)
    return [*(Window(int(length)) for length in sorted(set(lengths))), *map(Geometric.from_half_life, halves)]


def finer_grid(grid: list[Memory], best: Memory) -> list[Memory]:
    """More memories of the best one's kind, between its neighbours in a grid.

    Args:
        grid: memories of one kind, the shortest first.
        best: one of them.

    Returns:
        Those that the grid has not.
    """
    if isinstance(best, Window):
        lengths = [memory.length for memory in grid if isinstance(memory, Window)]
        here = lengths.index(best.length)
        low, high = lengths[max(here - 1, 0)], lengths[min(here + 1, len(lengths) - 1)]
        between = np.linspace(low, high, FINE).round().astype(int)
        return [Window(int(length)) for length in sorted({*between.tolist()}.difference(lengths))]
    factors = [memory.rho for memory in grid if isinstance(memory, Geometric)]
    here = factors.index(best.rho) if isinstance(best, Geometric) else 0
    slow, fast = factors[max(here - 1, 0)], factors[min(here + 1, len(factors) - 1)]
    return [Geometric(float(rho)) for rho in np.linspace(slow, fast, FINE + 2) if rho not in factors]


def fitted_weights(record: Record, longest: int, start: Memory) -> Weights:
    """The weights of any shape that fit best.

    Args:
        record: decisions and outcomes.
        longest: lags.
        start: a memory whose weights to begin with.

    Returns:
        The weights, as a memory.
    """
    lagged = record.lagged(longest)
    lags = free_weights(lagged, record.explained, lags_of(start, longest), record.costs is not None)
    return as_weights(lags)


def as_weights(lags: Array) -> Weights:
    """Weights as a memory: the newest decision has to count, and zeros at the end are left out."""
    lags = np.trim_zeros(np.maximum(lags, [LEAST_WEIGHT, *[0.0] * (len(lags) - 1)]), "b")
    return Weights((lags / lags.sum()).tolist())


def lags_of(memory: Memory, longest: int) -> Array:
    """The weights of a memory after some periods, (longest,).

    Args:
        memory: any.
        longest: so many periods.

    Returns:
        One weight per lag, the newest decision's first; zeros where it has none.
    """
    weights = memory.weights(longest)
    return np.pad(weights, (0, longest - len(weights)))


def folds(rows: int, gap: int) -> list[tuple[slice, NDArray[np.bool_]]]:
    """Consecutive parts of a record, and for each the rows to fit to: all others but those next to it.

    Args:
        rows: how many there are.
        gap: how many rows on either side are left out, as they share decisions with the part.

    Returns:
        Part and rows, for each.
    """
    edges, number = np.linspace(0, rows, FOLDS + 1).astype(int).tolist(), np.arange(rows)
    gap = min(gap, rows // (3 * FOLDS))
    parts = pairwise(edges)
    return [(slice(first, end), (number < first - gap) | (number >= end + gap)) for first, end in parts]


def missed(record: Record, gap: int, memory: Memory | None) -> Array:
    """The squared errors of a memory, (T',): of each part, with effects that are fitted to the others.

    Args:
        record: decisions and outcomes.
        gap: rows between a part and those fitted to.
        memory: the one to judge; None: none at all, but a constant.

    Returns:
        One number per outcome.
    """
    features = np.zeros((len(record.explained), 1)) if memory is None else record.features(memory)
    return _crossed(record, gap, lambda others: features)


def missed_freely(record: Record, longest: int, start: Memory) -> Array:
    """The same for free weights, which are fitted to the other parts too.

    Args:
        record: decisions and outcomes.
        longest: lags, and rows between a part and those fitted to.
        start: a memory whose weights to begin with.

    Returns:
        One number per outcome.
    """
    lagged, begin, known = record.lagged(longest), lags_of(start, longest), record.costs is not None

    def features(others: NDArray[np.bool_]) -> Array:
        weights = free_weights(lagged[others], record.explained[others], begin, known)
        weighed: Array = np.einsum("tkm,k->tm", lagged, weights)
        return weighed

    return _crossed(record, longest, features)


def _crossed(record: Record, gap: int, features_from: Callable[[NDArray[np.bool_]], Array]) -> Array:
    """Squared errors, with features that may depend on the rows fitted to."""
    outcomes, errors = record.explained, np.empty(len(record.explained))
    for part, others in folds(len(outcomes), gap):
        features = features_from(others)
        constant, each = effects_of(features[others], outcomes[others], record.costs is not None)
        errors[part] = outcomes[part] - constant - features[part] @ each
    return errors**2
