"""One round at a time: costs are checked and added up in one pass, so that a stream makes one compiled call."""

import math

from .arrays import Array
from .block import GROWTH
from .compiler import compiled


def _admit(costs: Array, largest: float, widest: float, totals: Array, spent: Array) -> float:
    """Add one round's costs up, with the bits of a survey, if they are sound; otherwise change nothing.

    Args:
        costs: (n,).
        largest: the largest cost allowed, in size.
        widest: the largest range of a round's costs allowed.
        totals: (n,) of the tally; advanced.
        spent: (1,) of the tally; advanced.

    Returns:
        The least cost; nan if the costs are not sound.
    """
    # Four chains of comparisons, so that the processor need not wait for one. No comparison with nan holds, so those
    # are looked for on their own.
    n = costs.shape[0]
    low0 = low1 = low2 = low3 = top0 = top1 = top2 = top3 = costs[0]
    whole = n - n % 4
    for i in range(0, whole, 4):
        c0, c1, c2, c3 = costs[i], costs[i + 1], costs[i + 2], costs[i + 3]
        low0, low1, low2, low3 = min(low0, c0), min(low1, c1), min(low2, c2), min(low3, c3)
        top0, top1, top2, top3 = max(top0, c0), max(top1, c1), max(top2, c2), max(top3, c3)
    for i in range(whole, n):
        low0, top0 = min(low0, costs[i]), max(top0, costs[i])
    low, top = min(min(low0, low1), min(low2, low3)), max(max(top0, top1), max(top2, top3))
    nans = 0
    for i in range(n):
        nans += costs[i] != costs[i]
    if nans or not (low >= -largest and top <= largest and top - low <= widest):
        return math.nan
    for i in range(n):
        totals[i] += costs[i] - low
    spent[0] = GROWTH * spent[0] + (top - low)
    least: float = low
    return least


admit = compiled(_admit, inline=True)
