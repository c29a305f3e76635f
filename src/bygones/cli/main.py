"""`bygones`: the commands, and how mistakes are reported.

Exit codes: 0; 1 where a result fails its own audit; 2 for a user's mistake; 130 when interrupted.
"""

import atexit
import gc
import sys
from io import TextIOWrapper
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table as Grid

from ..version import __version__
from . import backtest, bound, reproduce
from .options import as_options, examples

INTERRUPTED = 130

app = typer.Typer(
    name="bygones",
    help=(
        "Online decisions, when what you pay depends on the average of what you chose before.\n\n"
        "A learner is a rule that decides in every round, from the past alone. The memory says how far back decisions "
        "count. Regret is what a learner pays more than the best single action, played in all rounds."
    ),
    epilog=examples(
        "bygones backtest @flights --memory window:7",
        "bygones bound --actions 10 --horizon 10000 --memory window:100",
        "bygones list",
        "bygones reproduce",
    ),
    rich_markup_mode="rich",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def about(version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False) -> None:
    """Print the version, if asked."""
    if version:
        print(f"bygones {__version__}")
        raise typer.Exit


@app.command(
    "list",
    epilog=examples("bygones list", "bygones list --actions 16 --horizon 365 --window 7"),
)
def list_(
    actions: Annotated[int, typer.Option(help="Number of actions for the bounds shown.")] = 10,
    horizon: Annotated[int, typer.Option(help="Number of rounds for the bounds shown.")] = 10_000,
    window: Annotated[int, typer.Option(help="Window of the bounds shown: how many decisions count.")] = 100,
) -> None:
    """List learners with their bounds, memories, cost families and data sets.

    A learner is a rule that decides in every round, from the past alone. A
    memory says how past decisions count in what you pay. Regret is what a
    learner pays more than the best single action, played in all rounds; a bound
    on it holds whatever the costs.
    """
    from ..costs import FAMILIES
    from ..datasets import DATASETS
    from ..learners import LEARNERS
    from ..memory import MEMORIES, Window
    from ..problem import Problem

    problem = Problem(actions, horizon, Window(window))
    learners = Grid(title="Learners", caption=f"bounds for {actions} actions, {horizon:,} rounds, a window of {window}")
    learners.add_column("name")
    learners.add_column("what it does")
    learners.add_column("regret at most", justify="right")
    for learner in LEARNERS:
        promised = learner().bound(problem)
        learners.add_row(learner.__name__, _first_line(learner), "" if promised is None else f"{promised:,.1f}")
    console = Console()
    console.print(learners)
    for title, kinds in (("Memories", MEMORIES), ("Cost families", FAMILIES)):
        grid = Grid("name", "what it is", title=title)
        for kind in kinds:
            grid.add_row(kind.__name__, _first_line(kind))
        console.print(grid)
    tables = Grid("name", "what it is", title="Data sets", show_lines=True)
    for data in DATASETS:
        size = f"{data.rows} rows, {len(data.options)} options, {'rewards' if data.rewards else 'costs'}"
        tables.add_row(data.name, f"{data.about}\n{size}\n{data.source}; {data.licence}")
    console.print(tables)


app.command("backtest", epilog=backtest.EXAMPLES)(backtest.backtest)
app.command("bound", epilog=bound.EXAMPLES)(bound.bound)
app.command("reproduce", epilog=reproduce.EXAMPLES)(reproduce.reproduce)


def _first_line(kind: type) -> str:
    return (kind.__doc__ or "").strip().splitlines()[0]


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code; a user's mistake is a sentence, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a character that a terminal cannot show is not an error
    if "" not in sys.path:  # the working directory, where `--learner package.module:Class` finds the user's modules
        sys.path.append("")
    atexit.register(gc.freeze)  # a process that ends has nothing to collect, and would look for it for half a second
    try:
        app(arguments, standalone_mode=True)
    except SystemExit as exit_:
        if exit_.code == INTERRUPTED:  # typer's code for Ctrl-C, about which it prints nothing
            print("bygones: interrupted", file=sys.stderr)
        return exit_.code if isinstance(exit_.code, int) else 0
    except (ValueError, OSError) as error:
        print(f"bygones: {as_options(str(error))}", file=sys.stderr)
        return 2
    except MemoryError:
        print("bygones: out of memory: give fewer replicates or a smaller table", file=sys.stderr)
        return 2
    return 0
