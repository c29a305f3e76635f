"""The sections of the page, one function each."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from .. import paper
from ..auditing import PROBLEM as AUDITED
from ..kernels import Array
from ..learners import FTARL, Hedge
from ..promises import bounds
from ..report import Page, area, band, line
from .promised import against, holds, needs
from .runs import GROWTH_DRAWS, Reproduction, bound_curve

SEEN = 0.01  # the least weight that a chart of states can show
SPAN = 600  # rounds of a state that are shown: six windows, so that it can be seen to move


def figure1(page: Page, done: Reproduction, pictures: Sequence[str]) -> None:
    """FTARL, LSA and the paper's bound curve, ours and published, with the tables that compare them.

    Args:
        page: the page to add to.
        done: the results.
        pictures: the names of the files with the printed figure.
    """
    theorem = FTARL().bound(paper.PROBLEM)
    page.heading("Figure 1")
    page.text(
        f"Regret over {paper.PROBLEM.horizon:,} rounds, with a window of 100 rounds and ten actions. Thick lines are",
        f"means of {done.replicates} runs, bands one standard deviation. Thin lines are exact means over the learner's",
        f"own randomness, averaged over {done.exact['StocHet'].replicates} draws where the costs are random. Marks are",
        "the published curves. Click a name below a chart to hide or show it.",
    )
    page.text(
        "The paper draws a bound curve beside FTARL. It is M sqrt(T H ln n), where M is the range of the costs, T the",
        "number of rounds so far, H the length of the window and n the number of actions; for StocId it is",
        f"M sqrt(T ln n), without H. It is not the bound of the paper's theorem, {theorem:,.0f} after the last",
        "round: that FTARL stays below the curve, or exceeds it, says nothing about the theorem.",
    )
    if pictures:
        page.text("The figure, ready for print:")
        page.links(pictures)
    read, T = paper.published(), paper.PROBLEM.horizon or 1
    for letters, family in zip(("(a) and (b)", "(c) and (d)", "(e) and (f)", ""), paper.FAMILIES, strict=True):
        page.heading(f"{letters} {family}".strip(), 3)
        traces: list[dict[str, Any]] = []
        for number, name in enumerate(paper.LEARNERS):
            t, mean, sd = done.curve("sampled", family, name)
            if number < 2:
                traces.append(line(name, t, mean, number, legendgroup=name))
                traces.append(band(t, mean - sd, mean + sd, number, name))
                t, exact, _ = done.curve("exact", family, name)
                traces.append(line(f"{name}, exact", t, exact, number, thin=True, ended=False, legendgroup=name))
            else:
                traces.append(line(name, t, mean, number, legendgroup=name, visible="legendonly"))
        if family in paper.PANELS:
            for number, (learner, symbol) in enumerate((("FTARL", "circle-open"), ("LSA", "square-open"))):
                own = read.filter(family=family, learner=learner)
                there = line(f"{learner}, published", own["round"], own["mean_regret"], number, ended=False)
                traces.append(there | {"mode": "markers", "marker": {"symbol": symbol, "size": 9}})
            t = np.arange(1, T + 1)
            traces.append(line("the paper's bound curve", t, bound_curve(family, t), 4))
        whose = "ours and published" if family in paper.PANELS else "ours; nothing was published"
        page.chart(traces, f"{family}: regret of FTARL and LSA over the rounds, {whose}.{_curve(family)}")
    show = {"z": "{:+.1f}".format, "round": "{:,}".format}
    page.table(
        done.table,
        "Regret after the last round. ours: the mean of our runs, and se its standard error. exact: the mean over the "
        "learner's own randomness, and exact_se its standard error, which comes from the draws of the costs. z: ours "
        "minus published, in standard errors that combine our runs, the paper's runs and the reading of its figure. "
        f"bound: the most that the theory allows in expectation; it is vacuous above {T:,}, which no run can exceed.",
        show,
    )
    page.table(
        done.fits,
        "Which learners fit the published curves. apart: the root mean square difference between the exact and the "
        "published mean curve. z: their largest difference, in standard errors. round: where it occurs.",
        show,
    )


def _curve(family: str) -> str:
    """What the paper's bound curve is, in a sentence; nothing where none was drawn."""
    if family not in paper.PANELS:
        return ""
    length = " H" if paper.DRAWN_LENGTH[family] > 1 else ""
    return f" The paper's bound curve is M sqrt(T{length} ln n), not the theorem's bound."


