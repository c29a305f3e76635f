"""Which journals a database holds, without opening any of them."""

from typing import NamedTuple

import sqlalchemy as sa

from .schema import Database, journals, rounds


class Listed(NamedTuple):
    """A journal among others.

    Args:
        journal: its name.
        rounds: how many were observed.
        last: what the last of them is called; None: there is none.
        events: how many entries there are.
        hash: of the last one.
    """

    journal: str
    rounds: int
    last: str | None
    events: int
    hash: str


def listing(database: Database, after: str = "", most: int | None = None) -> list[Listed]:
    """The journals of a database, by name.

    Args:
        database: where they are.
        after: a name; those after it are given.
        most: how many; None: all.

    Returns:
        One entry for each journal.
    """
    mine = rounds.alias()
    newest = sa.select(sa.func.max(mine.c.round)).where(mine.c.journal == journals.c.id).scalar_subquery()
    on = (rounds.c.journal == journals.c.id) & (rounds.c.round == newest)
    columns = journals.c.name, sa.func.coalesce(rounds.c.round, 0), rounds.c.period, journals.c.events, journals.c.hash
    chosen = sa.select(*columns).select_from(journals.outerjoin(rounds, on)).where(journals.c.name > after)
    with database.reading() as connection:
        return [Listed(*row) for row in connection.execute(chosen.order_by(journals.c.name).limit(most))]
