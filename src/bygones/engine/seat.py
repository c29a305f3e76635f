"""Seats: learners at work, each with the books that keep what its decisions cost."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from ..kernels import Actions, Array
from ..learners import BlockPlayer, Learner, Player, Seed
from ..problem import Problem
from .feed import Piece


class Book(Protocol):
    """Keeps something of a seat's decisions."""

    def enter(self, piece: Piece, decisions: Array | Actions) -> None:
        """Take a piece in, and its decisions: (replicates, B) action numbers or (replicates, B, n) weights.

        Args:
            piece: the rounds and their costs.
            decisions: (replicates, B) action numbers, or (replicates, B, n) weights.
        """


class Seat:
    """One learner on some costs, for one seed or for several replicates at once.

    Args:
        learner: who decides.
        problem: what is decided.
        seeds: one for each replicate.
        books: what is kept.
        history: decisions taken before.
        tables: 1 if all replicates play the same costs, else one for each.
    """

    def __init__(
        self,
        learner: Learner,
        problem: Problem,
        seeds: Sequence[Seed],
        books: Sequence[Book],
        history: ArrayLike | None = None,
        tables: int = 1,
    ) -> None:
        kind = learner.player_type
        together = issubclass(kind, BlockPlayer) and kind.pure and (tables == 1 or kind.many_tables)
        self.pure, self.books = kind.pure, books
        self.players: list[Player] = [
            kind(learner, problem, group, history) for group in ([seeds] if together else [[seed] for seed in seeds])
        ]

    def play(self, piece: Piece) -> None:
        """Play a piece, and enter it into the books."""
        seen = piece.seen
        if len(seen.costs) == 1 or len(self.players) == 1:
            decisions = [player.advance(seen) for player in self.players]
        else:
            decisions = [player.advance(seen.table(k)) for k, player in enumerate(self.players)]
        path: Any = decisions[0] if self.pure else decisions[0][np.newaxis]
        if len(decisions) > 1:
            path = np.concatenate(decisions) if self.pure else np.array(decisions)
        for book in self.books:
            book.enter(piece, path)
