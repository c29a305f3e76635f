"""The audit's lines, one per statement."""

from collections.abc import Sequence
from math import inf, isnan
from typing import NamedTuple

from ..costs import Blocks, Costs, Cyclic, SquareWave, StocHet, StocId, Trap
from ..engine import costs_generator
from ..memory import Window
from ..problem import Problem
from ..validation import whole
from .ahead import of_ahead
from .case import Case, sizes
from .ftarl import FEW, of_ftarl
from .guarded import of_guarded
from .hedge import of_any, of_fading, of_hedge
from .lsa import of_lsa
from .statements import STATEMENTS, UNDRAWN

PROBLEM = Problem(actions=3, horizon=2000, memory=Window(4))  # long enough that no bound is vacuous
DRAWS, QUICK_DRAWS = 250, 60  # of the noise, on each kind of costs


class Line(NamedTuple):
    """One statement, and whether it holds.

    The margin is that of the costs where the statement is closest to failing; it is negative if it fails. For `every
    path`, `exact mean` and `exact recursion` it is in units of the tolerance for rounding: an equality has at most 1,
    an inequality mostly far more. For `expectation` and `frequency` it is in standard errors, 3.5 of which allow for
    chance: a mean equal to its bound has a margin of 3.5, and fails by chance with a probability of 2.3e-4.
    """

    name: str
    statement: str
    kind: str
    margin: float
    passed: bool
    error: float | None  # the standard error of an expectation or a frequency
    costs: str  # where the margin is least
    draws: int | None  # on each kind of costs; None: nothing is drawn


def families(problem: Problem) -> list[Costs]:
    """The kinds of costs of an audit, with turns about as long as the window, which is hard for learners."""
    T, H, _ = sizes(problem)
    turns = [Cyclic(hold=H // 2, vectors=2), Cyclic(hold=H), Blocks(H), Trap(final=T // 2), SquareWave(H)]
    return [StocHet(), StocId(), *turns]


def audit(
    problem: Problem = PROBLEM, costs: Sequence[Costs] | None = None, seed: int = 0, draws: int = DRAWS
) -> list[Line]:
    """Check the library against the theory, and report for each statement how far it is from failing.

    Args:
        problem: what is decided; its memory must be a window of at least 2 rounds, shorter than the horizon.
        costs: the kinds of costs to check on, in units of the problem's range; None: `families(problem)`.
        seed: the seed of all randomness, used as in `simulate`: the k-th costs are those of replicate k.
        draws: the number of draws of FTARL's noise and of LSA's darts; `QUICK_DRAWS` is enough for a quick check.

    Returns:
        One line per statement.

    Raises:
        ValueError: if the problem cannot be audited, or an argument does not fit.

    >>> import bygones as by
    >>> lines = by.audit(by.Problem(2, 300, by.Window(3)), [by.StocHet(), by.SquareWave(3)], draws=20)
    >>> all(line.passed for line in lines)
    True
    >>> lines[4].statement, lines[4].kind
    ('|x^(t+1) - x^t|_1 <= 2/min(t, H)', 'every path')
    """
    T, _, R = sizes(problem)
    draws = whole("draws", draws, 2)
    worst: dict[str, tuple[float, float | None, str]] = {}
    kinds = families(problem) if costs is None else list(costs) if isinstance(costs, Sequence) else []
    if not kinds or not all(isinstance(kind, Costs) for kind in kinds):
        raise ValueError(f"the costs are {costs!r}: give a list of kinds of costs, such as [StocHet(), SquareWave(4)]")
    for place, family in enumerate(kinds):
        case = Case(problem, R * family.draw(problem.n, T, costs_generator(seed, place)), seed, draws)
        for look in (of_ftarl, of_hedge, of_ahead, of_any, of_fading, of_guarded, of_lsa):
            for name, margin, *error in look(case):
                known = -inf if isnan(margin) else margin
                if name not in worst or known < worst[name][0]:
                    worst[name] = known, error[0] if error else None, repr(family)
    lines = []
    for name, (kind, statement) in STATEMENTS.items():
        least, among, where = worst[name]
        looked = None if name in UNDRAWN else min(draws, FEW) if name == "Policy regret" else draws
        lines.append(Line(name, statement, kind, least, least >= 0, among, where, looked))
    return lines
