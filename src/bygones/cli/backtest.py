"""`bygones backtest`: what learners would have done on a table of the past, and what to do next."""

import csv
import shlex
import time as clock
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table as Grid

if TYPE_CHECKING:
    import polars as pl

    from ..backtesting import Backtest

EXAMPLES = (
    "Examples: [bold]bygones backtest @flights --memory window:7[/]   "
    "[bold]bygones backtest prices.csv --prices --memory geometric:0.9 --learner tracking --learner hedge[/]   "
    "[bold]bygones backtest costs.parquet --memory window:12 --range 2.5 --switch-cost 0.1[/]"
)
WIDE = 76  # columns that leave room for all numbers
NAME = 24  # characters of a name in a table
LISTED = 10  # options in a table
TEXTS, SMALL = (".csv", ".tsv", ".jsonl"), 40_000  # bytes of such a file that plain Python plays in seconds


def backtest(
    context: typer.Context,
    table: Annotated[
        str, typer.Argument(help="CSV, TSV, Parquet, Arrow or JSON lines, wide or long; or @flights, @wikipedia.")
    ],
    memory: Annotated[
        str,
        typer.Option(help="How the past counts: window:12, full, geometric:0.9 or weights:0.5,0.3,0.2, newest first."),
    ],
    learner: Annotated[
        list[str] | None,
        typer.Option(help="Who decides: tracking, ftarl:tuning=sharp, ... May be repeated; the first one advises."),
    ] = None,
    rewards: Annotated[bool, typer.Option("--rewards", help="The entries are gains, not costs.")] = False,
    prices: Annotated[bool, typer.Option("--prices", help="The entries are prices; their changes are gains.")] = False,
    time: Annotated[str | None, typer.Option(help="The column that tells the time.")] = None,
    actions: Annotated[str | None, typer.Option(help="The options that count, such as rail,road,sea.")] = None,
    cost_range: Annotated[
        float | None,
        typer.Option(
            "--range",
            help="The most that two options differ within a period; else estimated on the first tenth, not played.",
        ),
    ] = None,
    missing: Annotated[str, typer.Option(help="What to do about missing entries: error, drop or carry.")] = "error",
    history: Annotated[Path | None, typer.Option(help="A table of decisions taken before, oldest first.")] = None,
    switch_cost: Annotated[float, typer.Option(help="What it costs to change from one option to another.")] = 0.0,
    out: Annotated[Path, typer.Option(help="Folder for the report: new, empty, or of an earlier report.")] = Path(
        "bygones-backtest"
    ),
) -> None:
    """Backtest learners on a table of costs, gains or prices, and say what to do in the next period."""
    from ..backtesting import backtest as run
    from ..backtesting.page import KIND
    from ..backtesting.playing import settle
    from ..backtesting.sentences import summary
    from ..kernels import compiled_before, uncompiled
    from ..report import writing

    begun = clock.perf_counter()
    with writing(out, KIND, keep=False):  # so that a folder that cannot be written is told before the work, not after
        pass
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
        )
        done.about["command"] = _command(context)
        done.report(out)
    console = Console(highlight=False)
    _show(console, done)
    for sentence in (*summary(done), done.verdict, done.recommendation):
        console.print(sentence, markup=False)
    took = clock.perf_counter() - begun
    console.print(f"The report: {out / 'index.html'} ({took:.1f} s)", soft_wrap=True, markup=False)


def _small(table: str) -> bool:
    """Whether a table is played before its kernels would be compiled: one of ours, or little text."""
    path = Path(table)
    return table.startswith("@") or (path.suffix in TEXTS and path.is_file() and path.stat().st_size <= SMALL)


def _names(text: str) -> list[str]:
    """Names between commas; one that holds a comma is in quotes."""
    try:
        return [name.strip() for name in next(csv.reader([text]), [])]
    except csv.Error as error:
        raise ValueError(f"--actions is {text!r}, and no list of names such as rail,road: {error}") from None


