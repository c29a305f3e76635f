"""The mean of all decisions."""

import math

import numpy as np

from ..kernels import Array
from .base import Memory
from .charges import charges_of
from .running import FULL, RunningState


class FullHistory(Memory):
    """The mean of all decisions so far: the paper's window with H = T.

    >>> import bygones as by
    >>> by.FullHistory().mean_lag(101)
    50.0
    """

    def weights(self, t: int) -> Array:
        """`1/t` for every decision."""
        return np.full(t, 1.0 / t)

    def beta(self, t: int) -> float:
        """`1/t`."""
        return 1.0 / t

    def mean_lag(self, t: int | None = None) -> float:
        """`(t - 1)/2`; it tends to infinity."""
        return math.inf if t is None else (t - 1) / 2

    def lag_total(self, t: int) -> float:
        """`t (t - 1)/4`."""
        return t * (t - 1) / 4

    def charges(self, costs: Array, past: int = 0) -> Array:
        """`c^tau`, the sum of `g^t / t` over t from tau on."""
        return charges_of(self, costs, past)

    def state(self, n: int) -> RunningState:
        """A running mean."""
        return RunningState(self, n, FULL)
