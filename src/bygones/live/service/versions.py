"""Whether a journal has changed: a look at one row, as fast as the database gives it."""

import asyncio
from concurrent.futures import Executor
from contextlib import suppress

import sqlalchemy as sa

from ..schema import Database, journals


class Versions:
    """How many events a journal has, and the hash of the last one, now.

    Args:
        database: where.
        threads: where PostgreSQL is asked; a file of SQLite is read at once, and its readers never wait.
    """

    def __init__(self, database: Database, threads: Executor) -> None:
        self.database, self.threads = database, threads
        chosen = sa.select(journals.c.events, journals.c.hash).where(journals.c.name == sa.bindparam("name"))
        self._chosen = str(chosen.compile(dialect=database.engine.dialect))
        self._raw: sa.PoolProxiedConnection | None = None

    async def of(self, name: str) -> tuple[int, str] | None:
        """The number of events and the last hash; None: there is no such journal."""
        if self.database.is_file:
            return self._ask(name)
        return await asyncio.get_running_loop().run_in_executor(self.threads, self._ask_there, name)

    def _ask(self, name: str) -> tuple[int, str] | None:
        """From SQLite, by a connection that is kept."""
        with self.database.speaking():
            if self._raw is None:
                self._raw = self.database.engine.raw_connection()
            found = self._raw.driver_connection.execute(self._chosen, (name,)).fetchone()  # type: ignore[union-attr]
        return None if found is None else (int(found[0]), str(found[1]))

    def _ask_there(self, name: str) -> tuple[int, str] | None:
        """From PostgreSQL."""
        with self.database.speaking(), self.database.engine.connect() as connection:
            found = connection.exec_driver_sql(self._chosen, {"name": name}).first()
        return None if found is None else (int(found[0]), str(found[1]))

    def close(self) -> None:
        """Let go of the connection."""
        if self._raw is not None:
            with suppress(Exception):
                self._raw.close()
            self._raw = None