def _command(context: typer.Context) -> str:
    """What was typed, or as good."""
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
    return shlex.join(words).encode(errors="replace").decode()  # names of files may be no text


def _show(console: Console, done: "Backtest") -> None:
    """The learners' costs, the options', the worst stretches, and other lengths of the memory."""
    from ..backtesting.sensitivity import in_short
    from ..backtesting.sentences import holds, named, percent, ranked, when, worded

    wide = console.width >= WIDE
    costs, what = named(done, worded(done, ranked(done)), NAME), holds(done)
    shares = {"share": [percent(share) for share in costs["share"]]}
    heads = {"total": what, "average": "a period", "regret": "regret"} if wide else {"total": what}
    rest = {"gap": "to clairvoyant"} if wide else {"regret": "regret"}
    columns = _columns(costs, heads) | (shares if wide else {}) | _columns(costs, rest)
    caption: str | None = f"{done.rounds[-1]:,} periods" + "; share: regret, of the trivial bound" * wide
    _grid(console, "Learners", caption, "learner", costs["learner"], columns)
    heads = {"switches": "switches"} | ({"total_with_switches": "with their cost"} if done.about["switch_cost"] else {})
    columns = _columns(costs, heads | {"low": "5 %", "high": "95 %"} if wide else heads)
    drawn = wide and not costs["low"].is_null().all()
    caption = f"5 %, 95 %: {what}s that so many of {done.about['replicates']} draws stay below" if drawn else None
    _grid(console, "Switches and draws", caption, "learner", costs["learner"], columns)
    promising = costs.drop_nulls("bound")
    if promising.height:
        columns = _columns(promising, {"bound": "bound", "guarantee": "in the end"})
        past = "; in the end, with what went past it" * bool(done.guarantees and done.record.tally.cut[0])
        caption = f"for {what}s within the range{past}"
        _grid(console, "Promises of the regret", caption, "learner", promising["learner"], columns)
    best, left = named(done, worded(done, done.options.head(LISTED)), NAME), len(done.options) - LISTED
    heads = {"total": what} | ({"average": "a period"} if wide else {}) | {"regret": "regret"}
    more = f"and {left:,} more" if left > 0 else None
    _grid(console, "Options, held all the time", more, "option", best["option"], _columns(best, heads))
    worst = named(done, done.stretches, NAME)
    dates = {name: [when(moment) for moment in worst[name]] for name in (("from", "to") if wide else ("from",))}
    columns = dates | _columns(worst, {"excess": "worse by"})
    _grid(console, "Worst stretches", "against the best option", "learner", worst["learner"], columns)
    for own in named(done, done.sensitivity, NAME).partition_by("learner"):
        title = f"{own['learner'][0]}, if the memory is another"
        caption = f"regret if known, and if {in_short(done.problem.memory)} is assumed"
        columns = _columns(own, {"known": "known", "assumed": "assumed"})
        _grid(console, title, caption, "memory", own["memory"], columns)


def _columns(frame: "pl.DataFrame", heads: dict[str, str]) -> dict[str, list[str]]:
    """Columns of numbers as texts, under their heads; those with nothing in them are left out."""
    from ..backtesting.sentences import figure

    kept = {name: head for name, head in heads.items() if not frame[name].is_null().all()}
    return {head: ["" if number is None else figure(number) for number in frame[name]] for name, head in kept.items()}


def _grid(
    console: Console, title: str, caption: str | None, first: str, names: "pl.Series", columns: dict[str, list[str]]
) -> None:
    """Print a table."""
    from rich.markup import escape

    grid = Grid(title=escape(title), caption=caption, title_justify="left", caption_justify="left")
    grid.add_column(first, overflow="fold")
    for head in columns:
        grid.add_column(head, justify="right", no_wrap=True)
    for name, *texts in zip(names, *columns.values(), strict=True):
        grid.add_row(escape(name), *texts)
    console.print(grid)
