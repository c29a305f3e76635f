"""The report's page: every experiment and claim of the paper, recomputed, compared and explained."""

import math
import platform
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import paper
from ..auditing import PROBLEM as AUDITED
from ..report import Page, area, band, line
from ..theory import bounds
from ..version import __version__
from .runs import Reproduction

if TYPE_CHECKING:
    import polars as pl

    from ..kernels import Actions, Array

POINTS = 250  # of a curve on the page
SPAN = 1_000  # rounds of a state that takes turns: twenty turns, so that they can be seen


def page(done: Reproduction, command: str, seconds: float, pictures: tuple[str, ...]) -> Page:
    """The page, from what was computed.

    Args:
        done: the results.
        command: what was typed.
        seconds: how long it took.
        pictures: the files of figure 1 beside the page.
    """
    told = Page("Online Decision Making with History-Average Dependent Costs, reproduced")
    told.text(
        "Hebbar and Langbort (2024) study decisions, round after round, when the cost of a round depends on the",
        "average of the last H decisions. Their algorithm FTARL draws a noise once and follows the leader of the costs",
        "so far less that noise. This page recomputes their experiments and claims, and compares them with what they",
        "published.",
    )
    _summary(told, done)
    if done.sampled:
        _figure1(told, done, pictures)
        _states(told, done)
    if done.trap is not None:
        _horizon(told, done)
    if done.audit:
        _audit(told, done)
    if done.past:
        _past(told, done)
    told.heading("Errata")
    told.text("What an implementer of the paper meets, in our words.")
    told.items(paper.ERRATA)
    told.heading("How this was made")
    made = {name: version(name) for name in ("numpy", "numba", "polars", "matplotlib", "plotly")}
    told.items(
        [
            f"Command: {command}",
            f"Seed {done.seed}, {done.replicates} runs for Figure 1, fewer draws of costs elsewhere; {seconds:.1f} s.",
            f"bygones {__version__}, Python {platform.python_version()}, "
            + ", ".join(f"{name} {number}" for name, number in made.items())
            + ".",
            "Run r draws costs from numpy's SeedSequence(seed, spawn_key=(r, 0)) and feeds its learners from (r, 1).",
            "Data, with Figure 1: results.parquet holds the curves over the rounds, table.csv the table.",
        ]
    )
    return told


def _thin(values: "Array | Actions", rounds: int) -> list[float]:
    """Some values of a curve, as numbers short enough for a page."""
    picks = np.unique(np.linspace(0, rounds - 1, POINTS).round().astype(int))
    return [float(f"{value:.6g}") for value in values[picks]]


def _summary(told: Page, done: Reproduction) -> None:
    told.heading("Summary")
    said = []
    if done.sampled:
        table = done.table
        ours = table.filter(learner=paper.FTARL_LABEL).drop_nulls("published")
        agree = sum(abs(z) <= 3 for z in ours["z"])
        said.append(
            f"FTARL's end values agree with the published ones within 3 standard errors on {agree} of {ours.height} "
            "kinds of costs: "
            + ", ".join(f"{row['costs']} {row['ours']:,.0f} ({row['published']:,.0f})" for row in ours.to_dicts())
            + "; published in brackets."
        )
        lsa = table.filter(table["learner"].str.starts_with("LSA")).drop_nulls("z")
        for name in lsa["learner"].unique(maintain_order=True):
            worst = max(abs(z) for z in lsa.filter(learner=name)["z"])
            fits = "fits" if worst <= 3 else "does not fit"
            said.append(f"{name}'s rate {fits} LSA's published end values: at most {worst:.1f} standard errors apart.")
        promised = {row["name"]: row["value"] for row in bounds(paper.PROBLEM).to_dicts()}
        said.append(
            f"The theorem promises {promised['FTARL, theorem']:,.0f} here, of {paper.PROBLEM.horizon:,} that no run "
            f"can exceed; the sharper bound of the same algorithm is {promised['FTARL, sharper rate']:,.0f}, Hedge's "
            f"{promised['Hedge']:,.0f}."
        )
    if done.growth is not None:
        slopes = {(row["setting"], row["learner"]): row["exponent"] for row in done.growth.to_dicts()}
        full = slopes["full history, a trap of T/4 rounds", paper.FTARL_LABEL]
        root = slopes["H = sqrt(T), StocHet", paper.FTARL_LABEL]
        said.append(
            f"Under full history regret grows like T to the power {full:.2f}: no learner can help it. With H of the "
            f"order of sqrt(T) it grows like T to the power {root:.2f} on StocHet."
        )
    if done.audit:
        passed = sum(each.passed for each in done.audit)
        said.append(f"{passed} of {len(done.audit)} lines of the audit of the theory pass.")
    if done.past:
        ends = {
            family: [result.regrets[label][:, -1].mean() for label in result.regrets]
            for family, result in done.past.items()
        }
        place = list(paper.PAST).index("Tracking")
        said.append(
            "A learner that aims the state instead of the decision, and finds its own rate, has "
            + ", ".join(f"{values[place]:,.1f} on {family} (FTARL {values[0]:,.0f})" for family, values in ends.items())
            + "."
        )
    told.items(said)


