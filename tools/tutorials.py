"""Make what the tutorials show: tables, pictures, and what their commands print: `make tutorials`."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl
import tutorial_data
from matplotlib.dates import ConciseDateFormatter
from matplotlib.figure import Figure
from stories import DOTS

import bygones as by
from bygones.report import AREAS, COLOURS, LINES

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs" / "tutorials"
SHOWN = re.compile(r"(?<=```\n\$ )((?:[^\n]*\\\n)*[^\n]*)\n(.*?)(?=```)", flags=re.S)  # a command, and what it prints
SECONDS = re.compile(r"\(\d+\.\d s")
WIDE, LOW = (7.2, 5.2), (7.2, 3.2)


def suppliers() -> Figure:
    """Costs with the break, and what is held: until now as signed, from now on as advised."""
    costs, signed = _table("contracts"), _table("contracts-signed")
    done = by.backtest(costs, "window:12", held=signed)
    figure = Figure(figsize=WIDE, layout="constrained")
    above, below = figure.subplots(2, 1)
    means = costs.select("week", pl.exclude("week").rolling_mean(4))
    for number, name in enumerate(done.problem.names):
        above.plot(costs["week"], means[name], color=COLOURS[number], linestyle=LINES[number], label=name)
    above.axvline(np.datetime64(done.facts.change.when), color="0.5", linewidth=0.8)  # type: ignore[union-attr]
    above.annotate("the best changes", (np.datetime64("2024-04-01"), above.get_ylim()[1]), ha="right", va="top")
    above.set_ylabel("unit cost,\nmean of 4 weeks")
    above.xaxis.set_major_formatter(ConciseDateFormatter(above.xaxis.get_major_locator()))  # type: ignore[no-untyped-call]
    advised = done.next.filter(learner=done.adviser)["decision"].to_numpy()
    past = np.array([[name == each for name in done.problem.names] for each in signed["signed"]], dtype=float)
    states = by.Window(12).start(3).extend(np.vstack([past, np.tile(advised, (12, 1))]))[12:]
    weeks = np.arange(len(states)) - (len(past) - 13)
    below.stackplot(weeks, states.T, colors=AREAS[:3], labels=done.problem.names, step="mid")
    below.axvline(0.5, color="black", linewidth=1)
    below.annotate("as advised ", (12.5, 1.03), ha="right", annotation_clip=False)
    below.annotate("as signed", (weeks[0] - 0.5, 1.03), annotation_clip=False)
    below.set_xlim(weeks[0] - 0.5, 12.5)
    below.set_ylim(0, 1)
    below.set_ylabel("share of the volume")
    below.set_xlabel("weeks from 2024-12-23, the last one of the table")
    for axes in (above, below):
        axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1), reverse=axes is below)
    return figure


def portfolio() -> Figure:
    """What 1 became: each fund, the adviser and equal parts."""
    done = by.backtest(_table("funds"), "window:6", prices=True, trade_cost=0.001)
    prices = _table("funds").tail(done.periods + 1)
    figure = Figure(figsize=LOW, layout="constrained")
    axes = figure.subplots()
    ends = {}
    for number, name in enumerate(done.problem.names):
        curve = (prices[name] / prices[name][0]).to_numpy()
        axes.plot(prices["month"], curve, color="0.65", linestyle=LINES[number], linewidth=1)
        ends[name] = curve[-1], "0.4"
    relatives = (prices.select(done.problem.names) / prices.select(done.problem.names).shift(1)).to_numpy()[1:]
    for number, learner in enumerate((done.adviser, "Uniform")):
        own = done.decisions.filter(learner=learner).pivot("option", index="time", values="state")
        states = own.select(done.problem.names).to_numpy()
        earned = states * relatives
        drifted = earned / earned.sum(axis=1, keepdims=True)
        traded = np.abs(states[1:] - drifted[:-1]).sum(axis=1)
        factors = earned.sum(axis=1) * np.concatenate([[1.0], 1 - 0.001 * traded])
        curve = np.concatenate([[1.0], factors.cumprod()])
        axes.plot(prices["month"], curve, color=COLOURS[number], linewidth=2)
        label = learner if number == 0 else "equal parts"
        ends[label] = curve[-1], COLOURS[number]
    for name, (end, colour) in ends.items():
        place = (prices["month"][-1], end * (0.965 if name == "equal parts" else 1.035 if name == "gold" else 1))
        axes.annotate(f" {name} {end:.2f}", place, color=colour, va="center", annotation_clip=False)
    axes.set_yscale("log")
    axes.set_yticks([1, 1.5, 2, 3], ["1", "1.5", "2", "3"])
    axes.minorticks_off()
    axes.set_ylabel("what 1 became")
    axes.set_xlim(prices["month"][0], prices["month"][-1])
    return figure


def advertising() -> Figure:
    """The fitted memory, and the true one."""
    spending, sales = (_table(name).drop("week") for name in ("spending", "sales"))
    figure = Figure(figsize=LOW, layout="constrained")
    axes = by.fit_memory(None, spending, sales["sales"]).plot(figure.subplots())
    axes.plot(np.arange(31), 0.3 * 0.7 ** np.arange(31), ":", color=COLOURS[1], label="the truth, geometric:0.7")
    axes.legend(frameon=False)
    axes.set_xlabel("weeks ago")
    return figure


def forecasters() -> Figure:
    """The mean of two forecasts' errors, and the error of their mean, over the weight of one."""
    table = _table("forecasts")
    model, buyer = (table[name] - table["sold"] for name in ("model", "buyer"))
    weights = np.linspace(0, 1, 101)
    mixed = [float(((1 - weight) * model + weight * buyer).pow(2).mean()) for weight in weights]
    single = (1 - weights) * mixed[0] + weights * mixed[-1]
    figure = Figure(figsize=LOW, layout="constrained")
    axes = figure.subplots()
    axes.plot(weights, single, color=COLOURS[0], linestyle=LINES[1])
    axes.annotate("the mean of the two errors", (0.5, single[50] - 3), color=COLOURS[0], ha="center")
    axes.plot(weights, mixed, color=COLOURS[1])
    axes.annotate("the error of the mixed forecast", (0.5, mixed[50] + 9), color=COLOURS[1], ha="center")
    axes.set_xticks([0, 0.5, 1], ["all model", "half each", "all buyer"])
    axes.set_ylabel("mean squared error")
    axes.set_ylim(0, None)
    return figure


