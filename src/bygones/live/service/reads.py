"""The part of the API that changes nothing."""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
import sqlalchemy as sa
from msgspec import Meta
from starlette.responses import Response

from ...report import as_csv
from ...store import as_bytes
from ..checking import verify
from ..events import Event
from ..ledger import Ledger
from ..reading import history
from ..status import Status, preview_of
from .asked import Asked, quoted, tags
from .bodies import Checked, Entered, Events, History, Journals, Preview, Round
from .desk import Desk
from .refusals import RefusedError, answer
from .tokens import READ, Who

EXPORTS = {"csv": "text/csv; charset=utf-8", "parquet": "application/vnd.apache.parquet", "jsonl": "application/jsonl"}


class Nothing(msgspec.Struct, forbid_unknown_fields=True):
    """Nothing stands after the question mark."""


class Some(msgspec.Struct, forbid_unknown_fields=True):
    """Which journals.

    Args:
        after: the name of a journal; those after it are given.
        limit: how many.
    """

    after: str = ""
    limit: Annotated[int, Meta(ge=1, le=100)] = 20


class Between(msgspec.Struct, forbid_unknown_fields=True):
    """Which events.

    Args:
        after: the number of an event; those after it are given.
        limit: how many.
    """

    after: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0
    limit: Annotated[int, Meta(ge=1, le=1000)] = 100


class Last(msgspec.Struct, forbid_unknown_fields=True):
    """How many rounds, the last ones."""

    limit: Annotated[int, Meta(ge=1, le=10_000)] = 100


async def journals(asked: Asked) -> Response:
    """Journals at a glance, in the order of their names."""
    asked.who.check(READ)
    some = asked.query(Some)
    return answer(200, await at_a_glance(asked.desk, asked.who, some.after, some.limit))


async def at_a_glance(desk: Desk, who: Who, after: str, limit: int) -> Journals:
    """Some journals that somebody may touch.

    Args:
        desk: all journals.
        who: asks.
        after: the name of a journal; those after it are given.
        limit: how many.

    Returns:
        The journals, in the order of their names.
    """
    items, closed, more = list[Status](), dict[str, str](), True
    while more and len(items) + len(closed) < limit:
        names = await desk.names(after, limit + 1)
        more = len(names) > limit
        for name in names[:limit]:
            if len(items) + len(closed) == limit:
                more = True
                break
            after = name
            if who.touches(name):
                try:
                    items.append(await desk.status(name))
                except ValueError as error:  # damaged, or of a class that is not the library's
                    closed[name] = str(error)
    return Journals(items, after if more else None, closed)


async def journal(asked: Asked) -> Response:
    """All that is shown of a journal."""
    asked.query(Nothing)
    asked.who.check(READ, asked.journal)
    found = await asked.desk.status(asked.journal)
    return _tagged(asked, found, found.hash)


async def decision(asked: Asked) -> Response:
    """The decision of the round at hand, and the state that it makes."""
    asked.query(Nothing)
    asked.who.check(READ, asked.journal)
    found = await asked.desk.decision(asked.journal)
    return _tagged(asked, found, found.hash)


async def preview(asked: Asked) -> Response:
    """What the status would be after a decision; nothing is entered."""
    asked.query(Nothing)
    asked.who.check(READ, asked.journal)
    given = await asked.body(Preview)
    found = await asked.desk.look(asked.journal, lambda ledger, _: preview_of(ledger, given.kind, given.value))
    return answer(200, found)


async def events(asked: Asked) -> Response:
    """What was entered, in order."""
    some = asked.query(Between)
    asked.who.check(READ, asked.journal)
    found: list[Event] = await asked.desk.look(
        asked.journal, lambda ledger, connection: ledger.log(connection, some.after, some.limit + 1)
    )
    items = [entered(each) for each in found[: some.limit]]
    return answer(200, Events(items, items[-1].number if len(found) > some.limit else None))


async def rounds(asked: Asked) -> Response:
    """The last rounds, the newest last."""
    last = asked.query(Last)
    asked.who.check(READ, asked.journal)

    def job(ledger: Ledger, connection: sa.Connection) -> History:
        frame, names = history(ledger, connection, last.limit), list(ledger.game.names)
        return History([_round(row, names) for row in frame.iter_rows(named=True)])

    return answer(200, await asked.desk.study(asked.desk.apart(asked.journal), job))


async def export(asked: Asked) -> Response:
    """All rounds as CSV or Parquet, or all events as JSON, one to a line."""
    asked.query(Nothing)
    asked.who.check(READ, asked.journal)
    ending = str(asked.request.path_params["ending"])
    if ending not in EXPORTS:
        raise RefusedError(404, "an export ends in .csv, .parquet or .jsonl: give one of these")

    def job(ledger: Ledger, connection: sa.Connection) -> bytes:
        if ending == "jsonl":
            lines = [json.dumps(each.public(), ensure_ascii=False) for each in ledger.log(connection)]
            return "".join(f"{line}\n" for line in lines).encode()
        frame = history(ledger, connection)
        return as_csv(frame) if ending == "csv" else as_bytes(frame.write_parquet)

    content = await asked.desk.study(asked.desk.apart(asked.journal), job)
    named = {"Content-Disposition": f'attachment; filename="export.{ending}"'}
    return Response(content, 200, named, EXPORTS[ending])


async def checked(asked: Asked) -> Response:
    """Check every event, and replay all from the beginning."""
    asked.query(Nothing)
    asked.who.check(READ, asked.journal)
    found = await asked.desk.study(asked.desk.apart(asked.journal), verify, damaged=True)
    return answer(200, Checked(found.sound, found.events, found.rounds, found.faults, found.notes))


def entered(event: Event) -> Entered:
    """An event, for programs."""
    return Entered(**event.public())


def _tagged(asked: Asked, found: Any, tag: str) -> Response:  # noqa: ANN401
    """An answer with an ETag; nothing but that if the asker has it."""
    have: Literal[False] | str = asked.header("if-none-match") or False
    headers = {"ETag": quoted(tag), "Cache-Control": "private, no-cache"}
    if have and (tag in tags(have) or have.strip() == "*"):
        return Response(None, 304, headers)
    return answer(200, found, **headers)


def _round(row: Mapping[str, Any], names: list[str]) -> Round:
    gains = "gained" in row
    what = "gain" if gains else "cost"
    return Round(
        row["round"],
        row["period"],
        row["entered"],
        row["author"],
        row["gained" if gains else "paid"],
        {name: row[f"{what}: {name}"] for name in names},
        {name: row[f"decision: {name}"] for name in names},
        {name: row[f"state: {name}"] for name in names},
    )
