"""Journals: one player and its problem in a database, for daily use by several people and programs."""

import getpass
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from os import PathLike
from typing import Any, Self, TypeVar

import sqlalchemy as sa

from ..learners import Learner, Seed
from ..memory import Memory
from ..problem import Problem
from .beginning import Begun, body_of, classes_of, periods_of, read_past
from .entries import Request, enter, enter_all, journal_name, label
from .events import COMMITTED, JOINED, OBSERVED, OVERRIDDEN, PROPOSED, RENAMED, RETIRED, UNDONE, Event
from .ledger import Ledger
from .schema import Database
from .view import View

T = TypeVar("T")


class Journal(View):
    """One player and its problem in a database: what was decided, what was really done, and what it cost.

    Nothing that was entered is ever changed; `undo` is an entry of its own. Every entry is durable when the call
    returns, and chained to the one before by a digest, so that `verify` finds what was changed behind its back.
    Several programs may write: they take turns, and who reads never waits. The same entries always give the same
    decisions, to the bit, as `Player.play` does with the same costs and decisions.

    Begin one with `Journal.create` or `Journal.from_backtest`, go on with `Journal.open`, and close it, or use `with`.

    Args:
        database: where it is.
        ledger: its log.
        author: who enters things; None: the user of this machine.

    >>> import bygones as by, tempfile
    >>> path = tempfile.mkdtemp() + "/journals.db"
    >>> journal = by.Journal.create(path, "parts", by.Problem(["rail", "road"], None, by.Window(4), 5.0))
    >>> journal.decide()
    array([0.5, 0.5])
    >>> journal.observe({"rail": 1.0, "road": 3.0}, period="2026-11-16").round
    1
    >>> journal.observe({"rail": 1.0, "road": 3.0}, period="2026-11-16").number, journal.rounds    # said again
    (2, 1)
    >>> journal.observe({"rail": 1.0, "road": 2.0}, period="2026-11-16")
    Traceback (most recent call last):
    bygones.live.ledger.ConflictError: 2026-11-16 has other costs already: 'rail=1, road=3', not 'rail=1, road=2'; ...
    >>> _ = journal.override("road")
    >>> journal.decide()
    array([0., 1.])
    """

    def __init__(self, database: Database, ledger: Ledger, author: str | None = None) -> None:
        super().__init__(database, ledger)
        self.author = _author(author)

    @classmethod
    def create(
        cls,
        url: str | PathLike[str],
        name: str,
        problem: Problem,
        learner: Learner | str = "guarded",
        seed: Seed = 0,
        *,
        history: Any = None,  # noqa: ANN401
        gains: bool = False,
        author: str | None = None,
    ) -> Self:
        """Begin a journal.

        Args:
            url: the path of a database file, which is made if it is not there; or `postgresql://user@host/name`.
            name: what the journal is called.
            problem: what is decided.
            learner: who decides; also in words.
            seed: feeds the learner's own randomness.
            history: decisions taken before the first round, as `Learner.start` takes them.
            gains: what is entered are gains, not costs.
            author: who enters things; None: the user of this machine.

        Returns:
            The journal.

        Raises:
            ValueError: if there is one of that name already, or an argument does not fit.
            OSError: if the database cannot be reached or written.
        """
        return cls._begin(url, name, problem, learner, seed, history, gains, author)

    @classmethod
    def from_backtest(
        cls,
        url: str | PathLike[str],
        name: str,
        table: Any,  # noqa: ANN401
        memory: Memory | str,
        learner: Learner | str = "guarded",
        *,
        held: Any = None,  # noqa: ANN401
        horizon: int | None = None,
        cost_range: float | None = None,
        seed: Seed = 0,
        gains: bool = False,
        author: str | None = None,
        progress: bool | None = None,
        **reading: Any,  # noqa: ANN401
    ) -> Self:
        """Begin a journal with the past in it: a table is replayed once, and range and tuning stay from then on.

        Args:
            url: where the database is.
            name: what the journal is called.
            table: what each option has cost, as `backtest` takes it, with a time for each period.
            memory: how past decisions count; also in words.
            learner: who decides; also in words.
            held: the decisions that were really taken in the last periods, as `backtest` takes them. In the periods
                before, what the learner decides counts as done.
            horizon: how many rounds there will be in all; None: unknown.
            cost_range: the most that the costs of a round differ; None: the most that they did in the table.
            seed: feeds the learner's own randomness.
            gains: the entries of the table, and those to come, are gains, not costs.
            author: who enters things; None: the user of this machine.
            progress: show a bar if it takes long; None: on a terminal.
            reading: how the table is written, as for `read_table`.

        Returns:
            The journal, with one round for each period.

        Raises:
            ValueError: if the table or an argument does not fit.
            OSError: if a file or the database cannot be reached.

        >>> import bygones as by, tempfile
        >>> path = tempfile.mkdtemp() + "/journals.db"
        >>> journal = by.Journal.from_backtest(path, "flights", "@flights", "window:7")
        >>> journal.rounds, journal.names[journal.decide().argmax()]
        (365, 'Alaska Airlines')
        """
        past = read_past(table, memory, held, horizon, cost_range, gains, progress, reading)
        return cls._begin(url, name, past.problem, learner, seed, past.history, past.gains, author, past)

    @classmethod
    def _begin(
        cls,
        url: str | PathLike[str],
        name: str,
        problem: Problem,
        learner: Learner | str,
        seed: Seed,
        history: Any,  # noqa: ANN401
        gains: bool,
        author: str | None,
        past: Begun | None = None,
    ) -> Self:
        """Begin a journal, with a past if there is one, in one transaction."""
        body, who = body_of(problem, learner, seed, history, gains), _author(author)
        ledger = Ledger(journal_name(name), *classes_of(learner, problem.memory))
        made = cls(Database(url, make=True), ledger, who)
        with made._closing(), made.database.writing() as connection:
            ledger.create(connection, body, made.author)
            if past is not None:
                past.replay(ledger, connection, made.author)
        return made

    @classmethod
    def open(
        cls,
        url: str | PathLike[str],
        name: str,
        *,
        learners: Iterable[type[Learner]] = (),
        memories: Iterable[type[Memory]] = (),
        author: str | None = None,
    ) -> Self:
        """Open a journal: its newest snapshot is read, and what came after it is verified and replayed.

        Args:
            url: where the database is.
            name: what the journal is called.
            learners: your own classes of learners that it may name.
            memories: your own classes of memories that it may name.
            author: who enters things; None: the user of this machine.

        Returns:
            The journal.

        Raises:
            ValueError: if there is no such journal, or its log is damaged.
            OSError: if the database cannot be reached.
        """
        found = cls(Database(url), Ledger(journal_name(name), learners, memories), author)
        with found._closing():
            found.read(lambda game: game.rounds)
        return found

    # What is entered: durable when the call returns, or nothing has changed.

    def observe(
        self,
        costs: Any,  # noqa: ANN401
        period: str | date | None = None,
        *,
        clip: bool = False,
        key: str | None = None,
    ) -> Event:
        """Enter the costs of the first round whose costs are not known yet.

        The same period with the same costs is acknowledged again, and changes nothing.

        Args:
            costs: a mapping from names, or a list: of the open options, or of all.
            period: a date or any text, each once; dates must rise. None: the number of the round.
            clip: let the learner see costs beyond the range as cut off there; promises then end.
            key: what you call this request, so that you can send it again.

        Returns:
            The event, new or of the first time.

        Raises:
            ValueError: if the costs do not fit, or the period has others already.
            OSError: if the database cannot be written.
        """
        return self._enter(Request(OBSERVED, costs, period, clip=clip, key=key))

    def observe_all(
        self,
        table: Any,  # noqa: ANN401
        *,
        clip: bool = False,
        progress: bool | None = None,
        **reading: Any,  # noqa: ANN401
    ) -> list[Event]:
        """Enter the periods of a table that are new: all of them, or none where one does not fit.

        Args:
            table: one row per period, with times, as for `read_table`; dates before the first round are passed over.
            clip: as for `observe`.
            progress: show a bar if it takes long; None: on a terminal.
            reading: how the table is written.

        Returns:
            The events of the periods that were new.

        Raises:
            ValueError: if the table does not fit, or a period is there with other costs.
            OSError: if the table cannot be read, or the database written.
        """
        rows = periods_of(table, self.read(lambda game: game.priced()), progress, reading)

        def take(connection: sa.Connection) -> list[Event]:
            before = self.ledger.number
            return [
                event for event in enter_all(self.ledger, connection, rows, clip, self.author) if event.number > before
            ]

        return self.writing(take)

    def override(self, decision: Any, *, key: str | None = None) -> Event:  # noqa: ANN401
        """Say what is really done in the round at hand; `decide` then gives that, and all later states are of it.

        Args:
            decision: weights, a mapping from names to weights, or the name of an option.
            key: what you call this request.

        Returns:
            The event.

        Raises:
            ValueError: if it is no decision, or the round has an override already.
        """
        return self._enter(Request(OVERRIDDEN, decision, key=key))

    def propose(self, decision: Any, *, key: str | None = None) -> Event:  # noqa: ANN401
        """Propose a decision for the round at hand, in place of the learner's; `decide` gives what the guard allows.

        Args:
            decision: weights, a mapping from names to weights, or the name of an option.
            key: what you call this request.

        Returns:
            The event.

        Raises:
            ValueError: if the learner is not `Guarded`, it is no decision, or the round has one already.
        """
        return self._enter(Request(PROPOSED, decision, key=key))

    def commit(self, period: str | date | None = None, *, key: str | None = None) -> Event:
        """Let the decision of the round at hand stand, and go on to the next one: its costs come later, in order.

        Args:
            period: what the round is called; None: its number.
            key: what you call this request.

        Returns:
            The event.

        Raises:
            ValueError: if the period was decided already.
        """
        return self._enter(Request(COMMITTED, period=period, key=key))

    def undo(self, *, key: str | None = None) -> Event:
        """Take the last entry back that was not taken back; both stay in the log.

        Args:
            key: what you call this request.

        Returns:
            The event that says so.

        Raises:
            ValueError: if there is nothing to take back.
        """
        return self._enter(Request(UNDONE, key=key))

    def rename(self, option: str, name: str, *, key: str | None = None) -> Event:
        """Call an option by another name from now on.

        Args:
            option: its name.
            name: the new one.
            key: what you call this request.

        Returns:
            The event.

        Raises:
            ValueError: if there is no such option, or the name is taken.
        """
        return self._enter(Request(RENAMED, option, name=name, key=key))

    def retire(self, option: str, *, key: str | None = None) -> Event:
        """Let an option go: it is never decided again, and its weight in the state runs out. Promises end.

        Its costs are asked for as long as it is in the state.

        Args:
            option: its name.
            key: what you call this request.

        Returns:
            The event.

        Raises:
            ValueError: if there is no such option, or fewer than two would be left.
        """
        return self._enter(Request(RETIRED, option, key=key))

    def join(self, option: str, *, key: str | None = None) -> Event:
        """Take a new option in, or one that was retired back. Promises end.

        It counts as having cost what was paid in the rounds before, and the learner gives it the weight of an option
        that did so.

        Args:
            option: its name.
            key: what you call this request.

        Returns:
            The event.

        Raises:
            ValueError: if there is one of that name.
        """
        return self._enter(Request(JOINED, option, key=key))

    def _enter(self, asked: Request) -> Event:
        return self.writing(lambda connection: enter(self.ledger, connection, asked._replace(author=self.author)))

    def writing(self, job: Callable[[sa.Connection], T]) -> T:
        """Do something in one transaction, the journal locked and caught up with; on an error nothing has changed."""
        with self._lock, self.database.writing() as connection:
            self.ledger.catch_up(connection, writing=True)
            with self.ledger.whole():
                return job(connection)

    @contextmanager
    def _closing(self) -> Iterator[None]:
        """Close what was opened, if it comes to nothing."""
        try:
            yield
        except BaseException:
            self.close()
            raise


def _author(author: str | None) -> str:
    """Who enters things: unless said, who runs this program, and nobody if the machine does not know."""
    if author is None:
        try:
            return getpass.getuser()
        except (KeyError, OSError):
            return ""
    return label("the author", author, empty=True)
