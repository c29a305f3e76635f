"""`bygones backtest`: what learners would have done on a table of the past, and what to do next."""

import csv
import shlex
import time as clock
from json import dumps
from pathlib import Path
from typing import Annotated

import typer

from .answers import show_answer, show_tables
from .grids import Terminal
from .options import (
    DateFormat,
    Decimal,
    Encoding,
    Folder,
    MemoryWords,
    Missing,
    OptionColumn,
    Sheet,
    SingleFile,
    Sort,
    ValueColumn,
    examples,
    page_at,
)

EXAMPLES = examples(
    "bygones backtest @flights --memory window:7",
    "bygones backtest prices.csv --prices --memory geometric:0.9 --learner hedge",
    "bygones backtest costs.csv --memory window:12 --range 2.5 --out costs-report",
)
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
            "first one gives the advice. Default: eight, of which a rule chooses."
        ),
    ] = None,
    rewards: Annotated[bool, typer.Option("--rewards", help="The entries are gains, not costs.")] = False,
    prices: Annotated[bool, typer.Option("--prices", help="The entries are prices; gains are log wealth.")] = False,
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
    missing: Missing = "error",
    history: Annotated[Path | None, typer.Option(help="A table of earlier decisions, oldest first.")] = None,
    held: Annotated[
        Path | None,
        typer.Option(
            help="What you really did in the last periods, a table like --history. The advice starts from it."
        ),
    ] = None,
    switch_cost: Annotated[float, typer.Option(help="What it costs to change from one option to another.")] = 0.0,
    trade_cost: Annotated[
        float, typer.Option(help="With --prices, what trading costs, in parts of what is traded: 0.001.")
    ] = 0.0,
    out: Folder = Path("bygones-backtest"),
    single_file: SingleFile = False,
    decimal: Decimal = None,
    date_format: DateFormat = None,
    encoding: Encoding = None,
    sort: Sort = None,
    value: ValueColumn = None,
    option: OptionColumn = None,
    sheet: Sheet = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="Print all tables.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print everything as JSON, for programs.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print the path of the report only.")] = False,
) -> None:
    """Say what to do in the next period, from a table of past costs, gains or prices.

    A learner is a rule that decides in every period, from the past alone. What
    you pay depends on the average of recent decisions; the memory says how far
    back they count. Regret is how much more a learner pays than the best single
    option, held all the time.
    """
    from ..backtesting import backtest as run
    from ..backtesting.page import KIND
    from ..engine.books import settle
    from ..kernels import compiled_before, uncompiled
    from ..report import check_writable

    if verbose + json + quiet > 1:
        raise ValueError("--verbose, --json and --quiet: give only one of them")
    begun = clock.perf_counter()
    page = page_at(out, single_file)
    place = page if single_file else out
    check_writable(place, KIND, single_file)
    console = Terminal()
    with uncompiled(small(table) and not compiled_before(settle)):
        done = run(
            table,
            memory,
            learner or None,
            rewards=rewards,
            prices=prices,
            time=time,
            actions=None if actions is None else option_names(actions),
            cost_range=cost_range,
            missing=missing,
            history=history,
            held=held,
            switch_cost=switch_cost,
            trade_cost=trade_cost,
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
            if json:
                print(dumps(done.to_dict() | {"report": str(page)}, indent=1))
            elif not quiet:
                show_answer(console, done)
            if verbose:
                show_tables(console, done)
        except (OSError, SystemExit):  # nobody reads on, as with `head`, or the disk is full; the report is wanted
            done.report(place, single_file)
            raise
        done.report(place, single_file)
    if quiet:
        print(page)
    elif not json:
        console.wrote(page, clock.perf_counter() - begun, "" if verbose else "; all tables with --verbose")


def small(table: str) -> bool:
    """Whether plain Python is done with a table before its kernels are compiled: a bundled table, or little text."""
    path = Path(table)
    return table.startswith("@") or (path.suffix in TEXTS and path.is_file() and path.stat().st_size <= SMALL)


def option_names(text: str) -> list[str]:
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
