"""The section on what the paper leaves open: whether the factor sqrt(H) in its bound is needed."""

from math import log
from typing import Any

import polars as pl

from .. import paper
from ..report import Page, line
from .runs import Reproduction

SHOWN = (paper.FTARL_LABEL, "Hedge", "HedgeAhead")
MAY = (
    (
        "The bound of HedgeAhead is computed for each number of rounds T, window H and number of actions n, and holds "
        "on every path of costs. It is never above Hedge's, which is of order sqrt(T H ln n). In every case computed "
        "with T at least ten times H, for windows of 5 to 500 rounds and 2 to 100 actions, it is below Hedge's."
    ),
    (
        "For fixed H, as T grows, the leading term of what is proved of playing ahead does not grow with H, if the "
        "multiples look back far enough. Lower-order terms do grow with H, like a polynomial."
    ),
)
MAY_NOT = (
    (
        "That the bound is below Hedge's for all T. In few rounds, mostly fewer than three to ten times H, no "
        "multiples were found that help. HedgeAhead is then Hedge."
    ),
    (
        "That H hardly matters any more. By default HedgeAhead looks back two windows, with at most 64 multiples. Then "
        "the leading term still grows with H, more slowly than Hedge's."
    ),
    (
        "That sqrt(H) can be avoided under every memory. Kumar, Dean and Kleinberg (2023), in Online Convex "
        "Optimization with Unbounded Memory, prove a lower bound of order sqrt(T H). There the costs may choose which "
        "past decisions count. Under a fixed average, as here, they may not, so their lower bound does not apply."
    ),
    (
        "That HedgeAhead is the best learner on ordinary costs. A bound is about the worst costs, and Steering, which "
        "promises nothing, often has less regret."
    ),
)


def question(page: Page, done: Reproduction) -> None:
    """Add the section: the question, the learner that answers it, bounds, and regret.

    Args:
        page: the page to add to.
        done: the results of the reproduction.
    """
    page.heading("Is the factor sqrt(H) needed?")
    page.text(
        "The paper proves that the regret of FTARL is at most of order sqrt(T H ln n), and leaves open whether the",
        "factor sqrt(H) is needed. For a fixed average, such as the mean of the last H decisions, it is not, in the",
        "sense that is said below. The learner that shows this, HedgeAhead, is not in the paper.",
    )
    page.text(
        "Hedge plays exponential weights, and the average of its decisions lags behind the weights by about H/2",
        "rounds, which costs the factor sqrt(H). HedgeAhead plays the same weights plus multiples of their latest",
        "changes, so that the average of its decisions comes close to the weights of the present round. What is left",
        "of the lag can only be exploited by costs that swing in time with it, and a linear program chooses the",
        "multiples such that no swing, fast or slow, costs much.",
    )
    page.heading("What may be said", 3)
    page.items(MAY)
    page.heading("What may not be said", 3)
    page.items(MAY_NOT)
    page.heading("Bounds, and regret", 3)
    _bounds(page, done.bounded)
    _measured(page, done)


def _bounds(page: Page, bounded: pl.DataFrame) -> None:
    """What is promised, with the bound without memory as the unit, and in a table."""
    unit = (pl.col("T") * log(paper.PROBLEM.n) / 2).sqrt()
    traces: list[dict[str, Any]] = []
    longest = bounded["T"].max()
    for name in paper.BOUNDED:
        for (T,), own in bounded.group_by("T", maintain_order=True):
            if name == "HedgeAhead" or longest == T:
                ratio = own.select(pl.col(name) / unit).to_series()
                traces.append(line(f"{name}, T = {T:,}", own["H"], ratio, len(traces)))
    logs: dict[str, Any] = {"type": "log", "dtick": "D2"}
    page.chart(
        traces,
        "Bounds on regret with ten actions, divided by Hedge's bound without memory, sqrt(T ln n/2), against the "
        "length H of the window. The lines of the paper and of Hedge rise like sqrt(H), and are nearly the same for "
        "other T. Those of HedgeAhead fall as T grows.",
        xaxis=logs | {"title": {"text": "H"}},
        yaxis=logs | {"title": {"text": "bound / bound without memory"}},
    )
    share = (pl.col("HedgeAhead") / pl.col("Hedge")).alias("HedgeAhead / Hedge")
    page.table(
        bounded.with_columns(share),
        "Bounds on regret with ten actions, the start included, when the memory holds few decisions. That of the "
        "paper is its theorem's, on the mean over FTARL's own noise; the other two hold on every path of costs. A "
        "bound above T is vacuous.",
        {"T": "{:,}".format, "HedgeAhead / Hedge": "{:.0%}".format},
    )


def _measured(page: Page, done: Reproduction) -> None:
    """The regret of the three learners on the paper's costs."""
    rows = []
    for row in done.ends.filter(pl.col("learner").is_in(SHOWN)).to_dicts():
        less, error = done.less_than(row["costs"], row["learner"], "Hedge")
        apart = row["learner"] != "Hedge"
        rows.append(row | {"less than Hedge": less if apart else None, "se of that": error if apart else None})
    page.table(
        pl.DataFrame(rows, infer_schema_length=None),
        "Regret of FTARL, Hedge and HedgeAhead on the paper's three kinds of costs, exact over the learners' own "
        "randomness. se: its standard error over the draws of the costs; Cyc is not random. less than Hedge: the mean "
        "difference on the same draws, with its standard error. On StocId every learner expects the same regret, "
        "because no state knows anything of its round's costs.",
        dict.fromkeys(("less than Hedge", "se of that"), "{:,.2f}".format),
    )
