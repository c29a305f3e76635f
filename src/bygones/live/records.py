"""Rounds as they are written down: costs and decisions over the options that there were."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels import Array
from .events import Event


class Past(NamedTuple):
    """All rounds that were observed, over all options that there are now."""

    costs: Array  # (T, n); nan where an option had none
    decisions: Array  # (T, n)
    clipped: NDArray[np.bool_]  # (T,)


def past_of(observed: list[Event], n: int) -> Past:
    """What was entered and done in the rounds that were observed, over `n` options.

    Args:
        observed: the events that stand for the rounds.
        n: how many options there are now.

    Returns:
        The past.
    """
    read = [event.data for event in observed]
    costs = np.array([entered(data, n) for data in read]).reshape(-1, n)
    decisions = np.array([weights_of(data["decision"], n) for data in read]).reshape(-1, n)
    return Past(costs, decisions, np.array([data.get("clipped", False) for data in read], dtype=bool))


def entered(data: Mapping[str, Any], n: int) -> Array:
    """The costs or gains that an event has, over `n` options; nan where one has none.

    Args:
        data: of an event that observed.
        n: how many options there are now.

    Returns:
        (n,) as they were entered.
    """
    found = np.full(n, math.nan)
    found[: len(data["costs"])] = [math.nan if each is None else each for each in data["costs"]]
    return found


def weights_of(written: int | list[float], n: int) -> Array:
    """A decision as it was written down, over `n` options; those that came later had nothing.

    Args:
        written: one action by its number, or weights.
        n: how many options there are now.

    Returns:
        (n,), read-only.
    """
    found = np.zeros(n)
    if isinstance(written, int):
        found[written] = 1.0
    else:
        found[: len(written)] = written
    found.setflags(write=False)
    return found


def paid_with(costs: Array, states: Array) -> Array:
    """What is paid with some states: what has no cost counts as the rest does.

    Args:
        costs: (..., n); nan where an option has none.
        states: (..., n).

    Returns:
        The losses, (...).
    """
    missing = np.isnan(costs)
    paid: Array = (np.where(missing, 0.0, costs) * states).sum(axis=-1)
    lacking = np.where(missing, states, 0.0).sum(axis=-1)
    return paid / (1 - lacking) if lacking.any() else paid


def among(decision: Array, here: NDArray[np.bool_]) -> Array | None:
    """A decision in the same proportions among some options.

    Args:
        decision: over all options.
        here: which options.

    Returns:
        Its weights on these; None: it has nothing on them.
    """
    left: Array = decision[here]
    total = float(left.sum())
    return None if total <= 0 else left if left.size == decision.size else left / total
