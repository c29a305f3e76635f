"""`bygones live observe` and the other commands that enter something in a journal."""

from json import dumps
from pathlib import Path
from typing import Annotated, Any

import typer

from .backtest import small
from .grids import Terminal
from .journals import (
    COLUMN,
    Author,
    Clip,
    Db,
    Decision,
    Json,
    Key,
    Learners,
    Memories,
    Name,
    Time,
    enter,
    reached,
    read_costs,
    read_decision,
)
from .options import DateFormat, Decimal, Encoding, Missing, Sheet, Sort, ValueColumn, examples
from .statuses import show_decision

IN = "--db journals.db --journal parts"
app = typer.Typer()


@app.command(
    "observe",
    epilog=examples(
        f"bygones live observe rail=1.2,road=0.9 --period 2026-11-16 {IN}",
        f"bygones live observe 1.2,0.9 --period 2026-11-16 {IN}",
        f"bygones live observe --table costs.csv {IN}",
    ),
    context_settings={"ignore_unknown_options": True},  # gains such as -1.2,0.9 are no options
)
def observe(
    db: Db,
    costs: Annotated[
        str | None,
        typer.Argument(help="Costs of a round: rail=1.2,road=0.9, or 1.2,0.9 in the order of the options."),
    ] = None,
    period: Annotated[str | None, typer.Option(help="What the round is called: a date, or any text.")] = None,
    table: Annotated[
        str | None,
        typer.Option(help="A table with many periods, of which the new ones are entered: all of them, or none."),
    ] = None,
    clip: Clip = False,
    key: Key = None,
    time: Time = None,
    missing: Missing = "error",
    decimal: Decimal = None,
    date_format: DateFormat = None,
    encoding: Encoding = None,
    sort: Sort = None,
    value: ValueColumn = None,
    option: Annotated[str | None, typer.Option(help=COLUMN)] = None,
    sheet: Sheet = None,
    journal: Name = None,
    author: Author = None,
    learner_class: Learners = None,
    memory_class: Memories = None,
    json: Json = False,
) -> None:
    """Enter what a round has cost, or the new periods of a table.

    A period that is there with the same costs is acknowledged again, and
    changes nothing; with other costs it is refused.
    """
    if costs is not None and costs.startswith("--"):
        raise typer.BadParameter(f"No such option: {costs}")
    if (costs is None) == (table is None):
        raise ValueError("give costs, such as rail=1.2,road=0.9, or a table with --table: one of the two")
    if costs is not None and period is None:
        raise ValueError("the round has no name: give it a date or any text with --period")
    if table is not None and (period is not None or key is not None):
        raise ValueError("--period and --key are about one round, and --table has many: leave them out")
    plain = table is None or small(table) or not Path(table).is_file()
    with reached(db, journal, author, learner_class, memory_class, plain) as at:
        if costs is not None:
            enter(at, json, "observed", read_costs(costs), period=period, clip=clip, key=key)
            return
        reading: dict[str, Any] = {"time": time, "missing": missing, "decimal": decimal, "date_format": date_format}
        reading |= {"encoding": encoding, "sort": sort, "value": value, "option": option, "sheet": sheet}
        found = at.observe_all(table, clip=clip, **reading)
        status = at.status()
    if json:
        print(dumps({"events": [each.public() for each in found]}, indent=1))
        return
    console = Terminal()
    ends = f": {found[0].period}{f' to {found[-1].period}' * (len(found) > 1)}" if found else ""
    console.print(f"{len(found):,} new {'round' if len(found) == 1 else 'rounds'} entered from {table}{ends}.")
    show_decision(console, status)


@app.command("override", epilog=examples(f"bygones live override road {IN}"))
def override(
    decision: Decision,
    db: Db,
    journal: Name = None,
    key: Key = None,
    author: Author = None,
    learner_class: Learners = None,
    memory_class: Memories = None,
    json: Json = False,
) -> None:
    """Say what is really done in the round at hand, where that is not what was decided."""
    with reached(db, journal, author, learner_class, memory_class) as at:
        enter(at, json, "overridden", read_decision(decision, at.names), key=key)


@app.command("propose", epilog=examples(f"bygones live propose rail=0.5,road=0.5 {IN}"))
def propose(
    decision: Decision,
    db: Db,
    journal: Name = None,
    key: Key = None,
    author: Author = None,
    learner_class: Learners = None,
    memory_class: Memories = None,
    json: Json = False,
) -> None:
    """Propose a decision, such as a forecast's; the guard follows it as far as its promise allows."""
    with reached(db, journal, author, learner_class, memory_class) as at:
        enter(at, json, "proposed", read_decision(decision, at.names), key=key)


@app.command("commit", epilog=examples(f"bygones live commit --period 2026-11-17 {IN}"))
def commit(
    db: Db,
    period: Annotated[str | None, typer.Option(help="What the round is called. Default: its number.")] = None,
    journal: Name = None,
    key: Key = None,
    author: Author = None,
    learner_class: Learners = None,
    memory_class: Memories = None,
    json: Json = False,
) -> None:
    """Let the decision stand and go on to the next round; its costs come later, in order."""
    with reached(db, journal, author, learner_class, memory_class) as at:
        enter(at, json, "committed", period=period, key=key)


@app.command("undo", epilog=examples(f"bygones live undo {IN}"))
def undo(
    db: Db,
    journal: Name = None,
    key: Key = None,
    author: Author = None,
    learner_class: Learners = None,
    memory_class: Memories = None,
    json: Json = False,
) -> None:
    """Take the last entry back; both stay in the log."""
    with reached(db, journal, author, learner_class, memory_class) as at:
        enter(at, json, "undone", key=key)


@app.command("retire", epilog=examples(f"bygones live retire rail {IN}"))
def retire(
    option: Annotated[str, typer.Argument(help="An option that there is.")],
    db: Db,
    journal: Name = None,
    key: Key = None,
    author: Author = None,
    learner_class: Learners = None,
    memory_class: Memories = None,
    json: Json = False,
) -> None:
    """Let an option go: it is not decided again, and its weight in the state runs out. Promises end."""
    with reached(db, journal, author, learner_class, memory_class) as at:
        enter(at, json, "retired", option, key=key)


@app.command("join", epilog=examples(f"bygones live join barge {IN}"))
def join(
    option: Annotated[str, typer.Argument(help="Its name.")],
    db: Db,
    journal: Name = None,
    key: Key = None,
    author: Author = None,
    learner_class: Learners = None,
    memory_class: Memories = None,
    json: Json = False,
) -> None:
    """Take a new option in, or one back that was retired. Promises end."""
    with reached(db, journal, author, learner_class, memory_class) as at:
        enter(at, json, "joined", option, key=key)


@app.command("rename", epilog=examples(f"bygones live rename rail train {IN}"))
def rename(
    option: Annotated[str, typer.Argument(help="An option that there is.")],
    name: Annotated[str, typer.Argument(help="What it is called from now on.")],
    db: Db,
    journal: Name = None,
    key: Key = None,
    author: Author = None,
    learner_class: Learners = None,
    memory_class: Memories = None,
    json: Json = False,
) -> None:
    """Call an option by another name from now on."""
    with reached(db, journal, author, learner_class, memory_class) as at:
        enter(at, json, "renamed", option, name=name, key=key)
