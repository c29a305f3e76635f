"""The one loop: every piece of a feed is played by every seat."""

import os
import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from ..parallel import Each, Tick, showing, threaded
from ..validation import whole
from .feed import Feed, Piece

AT_ONCE = 128  # replicates whose players are made at once, and that share a seat


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
    make: Callable[[int], Game], games: int, rounds: int, workers: int | None, progress: bool | None, doing: str
) -> None:
    """Play many games; the threads share the games.

    Args:
        make: makes the game of a number.
        games: how many.
        rounds: of each, for the progress bar.
        workers: threads; None: one for each core.
        progress: show a bar; None: on a terminal.
        doing: what the bar says.
    """
    stop = threading.Event()
    with showing(progress, games * rounds, doing) as tick, threaded(min(threads(workers), games), stop) as each:

        def one(game: Game) -> None:
            _play(game, _in_turn, tick, stop)

        # Players are made beforehand, some at a time: in the threads it would only make them wait for each other.
        for first in range(0, games, AT_ONCE):
            some = [make(number) for number in range(first, min(first + AT_ONCE, games))]
            each(one, some)
            for game in some:
                game.note()


def _play(game: Game, each: Each, tick: Tick, stop: threading.Event) -> None:
    for piece in game.feed:
        if stop.is_set():
            return

        def take(seat: Taking, piece: Piece = piece) -> None:
            seat.play(piece)

        each(take, game.seats)
        tick(len(piece.block.costs))


def _in_turn(job: Callable[[Taking], None], seats: Sequence[Taking]) -> None:
    for seat in seats:
        job(seat)
