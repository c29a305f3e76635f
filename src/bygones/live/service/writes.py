"""The part of the API that enters something."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, TypeVar

import msgspec
import sqlalchemy as sa
from msgspec import Meta
from starlette.responses import Response

from ...memory import Memory
from ...problem import Problem
from ..beginning import Begun, body_of, periods_of, read_past
from ..entries import Request, enter, enter_all, journal_name
from ..events import COMMITTED, JOINED, OBSERVED, OVERRIDDEN, PROPOSED, UNDONE, Event
from ..ledger import Ledger
from ..status import Status, status_of
from .asked import Asked, check_periods, quoted, size_within, tags
from .bodies import Entry, NewJournal, Sent, Taken
from .reads import Nothing, entered
from .refusals import RefusedError, answer
from .tokens import ADMIN, DECIDE, OBSERVE, READ
from .words import library_learner, library_memory

T = TypeVar("T")
NEEDS = {OBSERVED: OBSERVE} | dict.fromkeys((PROPOSED, OVERRIDDEN, COMMITTED, UNDONE), DECIDE)
ENDING = re.compile(r".*?((?:\.\w{1,8})?(?:\.gz)?)\Z", re.ASCII | re.DOTALL | re.IGNORECASE)  # of a file's name


class File(msgspec.Struct, forbid_unknown_fields=True):
    """A file that is sent.

    Args:
        filename: what it is called; its ending says how it is read.
        clip: costs beyond the range count as cut off there.
        time: the column with the times; None: it is found.
    """

    filename: Annotated[str, Meta(max_length=255)]
    clip: bool = False
    time: str | None = None


async def entry(asked: Asked) -> Response:
    """Enter something."""
    asked.query(Nothing)
    asked.who.check(READ, asked.journal)
    given = await asked.body(Entry)
    asked.who.check(NEEDS.get(given.kind, ADMIN), asked.journal)
    check_once(asked, given)
    request = Request(
        given.kind, given.value, given.period, given.name, given.clip, asked.header("idempotency-key"), asked.who.name
    )

    def job(ledger: Ledger, connection: sa.Connection) -> tuple[Event, bool]:
        check_match(asked, ledger, connection)
        if given.kind == JOINED:
            grown = given.value not in ledger.game.names
            size_within(asked.limits, ledger.game.n + grown, ledger.game.problem.memory)
        before = ledger.number
        event = enter(ledger, connection, request)
        return event, ledger.number > before

    event, new = await asked.desk.write(asked.journal, job)
    asked.request.state.entered = int(new)
    return answer(201 if new else 200, entered(event), ETag=quoted(event.hash))


async def table(asked: Asked) -> Response:
    """Enter the periods of a file that are new: all of them, or none."""
    file = asked.query(File)
    asked.who.check(OBSERVE, asked.journal)
    content = await asked.content()
    priced = await asked.desk.look(asked.journal, lambda ledger, _: ledger.game.priced())
    sent = {"table": Sent(file.filename, content)}
    reading = {"time": file.time, "most": asked.limits.values}
    rows = await asked.desk.do(
        lambda: _read(sent, lambda paths: periods_of(paths["table"], priced, False, reading)), long=True
    )
    check_periods(asked.limits, len(rows))

    def job(ledger: Ledger, connection: sa.Connection) -> list[Event]:
        check_match(asked, ledger, connection)
        before = ledger.number
        found = enter_all(ledger, connection, rows, file.clip, asked.who.name)
        return [each for each in found if each.number > before]

    new = await asked.desk.write(asked.journal, job)
    asked.request.state.entered = len(new)
    return answer(200, Taken([entered(each) for each in new]))


async def create(asked: Asked) -> Response:
    """Begin a journal."""
    asked.query(Nothing)
    asked.who.check(ADMIN)
    given = await asked.body(NewJournal)
    asked.who.check(ADMIN, journal_name(given.name))
    if (given.options is None) == (given.table is None):
        raise RefusedError(422, "give either options, or a table which has them: one of the two")
    memory, learner = library_memory(given.memory), library_learner(given.learner)
    past: Begun | None = None
    if given.table is None:
        if given.held is not None:
            raise RefusedError(422, "held says what was decided in the periods of a table: give one, or leave it out")
        problem = Problem(given.options or [], given.horizon, memory, given.cost_range)
    else:
        past = begun = await asked.desk.do(lambda: _past(given, memory, asked.limits.values), long=True)
        problem = begun.problem
        check_periods(asked.limits, len(begun.periods))
    gains = past.gains if past is not None else given.gains
    size_within(asked.limits, problem.n, problem.memory)
    body = await asked.desk.do(
        lambda: body_of(problem, learner, given.seed, None if past is None else past.history, gains)
    )

    def job(ledger: Ledger, connection: sa.Connection) -> Status:
        ledger.create(connection, body, asked.who.name)
        if past is not None:
            past.replay(ledger, connection, asked.who.name)
        return status_of(ledger, ledger.game)

    made = await asked.desk.write(given.name, job, new=True)
    asked.request.state.entered = made.events
    return answer(201, made, ETag=quoted(made.hash))


def check_once(asked: Asked, given: Entry) -> None:
    """Refuse what would be entered twice if it were sent again, as must be done when an answer is lost.

    Args:
        asked: the request.
        given: its body.

    Raises:
        RefusedError: if neither a period, a key nor the last entry says which time it is.
    """
    named = given.period is not None and given.kind in (OBSERVED, COMMITTED)
    known = asked.header("idempotency-key") is not None or (asked.header("if-match") or "*").strip() != "*"
    if given.kind in (OBSERVED, COMMITTED, UNDONE) and not (named or known):
        period = "" if given.kind == UNDONE else "a period, or "
        said = "if the answer were lost, nobody could tell whether to send this again: give "
        raise RefusedError(428, f"{said}{period}the header Idempotency-Key or If-Match")


def check_match(asked: Asked, ledger: Ledger, connection: sa.Connection) -> None:
    """Refuse to enter something after what the asker has not seen; what was entered before with its key stands.

    Args:
        asked: the request, with its If-Match if it has one.
        ledger: of the journal, caught up with.
        connection: within a transaction.

    Raises:
        RefusedError: if somebody else has entered something.
    """
    match, key = asked.header("if-match"), asked.header("idempotency-key")
    if match is None or match.strip() == "*" or ledger.hash in tags(match):
        return
    if key is None or ledger.of_key(connection, key) is None:
        said = f"somebody has entered something since: the journal has {ledger.number:,} entries now; look again"
        raise RefusedError(412, said, ETag=quoted(ledger.hash))


def _past(given: NewJournal, memory: Memory, most: int) -> Begun:
    reading = {"missing": given.missing, "most": most} | ({} if given.time is None else {"time": given.time})
    sent = {name: file for name, file in (("table", given.table), ("held", given.held)) if file is not None}

    def take(paths: dict[str, Path]) -> Begun:
        table, held = paths["table"], paths.get("held")
        return read_past(table, memory, held, given.horizon, given.cost_range, given.gains, False, reading)

    return _read(sent, take)


def _read(sent: Mapping[str, str | Sent], take: Callable[[dict[str, Path]], T]) -> T:
    """Read files that were sent, or texts of CSV files; messages call them as the sender does."""
    with TemporaryDirectory(prefix="bygones-") as folder:
        paths, called = dict[str, Path](), dict[str, str]()
        for name, given in sent.items():
            file = Sent(f"{name}.csv", given.encode()) if isinstance(given, str) else given
            plain = file.filename.replace("\\", "/").rpartition("/")[2] or name
            paths[name] = Path(folder, name + ENDING.sub(r"\1", plain))
            paths[name].write_bytes(file.content)
            called[str(paths[name])] = plain
        try:
            return take(paths)
        except (ValueError, OSError) as error:
            said = str(error)
            for path, plain in called.items():
                said = said.replace(path, plain)
            raise RefusedError(422, said.replace(f"{folder}/", "")) from None
