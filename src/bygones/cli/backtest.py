"""`bygones backtest`: what learners would have done on a table of the past, and what to do next."""

import csv
import shlex
import time as clock
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .grids import NUMBER, TEXT, Terminal, grid
from .options import (
    DateFormat,
    Decimal,
    Encoding,
    Folder,
    MemoryWords,
    OptionColumn,
    Sheet,
    Sort,
    ValueColumn,
    examples,
)

if TYPE_CHECKING:
    import polars as pl

    from ..backtesting import Backtest

EXAMPLES = examples(
    "bygones backtest @flights --memory window:7",
    "bygones backtest prices.csv --prices --memory geometric:0.9 --learner hedge",
    "bygones backtest costs.csv --memory window:12 --range 2.5 --out costs-report",
)
WIDE = 76  # columns that leave room for all numbers
NAME = 24  # characters of a name in a table
LISTED = 10  # options in a table
ROOMY = ("average", "share", "gap", "low", "high", "to")  # columns that only a wide terminal shows
HEADS = {
    "average": "per period",
    "gap": "to clairvoyant",
    "total_with_switches": "with their cost",
    "low": "5 %",
    "high": "95 %",
    "guarantee": "in the end",
    "excess": "worse by",
}
TEXTS, SMALL = (".csv", ".tsv", ".jsonl"), 40_000  # bytes of such a file that plain Python plays in seconds


def backtest(
    context: typer.Context,
    table: Annotated[
        str,
        typer.Argument(
            help="A file (CSV, TSV, Excel, Parquet, Arrow, JSON lines), @flights or @wikipedia: one row per period, "
            "one column per option; or long: time, option, value."
        ),
    ],
    memory: MemoryWords,
    learner: Annotated[
        list[str] | None,
        typer.Option(
            help="A learner: steering, ftarl:tuning=sharp, your own package.module:Class, ... May be repeated; the "
            "first one gives the advice. Default: six learners that need no tuning."
        ),
    ] = None,
    rewards: Annotated[bool, typer.Option("--rewards", help="The entries are gains, not costs.")] = False,
    prices: Annotated[bool, typer.Option("--prices", help="The entries are prices; their changes are gains.")] = False,
    time: Annotated[str | None, typer.Option(help="The column with the times. Default: found automatically.")] = None,
    actions: Annotated[str | None, typer.Option(help="The options to use: rail,road,sea. Default: all.")] = None,
    cost_range: Annotated[
        float | None,
        typer.Option(
            "--range",
            help="The largest difference between two options within a period. Default: estimated from the first tenth "
            "of the periods, which are then not played.",
        ),
    ] = None,
    missing: Annotated[
        str, typer.Option(help="For missing entries: error, drop the row, or carry the last value on.")
    ] = "error",
    history: Annotated[Path | None, typer.Option(help="A table of earlier decisions, oldest first.")] = None,
    switch_cost: Annotated[float, typer.Option(help="What it costs to change from one option to another.")] = 0.0,
    out: Folder = Path("bygones-backtest"),
    decimal: Decimal = None,
    date_format: DateFormat = None,
    encoding: Encoding = None,
    sort: Sort = None,
    value: ValueColumn = None,
    option: OptionColumn = None,
    sheet: Sheet = None,
) -> None:
    """Backtest learners on a table of past costs, gains or prices, and say what to do in the next period.

    A learner is a rule that decides in every period, from the past alone. What
    you pay depends on the average of recent decisions; the memory says how far
    back they count. Regret is how much more a learner pays than the best single
    option, held all the time.
    """
    from ..backtesting import backtest as run
    from ..backtesting.page import KIND
    from ..backtesting.sentences import summary
    from ..engine.books import settle
    from ..kernels import compiled_before, uncompiled
    from ..report import report_folder

    begun = clock.perf_counter()
    with report_folder(out, KIND, keep=False):  # a folder that cannot be written is an error before the work
        pass
    console = Terminal()
    with uncompiled(_small(table) and not compiled_before(settle)):
        done = run(
            table,
            memory,
            learner or None,
            rewards=rewards,
            prices=prices,
            time=time,
            actions=None if actions is None else _names(actions),
            cost_range=cost_range,
            missing=missing,
            history=history,
            switch_cost=switch_cost,
            decimal=decimal,
            date_format=date_format,
            encoding=encoding,
            sort=sort,
            value=value,
            option=option,
            sheet=sheet,
        )
        done.about["command"] = _command(context)
        try:
            for sentence in (done.recommendation, *summary(done), done.verdict, ""):
                console.print(sentence)
            _show(console, done)
        except (OSError, SystemExit):  # nobody reads on, as with `head`, or the disk is full; the report is wanted
            done.report(out)
            raise
        done.report(out)
    console.wrote(out / "index.html", clock.perf_counter() - begun)


