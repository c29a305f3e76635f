"""Group commit: whatever waits to be written goes into one transaction, and is acknowledged when that is durable."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from queue import SimpleQueue
from threading import Thread
from typing import Any, NamedTuple

import sqlalchemy as sa

from ..ledger import Ledger, UnknownError
from ..schema import Database, journals
from .seats import Seat

MOST = 256  # requests in one transaction, so that the first one does not wait for long

Job = Callable[[Ledger, sa.Connection], Any]


class Work(NamedTuple):
    """Something to be written.

    Args:
        seat: the journal.
        job: enters something; raises before it has changed anything, or its changes are taken back.
        future: of the loop that waits for what the job gives.
        new: the job begins the journal.
    """

    seat: Seat
    job: Job
    future: asyncio.Future[Any]
    new: bool = False


Answer = tuple[Work, Any, Exception | None]
Told = Callable[[list[Seat], int], None]


class _SpoiledError(Exception):
    """A job has failed after it had changed something: the others must be done again, without it."""

    def __init__(self, work: Work, error: Exception) -> None:
        self.work, self.error = work, error


class Writer:
    """The one thread of this process that writes.

    Args:
        database: where to.
        told: is called after each commit, with the seats in which something was entered, and how many jobs there were.
        answered: is called with what was done and is durable, or has failed.
    """

    def __init__(self, database: Database, told: Told, answered: Callable[[list[Answer]], None]) -> None:
        self.database, self.told, self.answered = database, told, answered
        self._queue: SimpleQueue[Work | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def put(self, work: Work) -> None:
        """Have something written."""
        self._queue.put(work)

    def stop(self) -> None:
        """Write what waits, and end."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        going = True
        while going:
            batch: list[Work] = []
            found = self._queue.get()
            while found is not None:
                batch.append(found)
                if len(batch) == MOST or self._queue.empty():
                    break
                found = self._queue.get()
            going = found is not None
            while batch:  # again without the job that spoiled it
                try:
                    self._write(batch)
                    break
                except _SpoiledError as spoiled:
                    self.answered([(spoiled.work, None, spoiled.error)])
                    batch = [each for each in batch if each is not spoiled.work]

    def _write(self, batch: Sequence[Work]) -> None:
        """Do some jobs in one transaction."""
        seats = {each.seat.name: each.seat for each in sorted(batch, key=lambda work: work.seat.name)}
        mine: list[Seat] = []  # the locked ones: nobody else looks at their games
        before: dict[str, int] = {}
        answers: list[Answer] = []
        with ExitStack() as locks:
            try:
                with self.database.writing() as connection:
                    chosen = sa.select(journals).where(journals.c.name.in_([*seats])).order_by(journals.c.name)
                    rows = {row.name: row for row in connection.execute(chosen.with_for_update())}
                    for seat in seats.values():
                        locks.enter_context(seat.lock)
                        mine.append(seat)
                    for work in batch:
                        seat = seats[work.seat.name]  # who holds another one of that name has it from before
                        found, failed = None, None
                        if seat.name not in before and not work.new:
                            failed = _reach(seat, rows, connection)
                            if failed is None:
                                before[seat.name] = seat.ledger.number
                        if failed is None:
                            found, failed = _done(work, seat.ledger, connection)
                            if work.new and failed is None:
                                before[seat.name] = 0
                        answers.append((work, found, failed))
                    changed = [seats[name] for name, number in before.items() if seats[name].ledger.number != number]
                    shown = [seat.show() for seat in changed]
            except Exception as error:
                for seat in mine:
                    seat.ledger.forget()
                if isinstance(error, _SpoiledError):
                    raise
                answers = [(work, None, error) for work in batch]
            else:
                for seat, each in zip(changed, shown, strict=True):
                    seat.shown = each
                self.told(changed, len(batch))
        self.answered(answers)


def _reach(seat: Seat, rows: Mapping[str, Any], connection: sa.Connection) -> Exception | None:
    """Catch up with what others have entered; what is wrong with the journal, if something is."""
    try:
        if seat.name not in rows:
            raise UnknownError(f"there is no journal {seat.name}")
        seat.ledger.reach(connection, rows[seat.name])
    except (OSError, sa.exc.DBAPIError):  # of the database: all fail
        raise
    except Exception as error:
        seat.ledger.forget()
        return error
    return None


def _done(work: Work, ledger: Ledger, connection: sa.Connection) -> tuple[Any, Exception | None]:
    """What a job gives, or its error."""
    number = ledger.number
    try:
        return work.job(ledger, connection), None
    except (OSError, sa.exc.DBAPIError):  # of the database: all fail
        raise
    except Exception as error:
        if ledger.number != number:
            raise _SpoiledError(work, error) from None
        return None, error
