"""Keeping regret: losses in, the regret of the recorded rounds out."""

from typing import NamedTuple

from .arrays import Actions, Array
from .compiling import compiled


class Ledger(NamedTuple):
    """Where the losses of a block of rounds are added up, and which regrets are written down."""

    best: Array  # (B,) least costs of a fixed action so far
    picks: Actions  # the rounds of the block to write, from 0
    total: Array  # (replicates,) losses so far; advanced
    regrets: Array  # where to write, from `row` and `column` on
    row: int
    column: int


def _enter(losses: Array, best: Array, picks: Actions, total: Array, regrets: Array, row: int, column: int) -> None:
    """Add (replicates, B) losses up, round by round, and write the regret of the rounds picked."""
    for r in range(losses.shape[0]):
        lost = total[r]
        done = 0
        for k in range(picks.shape[0]):
            for b in range(done, picks[k] + 1):
                lost += losses[r, b]
            done = picks[k] + 1
            regrets[row + r, column + k] = lost - best[picks[k]]
        for b in range(done, losses.shape[1]):
            lost += losses[r, b]
        total[r] = lost


enter = compiled(_enter)
