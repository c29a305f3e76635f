"""All bounds on one problem, side by side: what learners promise, and what no learner can beat."""

from typing import TYPE_CHECKING, NamedTuple

from .. import learners
from ..learners import Learner
from ..parallel import check_fork
from ..problem import Problem
from ..theory import claim_floor, known, long_trap_floor, short_trap_floor

if TYPE_CHECKING:
    import polars as pl

FLOORS = (
    ("the paper's claim", "Hebbar and Langbort 2024", claim_floor),
    ("a trap of H/4 rounds", "bygones, by the trap", short_trap_floor),
    ("the one-shot bound", "bygones, by the trap", long_trap_floor),
)


class Promise(NamedTuple):
    """An upper bound on a learner's (expected) regret."""

    learner: Learner
    value: float

    @property
    def name(self) -> str:
        """The learner, with the parameters that differ from their defaults."""
        return repr(self.learner).removesuffix("()")


class Floor(NamedTuple):
    """A regret that some costs force on every learner."""

    name: str
    source: str
    value: float


def promised(problem: Problem) -> list[Promise]:
    """What the library's learners promise on a problem, in the order of their list.

    >>> import bygones as by
    >>> least = min(promised(by.Problem(10, 10_000, by.Window(100))), key=lambda promise: promise.value)
    >>> least.learner, round(least.value, 1)
    (HedgeAhead(), 615.6)
    """
    known(problem, "a bound")
    return [
        Promise(learner, value)
        for kind in learners.LEARNERS
        for learner in kind.variants(problem)
        if (value := learner.bound(problem)) is not None
    ]


def floors(problem: Problem) -> list[Floor]:
    """Lower bounds that are proved for the memory: on some costs of this range no learner can have less regret."""
    values = [(name, source, floor(problem)) for name, source, floor in FLOORS]
    return [Floor(name, source, value) for name, source, value in values if value is not None]


def bounds(problem: Problem) -> "pl.DataFrame":
    """What learners promise on a problem, and whether that is vacuous; then what no learner can beat.

    Args:
        problem: what is decided; its horizon and its range must be known.

    Returns:
        A polars frame. `kind` is `promise` for a learner's bound on its (expected) regret, and `floor` for the
        opposite: on some costs of this range every learner's expected regret is that large. `share` is the value over
        the trivial R*T that no run can exceed; a promise with a share of one or more is `vacuous`: it says nothing. The
        paper's bounds are included for windows, for which they are proved, and for full history, the window with H = T.

    Raises:
        ValueError: if the horizon or the range is unknown.

    >>> import bygones as by
    >>> frame = by.bounds(by.Problem(10, 10_000, by.Window(100)))
    >>> frame.columns
    ['name', 'source', 'value', 'share', 'vacuous', 'kind']
    >>> frame.select("name", "value", "vacuous").row(0)
    ('FTARL', 7804.7..., False)
    >>> frame.select("name", "value", "kind").row(-1)
    ('the one-shot bound', 45.45, 'floor')
    """
    import polars as pl

    check_fork()
    T, R = known(problem, "a bound")
    rows = [(line.name, line.learner.source, line.value, "promise") for line in promised(problem)]
    rows += [(line.name, line.source, line.value, "floor") for line in floors(problem)]
    share = pl.col("value") / (R * T)
    frame = pl.DataFrame(rows, schema=["name", "source", "value", "kind"], orient="row")
    return frame.select("name", "source", "value", share.alias("share"), (share >= 1).alias("vacuous"), "kind")
