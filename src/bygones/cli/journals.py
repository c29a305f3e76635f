"""Journals on the command line: opening one, what is typed as costs or decisions, and entering something."""

import csv
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from json import dumps
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..validation import shown
from ..visible import visible
from .grids import Terminal
from .options import as_options
from .statuses import LISTED, show_decision

if TYPE_CHECKING:
    from ..live import Journal
    from ..live.events import Event

DAMAGED = 1  # the exit code where the log is not what was written
ENTERED = {
    "observed": "its costs are entered",
    "overridden": "what is really done in it is entered",
    "proposed": "the proposal is entered",
    "committed": "its decision stands",
    "retired": "the option was retired",
    "joined": "the option has joined",
    "renamed": "the option was renamed",
    "undone": "the last entry about it is taken back",
}

Db = Annotated[
    str,
    typer.Option(
        envvar="BYGONES_DB",
        help="The database: the path of a file, or postgresql://user@host/name.",
        show_default=False,
    ),
]
Name = Annotated[str | None, typer.Option("--journal", help="The journal. Default: the only one in the database.")]
Author = Annotated[str | None, typer.Option(help="Who enters it. Default: the user of this machine.")]
Key = Annotated[str | None, typer.Option(help="A name for this request: sent again with it, it is entered only once.")]
Learners = Annotated[
    list[str] | None,
    typer.Option("--learner-class", help="A class of yours that the journal may name: package.module:Class."),
]
Memories = Annotated[
    list[str] | None, typer.Option("--memory-class", help="The same for a memory: package.module:Class.")
]
Json = Annotated[bool, typer.Option("--json", help="Print it as JSON, for programs.")]
Clip = Annotated[
    bool,
    typer.Option("--clip", help="Let the learner see costs beyond the range as cut off there; promises end then."),
]
Time = Annotated[str | None, typer.Option(help="The column with the times. Default: found automatically.")]
Decision = Annotated[
    str, typer.Argument(help="An option, or weights: rail=0.25,road=0.75, or 0.25,0.75 in the order of the options.")
]
COLUMN = "Of a long table, the column with the options."


@contextmanager
def reached(
    db: str,
    name: str | None,
    author: str | None = None,
    learners: Sequence[str] | None = None,
    memories: Sequence[str] | None = None,
    plain: bool = True,
) -> Iterator["Journal"]:
    """A journal, not read yet; a damaged log ends the command.

    Args:
        db: the database.
        name: of the journal; None: the only one.
        author: who enters things; None: the user of this machine.
        learners: the user's own classes of learners that it may name, as `package.module:Class`.
        memories: the same of memories.
        plain: compile no kernels for it, which takes longer than a few rounds.

    Yields:
        The journal.

    Raises:
        ValueError: if there is no such database, journal or class, or several journals and no name.
        OSError: if the database cannot be reached.
        typer.Exit: if the log is damaged.
    """
    live = library()
    from ..kernels import uncompiled
    from ..learners.words import learner_words
    from ..live.entries import journal_name
    from ..live.ledger import DamagedError, Ledger
    from ..live.schema import DamagedFileError, Database
    from ..memory.words import memory_words

    own = (
        [learner_words().named(each) for each in learners or ()],
        [memory_words().named(each) for each in memories or ()],
    )
    try:
        with Database(db) as database:
            named = journal_name(name) if name is not None else _only(database)
            with uncompiled(plain), live.Journal(database, Ledger(named, *own), author) as journal:
                yield journal
    except (DamagedError, DamagedFileError) as error:
        print(f"bygones: {visible(as_options(str(error)))}", file=sys.stderr)
        raise typer.Exit(DAMAGED) from None


def library(room: str = "live") -> Any:  # noqa: ANN401
    """The room that keeps journals, or the one that serves them; or a sentence about what is not installed."""
    try:
        return import_module(f"bygones.{room}")
    except ImportError as error:
        raise ValueError(str(error)) from None


