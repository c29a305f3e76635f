"""`bygones bound`: what theory promises, before anything is played."""

from typing import Annotated

import typer

from .grids import NUMBER, TEXT, Terminal, grid
from .options import MemoryWords, examples

EXAMPLES = examples(
    "bygones bound --actions 10 --horizon 10000 --memory window:100",
    "bygones bound --actions 3 --horizon 365 --memory geometric:0.9 --range 2.5",
)
NARROW = 72  # columns; a narrower table has no room for the sources


def bound(
    actions: Annotated[int, typer.Option(help="Number of actions to choose from.")],
    horizon: Annotated[int, typer.Option(help="Number of rounds.")],
    memory: MemoryWords,
    cost_range: Annotated[
        float, typer.Option("--range", help="The largest difference between two actions' costs within a round.")
    ] = 1.0,
) -> None:
    """Show what theory promises on a problem, what no learner can beat, and which learner to use.

    A learner is a rule that decides in every round, from the past alone. What
    it pays depends on the average of its recent decisions; the memory says how
    far back they count. Regret is how much more it pays than the best single
    action, played in every round. A bound is vacuous if it says nothing: no run
    can lose more.
    """
    from ..memory import Memory
    from ..problem import Problem
    from ..promises import advise, amount, bounds

    problem = Problem(actions, horizon, Memory.parse(memory), cost_range)
    console = Terminal()
    frame, rows, sources = bounds(problem).sort("value"), [], console.width >= NARROW
    for kind, who in (("promise", ""), ("floor", "any learner, at least: ")):
        for row in frame.filter(kind=kind).iter_rows(named=True):
            shown = "vacuous" if row["vacuous"] else f"{100 * row['share']:.3g}%"
            rows.append([f"{who}{row['name']}", *[row["source"]] * sources, amount(row["value"]), shown])
        rows.append([])
    columns = {"regret of": TEXT} | ({"source": TEXT} if sources else {}) | {"bound": NUMBER, "share": NUMBER}
    title = f"{actions:,} actions, {horizon:,} rounds, {memory}, range {cost_range:g}"
    caption = "share: of range times rounds, which no run can exceed; vacuous: not below it"
    console.print(grid(title, columns, rows, caption), "")
    for sentence in advise(problem):
        console.print(sentence)
