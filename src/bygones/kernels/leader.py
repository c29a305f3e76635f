"""Leaders of perturbed sums."""

import math

from .arrays import Actions, Array
from .compiler import compiled

ROUNDING = 2.0**-48  # 32 units in the last place, more than any sum of two scores can lose in a round


def _lead(totals: Array, noise: Array) -> tuple[int, float]:
    """The action with the least `totals - noise`, and how far behind the next one is; ties go to the lowest number."""
    leader = 0
    least = totals[0] - noise[0]
    second = math.inf
    for i in range(1, totals.shape[0]):
        score = totals[i] - noise[i]
        if score < least:
            leader, least, second = i, score, least
        elif score < second:
            second = score
    return leader, second - least


lead = compiled(_lead)


def _follow(
    costs: Array, totals: Array, noise: Array, spent: Array, due: Array, current: Actions, actions: Actions
) -> None:
    """Play the leader of `totals - noise` over a block of rounds that all replicates share.

    The leader cannot change before the ranges of the rounds' costs have added up to its lead over the next action. So
    what is `spent` is added up once for all replicates, and a replicate is looked at only when its lead is `due`. What
    rounding may have done to the totals is spent as well, so that no change is ever missed.

    Args:
        costs: (B, n), one row a round.
        totals: (n,), the costs so far; advanced.
        noise: (replicates, n), the same in every round.
        spent: (2,), the ranges so far, and a bound on the totals' size; advanced.
        due: (replicates,), how much may be spent before a replicate must be looked at; advanced.
        current: (replicates,), the action of the round at hand; advanced.
        actions: (replicates, B), written.
    """
    rounds, n = costs.shape
    replicates = current.shape[0]
    first_due = math.inf
    for r in range(replicates):
        first_due = min(first_due, due[r])
    used = spent[0]
    size = spent[1]
    for b in range(rounds):
        for r in range(replicates):
            actions[r, b] = current[r]
        low = math.inf
        high = -math.inf
        for i in range(n):
            cost = costs[b, i]
            totals[i] += cost
            low = min(low, cost)
            high = max(high, cost)
        size += max(high, -low)
        used += (high - low) + ROUNDING * size
        if used < first_due:
            continue
        first_due = math.inf
        for r in range(replicates):
            if used >= due[r]:
                current[r], gap = lead(totals, noise[r])
                due[r] = used + gap - ROUNDING * (size + abs(noise[r, current[r]]) + used + gap)
            first_due = min(first_due, due[r])
    spent[0] = used
    spent[1] = size


follow = compiled(_follow)
