"""What a study says: which learner is best, and how regret grows with whatever is swept.

Replicate r has the same costs for all learners, and the same seeds in all configurations. So differences are taken
replicate by replicate, and errors are those of the mean of replicates: averages over configurations come first.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from ..kernels import Actions, Array
from ..memory import Memory
from ..result import CLEAR
from .declaration import Study, parameters
from .results import End


class Standing(NamedTuple):
    """How a learner did on the problems that all learners played."""

    learner: str
    mean: float  # of regret, over problems and replicates
    more: float  # than the best, in the mean
    se: float | None  # of that difference, over replicates; None: there is one replicate
    best: int  # problems in which its mean is the lowest

    @property
    def clear(self) -> bool:
        """Whether it is shown to be worse than the best: by more than two standard errors."""
        return self.more > CLEAR * (self.se or 0.0)


class Ranking(NamedTuple):
    """Learners, the lowest mean regret first, and on how many problems and replicates."""

    standings: list[Standing]
    problems: int
    replicates: int


class Curve(NamedTuple):
    """Regret of a learner against some parameters, in the mean over the other values that are swept."""

    learner: str
    costs: str
    values: list[tuple[Any, ...]]  # of the parameters
    table: Array  # replicates, values
    bounds: Array | None  # in the mean too; None: not all have one

    @property
    def means(self) -> Array:
        """In the mean over the replicates."""
        made: Array = self.table.mean(axis=0)
        return made


def ranking(ends: Sequence[End]) -> Ranking:
    """Learners compared on common costs: on the problems and replicates that all of them have.

    The difference to the best is taken for each problem and replicate, then averaged over the problems; its standard
    error is that of the mean over replicates, because a replicate's costs are alike in all problems.

    Args:
        ends: the results.

    Returns:
        The learners, the lowest mean regret first; none if no problem was played by all.
    """
    played: dict[tuple[Any, ...], dict[str, End]] = defaultdict(dict)
    for end in ends:
        played[end.point.configuration[1:6]][end.point.configuration.learner] = end
    learners = list(dict.fromkeys(end.point.configuration.learner for end in ends))
    complete = [row for row in played.values() if len(row) == len(learners)]
    replicates = _common(end for row in complete for end in row.values())
    if not complete or not len(replicates):
        return Ranking([], 0, 0)
    tables = {name: np.array([_regrets(row[name], replicates) for row in complete]) for name in learners}
    means = {name: table.mean(axis=1) for name, table in tables.items()}
    lowest = np.min(list(means.values()), axis=0)
    first = min(learners, key=lambda name: float(means[name].mean()))
    made = []
    for name in learners:
        apart = (tables[name] - tables[first]).mean(axis=0)
        se = float(apart.std(ddof=1)) / math.sqrt(len(apart)) if len(apart) > 1 else None
        best = int((means[name] == lowest).sum())
        made.append(Standing(name, float(means[name].mean()), float(apart.mean()), se, best))
    return Ranking(sorted(made, key=lambda each: each.mean), len(complete), len(replicates))


def numeric(study: Study) -> list[str]:
    """What a study sweeps that is a number: of memories, the lengths of windows."""
    found = []
    for name, values in study.axes.items():
        kept = [_length(each) for each in values] if name == "memory" else list(values)
        if len(kept) > 1 and all(isinstance(each, int | float) and not isinstance(each, bool) for each in kept):
            found.append(name)
    return found


def pairs(study: Study) -> list[tuple[str, str]]:
    """The pairs of numeric parameters that are crossed."""
    group_of = {name: group for group in study.groups for name in group}
    return [(one, other) for one, other in combinations(numeric(study), 2) if group_of[one] != group_of[other]]


def curves(study: Study, ends: Sequence[End], names: Sequence[str]) -> Iterator[Curve]:
    """Regret against some parameters: for each learner and each kind of costs, in the mean over all else.

    Only what was played for all values of the parameters is averaged, so that no value has easier problems.

    Args:
        study: what is swept.
        ends: the results.
        names: one parameter, or several.

    Yields:
        The curves with at least two values.
    """
    bound_to = {name for group in study.groups for name in group if set(group) & set(names)}
    others = [name for name in ("actions", "horizon", "cost_range", *study.grid) if name not in bound_to]
    series: dict[tuple[str, str], dict[tuple[Any, ...], dict[tuple[Any, ...], End]]] = defaultdict(dict)
    for end in ends:
        values = tuple(_value(end, name) for name in names)
        if None not in values:
            who, costs, memory = _forms(end, bound_to)
            context = (memory, *(end.named[name] for name in others if name not in names))
            series[who, costs].setdefault(context, {})[values] = end
    for (who, costs), contexts in series.items():
        values_of = sorted({values for context in contexts.values() for values in context})
        complete = [context for context in contexts.values() if len(context) == len(values_of)]
        replicates = _common(end for context in complete for end in context.values())
        if len(values_of) < 2 or not complete or not len(replicates):
            continue
        table = np.mean([[_regrets(row[each], replicates) for each in values_of] for row in complete], axis=0).T
        bounds = np.mean([[_number(row[each].bound) for each in values_of] for row in complete], axis=0)
        yield Curve(who, costs, values_of, table, None if np.isnan(bounds).any() else bounds)


def _forms(end: End, names: set[str]) -> tuple[str, str, str]:
    """A learner, costs and a memory, in words; with parameters left in if they are to be averaged over or drawn."""
    point = end.point
    learner = point.learner if names & set(parameters(point.learner)) else end.named["learner"]
    costs = point.costs if parameters(point.costs) else end.named["costs"]
    if "memory" in names:  # it is the parameter itself
        return learner, costs, ""
    return learner, costs, point.memory if names & set(parameters(point.memory)) else end.named["memory"]


def _value(end: End, name: str) -> Any:  # noqa: ANN401
    """A configuration's value of a parameter."""
    return _length(end.named["memory"]) if name == "memory" else end.named[name]


def _length(words: object) -> int | None:
    """The length of a window, in words; None if it is none, or has a parameter."""
    try:
        return getattr(Memory.parse(str(words)), "length", None)
    except ValueError:
        return None


def _common(ends: Iterable[End]) -> Actions:
    """The replicates that all have."""
    kept = [set(end.replicates.tolist()) for end in ends]
    return np.array(sorted(set.intersection(*kept)) if kept else [], dtype=np.int64)


def _regrets(end: End, replicates: Actions) -> Array:
    """The regrets of some replicates."""
    found: Array = end.regrets[np.isin(end.replicates, replicates)]
    return found


def _number(value: float | None) -> float:
    return math.nan if value is None else value
