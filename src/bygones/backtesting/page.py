"""The page of a backtest, and the files beside it."""

import platform
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from ..kernels import Actions, Array
from ..report import Page, area, as_csv, line, report_folder
from ..store import as_bytes
from . import sentences
from .sentences import figure, holds, named, per, percent, ranked, richest, shortened, spoken, when, worded

if TYPE_CHECKING:
    from .outcome import Backtest

STACKED = 9  # options with a layer of their own; the others share one
DRAWN = 3  # learners whose decisions are drawn
LISTED = 50  # options in a table; files have all
DETAILS = ("switches", "switch_cost", "low", "high", "bound", "guarantee")  # columns of the second table
HEADS = {
    "average": "per period",
    "share": "of the trivial bound",
    "gap": "worse than the clairvoyant",
    "switch_cost": "cost of switches",
    "total_with_switches": "total with switches",
    "low": "5 % of draws below",
    "high": "95 % of draws below",
    "guarantee": "guarantee at the end",
}
SHOW = {HEADS["share"]: percent, "from": when, "to": when}

KIND = "backtest"
FILES = {
    "results.parquet": "costs and regrets over time, at up to 1,000 periods",
    "decisions.parquet": "decisions and states over time, at up to 1,000 periods",
    "learners.csv": "what each learner would have cost; gains count as negative costs",
    "options.csv": "what each option would have cost if it was held all the time",
    "stretches.csv": "the worst stretch of periods for each learner",
    "sensitivity.csv": "regret with memories of other lengths",
    "next.csv": "decisions for the next period, and the states that they lead to",
}
WEALTH = {"wealth.csv": "what holding each portfolio would have made of a wealth of 1"}


def write(done: "Backtest", folder: str | PathLike[str]) -> None:
    """Write the page and its data, or nothing; the same results give the same bytes, except for the page.

    Args:
        done: the backtest.
        folder: a new or empty folder, or one that holds an earlier backtest.
    """
    made = page(done)
    with report_folder(Path(folder), KIND) as place:
        tables = (done.accounts, done.options, done.stretches, done.sensitivity, done.next)
        for name, frame in zip(FILES, (done.path, done.decisions, *tables), strict=True):
            content = as_csv(frame) if name.endswith(".csv") else as_bytes(frame.write_parquet)
            (place / name).write_bytes(content)
        if done.wealth is not None:
            (place / "wealth.csv").write_bytes(as_csv(done.wealth))
        made.write(place)


def page(done: "Backtest") -> Page:
    """The page: a summary, then the learners, their decisions, the options, the next period, and how it was made."""
    page = Page(f"Backtest of {shortened([done.about['costs']], 80)[0]}")
    page.text(
        "What some learners would have done with this table. A learner is a rule that chooses options in each period,",
        "one or a mix, from earlier periods only. What a period costs depends on the state, the average of past",
        f"decisions that the memory gives: here {done.problem.memory.phrase}. Regret is how much worse a learner",
        f"did than the best fixed option. The trivial bound is the range of a period's {holds(done)}s times the number",
        "of periods: no run within the range can have more regret, so a guarantee that is not below it is vacuous.",
    )
    page.heading("Summary")
    page.items([done.recommendation, *sentences.summary(done), done.verdict])
    if done.wealth is not None:
        _wealth(page, done, done.wealth)
    _learners(page, done)
    _over_time(page, done)
    _decisions(page, done)
    _options(page, done)
    page.heading("Other lengths of the memory")
    page.text(sentences.lengths(done))
    if done.sensitivity.height:
        _sensitivity(page, done)
    _next(page, done)
    page.heading("What the theory promises")
    page.items(sentences.promises(done))
    _made(page, done)
    return page


def _table(page: Page, done: "Backtest", frame: pl.DataFrame, caption: str) -> None:
    """Add a table, with short names and plain headings, and gains where the table holds gains."""
    heads = HEADS | {"total": f"total {holds(done)}"}
    page.table(named(done, worded(done, frame)).rename(heads, strict=False), caption, SHOW, figure)


def _wealth(page: Page, done: "Backtest", wealth: pl.DataFrame) -> None:
    page.heading("Wealth")
    page.text(
        "What holding each portfolio would have made of a wealth of 1. A learner's portfolio is its state; one that",
        "draws holds its exact mean where that is known. Gains are logarithms: without costs of trading, log wealth is",
        "at least the gain of the learner in the tables below. Volatility is the standard deviation of log growth. The",
        "drawdown is the largest fall from an earlier high. The turnover is all that was traded, in parts of the",
        "wealth at the time, purchases and sales both counted, whether decisions or prices moved the weights.",
    )
    heads = {"growth": f"growth {per(done)}", "volatility": f"volatility {per(done)}", "cost": "lost to trading"}
    frame = richest(done, wealth, LISTED).rename(heads, strict=False)
    shares = dict.fromkeys([*heads.values(), "drawdown"], percent)
    page.table(frame, "Portfolios, the most wealth first.", shares, figure)


def _learners(page: Page, done: "Backtest") -> None:
    page.heading(f"The {holds(done)} of each learner")
    page.text(
        "A learner that draws at random is shown by its exact mean where that is known, and otherwise by the mean of",
        f"{done.about['replicates']} draws and the curves of one. Its switches are a mean over the draws, and 5 % and",
        f"95 % of the draws stay below the {holds(done)}s in the second table.",
    )
    frame = ranked(done)
    if not done.about["switch_cost"]:
        frame = frame.drop("switch_cost", "total_with_switches")
    frame = frame.drop([name for name in frame.columns if frame[name].is_null().all()])
    besides = [name for name in DETAILS if name in frame.columns]
    first = "best one" if done.wealth is None else "one with the most wealth"
    _table(page, done, frame.drop(besides), f"{holds(done).capitalize()}s of the learners, the {first} first.")
    said = "How often they switched, how far their draws spread, and what they promised beforehand."
    _table(page, done, frame.select("learner", *besides), said)
    if done.stretches.height:
        page.heading("The worst stretches", 3)
        said = "For each learner, the stretch of periods in which it did worst against the best fixed option."
        _table(page, done, done.stretches.sort("excess", descending=True), said)


