"""`bygones lab`: what a memory costs at best, and how badly a learner can do."""

import math
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .grids import NUMBER, TEXT, Terminal, grid
from .options import MemoryWords, examples

if TYPE_CHECKING:
    import polars as pl

    from ..kernels import Array

VALUES = examples("bygones lab values", "bygones lab values --window 2 --horizon 16 --horizon 64 --json")
WORST = examples(
    "bygones lab worst hedge --horizon 20000 --memory window:32 --out worst.csv",
    "bygones lab worst 'steering(hedge)' --horizon 14 --memory window:3 --exact",
    "bygones lab worst mypackage.mymodule:MyLearner --horizon 1000 --memory geometric:0.9",
)
GROWTH = examples("bygones lab growth hedge hedge-ahead", "bygones lab growth hedge --horizon 1000 --horizon 4000")

app = typer.Typer(help="What a memory costs at best, and how badly a learner can do.", no_args_is_help=True)
Horizons = Annotated[list[int] | None, typer.Option("--horizon", help="Rounds; repeat it for more. Default: several.")]
Windows = Annotated[
    list[int] | None, typer.Option("--window", help="The length of a window; repeat it for more. Default: several.")
]
Effort = Annotated[
    float, typer.Option(help="How long to search: 1 is as long as about a thousand sequences of costs take.")
]
Drawn = Annotated[int, typer.Option("--seed", help="Of the search: the same one finds the same costs.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print it as JSON, for programs.")]


@app.command("values", epilog=VALUES)
def values(window: Windows = None, horizon: Horizons = None, json: AsJson = False) -> None:
    """Compute the least regret that any learner can promise, for two actions and windows.

    Regret is how much more a learner pays than the best single action. What it
    pays for is the mean of its last decisions, so many as the window has. The
    value is the regret of the best learner against the worst costs, of range 1.
    """
    from ..lab import values_table
    from ..lab.values import LENGTHS

    frame = values_table(horizon or None, window or LENGTHS)
    if json:
        print(dumps(frame.to_dicts(), indent=1))
        return
    rows = [
        [str(row["length"]), f"{row['horizon']:,}", f"{row['value']:.3f}", _up(row["error"]), f"{row['excess']:.3f}"]
        for row in frame.iter_rows(named=True)
    ]
    columns = dict.fromkeys(("window", "rounds", "value", "error", "excess"), NUMBER)
    console = Terminal()
    console.print(grid("Least regret to be promised", columns, rows))
    console.print(
        "For two actions and costs of range 1. value: of the best learner against the worst costs; error: an estimate "
        "of its error; excess: how much more that is than without memory."
    )
    lags = frame.filter(frame["length"] > 1)
    if len(lags):
        share = (lags["upper"] - lags["memoryless"]) / (lags["length"] - 1)
        most = _up(float(share.max()))  # type: ignore[arg-type] # of numbers it is one
        console.print(f"In these games a window of H raises the least regret by at most {most} (H - 1), proved.")


def _up(value: float) -> str:
    """A bound in three digits: rounded up, but for errors of floating point."""
    return f"{math.ceil(1000 * value - 1e-9) / 1000:.3f}"