def states(page: Page, done: Reproduction) -> None:
    """The states of the first run, as stacked areas.

    Args:
        page: the page to add to.
        done: the results of the reproduction.
    """
    page.heading("Memory made visible")
    page.text(
        "The cost of a round depends on the state, the average of the last 100 decisions. Each band is the weight of",
        f"one action in the state of the first run, over the {SPAN} rounds in which the state moves most. A learner",
        "can switch to another action at once, but its state then moves by only one hundredth per round: each switch",
        "is a slope of a hundred rounds. A learner that never switches shows a plain rectangle.",
    )
    for family, shown in done.states.items():
        for name, (whole, moved) in shown.items():
            first = _liveliest(whole)
            t, weights = np.arange(first + 1, first + SPAN + 1), whole[first : first + SPAN].T
            traces = [
                area(f"action {i}", t, weight, i) | {"showlegend": bool(weight.max() >= SEEN)}
                for i, weight in enumerate(weights)
            ]
            page.heading(f"{family}, {name}", 3)
            page.chart(
                traces,
                f"{family}: the state of {name} in rounds {first + 1:,} to {first + SPAN:,}, as ten stacked weights. "
                f"Over all {len(whole):,} rounds its decisions moved by {moved:,.0f}; a change of action counts 1.",
                y="state",
            )


def _liveliest(states: Array) -> int:
    """Where the `SPAN` rounds begin in which the state moves most; of equal ones, the middle of the first run."""
    moved = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(states, axis=0)).sum(axis=1))])
    most = np.round(moved[SPAN - 1 :] - moved[: len(moved) - SPAN + 1], 9)
    starts = np.flatnonzero(most == most.max())
    return int(np.median(starts[starts - starts[0] == np.arange(len(starts))]))


def horizon(page: Page, done: Reproduction) -> None:
    """The trap, the growth of regret, and the cost of knowing only a bound on the window's length.

    Args:
        page: the page to add to.
        done: the results of the reproduction.
    """
    page.heading("The length of the window")
    page.text(
        "The paper's claim is about a trap. A coin chooses the better of two actions, and the costs show which one",
        "only in the last H/4 rounds. Earlier decisions stay in the state, so every learner has a mean regret of at",
        "least H/32 over the two sides of the coin. The exact lower bound is 7H/64 + 1/16. All means in traps are",
        "exact.",
    )
    alike: dict[tuple[float, ...], list[str]] = {}  # some learners have the same regret here
    for (name,), own in done.trap.group_by("learner", maintain_order=True):
        alike.setdefault(tuple((own["regret"] / own["H"]).round(9)), []).append(str(name))
    lengths = done.trap["H"].unique(maintain_order=True)
    logs: dict[str, Any] = {"type": "log", "dtick": "D2"}
    page.chart(
        [line(" = ".join(names), lengths, y, k) for k, (y, names) in enumerate(alike.items())],
        "Regret in the trap divided by the window's length H, for all learners and the two lower bounds.",
        xaxis=logs | {"title": {"text": "H"}},
        yaxis={"rangemode": "tozero", "title": {"text": "regret / H"}},
    )
    grown = enumerate(done.growth.group_by("setting", "learner", "exponent", maintain_order=True))
    page.chart(
        [line(f"{at}, {who}: T^{slope:.2f}", own["T"], own["regret"], k) for k, ((at, who, slope), own) in grown],
        "Regret against the number of rounds T: linear if the memory is the full history, less if H = sqrt(T). "
        f"Exponents are slopes on logarithmic axes; StocHet is averaged over {GROWTH_DRAWS} draws of the costs.",
        xaxis=logs | {"title": {"text": "T"}},
        yaxis=logs | {"title": {"text": "regret"}},
    )
    page.table(
        done.thetas,
        "FTARL that knows only an upper bound Theta on the window's length of 100, at the corollary's rate. "
        "regret: the exact mean over its own noise; se: its standard error, which comes from the draws of the "
        "costs. share: the bound, divided by the most that any run can lose; above 100 % it is vacuous.",
        {"corollary's bound": "{:,.0f}".format, "share": "{:.0%}".format},
    )