def _over_time(page: Page, done: "Backtest") -> None:
    page.heading("Over time")
    if done.result.guarantees:
        page.text(
            "A guarantee, drawn thin, is the largest regret that the learner can still have at the end, whatever comes",
            "within the range. It falls from period to period, unless a period exceeds the range.",
        )
    t = _times(done)
    path, names = worded(done, done.path), spoken(done)
    for name, what in (("regret", "Regret"), ("cost", f"{holds(done).capitalize()} so far")):
        traces = []
        for number, label in enumerate(done.learners):
            traces.append(line(names[label], t, path.filter(learner=label)[name], number))
            if name == "regret" and label in done.result.guarantees:
                held = done.result.guarantees[label][0]
                traces.append(line(f"{names[label]}, guarantee", t, held, number, thin=True))
        page.chart(traces, f"{what} of {', '.join(names.values())}.", x="time", y=what.lower())


def _decisions(page: Page, done: "Backtest") -> None:
    page.heading("Decisions and states")
    page.text("What each learner decides, and the state that results from its decisions, on which the costs depend.")
    chosen = list(dict.fromkeys([next(iter(done.learners)), *ranked(done)["learner"]]))[:DRAWN]
    weights = np.mean([_weights(done, label, "state").mean(axis=0) for label in chosen], axis=0)
    largest = np.sort(np.argsort(-weights, kind="stable")[:STACKED])
    for label in chosen:
        name = spoken(done)[label]
        page.heading(name, 3)
        for what, column, shape in (("Decisions", "decision", "hv"), ("States", "state", "linear")):
            layers = _stack(done, _weights(done, label, column), largest, shape)
            page.chart(layers, f"{what} of {name} over time.", x="time", y="share")


def _weights(done: "Backtest", label: str, column: str) -> Array:
    """A learner's decisions or states over time: one row per period, one column per option."""
    weights: Array = done.decisions.filter(learner=label)[column].to_numpy().reshape(-1, done.problem.n)
    return weights


def _stack(done: "Backtest", weights: Array, largest: Actions, shape: str) -> list[dict[str, Any]]:
    """Layers: the largest options in the table's order, and the rest in one; an option keeps its colour."""
    names, t = shortened(done.problem.names), _times(done)
    layers = [area(names[i], t, weights[:, i], k, shape) for k, i in enumerate(largest)]
    if len(names) > STACKED:
        rest = np.delete(weights, largest, axis=1).sum(axis=1)
        layers.append(area(f"{len(names) - STACKED} others", t, rest, None, shape))
    return layers


def _options(page: Page, done: "Backtest") -> None:
    page.heading("The options")
    left = len(done.options) - LISTED
    more = f", and {left:,} more." if left > 0 else "."
    said = f"The {holds(done)} of each option if it is held all the time, the best one first{more}"
    _table(page, done, done.options.head(LISTED), said)


def _sensitivity(page: Page, done: "Backtest") -> None:
    parts = named(done, done.sensitivity).partition_by("learner")
    names = [own["learner"][0] for own in parts]
    traces = [
        line(f"{name}, {column}", own["length"], own[column], number, thin=column == "assumed")
        for number, (name, own) in enumerate(zip(names, parts, strict=True))
        for column in ("known", "assumed")
    ]
    page.chart(traces, f"Regret of {', '.join(names)} by the length of the memory.", x="length of the memory")
    said = f"Regret at the end. The backtest has the memory {done.problem.memory.short_words}."
    _table(page, done, done.sensitivity, said)


def _next(page: Page, done: "Backtest") -> None:
    page.heading("The next period")
    page.text(done.recommendation)
    count = f"{min(STACKED, done.problem.n)} of {done.problem.n} options; next.csv has all."
    if done.next.is_empty():
        return
    for what, caption in (("decision", "What each learner decides"), ("state", "The state that this leads to")):
        frame = named(done, done.next).pivot("learner", index="option", values=what, maintain_order=True)
        ordered = frame.sort(frame.columns[1:], descending=True, maintain_order=True)  # the first learner counts first
        page.table(ordered.head(STACKED), f"{caption}: {count}", number=percent)


def _made(page: Page, done: "Backtest") -> None:
    about = done.about
    page.heading("How this was made")
    versions = ", ".join(f"{name} {number}" for name, number in about["versions"].items())
    page.items(
        [
            *([f"Command: {about['command']}"] if "command" in about else []),
            f"{done.periods:,} periods, {done.problem.n} options, memory {done.problem.memory.short_words}.",
            f"Learners: {', '.join(shortened(list(map(repr, done.learners.values())), 80))}.",
            "Every decision uses earlier periods only, never its own or a later one.",
            f"Seed {about['seed']}; draw r of a learner comes from numpy's SeedSequence(seed, spawn_key=(r, 1)).",
            f"{versions}, Python {platform.python_version()}.",
        ]
    )
    page.text("The numbers are in files beside this page:")
    page.links(FILES if done.wealth is None else FILES | WEALTH)


def _times(done: "Backtest") -> list[Any]:
    """When the periods of a chart were, as its axis wants it."""
    times = done.path.filter(learner=next(iter(done.learners)))["time"]
    return times.to_list() if times.dtype.is_numeric() else list(map(str, times))
