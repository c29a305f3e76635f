"""What comes next: decisions, the states that they lead to, and when these are where they should be."""

import math
from collections.abc import Container
from copy import deepcopy
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..kernels import Array, project
from ..memory import MemoryState
from .frames import names_of, yours
from .games import Played

NEAR = 0.01  # half the L1 distance at which the state counts as being at its target
PATIENCE = 1_000  # periods in which it may get there


class Coming(NamedTuple):
    """What comes next."""

    frame: pl.DataFrame  # learner, option, target, decision, state
    arrivals: dict[str, int | None]  # of each learner, after how many periods the state is at the target


def upcoming(played: Played, ended: Container[str]) -> Coming:
    """Each learner's decision for the period after the last, the state it leads to, and where that is to end.

    All start from what was really done, if that is known.

    Args:
        played: what was played.
        ended: the options without a current value, which get no weight.

    Returns:
        One row per learner and option; none for a learner that has no decision any more.
    """
    names, frames, arrivals = names_of(played), [], {}
    live = np.array([name not in ended for name in names])
    best = int(np.where(live, played.feed.tally.totals, math.inf).argmin())
    schema = {"learner": pl.String, "option": pl.String} | dict.fromkeys(("target", "decision", "state"), pl.Float64)
    for one in played.entries:
        try:
            one.player.ready(1)
        except ValueError:  # a table of advice ends with the data
            continue
        memory = (yours(played) or one.account).memory
        decision, target = (_among(row, live, best) for row in (one.player.decide(), one.player.target))
        y, beta = memory.carried()
        columns = {"target": target, "decision": decision, "state": y + beta * decision}
        frames.append(pl.DataFrame({"learner": one.label, "option": names} | columns, schema))
        arrivals[one.label] = arrival(memory, target, one.player.aims)
    return Coming(pl.concat([pl.DataFrame(schema=schema), *frames]), arrivals)


def arrival(memory: MemoryState, target: Array, aims: bool) -> int | None:
    """After how many periods the state is at a target that stays, to within a hundredth; None: it takes long.

    Args:
        memory: the state so far; it stays as it is.
        target: where the state is to go.
        aims: every decision takes the state as near as it can, rather than being the target itself.

    Returns:
        The number of periods.

    >>> import bygones as by
    >>> held = by.Window(4).start(2, history=[0, 0, 0, 0])
    >>> arrival(held, np.array([0.5, 0.5]), aims=True), arrival(held, np.array([0.5, 0.5]), aims=False)
    (2, 4)
    """
    state, decision = deepcopy(memory), target
    for period in range(1, PATIENCE + 1):
        if aims:
            y, beta = state.carried()
            decision = np.empty_like(target)
            project((target - y) / beta, decision)
        if np.abs(state.push(decision) - target).sum() / 2 <= NEAR:
            return period
    return None


def _among(decision: Array, live: NDArray[np.bool_], best: int) -> Array:
    """A decision that gives weight to some options only: in the same proportions, or all to the best of them."""
    if not decision[~live].any():
        return decision
    left: Array = np.where(live, decision, 0.0)
    if not left.any():
        left[best] = 1.0
    left /= left.sum()
    return left