def audit(page: Page, done: Reproduction) -> None:
    """Every statement of the theory, checked on runs.

    Args:
        page: the page to add to.
        done: the results of the reproduction.
    """
    page.heading("The audit")
    page.text(
        "Each statement below, from the paper's theory or beyond it, is checked on runs with several kinds of costs,",
        f"of {AUDITED!r}, where no bound is vacuous. The margin is the distance from failing, on the costs where it is",
        "smallest. For expectations and frequencies it is in standard errors, and a mean that equals its bound has a",
        "margin of 3.5; otherwise it is in tolerances for rounding.",
    )
    verdict = pl.when("passed").then(pl.lit("pass")).otherwise(pl.lit("FAIL"))
    frame = done.tables()["audit"].select("statement", "kind", "margin", "error", "costs", "draws", verdict=verdict)
    page.table(
        frame.rename({"error": "standard error", "costs": "nearest on"}),
        "The statements that were checked.",
        number="{:.3g}".format,
    )


def past(page: Page, done: Reproduction) -> None:
    """Learners beyond the paper, on the same costs.

    Args:
        page: the page to add to.
        done: the results of the reproduction.
    """
    page.heading("Beyond the paper")
    page.text(
        "Other learners on the same costs; means are exact over their own randomness. AdaHedge and Steering know",
        "neither the number of rounds nor the range of the costs; 'Steering, anytime' knows the range. 'Guarded",
        "Steering' follows Steering as far as a promise of 1.1 times Hedge's bound allows. FixedShare is made for a",
        "best action that changes: its promise is against every path of actions that changes three times at most.",
        "HedgeAhead plays ahead of the memory, as the section above says.",
        "Hedge has a guarantee: the largest regret that it can still have after the last round, whatever the costs to",
        "come. It falls as rounds go by. That of 'Guarded Steering' is for the case that it follows Hedge from then",
        "on; it may rise, but never above the promise.",
    )
    T, most, promised = paper.PROBLEM.horizon or 1, FTARL(tuning="sharp").bound(paper.PROBLEM), bounds(paper.PROBLEM)
    sharper = promised.filter(pl.col("value") <= most, source=Hedge().source).select("name", "value").rows()
    for family, result in done.past.items():
        traces: list[dict[str, Any]] = []
        for number, (name, label) in enumerate(zip(paper.PAST, result.regrets, strict=True)):
            traces.append(line(name, result.rounds, result.moments(label)[0], number))
            if label in result.guarantees:
                held = result.guarantees[label].mean(axis=0)
                traces.append(line(f"{name}, guarantee", result.rounds, held, number, thin=True))
        for number, (name, value) in enumerate(sharper, start=len(paper.PAST)):
            traces.append(line(f"{name}, bound", [1, T], [value, value], number, visible="legendonly"))
        page.heading(family, 3)
        page.chart(traces, f"{family}: regret of learners beyond the paper, and the guarantees of two of them.")
    page.table(
        done.ends, "Regret after the last round. se: its standard error, which comes from the draws of the costs."
    )
    page.heading("When the best action changes", 3)
    page.text(
        "In 'one break' the best of the ten actions becomes the worst in the middle, and another one the best. In",
        "'random walk' the means of all costs move a little in every round. In 'turns of 500' one action after the",
        "other is cheap for 500 rounds. A learner that adds up all costs holds on to what was best for long.",
    )
    page.table(
        done.changing,
        "Regret after the last round to the best fixed action, with its standard error se; and to the best paths of "
        "actions with at most 1, 3 and 10 changes. Below zero a learner has paid less than what it is compared with.",
    )
    page.heading("Who promises what", 3)
    page.table(
        promises(),
        "promise: the largest regret that a learner can have, whatever the costs; empty: nothing is promised before "
        "the first round. share: of the most that any run can lose. against: whom it is compared with. holds: in which "
        "sense. must be known: before the first round, apart from the memory.",
        {"share": "{:.1%}".format},
    )
    page.table(
        promised.drop("vacuous"),
        "What the theory promises, and what no learner can improve on. share: of the most that any run can lose.",
        {"share": "{:.1%}".format},
    )


def promises() -> pl.DataFrame:
    """What the learners beyond the paper promise: learner, promise, share, against, holds, must be known."""
    rows: list[dict[str, Any]] = []
    for name, learner in paper.PAST.items():
        promise, known = learner.bound(paper.PROBLEM), needs(learner, paper.PROBLEM)
        row = {"learner": name, "promise": promise, "share": None, "against": None, "holds": None}
        if promise is not None:
            share = promise / (paper.PROBLEM.horizon or 1)
            row |= {"share": share, "against": against(learner), "holds": holds(learner)}
        rows.append(row | {"must be known": known})
    return pl.DataFrame(rows, infer_schema_length=None)
