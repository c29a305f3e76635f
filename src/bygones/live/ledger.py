"""The log of a journal in a database: read, verified and replayed, and written by one at a time."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from typing import Any

import numpy as np
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from ..description import from_dict
from ..learners import LEARNERS, Learner
from ..memory import Memory
from ..problem import Problem
from ..validation import shown
from . import saving
from .events import CREATED, OBSERVED, START, UNDONE, Event, canonical
from .game import Game
from .records import Past, past_of
from .schema import events, journals, rounds, snapshots
from .statements import ADD_EVENT, ADD_ROUND, COUNT, OF_KEY, OF_NUMBER, OF_PERIOD, ON

EVERY = 256  # events between two snapshots
KEPT = 4  # snapshots: of older ones nobody begins again, unless as many events are undone


class DamagedError(ValueError):
    """A log is not what was written; says at which event."""


class UnknownError(ValueError):
    """There is no journal of that name."""


class ConflictError(ValueError):
    """What is asked for is there already, and is something else."""


class Ledger:
    """One journal's log, and the game that it has come to, as far as it was read.

    All methods take a connection within a transaction; a game whose transaction was rolled back must be forgotten.

    Args:
        name: of the journal.
        learners: the user's own classes of learners that it may name.
        memories: the user's own classes of memories that it may name.
    """

    def __init__(
        self, name: str, learners: Iterable[type[Learner]] = (), memories: Iterable[type[Memory]] = ()
    ) -> None:
        self.name, self.learners, self.memories = name, tuple(learners), tuple(memories)
        self.id = 0
        self.forget()

    def forget(self) -> None:
        """Read everything again next time: the game may be ahead of the log."""
        self.number, self.hash, self._saved = 0, START, 0
        self._game: Game | None = None

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Several entries, all or none: if something fails once one was made, the game is forgotten."""
        begun = self.number
        try:
            yield
        except BaseException:
            if self.number != begun:
                self.forget()
            raise

    @property
    def game(self) -> Game:
        """What the journal has come to; there is one once it was created or caught up with."""
        assert self._game is not None  # noqa: S101 - `create` and `catch_up` come first
        return self._game

    def create(self, connection: sa.Connection, body: dict[str, Any], author: str, time: str | None = None) -> Event:
        """Begin a journal.

        Args:
            connection: within a transaction that writes.
            body: problem, learner, seed and history in their plain forms.
            author: who begins it.
            time: when; None: now.

        Returns:
            The first event.

        Raises:
            ConflictError: if there is a journal of that name.
            ValueError: if the body does not fit together.
        """
        taken = f"there is a journal {shown(self.name)} already: give another name, or open it"
        if connection.execute(sa.select(journals.c.id).where(journals.c.name == self.name)).first() is not None:
            raise ConflictError(taken)
        self.forget()
        self._game = self.begun(body)
        try:
            with connection.begin_nested():  # PostgreSQL would give up the whole transaction, and others' entries in it
                made = connection.execute(journals.insert().values(name=self.name, events=0, hash=START))
        except IntegrityError:  # another process, a moment ago
            raise ConflictError(taken) from None
        self.id = int(made.inserted_primary_key[0])  # type: ignore[index]
        return self._append(connection, CREATED, 0, "", body, author, None, None, time)

    def enter(
        self,
        connection: sa.Connection,
        kind: str,
        body: dict[str, Any],
        *,
        author: str,
        period: str = "",
        key: str | None = None,
        time: str | None = None,
    ) -> Event:
        """Apply something that was checked to the game, and append it to the log.

        Args:
            connection: within a transaction that writes.
            kind: what happened.
            body: with all that replaying needs.
            author: who says so.
            period: what the round is called.
            key: of the request.
            time: when; None: now.

        Returns:
            The event.
        """
        game = self.game
        number = game.rounds + 1 if kind == OBSERVED else game.round
        event = self._append(connection, kind, number, period, body, author, key, None, time)
        game.apply(event, partial(self.past, connection, event.number))
        if kind == OBSERVED:
            ADD_ROUND.run(connection, journal=self.id, round=number, number=event.number, period=period)
        if self.number - self._saved >= EVERY:
            self._save(connection)
        return event

    def undo(self, connection: sa.Connection, author: str, key: str | None = None, request: str | None = None) -> Event:
        """Take the last event back that was not taken back.

        Args:
            connection: within a transaction that writes.
            author: who says so.
            key: of the request.
            request: its digest, if it has a key.

        Returns:
            The event that says so.

        Raises:
            ValueError: if there is nothing to take back.
        """
        target = self.last(connection)
        if target is None:
            raise ValueError("there is nothing to undo: nothing was entered since the journal began")
        body = {"kind": target.kind} | ({} if request is None else {"request": request})
        event = self._append(connection, UNDONE, target.round, target.period, body, author, key, target.number, None)
        for table in (rounds, snapshots):
            after = table.c.number == target.number if table is rounds else table.c.number >= target.number
            connection.execute(table.delete().where(table.c.journal == self.id, after))
        self._load(connection)
        return event

    def last(self, connection: sa.Connection) -> Event | None:
        """The last event that was not taken back: the one that `undo` takes back; None: there is none."""
        mine = events.c.journal == self.id
        undone = sa.select(events.c.undoes).where(mine, events.c.undoes.is_not(None))
        chosen = sa.select(events).where(mine, events.c.number > 1, events.c.kind != UNDONE)
        newest = chosen.where(events.c.number.not_in(undone)).order_by(events.c.number.desc())
        found = connection.execute(newest.limit(1)).first()
        return None if found is None else _event(found)

    def catch_up(self, connection: sa.Connection, writing: bool = False) -> None:
        """Read what others have entered since the last time.

        Args:
            connection: within a transaction.
            writing: lock the journal until the transaction ends.

        Raises:
            UnknownError: if there is no such journal.
            DamagedError: if the log is not what was written.
        """
        chosen = sa.select(journals).where(journals.c.name == self.name)
        found = connection.execute(chosen.with_for_update() if writing else chosen).first()
        if found is None:
            known = connection.execute(sa.select(journals.c.name).order_by(journals.c.name)).scalars().all()
            there = f"there are {', '.join(known[:10])}" if known else "there is none yet"
            raise UnknownError(f"there is no journal {shown(self.name)}: {there}")
        self.reach(connection, found)

    def reach(self, connection: sa.Connection, found: Any) -> None:  # noqa: ANN401
        """Read what others have entered, up to the event that a row names.

        Args:
            connection: within a transaction.
            found: the journal's row.

        Raises:
            DamagedError: if the log is not what was written.
        """
        if self._game is not None and (found.id, found.events, found.hash) == (self.id, self.number, self.hash):
            return
        if found.id != self.id or found.events <= self.number:  # begun anew, or restored from a backup
            self.forget()
        self.id = found.id
        try:
            if self._game is None or not self._follow(connection):
                self._load(connection)
        except BaseException:
            self.forget()  # it may have been read in part
            raise
        if (found.events, found.hash) != (self.number, self.hash):
            raise DamagedError(
                f"the journal {self.name} should end with event {found.events}, and its log ends with {self.number} "
                "or another one: restore it from a backup"
            )

    def _follow(self, connection: sa.Connection) -> bool:
        """Apply the events that are new; False if one takes others back."""
        new = self.log(connection, after=self.number)
        if not new or any(each.kind == UNDONE for each in new) or new[0].chained(self.hash) != new[0]:
            return False  # the last may be after a commit that failed: the log itself tells
        for event in new:
            self._take(event)
            self.game.apply(event, partial(self.past, connection, event.number))
        return True

    def _load(self, connection: sa.Connection) -> None:
        """Begin with the newest snapshot that is sound, and replay what came after."""
        self.forget()
        first = self.first(connection)
        self._take(first)
        chosen = sa.select(snapshots).where(snapshots.c.journal == self.id).order_by(snapshots.c.number.desc())
        for row in connection.execute(chosen).all():
            try:
                self._game = saving.from_bytes(row.content, self.begun(first.data))
            except ValueError:  # damaged, or of another release: an older one serves, or the log itself
                continue
            at = connection.execute(
                sa.select(events.c.hash).where(events.c.journal == self.id, events.c.number == row.number)
            ).scalar()
            if at is None:
                raise self._damaged(row.number, "is missing")
            self.number, self.hash, self._saved = row.number, at, row.number
            break
        else:
            self._game = self.begun(first.data)
        new = self.log(connection, after=self.number)
        undone = {each.undoes for each in new}
        for event in new:
            self._take(event)
            if event.kind != UNDONE and event.number not in undone:
                self.game.apply(event, partial(self.past, connection, event.number))

    def first(self, connection: sa.Connection) -> Event:
        """The event that the journal begins with."""
        chosen = sa.select(events).where(events.c.journal == self.id, events.c.number == 1)
        found = connection.execute(chosen).first()
        if found is None:
            raise self._damaged(1, "is missing")
        return _event(found)

    def log(self, connection: sa.Connection, after: int = 0, most: int | None = None) -> list[Event]:
        """The events after one, in order.

        Args:
            connection: within a transaction.
            after: the number of an event.
            most: how many; None: all.

        Returns:
            The events.
        """
        chosen = sa.select(events).where(events.c.journal == self.id, events.c.number > after)
        return [_event(row) for row in connection.execute(chosen.order_by(events.c.number).limit(most))]

    def observed(self, connection: sa.Connection, before: int | None = None) -> list[Event]:
        """The events that stand for the rounds observed, in order; with `before`, those before an event.

        Args:
            connection: within a transaction.
            before: the number of an event; None: all.

        Returns:
            The events.
        """
        chosen = sa.select(events).join(rounds, ON).where(rounds.c.journal == self.id)
        if before is not None:
            chosen = chosen.where(rounds.c.number < before)
        return [_event(row) for row in connection.execute(chosen.order_by(rounds.c.round))]

    def past(self, connection: sa.Connection, before: int | None = None) -> Past:
        """What was observed and done so far.

        Args:
            connection: within a transaction.
            before: the number of an event; None: all.

        Returns:
            The past.

        Raises:
            DamagedError: if a round is missing.
        """
        observed = self.observed(connection, before)
        if len(observed) != self.game.rounds:
            raise DamagedError(
                f"the index of the rounds of {self.name} is not that of its log: restore it from a backup"
            )
        return past_of(observed, self.game.n)

    def of_period(self, connection: sa.Connection, period: str) -> Event | None:
        """The event that observed a period, if there is one.

        Args:
            connection: within a transaction.
            period: what the round is called.

        Returns:
            The event; None: there is none.
        """
        found = OF_PERIOD.run(connection, journal=self.id, period=period).fetchone()
        event = found and OF_NUMBER.run(connection, journal=self.id, number=found[0]).fetchone()
        return Event(*event) if event else None

    def of_key(self, connection: sa.Connection, key: str) -> Event | None:
        """The event that a request with this key has entered, if there is one.

        Args:
            connection: within a transaction.
            key: of the request.

        Returns:
            The event; None: there is none.
        """
        found = OF_KEY.run(connection, journal=self.id, key=key).fetchone()
        return None if found is None else Event(*found)

    def begun(self, body: dict[str, Any]) -> Game:
        """The game before the first round, from the plain forms that the first event holds."""
        problem = Problem.from_dict(body["problem"], self.memories)
        learner = from_dict(body["learner"], (*LEARNERS, *self.learners), "learner", "learners")
        history = np.array(body["history"], dtype=np.float64).reshape(-1, problem.n)
        return Game(problem, learner, body["seed"], history, body["gains"])

    def _append(
        self,
        connection: sa.Connection,
        kind: str,
        number: int,
        period: str,
        body: dict[str, Any],
        author: str,
        key: str | None,
        undoes: int | None,
        time: str | None,
    ) -> Event:
        when = time or datetime.now(UTC).isoformat(timespec="microseconds")
        event = Event(self.number + 1, kind, number, period, when, author, key, canonical(body), undoes)
        event = event.chained(self.hash)
        ADD_EVENT.run(connection, journal=self.id, **event._asdict())
        COUNT.run(connection, journal=self.id, number=event.number, last=event.hash)
        self.number, self.hash = event.number, event.hash
        return event

    def _take(self, event: Event) -> None:
        """Check that an event follows the last one."""
        if event.number != self.number + 1:
            raise self._damaged(self.number + 1, "is missing")
        if event.chained(self.hash).hash != event.hash:
            raise self._damaged(event.number, "was changed, or the one before it")
        self.number, self.hash = event.number, event.hash

    def _damaged(self, number: int, what: str) -> DamagedError:
        return DamagedError(f"event {number} of the journal {self.name} {what}: restore it from a backup")

    def _save(self, connection: sa.Connection) -> None:
        """Keep a snapshot, and remove those that are too many."""
        self._saved = self.number
        try:
            content = saving.to_bytes(self.game)
        except TypeError:  # a learner of the user's that cannot be saved is replayed
            return
        connection.execute(snapshots.insert(), {"journal": self.id, "number": self.number, "content": content})
        mine = snapshots.c.journal == self.id
        newest = sa.select(snapshots.c.number).where(mine).order_by(snapshots.c.number.desc()).limit(KEPT)
        kept = connection.execute(newest).scalars().all()
        connection.execute(snapshots.delete().where(mine, snapshots.c.number < kept[-1]))


def _event(row: Any) -> Event:  # noqa: ANN401
    return Event(*(getattr(row, name) for name in Event._fields))
