"""The page of a backtest, and the files beside it."""

import platform
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..kernels import Actions, Array
from ..report import SCRIPT, Page, area, line, plotly_script, writing
from ..result import SHOWN
from ..store import as_bytes
from .sensitivity import in_short
from .sentences import (
    called,
    figure,
    holds,
    lengths,
    named,
    percent,
    promises,
    ranked,
    shortened,
    summary,
    when,
    worded,
)

if TYPE_CHECKING:
    from .outcome import Backtest

STACKED = 9  # options with a layer of their own; the others share one
LOOKED_AT = 3  # learners whose decisions are drawn
LISTED = 50  # options in a table; files have all
BESIDES = ("switches", "switch_cost", "low", "high", "bound", "guarantee")  # columns that have a table of their own
HEADS = {
    "average": "a period",
    "share": "of the trivial bound",
    "gap": "worse than the clairvoyant",
    "switch_cost": "cost of switches",
    "total_with_switches": "total with switches",
    "low": "5 % of draws below",
    "high": "95 % of draws below",
    "guarantee": "guarantee at the end",
}

KIND = "backtest"
FILES = {
    "results.parquet": "costs and regrets over time, at up to 1,000 periods",
    "decisions.parquet": "decisions and states over time, at up to 1,000 periods",
    "learners.csv": "what each learner would have cost; gains count as negative costs",
    "options.csv": "what each option would have cost, held all the time",
    "stretches.csv": "the worst stretch of each learner",
    "sensitivity.csv": "regret if the memory has another length",
    "next.csv": "decisions for the next period, and the states that they would lead to",
}


def write(done: "Backtest", folder: str | PathLike[str]) -> None:
    """Write the page and its data, or nothing; the same results give the same bytes, but for the page."""
    told = page(done).html()
    with writing(Path(folder), KIND) as place:
        tables = (done.accounts, done.options, done.stretches, done.sensitivity, done.next)
        frames = (done.path(), done.decisions(), *tables)
        for name, frame in zip(FILES, frames, strict=True):
            writer = frame.write_csv if name.endswith(".csv") else frame.write_parquet
            (place / name).write_bytes(as_bytes(writer))
        (place / SCRIPT).write_bytes(plotly_script())
        (place / "index.html").write_text(told, encoding="utf-8")


def page(done: "Backtest") -> Page:
    """The page: what came out first, then who paid what, when and why, what to do next, and how it was made."""
    told = Page(f"Backtest of {shortened([done.about['costs']], 80)[0]}")
    told.heading("Summary")
    told.items([done.recommendation, *summary(done), done.verdict])
    _learners(told, done)
    _over_time(told, done)
    _decisions(told, done)
    _options(told, done)
    told.heading("Other lengths of the memory")
    told.text(lengths(done))
    if done.sensitivity.height:
        _sensitivity(told, done)
    _next(told, done)
    told.heading("What the theory promises")
    told.items(promises(done))
    _made(told, done)
    return told


def _learners(told: Page, done: "Backtest") -> None:
    told.heading("What each learner would have had")
    told.text(
        "Regret is how much worse it did than the best fixed option; its share of the trivial bound is out of the",
        "range times the periods, which no run within the range can exceed. Learners that draw are shown by their",
        f"exact mean where it is known, and else by the mean of {done.about['replicates']} draws, and the curves of",
        f"one; with the {holds(done)} that 5 % and 95 % of the draws stayed below, and the mean of their switches.",
    )
    frame = ranked(done)
    if not done.about["switch_cost"]:
        frame = frame.drop("switch_cost", "total_with_switches")
    frame = frame.drop([name for name in frame.columns if frame[name].is_null().all()])
    shows = dict.fromkeys(frame.columns[1:], figure) | {"share": percent}
    heads = HEADS | {"total": f"total {holds(done)}"}
    show = {heads.get(name, name): show for name, show in shows.items()}
    shown = named(done, worded(done, frame)).rename(heads, strict=False)
    besides = [heads.get(name, name) for name in BESIDES if name in frame.columns]
    told.table(shown.drop(besides), f"{holds(done).capitalize()}s of the learners, the best first.", show)
    told.table(
        shown.select("learner", *besides),
        "What they did for it, how far their draws spread, and what they promised.",
        show,
    )
    if done.stretches.height:
        told.heading("The worst stretches", 3)
        told.table(
            named(done, done.stretches.sort("excess", descending=True)),
            "For each learner, the stretch in which it did worst against the best fixed option.",
            {"excess": figure, "from": when, "to": when},
        )


def _over_time(told: Page, done: "Backtest") -> None:
    told.heading("Over time")
    if done.guarantees:
        told.text(
            "A guarantee, thin, is what the regret at the end can still become, whatever is to come within the range;",
            "it falls from one period to the next, unless that one goes past the range.",
        )
    picks, t = _shown(done)
    path, names = worded(done, done.path()), called(done.regrets)
    for name, what in (("regret", "Regret"), ("cost", f"{holds(done).capitalize()} so far")):
        traces = []
        for number, label in enumerate(done.regrets):
            own = path.filter(learner=label)
            traces.append(line(_safe(names[label]), t, _numbers(own[name].to_numpy()[picks]), number))
            if name == "regret" and label in done.guarantees:
                held = _numbers(done.guarantees[label][0, picks])
                traces.append(line(f"{_safe(names[label])}, guarantee", t, held, number, thin=True))
        told.chart(traces, f"{what} of {', '.join(names.values())}.", x="time", y=what.lower())


