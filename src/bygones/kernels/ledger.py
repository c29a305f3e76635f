"""Keeping regret: losses in, the regret of the recorded rounds out."""

from typing import NamedTuple

from .arrays import Actions, Array
from .compiler import compiled


class Ledger(NamedTuple):
    """Where the losses of a block of rounds are added up, and which regrets are written down."""

    best: Array  # (B,) least costs of a fixed action so far
    picks: Actions  # the rounds of the block to write, from 0
    total: Array  # (replicates,) losses so far; advanced
    regrets: Array  # where to write, from `row` and `column` on
    row: int
    column: int


def _enter(lost: Array, best: Array, picks: Actions, total: Array, regrets: Array, row: int, column: int) -> None:
    """Write the regret of the rounds picked, from (replicates, B) losses so far, and keep the last of them."""
    for r in range(lost.shape[0]):
        for k in range(picks.shape[0]):
            regrets[row + r, column + k] = lost[r, picks[k]] - best[picks[k]]
        total[r] = lost[r, -1]


enter = compiled(_enter)
