"""The paper's experiments: what they are, how they are run, and their picture.

`python -m bygones.paper`, or `make reproduce` on a machine that has nothing yet.
"""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from .costs import Costs, Cyclic, StocHet, StocId
from .describing import whole
from .learners import FTARL, LSA
from .memory import Window
from .problem import Problem
from .report import draw_curves
from .result import Result
from .simulation import simulate
from .store import replacing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PROBLEM = Problem(actions=10, horizon=10_000, memory=Window(100))
FAMILIES: dict[str, Costs] = {
    "StocHet": StocHet(),
    "StocId": StocId(),
    "Cyc": Cyclic(hold=50, vectors=2),  # the text says all ten vectors, but the figure was made with two
}
LEARNERS = (FTARL(), LSA())


def run(
    replicates: int = 20, seed: int = 0, problem: Problem = PROBLEM, progress: bool | None = None
) -> dict[str, Result]:
    """The results, by the name of the costs.

    >>> results = run(replicates=2, problem=Problem(3, 200, Window(5)))
    >>> results["Cyc"].regrets["FTARL"].shape
    (2, 200)
    """
    return {
        family: simulate(problem, LEARNERS, costs, replicates, seed, progress=progress)
        for family, costs in FAMILIES.items()
    }


def draw(results: dict[str, Result]) -> "Figure":
    """One panel for each kind of costs: mean regret, and a band of one standard deviation."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 3.4), layout="constrained")
    for axes, (family, result) in zip(figure.subplots(1, len(results)), results.items(), strict=True):
        draw_curves(axes, result.curves())
        axes.set_title(family)
    figure.axes[0].set_ylabel("regret")
    figure.axes[0].legend(frameon=False, loc="upper left")
    return figure


def main(arguments: list[str] | None = None) -> int:
    """Run the experiments, print their end values and write their picture."""
    from rich.console import Console
    from rich.table import Table as Grid

    parser = argparse.ArgumentParser(
        prog="python -m bygones.paper", description="Run and draw the paper's experiments."
    )
    parser.add_argument("--out", type=Path, default=Path("bygones-report"), help="folder to write to (%(default)s)")
    parser.add_argument("--replicates", type=int, default=20, help="runs of each experiment (%(default)s; paper: 100)")
    parser.add_argument("--seed", type=int, default=0, help="seed of all randomness (%(default)s)")
    options = parser.parse_args(arguments)
    console = Console()
    try:
        whole("--replicates", options.replicates, 2)
        whole("--seed", options.seed, 0)
        if options.out.exists() and not options.out.is_dir():
            raise ValueError(f"--out {options.out} is a file: name a folder")
        options.out.mkdir(parents=True, exist_ok=True)
        results = run(options.replicates, options.seed)
        with replacing(options.out / "figure1.png") as file:
            draw(results).savefig(file, format="png", dpi=200)
    except (OSError, ValueError) as error:
        print(f"bygones: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("bygones: interrupted; nothing was written", file=sys.stderr)
        return 130
    grid = Grid(title=f"Regret after {PROBLEM.horizon:,} rounds, mean of {options.replicates} (standard error)")
    grid.add_column("costs")
    for learner in results["Cyc"].regrets:
        grid.add_column(learner, justify="right")
    for family, result in results.items():
        ends = result.summary().select("mean", "se").rows()
        grid.add_row(family, *(f"{mean:,.1f} ({se:.1f})" for mean, se in ends))
    console.print(grid)
    console.print(f"The picture: {options.out / 'figure1.png'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
