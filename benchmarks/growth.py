"""How time grows with the rounds, the actions and the replicates of a shared table."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from timing import Sizes, Times, in_turns, seconds, table

import bygones as by

FIXED = 0.1  # a point counts in the fit if the fixed cost is at most this share of its time


class Growth(NamedTuple):
    """One variable grows, the others stay."""

    name: str
    least: int  # the run at this value measures the fixed cost
    grid: tuple[int, ...]
    others: dict[str, int]

    def job(self, value: int) -> Callable[[], object]:
        """FTARL and LSA on a table that is given, one worker, 1,000 rounds recorded."""
        size = self.others | {self.name: value}
        problem = by.Problem(size["n"], size["T"], by.Window(100))
        costs = by.StocHet().draw(size["n"], size["T"], np.random.default_rng(0))
        pair, count = [by.FTARL(), by.LSA()], size["replicates"]
        return lambda: by.simulate(problem, pair, costs, count, workers=1, record=1000, progress=False)

    def measured(self, turns: int) -> dict[int, Times]:
        """The times of the grid, and of the least value."""
        times = in_turns({str(value): self.job(value) for value in (self.least, *self.grid)}, turns)
        return {int(value): taken for value, taken in times.items()}

    def fitted(self, times: dict[int, Times]) -> tuple[list[int], float]:
        """The values whose fixed cost is small, and the exponent through their best times; nan: fewer than two."""
        used = [value for value in self.grid if times[self.least].best <= FIXED * times[value].best]
        return used, exponent(times, used)


def exponent(times: dict[int, Times], values: Sequence[int]) -> float:
    """The slope of the best times over some values, log-log; nan: fewer than two."""
    if len(values) < 2:
        return float("nan")
    return float(np.polyfit(np.log(values), np.log([times[value].best for value in values]), 1)[0])


def section(sizes: Sizes, folder: Path) -> str:
    """Times and exponents, and a picture of them in the folder."""
    growths = (
        Growth("replicates", 1, sizes.shared_replicates, {"T": sizes.rounds, "n": 10}),
        Growth("T", 1, sizes.grown_rounds, {"n": 100, "replicates": 32}),
        Growth("n", 2, sizes.grown_actions, {"T": 1000, "replicates": 8}),
    )
    matplotlib.rcdefaults()  # a peer asks for LaTeX when it is imported
    figure = Figure(figsize=(10, 3.2), layout="constrained")
    rows = []
    for axes, growth in zip(figure.subplots(1, 3), growths, strict=True):
        times = growth.measured(sizes.few_turns)
        used, slope = growth.fitted(times)
        said = f"{slope:.2f}, from {used[0]:,} to {used[-1]:,}" if len(used) > 1 else "the fixed cost is too large"
        others = ", ".join(f"{name} = {value:,}" for name, value in growth.others.items())
        shown = ", ".join(f"{value:,}: {seconds(times[value].best)}" for value in growth.grid)
        last = f"{exponent(times, used[-2:]):.2f}" if len(used) > 1 else ""
        rows.append([said, last, growth.name, others, seconds(times[growth.least].best), shown])
        axes.loglog(growth.grid, [times[value].best for value in growth.grid], "o-", color="#0b5fa5")
        axes.axhline(times[growth.least].best, color="#888888", linestyle=":")
        axes.set_title(f"{growth.name}: {said}", fontsize=9)
        axes.set_xlabel(f"{growth.name} ({others})", fontsize=8)
        axes.set_xticks(growth.grid, [f"{value:,}" for value in growth.grid], fontsize=8)
        axes.minorticks_off()
        axes.spines[["top", "right"]].set_visible(False)
    figure.axes[0].set_ylabel("seconds, best; dotted: fixed cost", fontsize=8)
    figure.savefig(folder / "growth.png", dpi=150)
    return (
        "## How time grows: FTARL and LSA on one shared table, one worker\n\n"
        "The exponent is fitted, log-log, to the best times, only where the fixed cost (the run with one\n"
        "replicate, one round or two actions) is at most a tenth. The plot is `growth.png`.\n\n"
    ) + table(["exponent", "of the last step", "in", "others", "fixed cost", "best times"], rows, words=6)
