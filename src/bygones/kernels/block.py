"""Blocks: rounds in a row, and what every learner and every account needs to know of their costs."""

import math
from typing import NamedTuple

import numpy as np

from .arrays import Array
from .compiler import compiled

STRIDE = 16  # rounds between two marks
ROUNDING = 2.0**-48  # 32 units in the last place, more than any sum of two scores can lose in a round
GROWTH = 1.0 + ROUNDING


class Block(NamedTuple):
    """Checked costs of some rounds, surveyed once for everybody: one table that all replicates play, or one for each.

    There is 1 table, or as many as replicates: replicate r plays table `min(r, K - 1)` of the K. A round's least cost
    is taken off wherever costs are added up: regrets and decisions stay the same, and large constants cost no digits.
    """

    costs: Array  # (K, B, n)
    low: Array  # (K, B) the least cost of each round
    spent: Array  # (K, B) the ranges of the costs so far: after each round, the most by which a lead can have shrunk
    best: Array  # (K, B) the least total of one action so far
    marks: Array  # (K, ceil(B / STRIDE) + 1, n) the actions' totals before every STRIDE-th round, and after the last

    @property
    def rounds(self) -> int:
        """B, how many there are."""
        return int(self.costs.shape[1])

    def table(self, k: int) -> "Block":
        """One of the tables as a block."""
        return Block(*(part[k : k + 1] for part in self))


class Tally:
    """What adds up over the rounds, whoever decides: of each table the actions' totals, and the ranges spent."""

    def __init__(self, n: int, tables: int = 1) -> None:
        self.totals, self.spent = np.zeros(tables * n), np.zeros(tables)

    def survey(self, costs: Array, largest: float) -> tuple[Block, float]:
        """Add a block of costs up.

        Args:
            costs: (K, B, n), contiguous.
            largest: the largest cost allowed, in size.

        Returns:
            The block, and the widest range of a round in it; nan if a cost is not a number of that size.
        """
        tables, rounds, n = costs.shape
        low, spent, best = np.empty((3, tables, rounds))
        block = Block(costs, low, spent, best, np.empty((tables, -(-rounds // STRIDE) + 1, n)))
        return block, survey.call(block, largest, self.totals, self.spent)

    def jump(self, block: Block) -> None:
        """Go to the end of a block that somebody else has surveyed."""
        self.totals = block.marks[:, -1].flatten()
        if block.rounds:
            self.spent = block.spent[:, -1].copy()


def _survey(block: Block, largest: float, all_totals: Array, so_far: Array) -> float:
    # Four rounds at a time, so that the processor has four chains of comparisons to follow instead of one. The last
    # rounds are looked at one by one; either way totals are added up in the order of the rounds.
    tables, rounds, n = block.costs.shape
    widest, least, most = 0.0, math.inf, -math.inf
    for k in range(tables):
        costs, low, spent, best, marks = block.costs[k], block.low[k], block.spent[k], block.best[k], block.marks[k]
        totals, used = all_totals[k * n : (k + 1) * n], so_far[k]
        b = 0
        while b < rounds:
            if b % STRIDE == 0:
                for i in range(n):
                    marks[b // STRIDE, i] = totals[i]
            if b + 4 <= rounds:
                low0, low1, low2, low3 = costs[b, 0], costs[b + 1, 0], costs[b + 2, 0], costs[b + 3, 0]
                top0, top1, top2, top3 = low0, low1, low2, low3
                for i in range(1, n):
                    c0, c1, c2, c3 = costs[b, i], costs[b + 1, i], costs[b + 2, i], costs[b + 3, i]
                    low0, low1, low2, low3 = min(low0, c0), min(low1, c1), min(low2, c2), min(low3, c3)
                    top0, top1, top2, top3 = max(top0, c0), max(top1, c1), max(top2, c2), max(top3, c3)
                low[b], low[b + 1], low[b + 2], low[b + 3] = low0, low1, low2, low3
                spent[b] = GROWTH * used + (top0 - low0)
                spent[b + 1] = GROWTH * spent[b] + (top1 - low1)
                spent[b + 2] = GROWTH * spent[b + 1] + (top2 - low2)
                spent[b + 3] = GROWTH * spent[b + 2] + (top3 - low3)
                used = spent[b + 3]
                lead0 = lead1 = lead2 = lead3 = math.inf
                for i in range(n):
                    t0 = totals[i] + (costs[b, i] - low0)
                    t1 = t0 + (costs[b + 1, i] - low1)
                    t2 = t1 + (costs[b + 2, i] - low2)
                    t3 = t2 + (costs[b + 3, i] - low3)
                    totals[i] = t3
                    lead0, lead1, lead2, lead3 = min(lead0, t0), min(lead1, t1), min(lead2, t2), min(lead3, t3)
                best[b], best[b + 1], best[b + 2], best[b + 3] = lead0, lead1, lead2, lead3
                widest = max(widest, max(max(top0 - low0, top1 - low1), max(top2 - low2, top3 - low3)))
                least = min(least, min(min(low0, low1), min(low2, low3)))
                most = max(most, max(max(top0, top1), max(top2, top3)))
                b += 4
            else:
                low0 = top0 = costs[b, 0]
                for i in range(1, n):
                    low0, top0 = min(low0, costs[b, i]), max(top0, costs[b, i])
                lead0 = math.inf
                for i in range(n):
                    totals[i] += costs[b, i] - low0
                    lead0 = min(lead0, totals[i])
                used = GROWTH * used + (top0 - low0)
                low[b], best[b], spent[b] = low0, lead0, used
                widest, least, most = max(widest, top0 - low0), min(least, low0), max(most, top0)
                b += 1
        so_far[k] = used
        for i in range(n):
            marks[marks.shape[0] - 1, i] = totals[i]
    sound = most <= largest and least >= -largest
    for total in all_totals:
        sound = sound and total == total  # a nan in any round is one here
    return widest if sound or rounds == 0 else math.nan


def _replicates_of(k: int, tables: int, replicates: int) -> tuple[int, int]:
    """The replicates that play table k, from the first to before the last."""
    if tables == 1:
        return 0, replicates
    return k, k + 1


def _catch_up(costs: Array, low: Array, marks: Array, at: int, to: int, totals: Array) -> None:
    """Advance the totals of a table from before round `at` to before round `to`, from the nearest mark on.

    Args:
        costs: (B, n) of the table.
        low: (B,) its least costs.
        marks: its totals before every STRIDE-th round.
        at: where the totals are; -1: nowhere yet.
        to: where they should be.
        totals: (n,), advanced.
    """
    mark = to // STRIDE
    if at < mark * STRIDE:
        for i in range(totals.shape[0]):
            totals[i] = marks[mark, i]
        at = mark * STRIDE
    for b in range(at, to):
        for i in range(totals.shape[0]):
            totals[i] += costs[b, i] - low[b]


survey = compiled(_survey)
replicates_of = compiled(_replicates_of, inline=True)
catch_up = compiled(_catch_up, inline=True)
