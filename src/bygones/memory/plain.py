"""Memories in plain Python, from their weights alone: slow, and right for every memory."""

from typing import TYPE_CHECKING

import numpy as np

from ..kernels import Array
from .state import MemoryState

if TYPE_CHECKING:
    from .base import Memory


class PlainState(MemoryState):
    """Keeps the decisions that can still count, newest first, and weighs them in every round."""

    def __init__(self, memory: "Memory", n: int) -> None:
        super().__init__(memory, n)
        self.ring = np.zeros((0, n))  # under the name that may grow from one snapshot to the next

    def carried(self) -> tuple[Array, float]:
        """`(y, beta)` such that the next state is `y + beta * v`."""
        weights = self.memory.weights(self.count + 1)
        return self._weighed(weights[1:]), float(weights[0])

    def _advance(self, decisions: Array, states: Array) -> None:
        for b, decision in enumerate(decisions):
            self.ring = np.vstack([decision, self.ring])[: self.memory.support]
            states[b] = self._weighed(self.memory.weights(self.count + b + 1))

    def _weighed(self, weights: Array) -> Array:
        total: Array = (weights[:, np.newaxis] * self.ring[: len(weights)]).sum(axis=0)
        return total


def plain_charges(memory: "Memory", costs: Array, past: int) -> Array:
    """What each decision is charged in the end: row tau is `sum_(t >= tau) a_(t-tau)^(t) g^t`.

    Args:
        memory: whose weights they are.
        costs: of the run, one row per round.
        past: how many decisions were taken before.

    Returns:
        One row per decision, of the shape of the costs.
    """
    charges = np.zeros(costs.shape)
    for b, row in enumerate(costs):
        weights = memory.weights(past + b + 1)[: b + 1]
        charges[b + 1 - len(weights) : b + 1] += weights[::-1, np.newaxis] * row
    return charges
