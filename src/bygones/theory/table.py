"""All bounds on one problem, side by side: what learners promise, and what no learner can beat."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from ..memory import FullHistory, Window
from ..problem import Problem
from .any_memory import (
    anava_rate,
    anytime_bound,
    geulen_rate,
    hedge_bound,
    hedge_rate,
    perturbed_bound,
    perturbed_rate,
    tracking_bound,
    tracking_rate,
)
from .lower import claim_floor, long_trap_floor, short_trap_floor
from .paper import corollary_bound, theorem_bound
from .requirements import effective_length, known

if TYPE_CHECKING:
    import polars as pl

PAPER = "Hebbar and Langbort 2024"
SHARP = "bygones, by the mean lag"
TRACKING = "bygones, by the state"
TRAP = "bygones, by the trap"
ANY_LEARNER = "any learner, at least: "  # how the names of lower bounds begin, so that nobody takes one for a promise


class Line(NamedTuple):
    """One line of the table; the value is None where nothing is proved."""

    name: str
    source: str
    value: Callable[[Problem], float | None]
    call: str = ""  # what to type


def _theorem(problem: Problem) -> float | None:
    """The theorem where the paper proves it: on windows, and on full history, which is the window with H = T."""
    return theorem_bound(problem) if type(problem.memory) in (Window, FullHistory) else None


def _corollary(problem: Problem) -> float | None:
    if type(problem.memory) not in (Window, FullHistory):
        return None
    return corollary_bound(problem, effective_length(problem))


THEOREM = Line("FTARL, theorem", PAPER, _theorem)
PROMISES = (
    THEOREM,
    Line("FTARL, corollary with Theta = H", PAPER, _corollary),
    Line("FTARL, sharper rate", SHARP, lambda problem: perturbed_bound(problem, perturbed_rate(problem))),
    Line("LSA, Anava's rate", SHARP, lambda problem: hedge_bound(problem, anava_rate(problem))),
    Line("LSA, Geulen's rate", SHARP, lambda problem: hedge_bound(problem, geulen_rate(problem))),
    Line("Hedge", SHARP, lambda problem: hedge_bound(problem, hedge_rate(problem)), "Hedge()"),
    Line("Hedge, anytime", SHARP, anytime_bound),
    Line(
        "Tracking, horizon",
        TRACKING,
        lambda problem: tracking_bound(problem, tracking_rate(problem)),
        'Tracking(tuning="horizon")',
    ),
)
FLOORS = (
    Line(f"{ANY_LEARNER}the paper's claim", PAPER, claim_floor),
    Line(f"{ANY_LEARNER}a trap of H/4 rounds", TRAP, short_trap_floor),
    Line(f"{ANY_LEARNER}the one-shot bound", TRAP, long_trap_floor),
)


def bounds(problem: Problem) -> "pl.DataFrame":
    """What each bound promises here, and whether that says anything; then what no learner can beat.

    `share` is the bound over the trivial R*T that no run can exceed; at one or above it is `vacuous`. The paper's two
    lines are there for windows, which they are proved for, and for full history, which is the window with H = T. Lines
    whose names begin with "any learner, at least" are no promise but the opposite: on some costs of this range every
    learner's expected regret is that large. They are never vacuous.

    >>> import bygones as by
    >>> frame = by.bounds(by.Problem(10, 10_000, by.Window(100)))
    >>> frame.columns
    ['name', 'source', 'value', 'share', 'vacuous']
    >>> frame.select("name", "value", "vacuous").row(0)
    ('FTARL, theorem', 7804.7..., False)
    >>> frame.select("name", "value").row(-1)
    ('any learner, at least: the one-shot bound', 45.45)
    """
    import polars as pl

    T, R = known(problem, "a bound")
    rows = [(line.name, line.source, line.value(problem)) for line in (*PROMISES, *FLOORS)]
    frame = pl.DataFrame([row for row in rows if row[2] is not None], schema=["name", "source", "value"], orient="row")
    return frame.with_columns(share=pl.col("value") / (R * T)).with_columns(vacuous=pl.col("share") >= 1)