def _only(database: Any) -> str:  # noqa: ANN401
    """The name of the only journal."""
    from ..live.listing import listing

    found = [each.journal for each in listing(database, most=LISTED + 1)]
    if len(found) != 1:
        names = ", ".join(found[:LISTED]) + " and more" * (len(found) > LISTED)
        raise ValueError(
            f"{database.place} holds several journals, {names}: name one with --journal"
            if found
            else f"{database.place} holds no journal: begin one with bygones live new"
        )
    return found[0]


def read_costs(text: str) -> dict[str, float] | list[float]:
    """Costs as they are typed: `rail=1.2,road=0.9`, or the numbers alone in the order of the options.

    >>> read_costs("rail=1.2,road=0.9"), read_costs("1.2, -0.9"), read_costs('a=b=1,"one, two"=2')
    ({'rail': 1.2, 'road': 0.9}, [1.2, -0.9], {'a=b': 1.0, 'one, two': 2.0})
    """
    return _weights(text, "costs", "rail=1.2,road=0.9")


def read_decision(text: str, names: Sequence[str]) -> str | dict[str, float] | list[float]:
    """A decision as it is typed: an option, or weights like costs.

    Args:
        text: what was typed.
        names: the options.

    Returns:
        What `Journal.override` takes.

    Raises:
        ValueError: if it is neither.

    >>> read_decision("rail", ["rail"]), read_decision("rail=0.25,road=0.75", ["rail", "road"])
    ('rail', {'rail': 0.25, 'road': 0.75})
    """
    fields = _fields(text, "decision")
    single = len(fields) == 1 and (fields[0] in names or ("=" not in fields[0] and not _is_number(fields[0])))
    if text in names or single:
        return text if text in names else fields[0]
    return _weights(text, "decision", "rail, or weights such as rail=0.25,road=0.75")


def _weights(text: str, what: str, form: str) -> dict[str, float] | list[float]:
    fields = _fields(text, what)
    pairs = [field.rpartition("=")[::2] for field in fields]
    for name, number in pairs:
        if not _is_number(number):
            about = f"that of {shown(name.strip())} is {shown(number)}" if name else f"{shown(number)} is no number"
            raise ValueError(
                f"the {what} given as {shown(text)}: {about}; give {form}, with a point before fractions, and a name "
                "with a comma in it in quotes, as in '\"one, two\"=1.2,road=0.9'"
            )
    names = [name.strip() for name, _ in pairs]
    if not any("=" in field for field in fields):
        return [float(number) for _, number in pairs]
    twice = [name for name in names if names.count(name) > 1]
    if twice or "" in names:
        about = f"{shown(twice[0])} is there twice" if twice and twice[0] else "some have names, and others have none"
        raise ValueError(f"the {what} given as {shown(text)}: {about}; give {form}")
    return {name: float(number) for name, (_, number) in zip(names, pairs, strict=True)}


def _fields(text: str, what: str) -> list[str]:
    """Fields between commas; those in quotes may have commas in them."""
    try:
        found = next(csv.reader([text], skipinitialspace=True, strict=False), [])
    except csv.Error as error:
        raise ValueError(f"the {what} given as {shown(text)}: {error}") from None
    return [field.strip() for field in found] or [""]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text


def enter(journal: "Journal", json: bool, kind: str, value: Any = None, **given: Any) -> None:  # noqa: ANN401
    """Enter something, and say what was entered and what to do now.

    Args:
        journal: where.
        json: print it for programs.
        kind: what, as of an event.
        value: costs, a decision or an option.
        given: the rest of the request.
    """
    from ..live.entries import Request
    from ..live.entries import enter as entered

    asked = Request(kind, value, author=journal.author, **given)

    def job(connection: Any) -> tuple["Event", bool]:  # noqa: ANN401
        before = journal.ledger.number
        event = entered(journal.ledger, connection, asked)
        return event, event.number > before

    event, new = journal.writing(job)
    if json:
        print(dumps(event.public() | {"new": new}, indent=1))
        return
    console, period = Terminal(), f", {event.period}" if event.period else ""
    if new:
        console.print(f"Round {event.round}{period}: {ENTERED[event.kind]} (event {event.number}).")
    else:
        console.print(f"Round {event.round}{period} is event {event.number} already: nothing has changed.")
    show_decision(console, journal.status())
