"""The page's sections, one a function: each tells what was computed of it."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import paper
from ..auditing import PROBLEM as AUDITED
from ..report import Page, area, band, line
from ..theory import bounds
from ..theory.table import SHARP
from .runs import GROWTH_DRAWS, Reproduction

if TYPE_CHECKING:
    from ..kernels import Actions, Array

POINTS = 250  # of a curve on the page
SPAN = 600  # rounds of a state that are shown: six windows, so that it can be seen to move


def _thin(values: "Array | Actions", rounds: int) -> list[float]:
    """Some values of a curve, as numbers short enough for a page."""
    picks = np.unique(np.linspace(0, rounds - 1, POINTS).round().astype(int))
    return [float(f"{value:.6g}") for value in values[picks]]


def figure1(told: Page, done: Reproduction, pictures: Mapping[str, str]) -> None:
    """FTARL against LSA and the bound curve, ours and published; the table; which curves fit."""
    told.heading("Figure 1")
    told.text(
        f"Regret over {paper.PROBLEM.horizon:,} rounds with a window of 100 and ten actions, mean and one standard",
        f"deviation of {done.replicates} runs. Thin lines are exact over the learner's own randomness, in the mean of",
        f"{done.exact['StocHet'].replicates} draws of random costs; marks are the published curves. Click a name in a",
        "legend to hide or show it.",
    )
    if pictures:
        told.text("For print:")
        told.links(pictures)
    read = paper.published()
    T = paper.PROBLEM.horizon or 1
    for letters, family in zip(("(a) and (b)", "(c) and (d)", "(e) and (f)", ""), paper.FAMILIES, strict=True):
        told.heading(f"{letters} {family}".strip(), 3)
        traces: list[dict[str, Any]] = []
        for number, name in enumerate(paper.LEARNERS):
            rounds, mean, sd = done.curve("sampled", family, name)
            t = _thin(rounds, T)
            here: dict[str, Any] = {"legendgroup": name} | ({} if number < 2 else {"visible": "legendonly"})
            traces.append(line(name, t, _thin(mean, T), number, **here))
            if number < 2:
                traces.append(band(t, _thin(mean - sd, T), _thin(mean + sd, T), number, name))
                exact = _thin(done.curve("exact", family, name)[1], T)
                traces.append(line(f"{name}, exact", t, exact, number, thin=True, legendgroup=name))
        for number, learner in enumerate(("FTARL", "LSA")):
            own = read.filter(family=family, learner=learner)
            if own.height:
                mark = {"symbol": ("circle-open", "square-open")[number], "size": 9}
                there: dict[str, Any] = {"mode": "markers", "marker": mark}
                traces.append(
                    line(f"{learner}, published", own["round"].to_list(), own["mean_regret"].to_list(), number, **there)
                )
        if family in paper.DRAWN_LENGTH:
            t = _thin(np.arange(1.0, T + 1), T)
            drawn = [math.sqrt(each * paper.DRAWN_LENGTH[family] * math.log(paper.PROBLEM.n)) for each in t]
            traces.append(line("the paper's bound curve", t, drawn, 4))
        whose = "ours and published" if family in paper.PANELS else "ours; nothing was published"
        told.chart(traces, f"{family}: regret of FTARL and LSA over the rounds, {whose}.")
    show = dict.fromkeys(("published", "ours", "exact", "bound", "apart"), "{:,.1f}".format)
    show |= {"se": "{:.1f}".format, "exact_se": "{:.1f}".format, "z": "{:+.1f}".format, "round": "{:,}".format}
    told.table(
        done.table,
        "Regret after the last round. se: the standard error of ours. exact: over the learner's own randomness; "
        "exact_se: what the draws of costs leave. z: ours less the published value in standard errors, those of ours, "
        "of theirs and of reading a pixel together. bound: what theory promises in expectation; above "
        f"{T:,}, which no run can exceed, it says nothing.",
        show,
    )
    told.table(
        done.fits,
        "Which learners fit the published curves. apart: the root mean square between the exact and the published mean "
        "curve. z: where these differ most, in standard errors, and the round of it.",
        show,
    )


def states(told: Page, done: Reproduction) -> None:
    """The states of the first run, as stacks."""
    told.heading("Memory made visible")
    told.text(
        "What is paid for is the state: the mean of the last 100 decisions. Each band is the weight of one action in",
        f"the state of the first run, over {SPAN} rounds in which it moves most. Once a hundred rounds have gone by, a",
        "learner that switches its decision at once still moves its state only by a hundredth a round: the switch is a",
        "slope, a hundred rounds long. One that never switches is a plain rectangle.",
    )
    for family, shown in done.states.items():
        for name, (whole, moved) in shown.items():
            first = _liveliest(whole)
            x, t = whole[first : first + SPAN], _thin(np.arange(first + 1.0, first + SPAN + 1), SPAN)
            traces = [area(f"action {i}", t, _thin(x[:, i], SPAN), i) for i in range(x.shape[1])]
            told.heading(f"{family}, {name}", 3)
            told.chart(
                traces,
                f"{family}: the state of {name} in rounds {first + 1:,} to {first + SPAN:,}, a stack of ten weights. "
                f"In all {len(whole):,} rounds its decision moved by {moved:,.0f}, where a change of action counts 1.",
                y="state",
            )


def _liveliest(states: "Array") -> int:
    """Where a stretch of `SPAN` rounds begins in which states move most; in the middle of the first that do."""
    moved = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(states, axis=0)).sum(axis=1))])
    most = np.round(moved[SPAN - 1 :] - moved[: len(moved) - SPAN + 1], 9)
    starts = np.flatnonzero(most == most.max())
    return int(np.median(starts[starts - starts[0] == np.arange(len(starts))]))


def horizon(told: Page, done: Reproduction) -> None:
    """The trap, how regret grows, and what a bound on the length costs."""
    told.heading("The length of the horizon")
    told.text(
        "The paper's claim: whoever learns which action is good only in the last H/4 rounds drags what was decided in",
        "ignorance along, and pays at least H/32 in the mean over the coin. Exactly it is 7H/64 + 1/16. In traps all",
        "means are exact.",
    )
    logs: dict[str, Any] = {"type": "log", "dtick": "D2"}
    if done.trap is not None:
        alike: dict[tuple[float, ...], list[str]] = {}  # some learners cannot be told apart here
        for (name,), own in done.trap.group_by("learner", maintain_order=True):
            alike.setdefault(tuple((own["regret"] / own["H"]).round(9)), []).append(str(name))
        lengths = done.trap["H"].unique(maintain_order=True).to_list()
        traces = [line(" = ".join(names), lengths, list(y), k) for k, (y, names) in enumerate(alike.items())]
        axes: dict[str, Any] = {
            "xaxis": logs | {"title": {"text": "H"}},
            "yaxis": {"rangemode": "tozero", "title": {"text": "regret / H"}},
        }
        told.chart(
            traces,
            "Regret in the trap as a share of the window's length H, of all learners and the two floors.",
            **axes,
        )
    if done.growth is not None:
        traces = []
        pairs = done.growth.select("setting", "learner").unique(maintain_order=True).rows()
        for number, (setting, name) in enumerate(pairs):
            own = done.growth.filter(setting=setting, learner=name)
            slope = own["exponent"][0]
            traces.append(
                line(f"{setting}, {name}: T^{slope:.2f}", own["T"].to_list(), own["regret"].to_list(), number)
            )
        axes = {"xaxis": logs | {"title": {"text": "T"}}, "yaxis": logs | {"title": {"text": "regret"}}}
        told.chart(
            traces,
            "Regret against the number of rounds: linear under full history, less with H = sqrt(T). Powers are slopes "
            f"between logarithms; StocHet in the mean of {GROWTH_DRAWS} draws of costs.",
            **axes,
        )
    if done.thetas is not None:
        show = {"regret": "{:,.1f}".format, "se": "{:.1f}".format, "corollary's bound": "{:,.0f}".format}
        show["share"] = "{:.0%}".format
        told.table(
            done.thetas,
            "FTARL that knows only a bound Theta on H = 100, with the corollary's rate: its regret, exact over its own "
            "noise, with the standard error that the draws of costs leave. share: of what no run can exceed, so that "
            "a bound of more than 100 % says nothing.",
            show,
        )


def audit(told: Page, done: Reproduction) -> None:
    """Every statement of the theory, and how it fared."""
    import polars as pl

    told.heading("The audit")
    told.text(
        "The statements below, of the paper's theory and of what lies past it, held to real runs on several kinds of",
        f"costs, of {AUDITED!r}, where no bound is vacuous. The margin is how far a line is from failing where it is",
        "nearest to it: in standard errors for expectations and frequencies, where a mean on its very bound has 3.5,",
        "and else in tolerances for rounding.",
    )
    rows = [
        {
            "statement": each.statement,
            "kind": each.kind,
            "margin": each.margin,
            "standard error": each.error,
            "nearest on": each.costs,
            "draws": each.draws,
            "verdict": "pass" if each.passed else "FAIL",
        }
        for each in done.audit
    ]
    frame = pl.DataFrame(rows, infer_schema_length=None)
    told.table(frame, "What was audited.", dict.fromkeys(("margin", "standard error"), "{:.3g}".format))


def past(told: Page, done: Reproduction) -> None:
    """What lies past the paper, on the same costs."""
    told.heading("Past the paper")
    told.text(
        "The same costs; means are exact over the learners' own randomness. AdaHedge and Tracking know neither horizon",
        "nor range; Tracking, anytime, knows the range. Hedge has a promise, and its guarantee, the regret at the",
        "horizon whatever still comes, tightens as rounds go by.",
    )
    T = paper.PROBLEM.horizon or 1
    promised = bounds(paper.PROBLEM)
    sharper = promised.filter(source=SHARP).select("name", "value").rows()
    for family, result in done.past.items():
        traces: list[dict[str, Any]] = []
        for number, (name, label) in enumerate(zip(paper.PAST, result.regrets, strict=True)):
            t = _thin(result.rounds, T)
            traces.append(line(name, t, _thin(result.moments(label)[0], T), number))
            if label in result.guarantees:
                said = _thin(result.guarantees[label].mean(axis=0), T)
                traces.append(line(f"{name}, guarantee", t, said, number, thin=True))
        for number, (name, value) in enumerate(sharper, start=len(paper.PAST)):
            traces.append(line(f"{name}, bound", [1, T], [value, value], number, visible="legendonly"))
        told.heading(family, 3)
        told.chart(traces, f"{family}: regret of learners past the paper, and the tightening guarantee of Hedge.")
    told.table(
        done.ends,
        "Regret after the last round, with the standard error that the draws of costs leave, and how many they are.",
        {"regret": "{:,.1f}".format, "se": "{:.1f}".format},
    )
    told.table(
        promised.drop("vacuous"),
        "What theory promises, and what no learner can beat.",
        {"value": "{:,.1f}".format, "share": "{:.1%}".format},
    )