def days() -> Figure:
    """How the interval of a difference shrinks as days come in."""
    table = _table("couriers")
    counts = range(14, 101, 2)  # before, another courier leads at times
    figure = Figure(figsize=LOW, layout="constrained")
    axes = figure.subplots()
    rows: dict[str, list[tuple[Any, ...]]] = {"Gull": [], "Fleet": []}
    for count in counts:
        done = by.backtest(table.head(count), "window:3", ["uniform"], cost_range=24)
        for name, own in rows.items():
            own.append(done.comparison.filter(option=name).select("difference", "low", "high").row(0))
    for number, (name, own) in enumerate(rows.items()):
        middle, low, high = np.array(own).T
        axes.fill_between(counts, low, high, color=COLOURS[number], alpha=0.2, linewidth=0)
        axes.plot(counts, middle, color=COLOURS[number], linestyle=LINES[number])
        axes.annotate(f" {name}", (100, middle[-1] + 0.4 * (number - 0.5)), color=COLOURS[number], va="center")
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_xlim(counts[0], 100)
    axes.set_ylim(-6, 10)
    axes.set_xlabel("days in the table")
    axes.set_ylabel("hours slower than Harrier")
    return figure


def _table(name: str) -> pl.DataFrame:
    """One of the tutorials' tables."""
    return pl.read_csv(ROOT / "examples" / f"{name}.csv", try_parse_dates=True)


def refresh(page: Path) -> None:
    """Write what the commands of a page print into it; outputs with an ellipsis are left as they are."""
    page.write_text(SHOWN.sub(_printed, page.read_text(encoding="utf-8")), encoding="utf-8")


def _printed(found: "re.Match[str]") -> str:
    """A command and what it prints."""
    command, shown = found.groups()
    if re.search(r"^\.\.\.$", shown, flags=re.M):
        return found[0]
    words = shlex.split(command.replace("\\\n", ""))
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    settings = os.environ | {"COLUMNS": "80", "PATH": path}
    with TemporaryDirectory() as folder:
        (Path(folder) / "examples").symlink_to(ROOT / "examples")
        said = subprocess.run(words, cwd=folder, env=settings, capture_output=True, text=True, check=False)
    lines = [line.rstrip() for line in SECONDS.sub("(1.2 s", said.stdout + said.stderr).splitlines()]
    return "\n".join([command, *lines, ""])


def main() -> int:
    """Make it all."""
    tutorial_data.main(ROOT / "examples")
    for draw in (suppliers, portfolio, advertising, forecasters, days):
        figure = draw()
        for axes in figure.axes:
            axes.spines[["top", "right"]].set_visible(False)
        figure.savefig(PAGES / f"{draw.__name__}.png", dpi=DOTS, metadata={"Software": None})
    for page in PAGES.glob("*.md"):
        refresh(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
