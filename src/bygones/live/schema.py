"""The database: its tables, how it is reached, and what goes wrong with it as sentences."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any, Self

import sqlalchemy as sa
from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, LargeBinary, MetaData, String, Table, Text
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from ..validation import shown

FORMAT = 1  # of the tables; a database of another one is refused
PATIENCE = 60  # seconds to wait for other writers
LOCKED, FULL = "55P03", "53100"  # of PostgreSQL, whose messages may be in any language
LABEL = 200  # characters of a name, a period, an author or a key

metadata = MetaData()
formats = Table("bygones_format", metadata, Column("format", Integer, primary_key=True, autoincrement=False))
journals = Table(
    "bygones_journals",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(LABEL), nullable=False, unique=True),
    Column("events", Integer, nullable=False),  # how many there are; who writes holds this row's lock
    Column("hash", String(64), nullable=False),  # of the last event
)
events = Table(
    "bygones_events",
    metadata,
    Column("journal", ForeignKey(journals.c.id), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(20), nullable=False),
    Column("round", BigInteger, nullable=False),
    Column("period", String(LABEL), nullable=False),
    Column("time", String(40), nullable=False),
    Column("author", String(LABEL), nullable=False),
    Column("key", String(LABEL)),
    Column("body", Text, nullable=False),
    Column("undoes", Integer),
    Column("hash", String(64), nullable=False),
    Index("bygones_events_key", "journal", "key", unique=True),
    Index("bygones_events_undoes", "journal", "undoes", unique=True),  # nothing is taken back twice
)
# Which event stands for each round that was observed: an index of the log, so that no period can be there twice.
rounds = Table(
    "bygones_rounds",
    metadata,
    Column("journal", ForeignKey(journals.c.id), primary_key=True),
    Column("round", BigInteger, primary_key=True, autoincrement=False),
    Column("number", Integer, nullable=False),
    Column("period", String(LABEL), nullable=False),
    Index("bygones_rounds_period", "journal", "period", unique=True),
)
# Who may use the service: only a digest of each token is kept.
tokens = Table(
    "bygones_tokens",
    metadata,
    Column("id", String(16), primary_key=True),  # the part of a token that is no secret
    Column("digest", String(64), nullable=False),
    Column("name", String(LABEL), nullable=False),
    Column("scopes", String(40), nullable=False),  # with commas between them
    Column("journals", Text),  # their names, as JSON; NULL: all
    Column("created", String(40), nullable=False),
    Column("expires", String(40)),
    Column("revoked", String(40)),
)
snapshots = Table(
    "bygones_snapshots",
    metadata,
    Column("journal", ForeignKey(journals.c.id), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # of the last event that it holds
    Column("content", LargeBinary, nullable=False),
)


class FullError(OSError):
    """There is no room left on the disk of a database."""


class DamagedFileError(OSError):
    """A file is not the database that it was, or never was one."""


class Database:
    """A database that holds journals: SQLite, in a file, or PostgreSQL.

    Args:
        url: the path of a file, `sqlite:///` and a path, or `postgresql://user@host/name`.
        make: make the tables if they are not there, and the file.

    Raises:
        ValueError: if it is no such address, or the database holds something else.
        OSError: if it cannot be reached.
    """

    def __init__(self, url: str | PathLike[str], make: bool = False) -> None:
        self.url = _parsed(url)
        self.place = self.url.database if self.is_file else self.url.render_as_string(hide_password=True)
        if self.is_file:
            path = Path(self.url.database or "")
            if not make and not path.exists():
                raise ValueError(f"there is no database {self.place}: create a journal first")
            if path.exists() and not path.is_file():
                raise ValueError(f"{self.place} is not a file: name one for the database")
            if not path.parent.is_dir():
                raise ValueError(f"{self.place} cannot be made: there is no folder {path.parent}")
        self.engine, self._process = _engine(self.url, self.is_file), os.getpid()
        try:
            with self.speaking():
                self._check(make)
        except BaseException:
            self.close()
            raise

    @property
    def is_file(self) -> bool:
        """Whether it is SQLite."""
        return self.url.get_backend_name() == "sqlite"

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """A transaction that writes; it is durable when this ends without an error. In SQLite one at a time."""
        write = self._own().execution_options(bygones_writing=True)
        with self.speaking(), write.begin() as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """A transaction that reads one state of the database, whatever others write meanwhile."""
        read = self._own() if self.is_file else self._own().execution_options(isolation_level="REPEATABLE READ")
        with self.speaking(), read.begin() as connection:
            yield connection

    def _own(self) -> sa.Engine:
        """The engine; a process that was forked makes connections of its own."""
        if self._process != os.getpid():
            self.engine.dispose(close=False)
            self._process = os.getpid()
        return self.engine

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def speaking(self) -> Iterator[None]:
        """What goes wrong with the database, as one sentence, and never with its password."""
        try:
            yield
        except DBAPIError as error:
            raise self._said(error) from None

    def _said(self, error: DBAPIError) -> OSError:
        said, code = str(error.orig).strip().partition("\n")[0], getattr(error.orig, "sqlstate", None)
        if "locked" in said or "busy" in said or code == LOCKED:
            return TimeoutError(f"{self.place} is busy: others have been writing for {PATIENCE} seconds; try again")
        if "full" in said.lower() or code == FULL or "No space left" in said or "disk I/O" in said:
            return FullError(
                f"{self.place} cannot be written: the disk is full, or fails; make room, and enter it again"
            )
        if "readonly" in said or "read-only" in said:
            return PermissionError(f"{self.place} cannot be written: it is read-only")
        if "not a database" in said or "malformed" in said:
            return DamagedFileError(f"{self.place} is damaged, or is not a database: restore it from a backup")
        if error.connection_invalidated or isinstance(error, OperationalError | InterfaceError):
            return ConnectionError(f"{self.place} cannot be reached ({said}); what was acknowledged is kept: try again")
        return OSError(f"{self.place}: {said}")

    def _check(self, make: bool) -> None:
        """Refuse a database that holds something else, and make the tables."""
        there = set(sa.inspect(self.engine).get_table_names())
        ours = set(metadata.tables)
        if make and not ours <= there:
            if self.is_file and there - ours:
                raise ValueError(f"{self.place} holds something else than journals: name a new file")
            with self.engine.connect().execution_options(bygones_writing=True) as connection, connection.begin():
                if not self.is_file:  # two that begin at once
                    connection.execute(sa.text("SELECT pg_advisory_xact_lock(2611)"))
                metadata.create_all(connection)
                if connection.execute(sa.select(formats)).first() is None:
                    connection.execute(formats.insert().values(format=FORMAT))
        elif not ours <= there:
            raise ValueError(f"{self.place} has no journals: create one first")
        with self.engine.connect() as connection:
            found = connection.execute(sa.select(formats)).scalar()
        if found != FORMAT:
            raise ValueError(f"{self.place} has tables of format {found}, and this bygones knows {FORMAT}: upgrade it")


def _parsed(url: str | PathLike[str]) -> sa.URL:
    text, about = str(url), "a path, sqlite:///path or postgresql://user@host/name"
    if not text.strip():
        raise ValueError(f"the database has no name: give {about}")
    if "://" not in text:
        return sa.URL.create("sqlite", database=text)
    try:
        found = sa.make_url(re.sub(r"^postgres(ql)?://", "postgresql+psycopg://", text))
    except (sa.exc.ArgumentError, ValueError):  # of a port that is no number
        found = None
    if found is None or found.drivername not in ("sqlite", "postgresql+psycopg") or not found.database:
        kind = text.partition("://")[0]  # what follows may be a password
        raise ValueError(f"the database is {shown(kind)}://...: give {about}")
    if found.database == ":memory:":
        raise ValueError("a database in memory does not survive the program: give the path of a file")
    return found


def _engine(url: sa.URL, is_file: bool) -> sa.Engine:
    if not is_file:
        engine = sa.create_engine(url, pool_size=20, connect_args={"connect_timeout": 10})

        @sa.event.listens_for(engine, "connect")
        def patient(connection: Any, _: object) -> None:  # noqa: ANN401
            connection.execute(f"SET lock_timeout = '{PATIENCE}s'")
            connection.commit()

        return engine
    engine = sa.create_engine(url, connect_args={"timeout": PATIENCE})

    @sa.event.listens_for(engine, "connect")
    def connected(connection: Any, _: object) -> None:  # noqa: ANN401
        connection.isolation_level = None  # transactions begin where we say
        connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")  # so that damage can be looked at
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")

    @sa.event.listens_for(engine, "begin")
    def begun(connection: sa.Connection) -> None:
        writing = connection.get_execution_options().get("bygones_writing")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

    return engine
