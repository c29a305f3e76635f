"""Draw the pictures of the data sets' pages: `make pictures`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from matplotlib.dates import ConciseDateFormatter
from matplotlib.figure import Figure

import bygones as by
from bygones.report import AREAS, COLOURS, LINES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DOTS = 150  # an inch
LARGE = 0.1  # weights that an option must once have had for a colour of its own
LOOK: dict[str, Any] = {"figsize": (7.2, 5.6), "layout": "constrained"}


def flights() -> Figure:
    """Delays over the year, and what Steering would have held of each carrier under a week's memory."""
    delays = by.datasets.load("flights")
    result = by.backtest("@flights", "window:7", ["steering", "uniform"])
    figure = Figure(**LOOK)
    above, below = figure.subplots(2, 1, sharex=True)
    monthly = delays.select("date", pl.exclude("date").rolling_mean(28))
    best = result.options["option"].to_list()
    shown = [best[0], "Virgin America", "JetBlue Airways", best[-1]]
    for name in best:
        if name in shown:
            number = shown.index(name)
            above.plot(monthly["date"], monthly[name], color=COLOURS[number], linestyle=LINES[number], label=name)
        else:
            above.plot(monthly["date"], monthly[name], color="0.8", linewidth=0.7, zorder=0)
    above.set_ylabel("minutes late,\nmean of 28 days")
    above.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    _stack(below, result, "Steering")
    return figure


def wikipedia() -> Figure:
    """Views of the articles, and what Steering and the paper's algorithm would have written about."""
    views = by.datasets.load("wikipedia")
    result = by.backtest("@wikipedia", "window:28", ["steering", "ftarl"])
    figure = Figure(**LOOK | {"figsize": (7.2, 7.0)})
    above, *below = figure.subplots(3, 1, sharex=True)
    for number, name in enumerate(result.options["option"].to_list()[:4]):
        above.plot(views["date"], views[name], color=COLOURS[number], linestyle=LINES[number], linewidth=1, label=name)
    above.set_yscale("log")
    above.set_ylabel("views a day")
    above.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    for axes, learner in zip(below, ("Steering", "FTARL"), strict=True):
        _stack(axes, result, learner)
    return figure


def memory() -> Figure:
    """Three memories, and the one that fits sales after advertising."""
    figure = Figure(**LOOK | {"figsize": (7.2, 6.0)})
    above, below = figure.subplots(2, 1)
    shown = {"window:12": "a 12-week contract", "geometric:0.7937": "a half-life of 3 weeks", "weights:0.5,0.3,0.2": ""}
    for number, (words, what) in enumerate(shown.items()):
        weights = by.Memory.parse(words).weights(20)
        label = f"{words}  {what}".strip()
        look = {"color": COLOURS[number], "linestyle": LINES[number], "label": label}
        above.step(np.arange(20), np.pad(weights, (0, 20 - len(weights))), where="mid", **look)
    above.set_xlim(-0.6, 19.6)
    above.set_ylim(bottom=0)
    above.locator_params(axis="x", integer=True)
    above.set_xlabel("periods ago")
    above.set_ylabel("weight of the decision")
    above.legend(frameon=False)
    spending, sales = (pl.read_csv(f"examples/{name}.csv", try_parse_dates=True) for name in ("spending", "sales"))
    by.fit_memory(None, spending.drop("week"), sales["sales"], longest=20).plot(below)
    below.set_title("fitted to examples/sales.csv and examples/spending.csv", fontsize="medium")
    return figure


def _stack(axes: "Axes", result: Any, learner: str) -> None:  # noqa: ANN401
    """A learner's states over time, those that were ever large in colours of their own."""
    own = result.decisions.filter(learner=learner).pivot("option", index="time", values="state")
    large = [name for name in result.options["option"] if own[name].max() > LARGE][:6]
    weights = own.select(large).to_numpy().T
    layers = np.vstack([weights, 1 - weights.sum(axis=0)])
    axes.stackplot(own["time"], layers, colors=[*AREAS[: len(large)], "0.85"], labels=[*large, "the others"])
    axes.xaxis.set_major_formatter(ConciseDateFormatter(axes.xaxis.get_major_locator()))  # type: ignore[no-untyped-call]
    axes.set_ylim(0, 1)
    axes.margins(x=0)
    axes.set_ylabel(f"state of {learner}")
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1), reverse=True)


def main(to: Path) -> int:
    """Draw them all."""
    for draw in (flights, wikipedia, memory):
        figure = draw()
        for axes in figure.axes:
            axes.spines[["top", "right"]].set_visible(False)
        figure.savefig(to / f"{draw.__name__}.png", dpi=DOTS, metadata={"Software": None})
    return 0


if __name__ == "__main__":
    sys.exit(main(Path("docs")))
