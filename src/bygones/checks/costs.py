"""What every cost family must satisfy."""

import numpy as np

from ..costs import Costs
from .common import demand, same


def check_costs(costs: Costs, n: int = 4, rounds: int = 60) -> None:
    """Check a cost family.

    The checks are: tables have the right shape and finite numbers; the same generator gives the same table, at once or
    in blocks of any size; blocks that were taken never change; there are no more rounds than requested.

    Args:
        costs: the family.
        n: the number of actions.
        rounds: the number of rounds.

    Raises:
        CheckError: if a check fails.
    """
    whole = costs.draw(n, rounds, np.random.default_rng(0))
    demand(whole.shape == (rounds, n), costs, f"the table has the shape {whole.shape}, not {(rounds, n)}")
    demand(bool(np.isfinite(whole).all()), costs, "a cost is not a finite number")
    for sizes in ([rounds], [1] * rounds, [0, 7, 0, 13, rounds], [rounds - 1, 1, 1]):
        source = costs.start(n, rounds, np.random.default_rng(0))
        pieces = [source.take(size) for size in sizes]
        copies = [piece.copy() for piece in pieces]
        demand(same(np.concatenate(pieces), whole), costs, f"blocks of {sizes} give another table")
        demand(source.take(1).shape == (0, n), costs, "it gives more rounds than requested")
        demand(all(map(same, pieces, copies)), costs, "a block has changed after it was taken")
