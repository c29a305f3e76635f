"""Leaders of perturbed sums."""

from .arrays import Actions, Array
from .compiling import compiled


def _lead(totals: Array, noise: Array) -> int:
    """The action with the least `totals - noise`; ties go to the lowest number."""
    leader = 0
    least = totals[0] - noise[0]
    for i in range(1, totals.shape[0]):
        score = totals[i] - noise[i]
        if score < least:
            leader, least = i, score
    return leader


lead = compiled(_lead)


def _follow(costs: Array, totals: Array, noise: Array, current: Actions, actions: Actions) -> None:
    """Play the leader of `totals - noise` over a block of rounds that all replicates share.

    Args:
        costs: (B, n), one row a round.
        totals: (n,), the costs so far; advanced.
        noise: (replicates, n), the same in every round.
        current: (replicates,), the action of the round at hand; advanced.
        actions: (replicates, B), written.
    """
    for b in range(costs.shape[0]):
        for i in range(totals.shape[0]):
            totals[i] += costs[b, i]
        for r in range(current.shape[0]):
            actions[r, b] = current[r]
            current[r] = lead(totals, noise[r])


follow = compiled(_follow)