def _decisions(told: Page, done: "Backtest") -> None:
    told.heading("Decisions and states")
    told.text("What each learner decides, and the state that its decisions so far add up to, which is what pays.")
    order = ranked(done)["learner"].to_list()
    first = next(iter(done.regrets))
    chosen = [first, *(label for label in order if label != first)][:LOOKED_AT]
    picks, t = _shown(done)
    accounts = {label: seat.accounts[0] for label, seat in zip(done.regrets, done.record.seats, strict=True)}
    weights = np.mean([accounts[label].states.mean(axis=0) for label in chosen], axis=0)
    largest = np.sort(np.argsort(-weights, kind="stable")[:STACKED])
    for label in chosen:
        name, own = called(done.regrets)[label], accounts[label]
        told.heading(name, 3)
        for what, shown, shape in (("Decisions", own.decisions, "hv"), ("States", own.states, "linear")):
            layers = _stack(done, shown[picks], t, largest, shape)
            told.chart(layers, f"{what} of {name} over time.", x="time", y="share")


def _stack(done: "Backtest", weights: Array, t: list[Any], largest: Actions, shape: str) -> list[dict[str, Any]]:
    """Layers, the largest options in the table's order, the rest in one; an option has one colour all over the page."""
    names = shortened(done.problem.names)
    layers = [area(_safe(names[i]), t, _numbers(weights[:, i]), k) for k, i in enumerate(largest)]
    rest = np.delete(weights, largest, axis=1).sum(axis=1)
    if len(names) > STACKED:
        layers.append(area(f"{len(names) - STACKED} others", t, _numbers(rest), None))
    for layer in layers:
        layer["line"]["shape"] = shape
    return layers


def _options(told: Page, done: "Backtest") -> None:
    told.heading("The options")
    held = done.options.head(LISTED)
    left = len(done.options) - len(held)
    total = f"total {holds(done)}"
    told.table(
        named(done, worded(done, held)).rename(HEADS | {"total": total}, strict=False),
        f"The {holds(done)} of each option, held all the time; the best first"
        + (f", and {left:,} more." if left else "."),
        dict.fromkeys((total, "a period", "regret"), figure),
    )


def _sensitivity(told: Page, done: "Backtest") -> None:
    traces = []
    frame = named(done, done.sensitivity)
    names = frame["learner"].unique(maintain_order=True).to_list()
    for number, name in enumerate(names):
        own = frame.filter(learner=name)
        for column, thin in (("known", False), ("assumed", True)):
            traces.append(
                line(
                    f"{_safe(name)}, {column}",
                    own["length"].to_list(),
                    _numbers(own[column].to_numpy()),
                    number,
                    thin=thin,
                )
            )
    told.chart(traces, f"Regret of {', '.join(names)} by the memory's length.", x="length of the memory", y="regret")
    shows = dict.fromkeys(("length", "known", "assumed"), figure)
    told.table(frame, f"Regret at the end; {in_short(done.problem.memory)} was given.", shows)


def _next(told: Page, done: "Backtest") -> None:
    told.heading("The next period")
    told.text(done.recommendation)
    for what, caption in (("decision", "What each learner decides"), ("state", "The state that it would lead to")):
        frame = named(done, done.next).pivot("learner", index="option", values=what, maintain_order=True)
        labels = frame.columns[1:]
        ordered = frame.sort(labels, descending=True, maintain_order=True)  # the first learner counts first
        shares = dict.fromkeys(labels, percent)
        told.table(
            ordered.head(STACKED),
            f"{caption}, of {min(STACKED, done.problem.n)} of {done.problem.n} options; next.csv has all.",
            shares,
        )


def _made(told: Page, done: "Backtest") -> None:
    about = done.about
    told.heading("How this was made")
    versions = ", ".join(f"{name} {number}" for name, number in about["versions"].items())
    told.items(
        [
            *([f"Command: {about['command']}"] if "command" in about else []),
            f"{done.rounds[-1]:,} periods, {done.problem.n} options, memory {in_short(done.problem.memory)}.",
            f"Learners: {', '.join(shortened(list(map(repr, done.learners)), 80))}.",
            "No decision sees anything of its own period or of a later one.",
            f"Seed {about['seed']}; draw r of a learner is fed from numpy's SeedSequence(seed, spawn_key=(r, 1)).",
            f"{versions}, Python {platform.python_version()}.",
        ]
    )
    told.text("The numbers, in files beside this page:")
    told.links(FILES)


def _shown(done: "Backtest") -> tuple[Actions, list[Any]]:
    """The periods of a chart, and when they were, as its axis wants it."""
    picks = np.unique(np.linspace(0, len(done.rounds) - 1, SHOWN).round().astype(int))
    some = done.times.gather(picks)
    return picks, some.to_list() if some.dtype.is_numeric() else list(map(str, some))


def _numbers(values: Array) -> list[float]:
    """Numbers short enough for a page."""
    return [float(f"{value:.6g}") for value in values]


def _safe(name: str) -> str:
    """A name for a chart, which would take tags for what they are elsewhere."""
    return escape(name, quote=False)
