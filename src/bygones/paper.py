"""The paper's experiments: what they are, how they are run, and their picture.

`python -m bygones.paper`, or `make reproduce` on a machine that has nothing yet.
"""

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import SeedSequence, default_rng

from .accounting import regret
from .costs import Costs, Cyclic, StocHet, StocId
from .describing import whole
from .kernels import Array
from .learners import FTARL, LSA, Learner
from .memory import Window
from .problem import Problem
from .store import replacing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PROBLEM = Problem(actions=10, horizon=10_000, memory=Window(100))
FAMILIES: dict[str, Costs] = {
    "StocHet": StocHet(),
    "StocId": StocId(),
    "Cyc": Cyclic(hold=50, vectors=2),  # the text says all ten vectors, but the figure was made with two
}
LEARNERS: dict[str, Learner] = {"FTARL": FTARL(), "LSA": LSA()}

Curves = dict[tuple[str, str], Array]


def run(
    replicates: int = 20,
    seed: int = 0,
    problem: Problem = PROBLEM,
    progress: Callable[[Iterable[int]], Iterable[int]] = iter,
) -> Curves:
    """Regret after every round: for each family and learner, one row a replicate.

    Replicate r draws its costs from `SeedSequence(seed, spawn_key=(r, 0))` and feeds every learner from `(r, 1)`.

    >>> curves = run(replicates=2, problem=Problem(3, 200, Window(5)))
    >>> curves["Cyc", "FTARL"].shape
    (2, 200)
    """
    rounds = PROBLEM.horizon if problem.horizon is None else problem.horizon
    curves = {(family, learner): np.empty((replicates, rounds or 0)) for family in FAMILIES for learner in LEARNERS}
    for replicate in progress(range(replicates)):
        for family, costs in FAMILIES.items():
            table = costs.draw(problem.n, rounds or 0, default_rng(SeedSequence(seed, spawn_key=(replicate, 0))))
            for name, learner in LEARNERS.items():
                decisions = learner.start(problem, SeedSequence(seed, spawn_key=(replicate, 1))).play(table)
                states = problem.memory.start(problem.n).extend(decisions)
                curves[family, name][replicate] = regret(table, states)
    return curves


def draw(curves: Curves) -> "Figure":
    """One panel a family: mean regret, and a band of one standard deviation."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 3.4), layout="constrained")
    for axes, family in zip(figure.subplots(1, len(FAMILIES)), FAMILIES, strict=True):
        for learner, line, colour in zip(LEARNERS, ("-", "--"), ("#0b5fa5", "#c1440e"), strict=True):
            regrets = curves[family, learner]
            mean, deviation = regrets.mean(axis=0), regrets.std(axis=0, ddof=1)
            t = np.arange(1, regrets.shape[1] + 1)
            axes.plot(t, mean, line, color=colour, linewidth=1.6, label=learner)
            axes.fill_between(t, mean - deviation, mean + deviation, color=colour, alpha=0.18, linewidth=0)
        axes.set_title(family)
        axes.set_xlabel("round")
        axes.margins(x=0)
        axes.spines[["top", "right"]].set_visible(False)
    figure.axes[0].set_ylabel("regret")
    figure.axes[0].legend(frameon=False, loc="upper left")
    return figure


def main(arguments: list[str] | None = None) -> int:
    """Run the experiments, print their end values and write their picture."""
    from rich.console import Console
    from rich.progress import track
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
        curves = run(
            options.replicates,
            options.seed,
            progress=lambda steps: track(steps, "the paper's experiments", console=console, transient=True),
        )
        with replacing(options.out / "figure1.png") as file:
            draw(curves).savefig(file, format="png", dpi=200)
    except (OSError, ValueError) as error:
        print(f"bygones: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("bygones: interrupted; nothing was written", file=sys.stderr)
        return 130
    grid = Grid(title=f"Regret after {PROBLEM.horizon:,} rounds, mean of {options.replicates} (standard error)")
    grid.add_column("costs")
    for learner in LEARNERS:
        grid.add_column(learner, justify="right")
    for family in FAMILIES:
        ends = [curves[family, learner][:, -1] for learner in LEARNERS]
        grid.add_row(family, *(f"{end.mean():,.1f} ({end.std(ddof=1) / len(end) ** 0.5:.1f})" for end in ends))
    console.print(grid)
    console.print(f"The picture: {options.out / 'figure1.png'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
