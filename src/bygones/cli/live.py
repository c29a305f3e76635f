"""`bygones live`: decision journals, for daily use."""

from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import entries
from .answers import NAME
from .backtest import option_names, small
from .grids import NUMBER, TEXT, Terminal, grid
from .journals import (
    COLUMN,
    DAMAGED,
    Author,
    Db,
    Json,
    Learners,
    Memories,
    Name,
    Time,
    library,
    reached,
)
from .options import DateFormat, Decimal, Encoding, MemoryWords, Missing, Sheet, Sort, ValueColumn, examples
from .statuses import mix, show_decision, show_status

if TYPE_CHECKING:
    from ..live.status import Status

HISTORY = 10  # rounds that are printed
app = typer.Typer(
    help="Decision journals in a database: what to do next, what was really done, and what it cost.",
    no_args_is_help=True,
)


@app.command(
    "new",
    epilog=examples(
        "bygones live new --db journals.db --journal parts --option rail --option road --memory window:4 --range 5",
        "bygones live new --db journals.db --journal flights --table @flights --memory window:7",
    ),
)
def new(
    db: Db,
    journal: Annotated[str, typer.Option(help="What the journal is called.")],
    memory: MemoryWords,
    option: Annotated[
        list[str] | None,
        typer.Option(help=f"The name of an option; repeat it for each. With --table: {COLUMN[0].lower()}{COLUMN[1:]}"),
    ] = None,
    table: Annotated[
        str | None,
        typer.Option(help="A past to begin with: a table as `bygones backtest` takes it, with a time for each period."),
    ] = None,
    held: Annotated[
        Path | None, typer.Option(help="With --table: what you really did in its last periods, a table too.")
    ] = None,
    learner: Annotated[
        str, typer.Option(help="Who decides: guarded, steering, hedge, your own package.module:Class, ...")
    ] = "guarded",
    horizon: Annotated[int | None, typer.Option(help="How many rounds there will be. Default: unknown.")] = None,
    cost_range: Annotated[
        float | None,
        typer.Option(
            "--range", help="The most that costs of a round differ. Default with --table: the most that they did."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the learner's own randomness.")] = 0,
    gains: Annotated[bool, typer.Option("--gains", help="What is entered are gains, not costs.")] = False,
    time: Time = None,
    actions: Annotated[
        str | None, typer.Option(help="With --table, the options to use: rail,road,sea. Default: all.")
    ] = None,
    missing: Missing = "error",
    decimal: Decimal = None,
    date_format: DateFormat = None,
    encoding: Encoding = None,
    sort: Sort = None,
    value: ValueColumn = None,
    sheet: Sheet = None,
    author: Author = None,
    json: Json = False,
) -> None:
    """Begin a journal: from nothing, or with a past that a table has.

    A learner is a rule that decides in every round, from the past alone. The
    memory says how past decisions make the state, whose costs you pay. Range,
    memory and learner are fixed from then on.
    """
    live = library()
    from ..kernels import uncompiled
    from ..memory import Memory
    from ..problem import Problem

    about: dict[str, Any] = {"seed": seed, "gains": gains, "author": author}
    reading: dict[str, Any] = {"time": time, "decimal": decimal, "date_format": date_format, "encoding": encoding}
    reading |= {"sort": sort, "value": value, "sheet": sheet}
    if table is None:
        given = {"held": held, "actions": actions, **reading, "missing": None if missing == "error" else missing}
        for keyword, each in given.items():
            if each is not None:
                raise ValueError(f"{keyword}= is about a table: give --table, or leave it out")
        if not option:
            raise ValueError("there is nothing to decide among: name the options, each with --option, or give --table")
        problem = Problem(option, horizon, Memory.parse(memory), cost_range)
        with uncompiled(True):
            made = live.Journal.create(db, journal, problem, learner, **about)
    else:
        if option and len(option) > 1:
            raise ValueError("--option names a column of a long table, so once: choose options with --actions")
        reading |= {"missing": missing, "option": option[0] if option else None}
        reading |= {"actions": None if actions is None else option_names(actions)}
        about |= {"held": held, "horizon": horizon, "cost_range": cost_range}
        with uncompiled(small(table)):
            made = live.Journal.from_backtest(db, journal, table, memory, learner, **about, **reading)
    with made, uncompiled(True):
        status = made.status()
        if json:
            _print(status)
            return
        console = Terminal()
        console.print(f"Began {journal} in {made.database.place}.", soft_wrap=True)
        if table is not None:
            whose = "the one given" if cost_range is not None else "the most by which those of a period differ there"
            console.print(f"Entered {status.rounds:,} rounds from {table}, the last one {status.last}.", soft_wrap=True)
            console.print(f"From now on the range of its costs is {status.cost_range:.10g}, {whose}.")
        show_status(console, status)


@app.command("list", epilog=examples("bygones live list --db journals.db"))
def list_(db: Db, json: Json = False) -> None:
    """List the journals of a database."""
    library()
    from ..live.listing import listing
    from ..live.schema import Database

    with Database(db) as database:
        found = listing(database)
    if json:
        print(dumps([each._asdict() for each in found], indent=1))
        return
    rows = [(each.journal, f"{each.rounds:,}", each.last or "", f"{each.events:,}") for each in found]
    columns = {"journal": TEXT, "rounds": NUMBER, "last period": TEXT, "events": NUMBER}
    Terminal().print(grid("Journals", columns, rows))


@app.command("decide", epilog=examples("bygones live decide --db journals.db --journal parts --json"))
def decide(
    db: Db, journal: Name = None, learner_class: Learners = None, memory_class: Memories = None, json: Json = False
) -> None:
    """Say what to do in the round at hand, and what it makes of the state."""
    with reached(db, journal, None, learner_class, memory_class) as at:
        status = at.status()
    if not json:
        show_decision(Terminal(), status)
        return
    state = {each.name: each.state for each in status.options if each.state}
    said = {"journal": status.journal, "round": status.round, "decision": status.decision, "state": state}
    said |= {"overridden": status.overridden, "events": status.events, "hash": status.hash}
    print(dumps(said, indent=1))


@app.command("status", epilog=examples("bygones live status --db journals.db --journal parts"))
def status_(
    db: Db, journal: Name = None, learner_class: Learners = None, memory_class: Memories = None, json: Json = False
) -> None:
    """Say what to do, what is held, what was paid, and what is promised about regret."""
    with reached(db, journal, None, learner_class, memory_class) as at:
        status = at.status()
    if json:
        _print(status)
    else:
        show_status(Terminal(), status)


app.add_typer(entries.app)


@app.command("history", epilog=examples("bygones live history --db journals.db --journal parts --last 30"))
def history(
    db: Db,
    last: Annotated[int, typer.Option(help="How many rounds, the newest.")] = HISTORY,
    journal: Name = None,
    learner_class: Learners = None,
    memory_class: Memories = None,
    json: Json = False,
) -> None:
    """Print the newest rounds: what was decided, and what was paid. For all of them in a file, use export."""
    from ..validation import whole

    most = whole("--last", last, 1)
    with reached(db, journal, None, learner_class, memory_class) as at:
        frame, names = at.history().tail(most), at.names
    if json:
        print(dumps({"rounds": frame.to_dicts()}, indent=1))
        return
    from ..backtesting.sentences import called, figure

    paid, short = "gained" if "gained" in frame.columns else "paid", called(names, NAME)
    rows = [
        (
            str(row["round"]),
            row["period"],
            figure(row[paid]),
            mix((short[name], row[f"decision: {name}"]) for name in names),
        )
        for row in frame.iter_rows(named=True)
    ]
    columns = {"round": NUMBER, "period": TEXT, paid: NUMBER, "decided": TEXT}
    Terminal().print(grid("The last rounds", columns, rows))


@app.command("export", epilog=examples("bygones live export --out rounds.csv --db journals.db --journal parts"))
def export(
    db: Db,
    out: Annotated[Path, typer.Option(help="A file: .csv or .parquet for the rounds, .jsonl for the whole log.")],
    journal: Name = None,
    learner_class: Learners = None,
    memory_class: Memories = None,
    json: Json = False,
) -> None:
    """Write all rounds, or the whole log, to a file."""
    with reached(db, journal, None, learner_class, memory_class) as at:
        at.export(out)
    if json:
        print(dumps({"path": str(out)}))
    else:
        Terminal().print(f"Wrote {out}", soft_wrap=True)


@app.command("verify", epilog=examples("bygones live verify --db journals.db --journal parts"))
def verify(
    db: Db, journal: Name = None, learner_class: Learners = None, memory_class: Memories = None, json: Json = False
) -> None:
    """Check every event against its digest, and replay all rounds; the exit code is 1 if something is damaged."""
    with reached(db, journal, None, learner_class, memory_class) as at:
        found = at.verify()
    if json:
        print(dumps({"sound": found.sound, **found._asdict()}, indent=1))
    else:
        Terminal().print(str(found), soft_wrap=True)
    if not found.sound:
        raise typer.Exit(DAMAGED)


def _print(status: "Status") -> None:
    """Print a status for programs."""
    from msgspec import to_builtins

    print(dumps(to_builtins(status), indent=1))
