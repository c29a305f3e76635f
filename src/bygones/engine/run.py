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


def play_one(game: Game, rounds: int, workers: int | None, progress: bool | None, doing: str) -> None:
    """Play one game; the threads share its seats.

    Args:
        game: what is played.
        rounds: how many there are, for the progress bar.
        workers: threads; None: one for each core.
        progress: show a bar; None: on a terminal.
        doing: what the bar says.
    """
    stop = threading.Event()
    count = min(threads(workers), len(game.seats))
    with showing(progress, rounds, doing) as tick, threaded(count, stop) as each:
        _play(game, each, tick, stop)
    game.note()


def play_all(
    make: Callable[[range], Game],
    parts: Sequence[range],
    rounds: int,
    workers: int | None,
    progress: bool | None,
    doing: str,
) -> None:
    """Play many games; the threads share the games.

    Args:
        make: makes the game of some replicates.
        parts: the replicates of each game.
        rounds: of each replicate, for the progress bar.
        workers: threads; None: one for each core.
        progress: show a bar; None: on a terminal.
        doing: what the bar says.
    """
    stop = threading.Event()
    total = rounds * sum(map(len, parts))
    with showing(progress, total, doing) as tick, threaded(min(threads(workers), len(parts)), stop) as each:

        def one(part: range) -> None:
            game = make(part)
            _play(game, _in_turn, tick, stop)
            game.note()

        each(one, parts)


def _play(game: Game, each: Each, tick: Tick, stop: threading.Event) -> None:
    for piece in game.feed:
        if stop.is_set():
            return

        def take(seat: Taking, piece: Piece = piece) -> None:
            seat.play(piece)

        each(take, game.seats)
        tick(len(piece.block.costs) * piece.block.rounds)


def _in_turn(job: Callable[[Taking], None], seats: Sequence[Taking]) -> None:
    for seat in seats:
        job(seat)
