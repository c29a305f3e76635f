"""Exact minimax regret by linear programming over all sequences of costs: for any memory, and few rounds."""

import math
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from ..kernels import Array
from ..problem import Problem
from ..programs import Program
from ..validation import as_array
from .cases import power

MOST = 5_000  # sequences
LARGEST = 20_000  # shares of actions in all decisions: the program's size
AT_ONCE = 500  # rows of the program that are handed over together


def sequence_value(problem: Problem, vectors: ArrayLike | None = None) -> float:
    """Minimax regret on a problem, over all sequences of some cost vectors.

    A learner is a decision at every history of costs. Every `v_h` and the value `W_h` of what follows a history h are
    variables of one linear program: minimise W at the empty history, where

        W_h >= <g, x_(h, g)> + W_(h, g)   for every g,        W_h = -min_i G_i   after the last round,

    and `x_(h, g)`, the state that `v` makes along the history, is linear in the variables. Its size is that of the
    tree of histories, so this is for games of a dozen rounds and few actions; `minimax` goes on from there for windows.

    Regret is convex in each cost vector, for the value of what follows is a least and largest of convex functions. So
    the corners of the costs in `[0, R]^n` are as hard as all costs of range R, and they are what is taken by default.

    Args:
        problem: actions, horizon, memory and range; both must be known.
        vectors: (k, n) costs to choose from in each round. None: all corners, `2^n - 2` of them.

    Returns:
        The least regret that some learner can promise.

    Raises:
        ValueError: if horizon or range is unknown, the vectors do not fit, there are more than 5,000 sequences, or the
            decisions at all histories have more than 20,000 shares.

    >>> import bygones as by
    >>> [round(sequence_value(by.Problem(2, 6, by.Window(H))), 4) for H in (1, 2, 6)]
    [0.9375, 1.1196, 1.5596]
    """
    if problem.horizon is None or problem.cost_range is None:
        raise ValueError("minimax regret needs a game that ends, and costs in a range: give horizon and cost_range")
    rounds, n = problem.horizon, problem.n
    given = None if vectors is None else _checked(problem, vectors)
    k = 2**n - 2 if given is None else len(given)
    _check_size(k, n, rounds)
    costs = _corners(problem) if given is None else given
    firsts = [(k**t - 1) // (k - 1) if k > 1 else t for t in range(rounds + 1)]  # numbers of the histories of t rounds
    nodes = firsts[-1]
    program = Program([1.0] + [0.0] * (nodes * (1 + n) - 1), *_limits(nodes, n))
    pending: list[tuple[Array, float, float]] = []

    def add(row: Array, low: float, high: float) -> None:
        pending.append((row, low, high))
        if len(pending) == AT_ONCE:
            flush()

    def flush() -> None:
        if pending:
            rows, low, high = zip(*pending, strict=True)
            program.add(np.array(rows), np.array(low), np.array(high))
            pending.clear()

    for t in range(1, rounds + 1):
        weights = problem.memory.weights(t)
        for history in product(range(k), repeat=t - 1):
            path, total = [0], np.zeros(n)  # the histories before each of its rounds
            for choice in history:
                path.append(firsts[len(path)] + (path[-1] - firsts[len(path) - 1]) * k + choice)
                total += costs[choice]
            here = path[-1]
            simplex = np.zeros(program.size)
            simplex[_decision(here, nodes, n)] = 1.0
            add(simplex, 1.0, 1.0)
            for choice, cost in enumerate(costs):
                row = np.zeros(program.size)
                row[here] = 1.0
                for weight, node in zip(weights, reversed(path), strict=False):
                    row[_decision(node, nodes, n)] -= weight * cost
                low = 0.0
                if t < rounds:
                    row[firsts[t] + (here - firsts[t - 1]) * k + choice] = -1.0
                else:
                    low = -float((total + cost).min())
                add(row, low, np.inf)
    flush()
    return program.solve().value


def _decision(node: int, nodes: int, n: int) -> slice:
    """Where the decision at a history stands among the variables: after all values."""
    return slice(nodes + node * n, nodes + (node + 1) * n)


def _limits(nodes: int, n: int) -> tuple[Array, Array]:
    """Values are free; decisions are on the simplex."""
    free, within = np.full(nodes, np.inf), np.ones(nodes * n)
    return np.concatenate([-free, 0 * within]), np.concatenate([free, within])


def _check_size(k: int, n: int, rounds: int) -> None:
    """Refuse programs that are too large, before anything is made."""
    digits = rounds * math.log10(k)
    if digits > math.log10(MOST):
        count = k if k <= MOST else power(math.log10(k))
        raise ValueError(
            f"{count} cost vectors in each of {rounds} rounds make {power(digits)} sequences: give a horizon or "
            f"vectors with at most {MOST:,}"
        )
    nodes = (k**rounds - 1) // (k - 1) if k > 1 else rounds
    if nodes * n > LARGEST:
        raise ValueError(
            f"decisions of {n} shares at {nodes:,} histories have {nodes * n:,} shares: give a horizon, vectors or "
            f"actions with at most {LARGEST:,}"
        )


def _checked(problem: Problem, vectors: ArrayLike) -> Array:
    """The costs to choose from, as they are given."""
    given = as_array(vectors)
    if given.ndim != 2 or not len(given):
        raise ValueError(f"the vectors have the shape {given.shape}: give one row of {problem.n} costs or more")
    return problem.check_costs(given, 0)


def _corners(problem: Problem) -> Array:
    """All corners but those that cost all actions the same."""
    corners = [corner for corner in product((0.0, 1.0), repeat=problem.n) if len(set(corner)) > 1]
    scaled: Array = float(problem.cost_range or 0.0) * np.array(corners)
    return scaled
