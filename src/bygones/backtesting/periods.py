"""The periods that are played: their range, and their costs in blocks, for the accounts and as learners see them."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..kernels import Actions, Array, compiled
from ..problem import Problem
from ..theory import known_range
from ..validation import positive

BLOCK = 2**17  # numbers in a block of costs: a megabyte, so that all learners find it in the cache
SHORTEST, LONGEST = 10, 1_000  # of a burn-in, in periods


def settled_range(values: Array, declared: float | None) -> tuple[float, int]:
    """The range of a period's costs, and the number of periods it was estimated on, which are not played.

    Args:
        values: one row a period.
        declared: the range, if somebody knows it; then all periods are played.
    """
    if declared is not None:
        return positive("the range", declared), 0
    rows = len(values)
    if rows < 2 * SHORTEST:
        raise ValueError(
            f"the table has {rows} periods, and the range of their costs cannot be estimated on the first {SHORTEST} "
            f"unless there are {2 * SHORTEST}: declare it with --range (cost_range= in Python)"
        )
    burn_in = min(max(rows // 10, SHORTEST), LONGEST)
    widest = float(np.ptp(values[:burn_in], axis=1).max())
    if not widest > 0:
        raise ValueError(
            f"in each of the first {burn_in} periods, on which the range of the costs is estimated, all options cost "
            "the same: declare the range with --range (cost_range= in Python)"
        )
    return widest, burn_in


class Block(NamedTuple):
    """Some periods in a row."""

    first: int  # the number of the first one, from 0
    costs: Array  # the true ones, less each period's least, so that neither constants nor outliers cost digits
    seen: Array  # what learners see: nothing above the period's least cost and the range
    best: Array  # after each period, the least total of a fixed option; the periods' least costs taken off
    spent: Array  # after each period, the total of the least costs
    unseen: Array  # after each period, `min_i G_i` less `min_i` of what was seen of G and `min_i` of what was cut off


class Tally:
    """What adds up as periods go by."""

    def __init__(self, n: int) -> None:
        self.relative = np.zeros(n)  # the options' totals, the periods' least costs taken off
        self.spent = np.zeros(1)  # the total of those
        self.apart = np.zeros((2, n))  # the options' totals in two parts: what learners saw, and what was cut off
        self.cut = np.zeros(2, dtype=np.int64)  # costs that learners saw cut off, and the periods they were in
        self.widest = np.zeros(2)  # of those the one whose costs spread the most: how far, and its number

    @property
    def totals(self) -> Array:
        """What each option would have cost."""
        totals: Array = self.relative + self.spent[0]
        return totals


class Periods:
    """The costs of the periods that are played; a table that is larger than memory is read block by block.

    Args:
        problem: what is decided.
        values: one row a period.
        sign: -1 where the values are gains.
    """

    def __init__(self, problem: Problem, values: Array, sign: int) -> None:
        self.problem, self.values, self.sign = problem, values, sign
        self.most, self.widest = known_range(problem, "a backtest"), problem.limits[1]

    def __len__(self) -> int:
        return len(self.values)

    def take(self, first: int, last: int) -> Array:
        """The costs of some periods, as a fresh array."""
        costs: Array = np.ascontiguousarray(self.values[first:last]) * self.sign
        return costs

    def relative(self, first: int, last: int) -> Array:
        """The same, less each period's least."""
        costs = self.take(first, last)
        costs -= costs.min(axis=1, keepdims=True)
        return costs

    def blocks(self, tally: Tally) -> Iterator[Block]:
        """All periods in their order, added up as they go by."""
        step = max(1, BLOCK // self.problem.n)
        for first in range(0, len(self), step):
            costs = self.take(first, first + step)
            block = Block(first, costs, np.empty_like(costs), *np.empty((3, len(costs))))
            tally_up(
                costs,
                self.most,
                self.widest,
                tally.spent,
                tally.relative,
                tally.apart,
                tally.cut,
                tally.widest,
                first,
                block.seen,
                block.best,
                block.spent,
                block.unseen,
            )
            yield block

    def survey(self) -> Tally:
        """Look all periods over."""
        tally = Tally(self.problem.n)
        for _ in self.blocks(tally):
            pass
        return tally


def _tally_up(
    costs: Array,
    most: float,
    widest: float,
    total: Array,
    relative: Array,
    apart: Array,
    count: Actions,
    peak: Array,
    first: int,
    seen: Array,
    best: Array,
    spent: Array,
    unseen: Array,
) -> None:
    """Take each period's least cost off; write what learners see, and the totals so far; count what is cut off.

    A period whose costs spread over more than `widest` is cut off at its least cost and `most`.
    """
    for b in range(costs.shape[0]):
        low = math.inf
        high = -math.inf
        for i in range(costs.shape[1]):
            low = min(low, costs[b, i])
            high = max(high, costs[b, i])
        total[0] += low
        spent[b] = total[0]
        wide = high - low > widest
        if wide:
            count[1] += 1
            if high - low > peak[0]:
                peak[0] = high - low
                peak[1] = first + b
        lead = math.inf
        shown = math.inf
        hidden = math.inf
        for i in range(costs.shape[1]):
            seen[b, i] = costs[b, i]
            costs[b, i] -= low
            part = costs[b, i]
            if wide and seen[b, i] > low + most:
                seen[b, i] = low + most
                part = most
                apart[1, i] += costs[b, i] - most
                count[0] += 1
            relative[i] += costs[b, i]
            apart[0, i] += part
            lead = min(lead, relative[i])
            shown = min(shown, apart[0, i])
            hidden = min(hidden, apart[1, i])
        best[b] = lead
        unseen[b] = lead - shown - hidden


tally_up = compiled(_tally_up)
