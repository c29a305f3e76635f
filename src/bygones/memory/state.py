"""A memory in use: decisions in, states out."""

from abc import ABC, abstractmethod
from copy import deepcopy
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ..kernels import Actions, Array, first_off_simplex
from ..validation import as_array

if TYPE_CHECKING:
    from .base import Memory

SIMPLEX_TOLERANCE = 1e-9
Running: TypeAlias = tuple[Array, Array, Array]  # what compiled kernels take of a memory


class MemoryState(ABC):
    """A memory in use: it takes decisions in and gives states out."""

    def __init__(self, memory: "Memory", n: int) -> None:
        self.memory = memory
        self.n = n
        self.count = 0

    def __repr__(self) -> str:
        return f"<{self.memory!r} over {self.n} actions, {self.count} decisions in it>"

    def __copy__(self) -> "MemoryState":
        return deepcopy(self)

    def push(self, decision: ArrayLike) -> Array:
        """Take one decision in and give the new state, a fresh array.

        >>> import bygones as by
        >>> state = by.Window(2).start(3)
        >>> state.push([1, 0, 0])
        array([1., 0., 0.])
        >>> state.push([0, 1, 0])
        array([0.5, 0.5, 0. ])
        >>> state.push([0, 1, 0])
        array([0., 1., 0.])
        """
        state: Array = self.extend(np.asarray(decision)[np.newaxis])[0]
        return state

    def extend(self, decisions: ArrayLike) -> Array:
        """Take a block of decisions in, one row each or action numbers, and give the state after each of them."""
        return self.take(as_decisions(decisions, self.n, self.count))

    def coast(self, rounds: int) -> Array:
        """What the decisions so far contribute to the next states: those of `rounds` rounds that decide nothing."""
        return deepcopy(self).idle(rounds)

    def idle(self, rounds: int) -> Array:
        """Let rounds that decide nothing go by, and give their states, which add up to less than one."""
        return self.take(np.zeros((rounds, self.n)))

    def carried(self) -> tuple[Array, float]:
        """`(y, beta)` such that the next state is `y + beta * v`: the paper's second view of the average.

        >>> import bygones as by
        >>> state = by.Window(3).start(2, history=[0, 0, 1])
        >>> y, beta = state.carried()
        >>> y * 3, beta * 3
        (array([1., 1.]), 1.0)
        """
        return self.coast(1)[0], self.memory.beta(self.count + 1)

    def take(self, decisions: Array) -> Array:
        """The same for rows that are known to be decisions, such as a player's own."""
        states = np.empty_like(decisions)
        self._advance(decisions, states)
        self.count += len(decisions)
        return states

    def running(self, rounds: int) -> Running | None:
        """What compiled kernels take, with room for so many more rounds; None: there are none for this memory."""
        return None

    def advanced(self, rounds: int, running: Running) -> None:
        """Take note of what kernels have done.

        Args:
            rounds: how many they have played.
            running: what they took, and have written into.
        """
        self.count += rounds

    @abstractmethod
    def _advance(self, decisions: Array, states: Array) -> None:
        """Take checked decisions in and write the states."""


def vertices(actions: Actions, n: int) -> Array:
    """One row for each action number, with weight one there.

    Args:
        actions: (B,) action numbers.
        n: the number of actions.

    Returns:
        A fresh array (B, n).
    """
    rows = np.zeros((len(actions), n))
    rows[np.arange(len(actions)), actions] = 1.0
    return rows


def as_decisions(decisions: ArrayLike, n: int, before: int = 0) -> Array:
    """Decisions as rows on the simplex, or an error that names the first row that is not on it.

    Args:
        decisions: (B, n) weights, or (B,) action numbers.
        n: the number of actions.
        before: how many decisions came before; messages count them too.

    Returns:
        (B, n), in memory that may be written to; it is not copied if it need not be.

    Raises:
        ValueError: if the shape or the type is wrong, an action number is out of range, or weights are negative or do
            not add up to one.
    """
    given = as_array(decisions)
    if given.ndim == 1 and given.dtype.kind in "iu":
        wrong = np.flatnonzero((given < 0) | (given >= n))
        if wrong.size:
            raise ValueError(
                f"decision {before + wrong[0] + 1} is action number {given[wrong[0]]}: "
                f"with {n} actions the numbers go from 0 to {n - 1}"
            )
        return vertices(given, n)
    if given.ndim == 1 and given.size == 0:
        return np.zeros((0, n))
    if given.ndim != 2 or given.shape[1] != n or given.dtype.kind not in "biuf":
        shape = given.shape[1:] if given.shape[:1] == (1,) else given.shape
        raise ValueError(
            f"decisions of shape {shape} and type {given.dtype}: "
            f"give {n} weights a decision, one for each action, or action numbers"
        )
    rows = np.ascontiguousarray(given, dtype=np.float64)
    if not rows.flags.writeable:  # as every player's decision; kernels are compiled for one kind of array only
        rows = rows.copy()
    row = first_off_simplex(rows, SIMPLEX_TOLERANCE)
    if row >= 0:
        raise ValueError(
            f"decision {before + row + 1} is {np.array2string(rows[row], threshold=10)}: "
            "its weights must not be negative and must add up to one"
        )
    return rows