def _small(table: str) -> bool:
    """Whether plain Python is done with a table before its kernels are compiled: a bundled table, or little text."""
    path = Path(table)
    return table.startswith("@") or (path.suffix in TEXTS and path.is_file() and path.stat().st_size <= SMALL)


def _names(text: str) -> list[str]:
    """Names separated by commas; a name with a comma in it is in quotes."""
    try:
        return [name.strip() for name in next(csv.reader([text]), [])]
    except csv.Error as error:
        raise ValueError(f"--actions is {text!r}, which is not a list of names such as rail,road: {error}") from None


def _command(context: typer.Context) -> str:
    """The command line that was typed, or an equivalent one."""
    words = ["bygones", "backtest"]
    for parameter in context.command.params:
        value, option = context.params[parameter.name or ""], parameter.opts[0]
        if not option.startswith("-"):
            words.append(str(value))
        elif value is True:
            words.append(option)
        elif value not in (None, False, parameter.default):
            for each in value if isinstance(value, list | tuple) else [value]:
                words += [option, str(each)]
    return shlex.join(words).encode(errors="replace").decode()  # file names may not be text


def _show(console: Terminal, done: "Backtest") -> None:
    """Print the tables; empty ones and empty columns are left out."""
    from ..backtesting.sentences import figure, holds, percent, when

    wide, shows = console.width >= WIDE, {"share": percent, "from": when, "to": when}
    heads = HEADS | {"total": holds(done)}
    for title, caption, frame, names in _tables(done, wide):
        first, *_ = frame.columns
        kept = [name for name in names if not frame[name].is_null().all() and (wide or name not in ROOMY)]
        texts = [["" if value is None else shows.get(name, figure)(value) for value in frame[name]] for name in kept]
        columns = {first: TEXT} | {heads.get(name, name): NUMBER for name in kept}
        made = grid(title, columns, zip(frame[first], *texts, strict=True), caption)
        made.title_justify = made.caption_justify = "left"
        if frame.height:
            console.print(made)


def _tables(done: "Backtest", wide: bool) -> Iterator[tuple[str, str | None, "pl.DataFrame", tuple[str, ...]]]:
    """Titles, captions, frames, and their columns to show; the sensitivity, which takes longest, is computed last."""
    from ..backtesting.sentences import holds, named, ranked, worded

    costs, what = named(done, worded(done, ranked(done)), NAME), holds(done)
    said = f"{done.periods:,} periods" + "; share: regret over range times periods, the trivial bound" * wide
    yield "Learners", said, costs, ("total", "average", "regret", "share", "gap")
    drawn = f"5 %, 95 %: that share of {done.about['replicates']} draws has a lower {what}"
    switches = ("switches", *["total_with_switches"] * bool(done.about["switch_cost"]), "low", "high")
    yield "Switches and draws", None if not wide or costs["low"].is_null().all() else drawn, costs, switches
    past = "; in the end: including what exceeded it" * bool(done.result.guarantees and done.facts.cut_entries)
    within = f"for {what}s within the range{past}"
    yield "Promises: regret at most", within, costs.drop_nulls("bound"), ("bound", "guarantee")
    best, left = named(done, worded(done, done.options.head(LISTED)), NAME), len(done.options) - LISTED
    more = f"and {left:,} more" if left > 0 else None
    yield "Options, held all the time", more, best, ("total", "average", "regret")
    yield "Worst stretches", "against the best option", named(done, done.stretches, NAME), ("from", "to", "excess")
    for own in named(done, done.sensitivity, NAME).partition_by("learner"):
        known = f"regret: known, or {done.problem.memory.short_words} assumed"
        yield f"{own['learner'][0]}, other memories", known, own.drop("learner"), ("known", "assumed")
