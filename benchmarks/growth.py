"""How time grows with the rounds, the actions and the replicates."""

import time
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.figure import Figure

import bygones as by

BASE = {"T": 20_000, "n": 1000, "replicates": 32}
GRIDS = {
    "T": [5_000, 10_000, 20_000, 40_000],
    "n": [30, 100, 300, 1000, 3000],
    "replicates": [1, 4, 16, 64, 256],
}


def seconds(T: int, n: int, replicates: int) -> float:
    """The best of a few runs on one shared table."""
    problem = by.Problem(n, T, by.Window(100))
    costs = by.StocId().draw(n, T, np.random.default_rng(0))
    times = []
    for _ in range(3):
        start = time.perf_counter()
        by.simulate(problem, [by.FTARL(), by.LSA()], costs, replicates, workers=1, record=1000, progress=False)
        times.append(time.perf_counter() - start)
    return min(times)


def measure(folder: Path) -> list[tuple[str, float]]:
    """Fit an exponent for each, and draw them."""
    matplotlib.rcdefaults()  # a peer asks for LaTeX when it is imported
    figure = Figure(figsize=(9, 3), layout="constrained")
    fitted = []
    for axes, (name, grid) in zip(figure.subplots(1, 3), GRIDS.items(), strict=True):
        times = [seconds(**(BASE | {name: value})) for value in grid]
        exponent = float(np.polyfit(np.log(grid), np.log(times), 1)[0])
        fitted.append((f"{name} from {grid[0]:,} to {grid[-1]:,}", exponent))
        axes.loglog(grid, times, "o-", color="#0b5fa5")
        axes.set_title(f"time ~ {name}^{exponent:.2f}", fontsize=10)
        axes.set_xlabel(name)
        axes.set_xticks(grid, [f"{value:,}" for value in grid], fontsize=8)
        axes.minorticks_off()
        axes.set_yticks(times, [f"{value:.2g}" for value in times], fontsize=8)
        axes.spines[["top", "right"]].set_visible(False)
    figure.axes[0].set_ylabel("seconds")
    figure.savefig(folder / "growth.png", dpi=150)
    return fitted
