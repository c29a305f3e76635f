"""All bounds on one problem, side by side."""

from typing import TYPE_CHECKING

from ..memory import FullHistory, Window
from ..problem import Problem
from .needs import effective_length, known
from .paper import corollary_bound, theorem_bound
from .sharp import anytime_bound, hedge_bound, hedge_rate, perturbed_bound, perturbed_rate

if TYPE_CHECKING:
    import polars as pl

PAPER = "Hebbar and Langbort 2024"
SHARP = "bygones, by the mean lag"


def bounds(problem: Problem) -> "pl.DataFrame":
    """What each bound promises here, and whether that says anything.

    `share` is the bound over the trivial R*T that no run can exceed; at one or above it is `vacuous`. The paper's two
    lines are there for windows, which they are proved for, and for full history, which is the window with H = T.

    >>> import bygones as by
    >>> frame = by.bounds(by.Problem(10, 10_000, by.Window(100)))
    >>> frame.columns
    ['name', 'source', 'value', 'share', 'vacuous']
    >>> frame.select("name", "value", "vacuous").row(0)
    ('FTARL, theorem', 7804.7..., False)
    """
    import polars as pl

    T, R = known(problem, "a bound")
    rows: list[tuple[str, str, float]] = []
    if type(problem.memory) in (Window, FullHistory):
        rows += [
            ("FTARL, theorem", PAPER, theorem_bound(problem)),
            ("FTARL, corollary with Theta = H", PAPER, corollary_bound(problem, effective_length(problem))),
        ]
    rows += [
        ("FTARL, sharper rate", SHARP, perturbed_bound(problem, perturbed_rate(problem))),
        ("Hedge", SHARP, hedge_bound(problem, hedge_rate(problem))),
    ]
    anytime = anytime_bound(problem)
    if anytime is not None:
        rows.append(("Hedge, anytime", SHARP, anytime))
    frame = pl.DataFrame(rows, schema=["name", "source", "value"], orient="row")
    return frame.with_columns(share=pl.col("value") / (R * T)).with_columns(vacuous=pl.col("share") >= 1)
