"""Passes over blocks of numbers without temporaries: the first thing wrong with them, and their least costs off."""

import math

from .arrays import Array
from .compiler import compiled


def _first_fault(costs: Array, largest: float, widest: float) -> tuple[int, int]:
    """Row and column of the first cost that is no number up to `largest`; column -1: the row spreads over `widest`."""
    for b in range(costs.shape[0]):
        low = math.inf
        high = -math.inf
        for i in range(costs.shape[1]):
            cost = costs[b, i]
            if not (abs(cost) <= largest):
                return b, i
            low = min(low, cost)
            high = max(high, cost)
        if high - low > widest:
            return b, -1
    return -1, -1


def _lower(costs: Array) -> None:
    """Take each round's least cost off."""
    for b in range(costs.shape[0]):
        low = costs[b, 0]
        for i in range(1, costs.shape[1]):
            low = min(low, costs[b, i])
        for i in range(costs.shape[1]):
            costs[b, i] -= low


def _first_off_simplex(decisions: Array, tolerance: float) -> int:
    """The first row that has a negative or unreal weight, or whose weights do not add up to one; -1: none."""
    for row in range(decisions.shape[0]):
        total = 0.0
        for i in range(decisions.shape[1]):
            weight = decisions[row, i]
            if not (weight >= -tolerance):
                return row
            total += weight
        if not (abs(total - 1.0) <= tolerance):
            return row
    return -1


first_fault = compiled(_first_fault)
lower = compiled(_lower)
first_off_simplex = compiled(_first_off_simplex)
