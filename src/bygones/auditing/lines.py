"""The audit's lines, one for each statement."""

from collections.abc import Sequence
from math import inf, isnan
from typing import NamedTuple

from numpy.random import PCG64, Generator, SeedSequence

from ..costs import Blocks, Costs, Cyclic, SquareWave, StocHet, StocId, Trap
from ..memory import Window
from ..problem import Problem
from ..validation import whole
from .case import Case, sizes
from .ftarl import FEW, of_ftarl
from .hedge import of_any, of_fading, of_hedge
from .lsa import of_lsa
from .statements import STATEMENTS, UNDRAWN

PROBLEM = Problem(actions=3, horizon=2000, memory=Window(4))  # long enough for every bound to be below what can be lost
DRAWS, QUICK_DRAWS = 250, 60  # of the noise, on each kind of costs


class Line(NamedTuple):
    """One statement, and how it fared.

    The margin is least where the statement is nearest to failing, and negative where it fails. For every path, exact
    means and the exact recursion it is in units of the tolerance for rounding: an equality has 1 at the most, an
    inequality mostly far more. For expectations and frequencies it is in standard errors, of which 3.5 are for chance:
    a mean on its very bound has 3.5, and the bound itself would be passed by chance with a probability of 2.3e-4.
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
    """The kinds of costs that an audit looks at, with turns about as long as the window, so that they hurt."""
    T, H, _ = sizes(problem)
    return [
        StocHet(),
        StocId(),
        Cyclic(hold=H // 2, vectors=2),
        Cyclic(hold=H),
        Blocks(H),
        Trap(final=T // 2),
        SquareWave(H),
    ]


def audit(
    problem: Problem = PROBLEM, costs: Sequence[Costs] | None = None, seed: int = 0, draws: int = DRAWS
) -> list[Line]:
    """Hold the library to the theory, and tell for each statement how far it is from failing.

    Args:
        problem: on which to look; its memory must be a window of at least 2 rounds, shorter than the horizon.
        costs: the kinds of costs to look at, in units of the problem's range; None: `families(problem)`.
        seed: of all randomness, used as in `simulate`: the k-th costs are those of replicate k.
        draws: of FTARL's noise and of LSA's darts; `QUICK_DRAWS` is enough to see whether all is well.

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
        generator = Generator(PCG64(SeedSequence(seed, spawn_key=(place, 0))))
        case = Case(problem, R * family.draw(problem.n, T, generator), seed, draws)
        for look in (of_ftarl, of_hedge, of_any, of_fading, of_lsa):
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
