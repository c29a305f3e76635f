"""Who waits to hear that something was entered, and how they hear of it, also from other processes."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import sqlalchemy as sa

from ..schema import Database, journals
from .tokens import Who

EVERY = 0.5  # seconds between two looks for what other processes have entered
MOST = 1000  # journals that are asked for by name; for more, all are

Version = tuple[str, int, str]  # a journal's name, how many events it has, and the hash of the last one


class Listener:
    """One who listens: of each journal the newest version is kept until it is taken.

    Args:
        who: listens.
        only: the journals that it hears of; None: all.
    """

    def __init__(self, who: Who, only: frozenset[str] | None) -> None:
        self.who, self.only = who, only
        self._new: dict[str, Version] = {}
        self._woken = asyncio.Event()
        self.closed = False

    def put(self, version: Version) -> None:
        """Have it hear of a journal."""
        if self.only is None or version[0] in self.only:
            self._new[version[0]] = version
            self._woken.set()

    def close(self) -> None:
        """Let it hear no more."""
        self.closed = True
        self._woken.set()

    async def take(self, patience: float) -> list[Version]:
        """What is new; nothing if it has waited for so many seconds, or is closed."""
        try:
            await asyncio.wait_for(self._woken.wait(), patience)
        except TimeoutError:
            return []
        self._woken.clear()
        found, self._new = [*self._new.values()], {}
        return found


class Board:
    """What was entered, for all who listen.

    Args:
        database: where other processes enter things.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self._listeners: set[Listener] = set()
        self._known: dict[str, Version] = {}

    def __len__(self) -> int:
        return len(self._listeners)

    def heard(self) -> frozenset[str] | None:
        """The journals that somebody listens to; None: all."""
        found = frozenset[str]()
        for listener in self._listeners:
            if listener.only is None:
                return None
            found |= listener.only
        return found

    @contextmanager
    def listening(self, who: Who, only: frozenset[str] | None = None) -> Iterator[Listener]:
        """Listen for a while.

        Args:
            who: listens.
            only: the journals that it hears of; None: all.

        Yields:
            The one who listens.
        """
        listener = Listener(who, only)
        self._listeners.add(listener)
        try:
            yield listener
        finally:
            self._listeners.discard(listener)

    def put(self, news: Iterable[Version]) -> None:
        """Tell all who listen of what they do not know."""
        for version in news:
            known = self._known.get(version[0])
            if known == version:
                continue
            self._known[version[0]] = version
            for listener in self._listeners:
                listener.put(version)

    def know(self, versions: Iterable[Version]) -> None:
        """Know what there is of journals that nobody listens to yet; nobody is told."""
        heard = self.heard()
        if heard is not None:
            self._known.update({version[0]: version for version in versions if version[0] not in heard})

    def ask(self, names: frozenset[str] | None) -> list[Version]:
        """The versions of some journals, or of all; asks the database."""
        chosen = sa.select(journals.c.name, journals.c.events, journals.c.hash)
        if names is not None and len(names) <= MOST:
            chosen = chosen.where(journals.c.name.in_(sorted(names)))
        with self.database.reading() as connection:
            return [(row.name, row.events, row.hash) for row in connection.execute(chosen)]

    def keep(self, may: Callable[[Who], bool]) -> None:
        """Let only those listen on who still may."""
        for listener in self._listeners:
            if not may(listener.who):
                listener.close()

    def close(self) -> None:
        """Let nobody listen any more."""
        self.keep(lambda _: False)
