"""What a run cost, and against what.

Every function takes the costs `g^t` and the states `x^t` (or the decisions `v^t`) of a run, one row a round. The loss
of round t is `<g^t, x^t>`, and regret is against the best fixed action without any memory:
`sum_t <g^t, x^t> - min_i G^T_i`.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from .kernels import Array, compiled
from .memory import Memory, as_decisions


def losses(costs: ArrayLike, states: ArrayLike) -> Array:
    """`<g^t, x^t>` of every round.

    >>> losses(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[1.0, 0.0], [0.5, 0.5]]))
    array([1. , 0.5])
    """
    each: Array = np.einsum("ti,ti->t", *_alike(costs, states))
    return each


def regret(costs: ArrayLike, states: ArrayLike) -> Array:
    """Regret against the best fixed action after every round; the last entry is the run's regret.

    >>> regret(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[1.0, 0.0], [0.5, 0.5]]))
    array([1. , 0.5])
    """
    relative = _relative(costs)
    curve: Array = np.cumsum(losses(relative, states)) - np.cumsum(relative, axis=0).min(axis=1)
    return curve


def regret_against(costs: ArrayLike, states: ArrayLike) -> Array:
    """The run's regret against each action: `sum_t <g^t, x^t> - G^T_i`."""
    relative = _relative(costs)
    total: Array = losses(relative, states).sum() - relative.sum(axis=0)
    return total


def split(costs: ArrayLike, states: ArrayLike) -> Array:
    """The part of the run's loss that was paid through each action: `sum_t g^t_i x^t_i`."""
    parts: Array = np.einsum("ti,ti->i", *_alike(costs, states))
    return parts


def policy_regret(costs: ArrayLike, states: ArrayLike, memory: Memory, history: ArrayLike | None = None) -> float:
    """Regret against the best action played from round one on under the same memory.

    `sum_t <g^t, x^t> - min_v sum_t <g^t, h^t(v, ..., v)>`. The paper's lemma says that it equals the regret. With a
    `history` it does not: whoever plays one action from now on drags the same past along.
    """
    relative = _relative(costs)
    charges, inherited = _charges(relative, memory, history)
    return float(losses(relative, states).sum() - charges.sum(axis=0).min() - inherited)


def clairvoyant(costs: ArrayLike, memory: Memory, history: ArrayLike | None = None) -> float:
    """The least loss that anybody could have had, all costs foreseen: `sum_tau min_i c^tau_i`.

    Each decision is charged separately (`Memory.charges`), so the best one is the cheapest action of its own charge.

    >>> import bygones as by
    >>> clairvoyant(np.array([[1.0, 0.0], [0.0, 1.0]]), by.Window(1))
    0.0
    >>> clairvoyant(np.array([[1.0, 0.0], [0.0, 1.0]]), by.Window(2))
    0.5
    """
    charges, inherited = _charges(costs, memory, history)
    return float(charges.min(axis=1).sum() + inherited)


def switches(decisions: ArrayLike) -> float:
    """How much the decisions moved: `sum_t |v^t - v^(t-1)|_1 / 2`, which for pure play counts the changes of action.

    >>> switches(np.array([0, 0, 2, 2, 1]))
    2.0
    >>> switches(np.array([[1.0, 0.0], [0.5, 0.5]]))
    0.5
    """
    if np.ndim(decisions) == 1:
        return float(np.count_nonzero(np.diff(decisions)))
    return float(np.abs(np.diff(decisions, axis=0)).sum() / 2)


def _relative(costs: ArrayLike) -> Array:
    """Each round's costs less the first action's: regret stays what it is, and large constants cost no digits."""
    table = np.asarray(costs, dtype=np.float64)
    return table - table[:, :1]


def _alike(costs: ArrayLike, states: ArrayLike) -> tuple[Array, Array]:
    paid, held = np.asarray(costs, dtype=np.float64), np.asarray(states, dtype=np.float64)
    if paid.ndim != 2 or paid.shape != held.shape:
        raise ValueError(f"costs of shape {paid.shape} and states of shape {held.shape}: one row a round in both")
    return paid, held


def _charges(costs: ArrayLike, memory: Memory, history: ArrayLike | None) -> tuple[Array, float]:
    """What each decision of the run is charged, and what the decisions before it still cost."""
    table = np.asarray(costs, dtype=np.float64)
    past = as_decisions([] if history is None else history, table.shape[1])
    inherited = memory.start(table.shape[1], past).coast(len(table))
    return memory.charges(table, len(past)), float(losses(table, inherited).sum())


def _survey(costs: Array, largest: float, widest: float, totals: Array, best: Array) -> bool:
    """Look a block of costs over, once for all learners, and say whether they are sound.

    Written is the least total of a fixed action after every round; `totals` is advanced. The first action's cost is
    taken off each round's.
    """
    sound = True
    for b in range(costs.shape[0]):
        low = math.inf
        high = -math.inf
        lead = math.inf
        first = costs[b, 0]
        for i in range(costs.shape[1]):
            cost = costs[b, i]
            totals[i] += cost - first
            low = min(low, cost)
            high = max(high, cost)
            lead = min(lead, totals[i])
        best[b] = lead
        sound = sound and high <= largest and low >= -largest and high - low <= widest
    for i in range(totals.shape[0]):
        sound = sound and totals[i] == totals[i]  # a nan in any round is one here
    return sound


survey = compiled(_survey)
