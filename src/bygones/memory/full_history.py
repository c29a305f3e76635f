"""The mean of all decisions."""

import math
from typing import ClassVar

import numpy as np

from ..kernels import Array
from .base import Memory
from .form import FULL, Form


class FullHistory(Memory):
    """The mean of all decisions so far: the paper's window with H = T.

    >>> import bygones as by
    >>> by.FullHistory().mean_lag(101)
    50.0
    """

    example: ClassVar[str] = "full"
    form = Form(FULL)  # a running sum of all decisions
    phrase = "a memory of all periods"

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

    def window(self, T: int) -> int:
        """T: the window that the horizon just fills."""
        return T

    def ignorance(self, T: int) -> float:
        """At least `s ln((T + 1)/s)` with `s = ceil(T/e)` rounds of ignorance, about `T/e`."""
        s = math.ceil(T / math.e)
        return s * math.log((T + 1) / s)
