"""What a study crosses, one configuration after the other."""

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, product
from typing import Any, NamedTuple

from ..costs import Costs
from ..learners import Learner
from ..memory import Memory
from ..parallel import showing
from .declaration import UNKNOWN, Study, filled, is_table, parameters
from .ranges import Value


class Configuration(NamedTuple):
    """All that determines the regrets of a learner, but for the number of the replicate."""

    learner: str  # in canonical words
    costs: str  # in canonical words, or a table as it was given
    memory: str
    actions: int | None  # None: those of the table
    horizon: int | None
    cost_range: float | None
    method: str
    record: Any
    switches: bool
    guarantees: bool
    seed: int


class Point(NamedTuple):
    """A configuration, the parameters of the grid that led to it, and the words that they were filled into."""

    configuration: Configuration
    parameters: dict[str, Value]
    learner: str
    costs: str
    memory: str


def configurations(study: Study) -> Iterator[Point]:
    """All configurations of a study, each once, in the order in which its axes are crossed.

    A parameter that neither the learner, the costs nor the memory of a configuration names makes no difference to it.

    Args:
        study: what is swept.

    Yields:
        The configurations, with the parameters that they name.

    Raises:
        ValueError: if a value is not allowed for what it is a parameter of.
    """
    axes, seen = study.axes, set()
    groups = study.groups
    names = [name for group in groups for name in group]
    rows = [list(zip(*(axes[name] for name in group), strict=True)) for group in groups]
    for combination in product(*rows):
        chosen: dict[str, Any] = dict(zip(names, chain.from_iterable(combination), strict=True))
        texts = [str(chosen[name]) for name in ("learners", "costs", "memory")]
        named = {name: chosen[name] for text in texts for name in parameters(text)}
        learner, costs, memory = (filled(text, chosen) for text in texts)
        table = is_table(costs)
        configuration = Configuration(
            learner=_learner(learner),
            costs=costs if table else _costs(costs),
            memory=_memory(memory),
            actions=None if table else chosen["actions"],
            horizon=None if table else chosen["horizon"],
            cost_range=None if chosen["cost_range"] == UNKNOWN else float(chosen["cost_range"]),
            method=study.method,
            record=study.record,
            switches=study.switches,
            guarantees=study.guarantees,
            seed=study.seed,
        )
        plain = (*configuration[:6],)  # the others are the same for all
        if plain not in seen:
            seen.add(plain)
            yield Point(configuration, named, *texts)


def shown_configurations(study: Study, progress: bool | None, doing: str) -> Iterator[Point]:
    """The same, with a bar: for a large study it takes long, whatever is done with them.

    Args:
        study: what is swept.
        progress: show the bar; None: on a terminal.
        doing: what is done with them.

    Yields:
        The configurations.
    """
    axes = study.axes
    with showing(progress, math.prod(len(axes[group[0]]) for group in study.groups), doing) as tick:
        for point in configurations(study):
            yield point
            tick(1)


@lru_cache(maxsize=65536)
def _learner(text: str) -> str:
    return Learner.parse(text).words


@lru_cache(maxsize=65536)
def _costs(text: str) -> str:
    return Costs.parse(text).words


@lru_cache(maxsize=65536)
def _memory(text: str) -> str:
    return Memory.parse(text).words
