"""`bygones`: the commands, and how mistakes are reported.

Exit codes: 0; 1 where a result fails its own audit; 2 for a user's mistake; 130 when interrupted.
"""

import atexit
import gc
import sys
from collections.abc import Iterable
from io import TextIOWrapper
from typing import Annotated

import typer
from rich.console import Console

from ..version import __version__
from . import backtest, bound, reproduce
from .grids import TEXT, grid
from .options import as_options, examples

INTERRUPTED = 130

app = typer.Typer(
    name="bygones",
    help=(
        "Online decisions, when what you pay depends on the average of what you chose before.\n\n"
        "A learner is a rule that decides in every round, from the past alone. The memory says how far back decisions "
        "count. Regret is how much more a learner pays than the best single action, played in every round."
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


@app.command("list", epilog=examples("bygones list", "bygones list --actions 16 --horizon 365 --window 7"))
def list_(
    actions: Annotated[int, typer.Option(help="Number of actions for the bounds shown.")] = 10,
    horizon: Annotated[int, typer.Option(help="Number of rounds for the bounds shown.")] = 10_000,
    window: Annotated[int, typer.Option(help="Window of the bounds shown: how many decisions count.")] = 100,
) -> None:
    """List learners with their bounds, memories, cost families and data sets.

    A learner is a rule that decides in every round, from the past alone. A
    memory says how past decisions count in what you pay. Regret is how much
    more a learner pays than the best single action, played in every round; a
    bound on it holds whatever the costs.
    """
    from ..costs import FAMILIES
    from ..datasets import DATASETS
    from ..learners import LEARNERS
    from ..memory import MEMORIES, Window
    from ..problem import Problem

    problem = Problem(actions, horizon, Window(window))
    bounds = [kind().bound(problem) for kind in LEARNERS]
    shown = ["" if bound is None else f"{bound:,.1f}" for bound in bounds]
    learners = [(*about, bound) for about, bound in zip(_described(LEARNERS), shown, strict=True)]
    columns = {"name": TEXT, "what it does": TEXT, "regret at most": {"justify": "right"}}
    caption = f"bounds for {actions} actions, {horizon:,} rounds, a window of {window}"
    console, named = Console(), {"name": TEXT, "what it is": TEXT}
    console.print(grid("Learners", columns, learners, caption))
    console.print(grid("Memories", named, _described(MEMORIES)))
    console.print(grid("Cost families", named, _described(FAMILIES)))
    tables: list[tuple[str, ...]] = []
    for data in DATASETS:
        size = f"{data.rows} rows, {len(data.options)} options, {'rewards' if data.rewards else 'costs'}"
        tables += [(data.name, f"{data.about}\n{size}\n{data.source}; {data.licence}"), ()]
    console.print(grid("Data sets", named, tables))


app.command("backtest", epilog=backtest.EXAMPLES)(backtest.backtest)
app.command("bound", epilog=bound.EXAMPLES)(bound.bound)
app.command("reproduce", epilog=reproduce.EXAMPLES)(reproduce.reproduce)


def _described(kinds: Iterable[type]) -> list[tuple[str, str]]:
    """The names of some classes, and the first lines of what is written about them."""
    return [(kind.__name__, (kind.__doc__ or "").strip().splitlines()[0]) for kind in kinds]


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
