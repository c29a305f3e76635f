"""`bygones bound`: what theory promises, before anything is played."""

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table as Grid

EXAMPLES = (
    "Examples: [bold]bygones bound --actions 10 --horizon 10000 --memory window:100[/]   "
    "[bold]bygones bound --actions 3 --horizon 365 --memory geometric:0.9 --range 2.5[/]"
)
NARROW = 72  # columns; a table of fewer has no room for the sources


def bound(
    actions: Annotated[int, typer.Option(help="Number of actions to choose from.")],
    horizon: Annotated[int, typer.Option(help="Number of rounds.")],
    memory: Annotated[
        str,
        typer.Option(help="How the past counts: window:100, full, geometric:0.9 or weights:0.5,0.3,0.2, newest first."),
    ],
    cost_range: Annotated[
        float, typer.Option("--range", help="The most that two actions' costs differ within a round.")
    ] = 1.0,
) -> None:
    """Show what theory promises on a problem, what no learner can beat, and which learner to use."""
    from ..memory import read_memory
    from ..problem import Problem
    from ..theory import ANY_LEARNER, bounds
    from ..theory.advice import advise, amount

    problem = Problem(actions, horizon, read_memory(memory), cost_range)
    console = Console(highlight=False)
    sources = console.width >= NARROW
    grid = Grid(
        title=f"{actions:,} actions, {horizon:,} rounds, {memory}, range {cost_range:g}",
        caption="share: of range times rounds, which no run can exceed; vacuous: not below it",
    )
    grid.add_column("regret of")
    if sources:
        grid.add_column("source")
    grid.add_column("bound", justify="right", no_wrap=True)
    grid.add_column("share", justify="right", no_wrap=True)
    frame = bounds(problem).sort("value")
    floors = frame["name"].str.starts_with(ANY_LEARNER)
    for part in (frame.filter(~floors), frame.filter(floors)):
        for name, source, value, share, vacuous in part.rows():
            shown = "vacuous" if vacuous else f"{100 * share:.3g}%"
            grid.add_row(name, *[source] * sources, amount(value), shown)
        grid.add_section()
    console.print(grid, "")
    for sentence in advise(problem):
        console.print(sentence)
