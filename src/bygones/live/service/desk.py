"""All journals of a database, in one process: looked at by many, written by one thread."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

import sqlalchemy as sa

from ..entries import Request, enter, journal_name
from ..events import Event
from ..ledger import Ledger, UnknownError
from ..schema import Database, journals
from ..status import Status, status_of
from .bodies import Decided
from .news import EVERY, Board, Version
from .seats import Seat, decided_of
from .tokens import Tokens
from .versions import Versions
from .writer import Answer, Work, Writer

T = TypeVar("T")
KEPT = 1000  # journals in memory; the one that was asked for longest ago goes first
SOON = 0.1  # seconds to wait for a journal in which something is entered; it is then read once more, from the database
READERS = 4  # threads for what is read at once, and as many for what may take seconds


class Desk:
    """All journals of a database, in one process.

    Make one within a running event loop; its methods are called from there.

    Args:
        url: of the database, which is made if it is a file that is not there.
        batches: is called with the number of requests of each commit.

    Raises:
        ValueError: if it is no database of journals.
        OSError: if it cannot be reached.
    """

    def __init__(self, url: str, batches: Callable[[int], None] = lambda _: None) -> None:
        self.database = Database(url, make=True)
        self.database.place = "the database"  # messages go to other machines
        self.board, self.tokens = Board(self.database), Tokens(self.database)
        self._seats: OrderedDict[str, Seat] = OrderedDict()
        self._readers = ThreadPoolExecutor(READERS, "reader")
        self._students = ThreadPoolExecutor(READERS, "student")
        self._versions = Versions(self.database, self._readers)
        self._loop = asyncio.get_running_loop()
        self._batches = batches
        self._writer = Writer(self.database, self._told, self._answered)

    async def look(self, name: str, job: Callable[[Ledger, sa.Connection], T]) -> T:
        """Look at a journal, caught up with what anybody has entered; whoever enters something waits meanwhile.

        While something is entered that takes long, what there was before is looked at: nobody waits for a table.

        Args:
            name: of the journal.
            job: takes the ledger and a connection that reads; runs in a thread, must change nothing, and takes no long
                time, however long the journal is.

        Returns:
            What the job gives.

        Raises:
            UnknownError: if there is no such journal.
        """
        seat = self._seat(name)

        def take() -> T:
            if not seat.lock.acquire(timeout=SOON):
                return self._looked(Seat(seat.name), job)
            try:
                return self._read(seat, job)
            finally:
                seat.lock.release()

        return await self.do(take)

    async def study(self, seat: Seat, job: Callable[[Ledger, sa.Connection], T], damaged: bool = False) -> T:
        """Look at the log of a journal from a seat apart: whoever enters something, or looks at less, does not wait.

        Args:
            seat: from `apart`.
            job: takes the ledger and a connection that reads; runs in a thread, and must change nothing.
            damaged: the log may be damaged: the job reads it by itself.

        Returns:
            What the job gives.

        Raises:
            UnknownError: if there is no such journal.
        """
        return await self.do(lambda: self._looked(seat, job, damaged), long=True)

    def apart(self, name: str) -> Seat:
        """A journal in memory once more, which the writer does not use.

        Raises:
            UnknownError: if there can be no such journal.
        """
        try:
            return Seat(journal_name(name))
        except ValueError as error:
            raise UnknownError(str(error)) from None

    async def decision(self, name: str) -> Decided:
        """The decision of the round at hand; mostly from memory, when nobody has entered anything since.

        Args:
            name: of the journal.

        Returns:
            The decision and the state that it makes.

        Raises:
            UnknownError: if there is no such journal.
        """
        seat = self._seat(name)
        version = await self._versions.of(seat.name)
        shown = seat.shown
        if shown is not None and (shown.events, shown.hash) == version:
            return shown
        if version is None:
            raise UnknownError(f"there is no journal {name}")
        found = await self.look(name, lambda ledger, _: decided_of(ledger))
        seat.shown = found
        return found

    async def status(self, name: str) -> Status:
        """All that is shown of a journal."""
        return await self.look(name, lambda ledger, _: status_of(ledger, ledger.game))

    async def names(self, after: str, most: int) -> list[str]:
        """The names of some journals, in order: those after one.

        Args:
            after: a name.
            most: how many.

        Returns:
            The names.
        """

        def take() -> list[str]:
            chosen = sa.select(journals.c.name).where(journals.c.name > after).order_by(journals.c.name).limit(most)
            with self.database.reading() as connection:
                return list(connection.execute(chosen).scalars())

        return await self.do(take)

    async def enter(self, name: str, asked: Request) -> Event:
        """Enter something; it is durable when this returns.

        Args:
            name: of the journal.
            asked: what is to be entered.

        Returns:
            The event, new or of the first time.

        Raises:
            ValueError: if it does not fit; nothing has changed.
            OSError: if the database cannot be written.
        """
        return await self.write(name, lambda ledger, connection: enter(ledger, connection, asked))

    async def write(self, name: str, job: Callable[[Ledger, sa.Connection], T], new: bool = False) -> T:
        """Do something that writes, in one transaction with others.

        Args:
            name: of the journal.
            job: takes the ledger, locked and caught up with, and a connection.
            new: the job begins the journal.

        Returns:
            What the job gives, once it is durable.

        Raises:
            ValueError: what the job raises; nothing of it has changed anything.
            OSError: if the database cannot be written.
        """
        future: asyncio.Future[T] = self._loop.create_future()
        self._writer.put(Work(self._seat(name), job, future, new))
        return await future

    async def do(self, job: Callable[[], T], long: bool = False) -> T:
        """Run something in a thread.

        Args:
            job: what is run.
            long: it may take seconds, such as reading a table.

        Returns:
            What the job gives.
        """
        return await self._loop.run_in_executor(self._students if long else self._readers, job)

    async def watch(self) -> None:
        """Look for what other processes have entered, and for their tokens, until cancelled."""
        while True:
            await asyncio.sleep(EVERY)
            with suppress(OSError):  # the database is gone: it may come back
                await self.do(self.tokens.all)
                self.board.keep(self.tokens.hold)
                if len(self.board):
                    self.board.put(await self._versions_of(self.board.heard()))

    async def attend(self, only: frozenset[str] | None) -> None:
        """Know what there is of some journals, None of all, before somebody listens to them."""
        if self.board.heard() is not None:
            self.board.know(await self._versions_of(only))

    async def _versions_of(self, names: frozenset[str] | None) -> list[Version]:
        return await self.do(lambda: self.board.ask(names))

    def _looked(self, seat: Seat, job: Callable[[Ledger, sa.Connection], T], damaged: bool = False) -> T:
        with seat.lock:
            return self._read(seat, job, damaged)

    def _read(self, seat: Seat, job: Callable[[Ledger, sa.Connection], T], damaged: bool = False) -> T:
        with self.database.reading() as connection:
            if not damaged:
                with seat.ledger.whole():
                    seat.ledger.catch_up(connection)
            return job(seat.ledger, connection)

    def _seat(self, name: str) -> Seat:
        """A journal, in memory from now on."""
        seat = self._seats[name] if name in self._seats else self._seats.setdefault(name, self.apart(name))
        self._seats.move_to_end(name)
        while len(self._seats) > KEPT:
            self._seats.popitem(last=False)
        return seat

    def _told(self, changed: list[Seat], jobs: int) -> None:
        """After a commit, in the writer's thread."""
        self._batches(jobs)
        news = [(seat.name, seat.ledger.number, seat.ledger.hash) for seat in changed]
        self._loop.call_soon_threadsafe(self.board.put, news)

    def _answered(self, answers: list[Answer]) -> None:
        """After a commit, in the writer's thread: whoever waits goes on."""
        self._loop.call_soon_threadsafe(_settle, answers)

    async def close(self) -> None:
        """Write what waits, and let go of the database."""
        await self._loop.run_in_executor(None, self._writer.stop)
        self.board.close()
        self._readers.shutdown()
        self._students.shutdown()
        self._versions.close()
        self.database.close()


def _settle(answers: list[Answer]) -> None:
    for work, found, error in answers:
        if work.future.cancelled():  # who asked has left
            continue
        if error is None:
            work.future.set_result(found)
        else:
            work.future.set_exception(error)
