"""The one loop: every piece of a feed is played by every seat."""

import os
import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from ..parallel import Each, Tick, showing, threaded
from ..validation import whole
from .feed import Feed, Piece


class Taking(Protocol):
    """Takes part in a game: a seat, or a book about the costs alone."""

    def play(self, piece: Piece) -> None:
        """Take a piece in."""


class Game(NamedTuple):
    """One sequence of costs, and all who take part."""

    feed: Feed
    seats: Sequence[Taking]
    note: Callable[[], None]  # called when all is played


def threads(workers: int | None) -> int:
    """How many threads: those asked for, or one for each core."""
    return os.cpu_count() or 1 if workers is None else whole("workers", workers, 1)


def play(
    games: Sequence[Callable[[], Game]], rounds: int, workers: int | None, progress: bool | None, doing: str
) -> None:
    """Play games; the threads share the games, or the seats of a single one.

    Args:
        games: make the games; each is made when its turn comes.
        rounds: how many there are in all, for the progress bar.
        workers: threads; None: one for each core.
        progress: show a bar; None: on a terminal.
        doing: what the bar says.
    """
    stop = threading.Event()
    single = games[0]() if len(games) == 1 else None
    shares = len(games) if single is None else len(single.seats)
    with showing(progress, rounds, doing) as tick, threaded(min(threads(workers), shares), stop) as each:
        if single is None:
            each(lambda make: _play(make(), _in_turn, tick, stop), games)
        else:
            _play(single, each, tick, stop)


def _play(game: Game, each: Each, tick: Tick, stop: threading.Event) -> None:
    for piece in game.feed:
        if stop.is_set():
            return

        def take(seat: Taking, piece: Piece = piece) -> None:
            seat.play(piece)

        each(take, game.seats)
        tick(len(piece.block.costs) * piece.block.rounds)
    game.note()


def _in_turn(job: Callable[[Taking], None], seats: Sequence[Taking]) -> None:
    for seat in seats:
        job(seat)