def _figure1(told: Page, done: Reproduction, pictures: tuple[str, ...]) -> None:
    told.heading("Figure 1")
    told.text(
        f"Regret over {paper.PROBLEM.horizon:,} rounds with a window of 100 and ten actions, mean and one standard",
        f"deviation of {done.replicates} runs. Thin lines are exact expectations over the learner's own randomness,",
        "marks the published curves. Click a name in a legend to hide or show it.",
    )
    if pictures:
        told.text(f"For print: {', '.join(pictures)}.")
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
            traces.append(line("the bound curve drawn there", t, drawn, 4))
        whose = "ours and published" if family in paper.PANELS else "ours; nothing was published"
        told.chart(traces, f"{family}: regret of FTARL and LSA over the rounds, {whose}.")
    show = dict.fromkeys(("published", "ours", "exact", "bound", "apart"), "{:,.1f}".format)
    show |= {"se": "{:.1f}".format, "z": "{:+.1f}".format}
    told.table(
        done.table,
        "Regret after the last round. z: the difference from the published value in standard errors, those of ours, of "
        "theirs and of reading a pixel together. bound: what theory promises in expectation.",
        show,
    )
    told.table(
        done.fits(),
        "How far exact mean curves are from the published ones: the root mean square over ten points.",
        show,
    )


def _states(told: Page, done: Reproduction) -> None:
    told.heading("Memory made visible")
    told.text(
        "What is paid for is the state: the mean of the last 100 decisions. Each band is the weight of one action in",
        "the state of the first run. A learner that switches its decision at once still moves its state only by a",
        "hundredth a round.",
    )
    for family, states in done.states.items():
        for name, whole in states.items():
            x = whole[:SPAN] if family == "Cyc" else whole
            t = _thin(np.arange(1.0, len(x) + 1), len(x))
            traces = [area(f"action {i}", t, _thin(x[:, i], len(x)), i) for i in range(x.shape[1])]
            told.heading(f"{family}, {name}", 3)
            told.chart(traces, f"{family}: the state of {name} over the rounds, as a stack of ten weights.", y="state")


def _horizon(told: Page, done: Reproduction) -> None:
    told.heading("The length of the horizon")
    told.text(
        "The paper's claim: whoever learns which action is good only in the last H/4 rounds drags what was decided in",
        "ignorance along, and pays at least H/32 in the mean over the coin. The exact value is 7H/64 + 1/16.",
    )
    if done.trap is not None:
        traces = []
        for number, name in enumerate(done.trap["learner"].unique(maintain_order=True)):
            own = done.trap.filter(learner=name)
            traces.append(line(name, own["H"].to_list(), own["regret"].to_list(), number))
        logs: dict[str, Any] = {"xaxis": {"type": "log", "title": {"text": "H"}}, "yaxis": {"type": "log"}}
        told.chart(
            traces, "Regret in the trap against the window's length, of all learners and the two floors.", **logs
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
        logs = {"xaxis": {"type": "log", "title": {"text": "T"}}, "yaxis": {"type": "log"}}
        told.chart(
            traces, "Regret against the number of rounds: linear under full history, less with H = sqrt(T).", **logs
        )
    if done.thetas is not None:
        show = {"regret": "{:,.1f}".format, "corollary's bound": "{:,.0f}".format}
        told.table(done.thetas, "FTARL that knows only a bound Theta on H = 100, with the corollary's rate.", show)


def _audit(told: Page, done: Reproduction) -> None:
    import polars as pl

    told.heading("The audit")
    told.text(
        "Every statement of the paper's theory, and of what lies past it, held to real runs on several kinds of costs.",
        f"It is run on {AUDITED!r}, where no bound is vacuous. The margin is how far a line is from failing where it",
        "is nearest to it: in tolerances for statements about every path, in standard errors for those about",
        "expectations and frequencies, where a mean on its very bound has 3.5.",
    )
    rows = [
        {
            "statement": each.statement,
            "kind": each.kind,
            "margin": each.margin,
            "nearest on": each.costs,
            "draws": each.draws,
            "verdict": "pass" if each.passed else "FAIL",
        }
        for each in done.audit
    ]
    told.table(pl.DataFrame(rows), "What was audited.", {"margin": "{:.3g}".format})


def _past(told: Page, done: Reproduction) -> None:
    told.heading("Past the paper")
    told.text(
        "The same costs, exact means. AdaHedge and Tracking know neither horizon nor range. Hedge has a promise, and",
        "its guarantee, the regret at the horizon whatever still comes, tightens as rounds go by.",
    )
    T = paper.PROBLEM.horizon or 1
    for family, result in done.past.items():
        traces: list[dict[str, Any]] = []
        for number, (name, label) in enumerate(zip(paper.PAST, result.regrets, strict=True)):
            t = _thin(result.rounds, T)
            traces.append(line(name, t, _thin(result.moments(label)[0], T), number))
            if label in result.guarantees:
                said = _thin(result.guarantees[label].mean(axis=0), T)
                traces.append(line(f"{name}, guarantee", t, said, number, thin=True))
        told.heading(family, 3)
        told.chart(traces, f"{family}: regret of learners past the paper, and the tightening guarantee of Hedge.")
    frame: pl.DataFrame = bounds(paper.PROBLEM).drop("vacuous")
    told.table(
        frame,
        "What theory promises, and what no learner can beat.",
        {"value": "{:,.1f}".format, "share": "{:.1%}".format},
    )
