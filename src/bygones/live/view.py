"""Looking at a journal: every answer is of the newest entries, whoever made them."""

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, Self, TypeVar

import sqlalchemy as sa

from ..kernels import Array
from .events import OVERRIDDEN, PROPOSED, Event
from .game import Game
from .ledger import Ledger
from .schema import Database
from .status import Status, preview_of, status_of

if TYPE_CHECKING:
    import polars as pl

    from .checking import Verdict

T = TypeVar("T")


class View:
    """What can be seen of a journal.

    Args:
        database: where it is.
        ledger: its log.
    """

    def __init__(self, database: Database, ledger: Ledger) -> None:
        self.database, self.ledger = database, ledger
        self._lock = RLock()

    @property
    def name(self) -> str:
        """What the journal is called."""
        return self.ledger.name

    @property
    def names(self) -> tuple[str, ...]:
        """All options, in the order of arrays; those that were retired keep their places."""
        return self.read(lambda game: tuple(game.names))

    @property
    def retired(self) -> tuple[str, ...]:
        """The options that were retired."""
        return self.read(lambda game: tuple(name for name in game.names if name not in game.current))

    @property
    def rounds(self) -> int:
        """How many rounds were observed."""
        return self.read(lambda game: game.rounds)

    @property
    def waiting(self) -> tuple[str, ...]:
        """The periods whose decision stands and whose costs are not known yet, the first one first."""
        return self.read(lambda game: tuple(each.period for each in game.waiting))

    @property
    def state(self) -> Array:
        """What the decision of the round at hand makes of the state: the weights with which its costs will be paid."""
        return self.read(lambda game: game.states()[1])

    @property
    def regret(self) -> float:
        """What was paid more than the best single option would have cost."""
        return self.read(lambda game: game.regret)

    @property
    def guarantee(self) -> float | None:
        """What the regret at the horizon is at most, by what was seen; None where nothing is proved."""
        return self.read(lambda game: game.guarantee)

    def decide(self) -> Array:
        """The decision of the round at hand: what the learner decides, or what an override says is really done."""
        return self.read(lambda game: game.decision())

    def status(self) -> Status:
        """All that a page or a program shows of the journal."""
        return self.read(lambda game: status_of(self.ledger, game))

    def preview(self, decision: Any, proposed: bool = False) -> Status:  # noqa: ANN401
        """What the status would be after an override; nothing is entered.

        Args:
            decision: for the round at hand.
            proposed: it is a proposal, not an override.

        Returns:
            The status.

        Raises:
            ValueError: if it is no decision, or the round has one already.
        """
        kind = PROPOSED if proposed else OVERRIDDEN
        return self.read(lambda _: preview_of(self.ledger, kind, decision))

    def history(self) -> "pl.DataFrame":
        """One row per round: its period, who entered it and when, what was paid, costs, decisions and states."""
        from .reading import history

        return self.reading(lambda connection: history(self.ledger, connection))

    def events(self, after: int = 0, most: int | None = None) -> list[Event]:
        """What was entered, in order.

        Args:
            after: the number of an event: those after it are given.
            most: how many; None: all.

        Returns:
            The events.
        """
        return self.reading(lambda connection: self.ledger.log(connection, after, most))

    def export(self, path: str | PathLike[str]) -> None:
        """Write the rounds to a file that ends in .csv or .parquet, or all events to one that ends in .jsonl.

        Raises:
            ValueError: if it ends otherwise.
            OSError: if it cannot be written.
        """
        from .reading import export

        export(self, Path(path))

    def verify(self) -> "Verdict":
        """Check every event, and replay all from the beginning: says what is wrong, and at which event."""
        from .checking import verify

        with self._lock, self.database.reading() as connection:
            return verify(self.ledger, connection)

    def read(self, look: Callable[[Game], T]) -> T:
        """Look at the newest game."""
        return self.reading(lambda _: look(self.ledger.game))

    def reading(self, job: Callable[[sa.Connection], T]) -> T:
        """Do something that reads, caught up with what others have entered."""
        with self._lock, self.database.reading() as connection:
            self.ledger.catch_up(connection)
            return job(connection)

    def close(self) -> None:
        """Let go of the database."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Journal {self.name} in {self.database.place}: {self.rounds} rounds>"