@app.command("worst", epilog=WORST)
def worst(
    learner: Annotated[str, typer.Argument(help="A learner, such as hedge or steering(hedge); `bygones list`.")],
    horizon: Annotated[int, typer.Option(help="Number of rounds.")],
    memory: MemoryWords,
    actions: Annotated[int, typer.Option(help="Number of actions to choose from.")] = 2,
    effort: Effort = 1.0,
    seed: Drawn = 0,
    exact: Annotated[
        bool, typer.Option("--exact", help="Go through all sequences, in short games of two actions.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="A new CSV file for the costs, so that others can check.")] = None,
    json: AsJson = False,
) -> None:
    """Search for costs on which a learner does badly, beside what it promises.

    Regret is how much more it pays than the best single action, on average if
    it draws. Every cost is 0 or 1. What a search finds is a lower bound of the
    worst: there may be worse. With --exact no such costs are worse in up to 16
    rounds, nor in longer games of learners that decide by the sums of costs and
    the last few of them alone.
    """
    from ..lab import exact_worst_case, worst_case
    from ..memory import Memory
    from ..problem import Problem
    from ..promises import amount
    from ..store import check_place

    problem = Problem(actions, horizon, Memory.parse(memory), 1.0)
    if out is not None:
        if out.exists():
            raise ValueError(f"{out} is there already: name a new file with --out")
        check_place(out)
    found = exact_worst_case(learner, problem) if exact else worst_case(learner, problem, effort, seed)
    if out is not None:
        _write(out, found.costs, problem.names)
    if json:
        said = {"regret": found.regret, "bound": found.bound, "share": found.share, "found_by": found.found_by}
        print(dumps({**said, "tries": found.tries, "costs": None if out is None else str(out)}, indent=1))
        return
    console = Terminal()
    how = "The worst costs of 0 and 1" if exact else f"The worst of {found.tries:,} sequences of costs"
    console.print(f"{how} give {learner} a regret of {amount(found.regret)} over {horizon:,} rounds, {memory}.")
    if found.bound is not None and found.share is not None:
        console.print(f"That is {100 * found.share:.3g} % of what it promises, {amount(found.bound)}.")
    else:
        console.print("It promises nothing beforehand.")
    console.print(f"Found by: {found.found_by}.")
    if out is not None:
        console.print(f"The costs: {out}", soft_wrap=True)


@app.command("growth", epilog=GROWTH)
def growing(
    learners: Annotated[list[str], typer.Argument(help="Learners, such as hedge and hedge-ahead.")],
    window: Windows = None,
    horizon: Horizons = None,
    effort: Effort = 0.5,
    seed: Drawn = 0,
    json: AsJson = False,
) -> None:
    """Search worst cases for several horizons and windows, and fit how they grow."""
    from ..lab import exponents, growth
    from ..lab.growing import HORIZONS, LENGTHS
    from ..promises import amount

    frame = growth(learners, horizon or HORIZONS, window or LENGTHS, effort=effort, seed=seed)
    fits = exponents(frame)
    if json:
        print(dumps({"worst": frame.to_dicts(), "exponents": fits.to_dicts()}, indent=1))
        return
    console = Terminal()
    rows = [
        [row["learner"], f"{row['horizon']:,}", str(row["length"]), amount(row["regret"]), _bound(row), row["found_by"]]
        for row in frame.iter_rows(named=True)
    ]
    columns = {"learner": TEXT, "rounds": NUMBER, "window": NUMBER, "regret": NUMBER, "bound": NUMBER, "found by": TEXT}
    console.print(grid("Worst cases found, two actions, range 1", columns, rows))
    for line in _grown(fits):
        console.print(line)
    if not len(fits):
        console.print("To fit how they grow, give three or more of --horizon or --window.")


def _bound(row: dict[str, float | None]) -> str:
    from ..promises import amount

    return "" if row["bound"] is None else amount(row["bound"])


def _grown(fits: "pl.DataFrame") -> list[str]:
    """A sentence for each learner and parameter: the exponents over the values of the other one."""
    said = []
    for (learner, parameter), group in fits.group_by("learner", "parameter", maintain_order=True):
        row = group.row(-1, named=True)
        letter, other = ("T", f"a window of {row['at']}") if parameter == "horizon" else ("H", f"{row['at']:,} rounds")
        grown = f"grows like {letter}^{row['exponent']:.2f} (standard error {row['se']:.2f})"
        said.append(f"With {other} the worst regret found for {learner} {grown}.")
    return said


def _write(path: Path, costs: "Array", names: tuple[str, ...]) -> None:
    """Write costs as a table, whole or not at all."""
    import polars as pl

    from ..store import as_bytes, replacing

    with replacing(path) as file:
        file.write(as_bytes(pl.DataFrame(costs, schema=list(names)).write_csv))
