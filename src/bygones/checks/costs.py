"""What every cost family must satisfy."""

import numpy as np

from ..costs import Costs
from .common import Demands, check, same


@check
def check_costs(costs: Costs, n: int = 4, rounds: int = 60) -> Demands:
    """Check a cost family.

    The checks are: every entry is written, with a finite number; the same generator gives the same table, at once or
    in blocks of any size; blocks that were taken never change; there are no more rounds than requested.

    Args:
        costs: the family.
        n: the number of actions.
        rounds: the number of rounds.

    Raises:
        CheckError: if a check fails.
    """
    whole = np.full((rounds, n), np.nan)
    costs.start(n, rounds, np.random.default_rng(0)).fill(whole)
    yield np.isfinite(whole).all(), "a cost is not a finite number, or is not written"
    for sizes in ([rounds], [1] * rounds, [0, 7, 0, 13, rounds], [rounds - 1, 1, 1]):
        source = costs.start(n, rounds, np.random.default_rng(0))
        pieces = [source.take(size) for size in sizes]
        copies = [piece.copy() for piece in pieces]
        yield same(np.concatenate(pieces), whole), f"blocks of {sizes} give another table"
        yield source.take(1).shape == (0, n), "it gives more rounds than requested"
        yield all(map(same, pieces, copies)), "a block has changed after it was taken"
