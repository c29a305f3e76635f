"""The page of a result: regret over the rounds, its bounds and guarantees, and how it was made."""

from typing import TYPE_CHECKING

from .charts import band, line
from .page import File, Page

if TYPE_CHECKING:
    from ..result import Result


def regret_page(result: "Result") -> Page:
    """The page of a result, with the result itself to be downloaded."""
    import polars as pl

    rounds = f"{result.rounds[-1]:,} rounds of {result.about.get('costs', 'costs')}"
    page = Page(f"Regret on {rounds}", {"result.parquet": File("all of this result", result.to_bytes())})
    page.text(
        "A learner is a rule that decides in every round from the costs before it. What a round costs depends on",
        "the state: the average of past decisions that the memory gives. Regret is how much more a learner has",
        f"paid so far than the best fixed action. This is {result.problem!r} with {result.replicates} replicates;",
        "bands are one standard deviation of regret.",
    )
    traces = []
    for number, label in enumerate(result.regrets):
        t, (mean, sd) = result.rounds, result.moments(label)
        traces.append(line(label, t, mean, number, legendgroup=label))
        if result.replicates > 1:
            traces.append(band(t, mean - sd, mean + sd, number, label))
        if label in result.guarantees:
            held = result.guarantees[label].mean(axis=0)
            traces.append(line(f"{label}, guarantee", t, held, number, thin=True))
    page.chart(traces, f"Regret over {rounds}, of {', '.join(result.regrets)}.")
    promised = pl.Series("bound", [learner.bound(result.problem) for learner in result.learners], dtype=pl.Float64)
    ends, two = result.summary().with_columns(promised), "{:,.2f}".format
    caption = "Regret after the last round. bound: the most regret that the theory allows the learner, in the mean."
    page.table(ends, caption, dict.fromkeys(ends.columns[1:], two))
    page.heading("How this was made")
    page.items([f"{name}: {value}" for name, value in result.about.items()])
    page.links()
    return page
