"""`bygones`: the commands, and how mistakes are reported.

Exit codes: 0; 1 where a result fails its own audit, cells of a study fail or a journal is damaged; 2 for a user's
mistake; 130 when interrupted; 141 when the reader of a pipe leaves.
"""

import atexit
import gc
import os
import sys
import warnings
from collections.abc import Iterable
from contextlib import suppress
from io import TextIOWrapper
from typing import Annotated, Any

import typer

from ..version import __version__
from ..visible import visible
from . import backtest, bound, lab, live, memory, reproduce, serve, study
from .grids import TEXT, Terminal, grid
from .options import as_options, examples

INTERRUPTED, PIPE_CLOSED = 130, 141
USAGE: Any = typer.BadParameter.__base__  # what typer raises for words that it cannot parse; it has no public name
SHOWN = 800, 400  # characters of a long message: at its beginning, and at its end, where the remedy is
ADDRESSES = 2_000_000_000  # bytes of address space that commands need; most of it is never used

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
        "bygones live new --db journals.db --journal flights --table @flights --memory window:7",
        "bygones memory costs.csv --held decisions.csv --outcome paid",
        "bygones lab worst hedge --horizon 20000 --memory window:32",
        "bygones list",
        "bygones reproduce",
    ),
    rich_markup_mode="rich",
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def about(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Print the version, if asked; without a command, the help.

    Args:
        context: typer's, which knows the command.
        version: whether to print the version.

    Raises:
        ValueError: if there is no command, or too little address space for one.
    """
    if version:
        print(f"bygones {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help(), end="")
        raise ValueError("no command is given: name one, as in bygones list")
    _check_address_space()


def _check_address_space() -> None:
    """Refuse a limit (`ulimit -v`) with which the compiler or polars would abort, which nobody could catch."""
    with suppress(ImportError):  # other systems have no such limit
        import resource

        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        if limit != resource.RLIM_INFINITY and limit < ADDRESSES:
            raise ValueError(
                f"the address space is limited to {limit / 1e9:.2g} GB, which is too little for the compiler and for "
                f"reading tables: allow {ADDRESSES / 1e9:.0f} GB or more, as in ulimit -v {ADDRESSES // 1000}"
            )


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
    console, named = Terminal(), {"name": TEXT, "what it is": TEXT}
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
app.command("memory", epilog=memory.EXAMPLES)(memory.memory)
app.command("reproduce", epilog=reproduce.EXAMPLES)(reproduce.reproduce)
app.add_typer(study.app, name="study")
app.add_typer(lab.app, name="lab")
app.add_typer(live.app, name="live")
app.add_typer(serve.app, name="serve")


def _described(kinds: Iterable[type]) -> list[tuple[str, str]]:
    """The names of some classes, and the first lines of their docstrings, which `python -OO` leaves out."""
    return [(kind.__name__, (kind.__doc__ or "").strip().partition("\n")[0]) for kind in kinds]


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code; a user's mistake is a sentence, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a character that a terminal cannot show is not an error
    if "" not in sys.path:  # the working directory, where `--learner package.module:Class` finds the user's modules
        sys.path.append("")
    atexit.register(gc.freeze)  # a process that ends has nothing to collect, and would look for it for half a second
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_, **__: _say(f"note: {message}")
            code = _run(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()  # now, while a reader that has left can still be noticed
    except BrokenPipeError:
        return _left_alone()
    return code


def _run(arguments: list[str] | None) -> int:
    """Run a command; what went wrong goes to stderr."""
    try:
        code = app(arguments, prog_name="bygones", standalone_mode=False)
    except SystemExit as left:  # how typer ends when the reader of a pipe leaves; all other exit codes it returns
        raise BrokenPipeError from left
    except USAGE as error:
        command = error.ctx.command_path if error.ctx else "bygones"
        if not error.format_message():  # of a group of commands; typer has printed its help
            return _mistake(f"no command is given: name one, as in {command} --help")
        return _mistake(f"{error.format_message().rstrip('.')}; see {command} --help")
    except (ValueError, OSError) as error:
        return _mistake(as_options(str(error)))
    except MemoryError:
        return _mistake("out of memory: give fewer replicates or a smaller table")
    if code == INTERRUPTED:  # typer's code for Ctrl-C, about which it prints nothing
        _say("interrupted")
    return code or 0


def _mistake(message: str) -> int:
    _say(message)
    return 2


def _say(message: str) -> None:
    """Print one line; of a very long one, which has somebody's long value in it, the beginning and the end."""
    shown = visible(message)
    if len(shown) > sum(SHOWN):
        shown = f"{shown[: SHOWN[0]]} ... {shown[-SHOWN[1] :]}"
    print(f"bygones: {shown}", file=sys.stderr)


def _left_alone() -> int:
    """The exit code when the reader of a pipe has left: that of a program which the signal of this ends."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        with suppress(OSError):  # at the end Python would write what is left in the buffer, and complain
            stream.flush()
            continue
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return PIPE_CLOSED
