"""Leaders of perturbed sums."""

import math

import numpy as np

from .arrays import Actions, Array
from .block import ROUNDING, STRIDE, Block, catch_up, replicates_of
from .compiler import compiled
from .round import admit


def _lead(totals: Array, noise: Array, r: int) -> tuple[int, float]:
    """The action with the least `totals - noise[r]`, and how far behind the next one is; ties go to the lowest."""
    leader = 0
    least = totals[0] - noise[r, 0]
    second = math.inf
    for i in range(1, totals.shape[0]):
        score = totals[i] - noise[r, i]
        if score < least:
            leader, least, second = i, score, least
        elif score < second:
            second = score
    return leader, second - least


lead = compiled(_lead, inline=True)


def _look(totals: Array, used: float, noise: Array, due: Array, current: Actions, begin: int, end: int) -> None:
    """Find the leaders of those replicates from `begin` to before `end` that are due, after `used` was spent."""
    for r in range(begin, end):
        if used >= due[r]:
            current[r], gap = lead(totals, noise, r)
            due[r] = used + gap - ROUNDING * (2.0 * used + abs(noise[r, current[r]]) + gap)


look = compiled(_look, inline=True)


def _follow_round(
    costs: Array,
    largest: float,
    widest: float,
    totals: Array,
    spent: Array,
    noise: Array,
    due: Array,
    current: Actions,
) -> bool:
    """Take one round in, if its costs are sound: what `follow` does to a block of one row."""
    low = admit(costs, largest, widest, totals, spent)
    if low != low:
        return False
    look(totals, spent[0], noise, due, current, 0, current.shape[0])
    return True


follow_round = compiled(_follow_round)


def _follow(block: Block, noise: Array, due: Array, current: Actions, actions: Actions) -> None:
    """Play the leader of `totals - noise` over a block of rounds.

    The leader cannot change before the ranges of the rounds' costs have added up to its lead over the next action. So a
    replicate is looked at only when its lead is `due`, and the totals are advanced only then. What rounding may have
    done to the totals counts as spent too, so that no change is ever missed.

    Args:
        block: the rounds.
        noise: (replicates, n), the same in every round.
        due: (replicates,), how much may be spent before a replicate must be looked at; advanced.
        current: (replicates,), the action of the round at hand; advanced.
        actions: (replicates, B), written.
    """
    tables, rounds, n = block.costs.shape
    totals = np.empty(n)
    for k in range(tables):
        begin, end = replicates_of(k, tables, current.shape[0])
        costs, low, spent, marks = block.costs[k], block.low[k], block.spent[k], block.marks[k]
        at = -1
        first = 0
        while first < rounds:
            first_due = math.inf
            for r in range(begin, end):
                first_due = min(first_due, due[r])
            last = first
            while last + STRIDE < rounds and spent[last + STRIDE] < first_due:
                last += STRIDE
            while last < rounds and spent[last] < first_due:
                last += 1
            for r in range(begin, end):
                actions[r, first : last + 1] = current[r]
            first = last + 1
            if last == rounds:
                break
            catch_up(costs, low, marks, at, first, totals)
            at = first
            look(totals, spent[last], noise, due, current, begin, end)


follow = compiled(_follow)
