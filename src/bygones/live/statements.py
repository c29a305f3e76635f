"""Statements that are run for every entry: compiled once for each kind of database, and given to its driver."""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from .events import Event
from .schema import events, journals, rounds


class Statement:
    """A statement whose parameters are given by name.

    SQLAlchemy takes 20 to 120 microseconds to run one, and the driver of SQLite takes 2.

    Args:
        statement: with a `bindparam` for each value.
    """

    def __init__(self, statement: sa.Executable) -> None:
        self._statement = statement
        self._compiled: dict[str, tuple[str, list[str] | None]] = {}

    def run(self, connection: sa.Connection, **values: Any) -> Any:  # noqa: ANN401
        """Run it.

        Args:
            connection: within a transaction.
            values: of all parameters.

        Returns:
            The driver's cursor.

        Raises:
            DBAPIError: as SQLAlchemy would.
        """
        dialect = connection.dialect
        if dialect.name not in self._compiled:
            made: Any = self._statement.compile(dialect=dialect)  # type: ignore[attr-defined]
            self._compiled[dialect.name] = (str(made), made.positiontup)
        text, places = self._compiled[dialect.name]
        cursor = connection.connection.cursor()
        try:
            cursor.execute(text, values if places is None else [values[name] for name in places])
        except dialect.loaded_dbapi.Error as error:
            raise DBAPIError.instance(text, values, error, dialect.loaded_dbapi.Error, dialect=dialect) from None
        return cursor


MINE = events.c.journal == sa.bindparam("journal")
COLUMNS = [events.c[name] for name in Event._fields]
ON = (events.c.journal == rounds.c.journal) & (events.c.number == rounds.c.number)
OF_KEY = Statement(sa.select(*COLUMNS).where(MINE, events.c.key == sa.bindparam("key")))
OF_NUMBER = Statement(sa.select(*COLUMNS).where(MINE, events.c.number == sa.bindparam("number")))
# Not joined with the events: PostgreSQL knows nothing of new rows, and would go through all events for each period.
OF_PERIOD = Statement(
    sa.select(rounds.c.number).where(
        rounds.c.journal == sa.bindparam("journal"), rounds.c.period == sa.bindparam("period")
    )
)
ADD_EVENT = Statement(events.insert().values({name: sa.bindparam(name) for name in ("journal", *Event._fields)}))
ADD_ROUND = Statement(rounds.insert().values({each.name: sa.bindparam(each.name) for each in rounds.c}))
COUNT = Statement(
    journals.update()
    .where(journals.c.id == sa.bindparam("journal"))
    .values(events=sa.bindparam("number"), hash=sa.bindparam("last"))
)
