"""What a run cost, and compared with what.

Every function takes the costs `g^t` and the states `x^t` (or the decisions `v^t`) of a run, one row per round. The loss
of round t is `<g^t, x^t>`. Regret compares with the best fixed action, without any memory:
`sum_t <g^t, x^t> - min_i G^T_i`; or, with `changes=`, with the best path of actions that changes so often at most.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .kernels import Actions, Array, compiled
from .memory import Memory, Take, as_decisions, charged
from .validation import whole

BLOCK = 2**17  # numbers in a block of costs


def losses(costs: ArrayLike, states: ArrayLike) -> Array:
    """The loss of every round, `<g^t, x^t>`.

    Args:
        costs: (T, n).
        states: (T, n).

    Returns:
        T losses.

    Raises:
        ValueError: if costs and states are not two tables of the same shape.

    >>> losses(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[1.0, 0.0], [0.5, 0.5]]))
    array([1. , 0.5])
    """
    each: Array = np.einsum("ti,ti->t", *_alike(costs, states))
    return each


def regret(costs: ArrayLike, states: ArrayLike, changes: int = 0) -> Array:
    """Regret after every round, against the best fixed action or the best path with some changes.

    Args:
        costs: (T, n).
        states: (T, n).
        changes: how often the path that it compares with may change its action; each round is paid at its own cost.

    Returns:
        T numbers; the last one is the run's regret.

    Raises:
        ValueError: if costs and states are not two tables of the same shape, or changes is not a whole number from 0.

    >>> costs, states = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[1.0, 0.0], [0.5, 0.5]])
    >>> regret(costs, states), regret(costs, states, changes=1)
    (array([1. , 0.5]), array([1. , 1.5]))
    """
    whole("changes", changes, 0)
    relative = _relative(costs)
    paid = np.cumsum(losses(relative, states))
    curve: Array = paid - (
        _paths(relative, changes, keep=False)[0] if changes else np.cumsum(relative, axis=0).min(axis=1)
    )
    return curve


class BestPath(NamedTuple):
    """The cheapest actions in hindsight, if they may change so often at most."""

    actions: Actions  # (T,) the action of each round
    totals: Array  # what the best path with at most 0, 1, ... changes costs


class Course(NamedTuple):
    """A path of actions by its changes."""

    actions: list[int]  # one after the other
    rounds: list[int]  # in which each but the first begins, counted from 0


def best_path(costs: ArrayLike, changes: int) -> BestPath:
    """The cheapest path of actions with at most some changes, each round paid at its own cost, without any memory.

    A dynamic program over rounds, actions and changes: `D_k(t, i) = g^t_i + min(D_k(t-1, i), min_j D_(k-1)(t-1, j))`,
    in time of the order of `T n changes`.

    Args:
        costs: (T, n), at least one round.
        changes: how many; more than `T - 1` is taken as `T - 1`.

    Returns:
        The path, and the cost of the best one with at most 0, 1, ... changes. Of equal paths the one that stays.

    Raises:
        ValueError: if the costs are not a table with a row, or changes is not a whole number from 0.

    >>> best_path(np.array([[0.0, 1.0], [0.0, 1.0], [5.0, 1.0], [0.0, 1.0]]), changes=1)
    BestPath(actions=array([0, 0, 1, 1]), totals=array([4., 2.]))
    """
    table = np.asarray(costs, dtype=np.float64)
    if table.ndim != 2 or not table.size:
        raise ValueError(f"costs of shape {table.shape}: give one row per round, and at least one")
    _, totals, moves = _paths(_relative(table), changes, keep=True)
    course = courses(totals, moves)[-1]
    lasting = np.diff([0, *course.rounds, len(table)])
    return BestPath(np.repeat(course.actions, lasting), totals.min(axis=1) + float(table[:, 0].sum()))


def courses(totals: Array, moves: Actions) -> list[Course]:
    """The best paths with at most 0, 1, ... changes, from what `follow_paths` has written.

    Args:
        totals: (changes + 1, n).
        moves: (changes + 1, n, changes, 2).

    Returns:
        One path for each number of changes.
    """
    found = []
    for least, own in zip(totals.argmin(axis=1).tolist(), moves, strict=True):
        steps = own[least]
        rounds, left = steps[steps[:, 0] >= 0].T.tolist()
        found.append(Course([*left, least], rounds))
    return found


def _paths(relative: Array, changes: int, keep: bool) -> tuple[Array, Array, Actions]:
    """The least total after each round, with all changes; the totals of each action and number of changes; the moves.

    There are moves if they are kept.
    """
    rounds, n = relative.shape
    most = min(whole("changes", changes, 0), max(0, rounds - 1))
    curve, totals, moves = np.empty(rounds), *start_courses(n, most)
    follow_paths(np.ascontiguousarray(relative), 0, curve, totals, moves if keep else moves[:0])
    return curve, totals, moves


def start_courses(n: int, changes: int) -> tuple[Array, Actions]:
    """Totals and moves before the first round, as `follow_paths` takes them.

    Args:
        n: the number of actions.
        changes: the most that a path has.

    Returns:
        (changes + 1, n) totals, and for each of these paths up to `changes` moves: a round and the action left in it.
    """
    return np.zeros((changes + 1, n)), np.full((changes + 1, n, changes, 2), -1)


def _follow_paths(costs: Array, before: int, curve: Array, totals: Array, moves: Actions) -> None:
    """Advance the totals of the best paths over some rounds, after `before` others, and their moves if there are any.

    A path carries its own moves with it, so that nothing is kept of each round.
    """
    for t in range(costs.shape[0]):
        for k in range(totals.shape[0] - 1, -1, -1):
            lead = 0
            if k > 0 and before + t > 0:
                for i in range(1, costs.shape[1]):
                    if totals[k - 1, i] < totals[k - 1, lead]:
                        lead = i
            for i in range(costs.shape[1]):
                if k > 0 and before + t > 0 and totals[k - 1, lead] < totals[k, i]:
                    totals[k, i] = totals[k - 1, lead]
                    if moves.shape[0] > 0:
                        fresh = True
                        for j in range(k):
                            moves[k, i, j, 0] = moves[k - 1, lead, j, 0]
                            moves[k, i, j, 1] = moves[k - 1, lead, j, 1]
                            if fresh and moves[k, i, j, 0] < 0:
                                moves[k, i, j, 0] = before + t
                                moves[k, i, j, 1] = lead
                                fresh = False
                totals[k, i] += costs[t, i]
        least = totals[totals.shape[0] - 1, 0]
        for i in range(1, costs.shape[1]):
            least = min(least, totals[totals.shape[0] - 1, i])
        curve[t] = least


follow_paths = compiled(_follow_paths)


def regret_against(costs: ArrayLike, states: ArrayLike) -> Array:
    """The run's regret against each action, `sum_t <g^t, x^t> - G^T_i`.

    Args:
        costs: (T, n).
        states: (T, n).

    Returns:
        One number per action.
    """
    relative = _relative(costs)
    total: Array = losses(relative, states).sum() - relative.sum(axis=0)
    return total


def split(costs: ArrayLike, states: ArrayLike) -> Array:
    """The part of the run's loss that is due to each action, `sum_t g^t_i x^t_i`.

    Args:
        costs: (T, n).
        states: (T, n).

    Returns:
        One number per action.
    """
    parts: Array = np.einsum("ti,ti->i", *_alike(costs, states))
    return parts


def policy_regret(costs: ArrayLike, states: ArrayLike, memory: Memory, history: ArrayLike | None = None) -> float:
    """Regret against the best action played from round one on under the same memory.

    It is `sum_t <g^t, x^t> - min_v sum_t <g^t, h^t(v, ..., v)>`. By the paper's lemma it equals the regret. With a
    `history` it does not: a single action played from now on starts from the same past.

    Args:
        costs: (T, n).
        states: (T, n).
        memory: how past decisions make the state.
        history: earlier decisions, oldest first.

    Returns:
        The policy regret of the run.
    """
    relative = _relative(costs)
    return float(losses(relative, states).sum() - _hindsight(relative, memory, history)[1].min())


def clairvoyant(costs: ArrayLike, memory: Memory, history: ArrayLike | None = None) -> float:
    """The least possible loss, with all costs known in advance: `sum_tau min_i c^tau_i`.

    Each decision is charged separately (`Memory.charges`), so the best one is the action with the lowest charge.

    Args:
        costs: (T, n).
        memory: how past decisions make the state.
        history: earlier decisions, oldest first.

    Returns:
        The loss.

    >>> import bygones as by
    >>> clairvoyant(np.array([[1.0, 0.0], [0.0, 1.0]]), by.Window(1))
    0.0
    >>> clairvoyant(np.array([[1.0, 0.0], [0.0, 1.0]]), by.Window(2))
    0.5
    """
    return _hindsight(np.asarray(costs, dtype=np.float64), memory, history)[0]


def hindsight(take: Take, rounds: int, n: int, memory: Memory, history: ArrayLike | None = None) -> tuple[float, Array]:
    """The loss of the clairvoyant, and the loss of each action played from round one on under the same memory.

    Costs are taken in blocks, so a table may be larger than the computer's memory.

    Args:
        take: returns the costs of the rounds from one number to before another, counted from 0, as a new array.
        rounds: the number of rounds.
        n: the number of actions.
        memory: how past decisions make the state.
        history: earlier decisions, oldest first.

    Returns:
        Both losses; the second as one number per action.
    """
    past, step = as_decisions([] if history is None else history, n), max(1, BLOCK // n)
    inherited, state = 0.0, memory.start(n, past)
    for first in range(0, rounds if len(past) else 0, step):
        costs = take(first, min(first + step, rounds))
        inherited += float(losses(costs, state.idle(len(costs))).sum())
    least, each = inherited, np.full(n, inherited)
    for charges in charged(memory, take, rounds, n, len(past), step):
        least += add_up(charges, each)
    return least, each


def _add_up(charges: Array, each: Array) -> float:
    """Add each action's charges to `each`, and give the sum of the least charges: numpy is slow along short rows.

    The sums are Kahan's, so that long tables cost no digits.
    """
    rounds, n = charges.shape
    totals, lost = np.zeros(n + 1), np.zeros(n + 1)  # the last is of the least charges
    for b in range(rounds):
        low = charges[b, 0]
        for i in range(n + 1):
            charge = low if i == n else charges[b, i]
            low = min(low, charge)
            gain = charge - lost[i]
            new = totals[i] + gain
            lost[i] = (new - totals[i]) - gain
            totals[i] = new
    for i in range(n):
        each[i] += totals[i]
    return float(totals[n])


add_up = compiled(_add_up)


def switches(decisions: ArrayLike) -> float:
    """How much the decisions moved, `sum_t |v^t - v^(t-1)|_1 / 2`; for single actions, the number of changes.

    >>> switches(np.array([0, 0, 2, 2, 1]))
    2.0
    >>> switches(np.array([[1.0, 0.0], [0.5, 0.5]]))
    0.5
    """
    if np.ndim(decisions) == 1:
        return float(np.count_nonzero(np.diff(decisions)))
    return float(np.abs(np.diff(decisions, axis=0)).sum() / 2)


def _relative(costs: ArrayLike) -> Array:
    """Each round's costs minus the first action's: regret is the same, and large constants lose no digits."""
    table = np.asarray(costs, dtype=np.float64)
    return table - table[:, :1]


def _alike(costs: ArrayLike, states: ArrayLike) -> tuple[Array, Array]:
    paid, held = np.asarray(costs, dtype=np.float64), np.asarray(states, dtype=np.float64)
    if paid.ndim != 2 or paid.shape != held.shape:
        raise ValueError(
            f"costs of shape {paid.shape} and states of shape {held.shape}: give one row per round in both"
        )
    return paid, held


def _hindsight(table: Array, memory: Memory, history: ArrayLike | None) -> tuple[float, Array]:
    rounds, n = table.shape
    return hindsight(lambda first, last: np.array(table[first:last], order="C"), rounds, n, memory, history)
