"""Columns that are hardly options: totals and means of the others, running numbers, values of another scale."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..kernels import Array
from ..validation import listed, shown
from .dates import LONG

NUMBERS = re.compile(
    r"(?i:(?:.*[\W_])?(?:id|key|num|number|row|seq|serial)\W*|(?:.*[\W_](?:no|nr)\W*)|(?:no|nr)[.#]+)|.*[a-z]I[dD]"
)
SUMMARIES = re.compile(r"(?i:(?:.*[\W_])?(?:all|average|avg|mean|overall|sum|(?:sub)?total)s?(?:[\W_].*)?)")
EXACT, ROUNDED = 1e-9, 0.02  # how far a total may be off: of the values, and of how much they move
APART = 0.02  # the least that columns move independently, where their sum shows that one is a total
WIDE = 200  # columns; in wider tables totals are not looked for, as that takes the square of their number
WEEKS = 53  # of a year
SCALE = 20.0  # times the others' values


def check_suspects(names: Sequence[str], values: Array, prices: bool, timed: bool) -> list[str]:
    """Look for columns that are hardly options in the first rows of a table whose options were not named.

    A pattern in fewer than ten rows may be an accident, and so may any relation between two options.

    Args:
        names: the columns.
        values: (rows, columns), without missing values.
        prices: the values are prices, whose scale does not matter.
        timed: the table has a column of times.

    Returns:
        Notes on columns that may be options, but look odd.

    Raises:
        ValueError: if a column is the sum or the mean of the others, or a running number.

    >>> wide = np.random.default_rng(0).uniform(1, 9, (12, 2))
    >>> check_suspects(["rail", "road", "all"], np.column_stack([wide, wide.sum(axis=1)]), prices=False, timed=True)
    Traceback (most recent call last):
    ValueError: 'all' is the sum of the other columns in each of the first 12 rows, and hardly an option: take it out,
    or name the options in actions=
    """
    if len(values) < LONG:
        return []
    large, remedy = [] if prices else _large(values), "take it out, or name the options in actions="
    for column in _running(names, values, large)[:1]:
        first = "" if timed else "name it with time= if it is the time, "
        raise ValueError(f"{shown(names[column])} is a running number, and hardly an option: {first}{remedy}")
    for column, what in _summary(names, values)[:1] if len(names) <= WIDE else ():
        where = f"the {what} of the other columns in each of the first {len(values):,} rows"
        raise ValueError(f"{shown(names[column])} is {where}, and hardly an option: {remedy}")
    sides = ((large, f"at least {SCALE:g} times"), ([] if prices else _small(values), f"at most 1/{SCALE:g} of"))
    return [
        f"the values of {listed([names[k] for k in odd])} are {how} those of the others: leave out what is no option"
        for odd, how in sides
        if odd
    ]


def _running(names: Sequence[str], values: Array, large: Sequence[int]) -> list[int]:
    """The columns of whole numbers that rise, and are called numbers; or rise by 1, and start at 0 or 1 or are large.

    Weeks and the like may stay or start again. Costs may happen to rise by 1 too, but then they are about as large as
    the others.
    """
    steps = np.diff(values, axis=0)
    rising = (values == np.round(values)).all(axis=0) & (steps > 0).all(axis=0)
    counting = rising & (steps == 1).all(axis=0)
    counting &= np.isin(values[0], (0, 1)) | np.isin(np.arange(len(names)), large)
    counting |= _calendar(values)
    called = [NUMBERS.fullmatch(name) is not None for name in names]
    return np.flatnonzero(counting | (rising & called)).tolist()


def _calendar(values: Array) -> NDArray[np.bool_]:
    """Which columns are like the weeks of days: they stay or rise by 1, from 1 to at most 53, and may start again."""
    steps = np.diff(values, axis=0)
    top, again = values.max(axis=0), (steps != 0) & (steps != 1)
    fits = (~again | ((values[1:] == 1) & (values[:-1] >= top - 1))).all(axis=0)
    bounds = (values == np.round(values)).all(axis=0) & (values.min(axis=0) == 1) & (top > 3) & (top <= WEEKS)
    calendar: NDArray[np.bool_] = bounds & fits & ((values[0] == 1) | again.any(axis=0))
    return calendar


def _large(values: Array) -> list[int]:
    """The columns, fewer than half, whose typical values are many times those of all other columns."""
    return _apart(_sizes(values))


def _small(values: Array) -> list[int]:
    """The columns, fewer than half, whose typical values are many times smaller than those of all other columns."""
    sizes = _sizes(values)
    return _apart(np.divide(1.0, sizes, out=np.zeros_like(sizes), where=sizes > 0))


def _sizes(values: Array) -> Array:
    """A typical value of each column; 0: it has none but 0."""
    return np.array([np.median(column[column > 0]) if column.any() else 0.0 for column in np.abs(values).T])


def _apart(sizes: Array) -> list[int]:
    """Which sizes, fewer than half, are many times all others."""
    order = np.argsort(sizes, kind="stable")
    for place in range(len(order) // 2 + 1, len(order)):
        if 0 < SCALE * sizes[order[place - 1]] <= sizes[order[place]]:
            return sorted(order[place:].tolist())
    return []


def _summary(names: Sequence[str], values: Array) -> list[tuple[int, str]]:
    """The columns that are the sum or the mean of all others, or of those that are not called totals or means.

    A total may be rounded, so it may be off by a small part of how much it usually moves from row to row. That is taken
    from the second differences, in which a common growth does not show.
    """
    moves = np.diff(values, 2, axis=0)
    size = np.abs(values).sum(axis=1)[:, np.newaxis]
    slack = np.maximum(EXACT * size, ROUNDED * np.median(np.abs(moves), axis=0))
    found = []
    for parts in (np.ones(len(names), dtype=bool), np.array([SUMMARIES.fullmatch(name) is None for name in names])):
        count = parts.sum() - parts  # of the others of each column
        total = values[:, parts].sum(axis=1)[:, np.newaxis] - np.where(parts, values, 0.0)
        for what, sums in (("sum", total), ("mean", total / np.maximum(count, 1))):
            for column in np.flatnonzero((np.abs(sums - values) <= slack).all(axis=0) & (count > 1)).tolist():
                others = np.flatnonzero(parts & (np.arange(len(names)) != column))
                alone = np.abs(values[:, others] - values[:, [column]]).max(axis=0).min()
                nearer = np.abs(sums - values)[:, column].max() < alone / 10  # than any single column is
                if nearer and _independent(values[:, others], moves[:, others], what):
                    found.append((column, what))
    return found


def _independent(others: Array, moves: Array, what: str) -> bool:
    """Whether columns move independently, so that their sum or mean is no accident.

    Of three columns that are proportional, or all straight lines, one may well be the sum of the others.

    Args:
        others: the columns, (rows, columns).
        moves: their second differences.
        what: `sum` or `mean`.

    Returns:
        Whether there are two that do, in enough rows.
    """
    telling = (others != 0).sum(axis=1) > 1 if what == "sum" else np.ptp(others, axis=1) > 0
    spread = np.sqrt(np.mean(moves**2, axis=0))
    bent = spread > EXACT * np.abs(others).max(axis=0)
    if telling.sum() < LONG or not bent.any():
        return False
    singular = np.linalg.svd(moves[:, bent] / spread[bent], compute_uv=False)
    straight = bool((others[:, ~bent] != 0).any())
    return bool((singular > APART * singular[0]).sum() + straight > 1)
