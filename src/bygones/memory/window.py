"""The mean of the last H decisions."""

import numpy as np

from ..kernels import Array
from ..validation import whole
from .base import Memory
from .charges import charges_of
from .running import WINDOW, RunningState


class Window(Memory):
    """The mean of the last `length` decisions: the paper's memory, its H.

    `x^t = (v^(t-h+1) + ... + v^t) / h` with `h = min(t, length)`.

    >>> import bygones as by
    >>> by.Window(4).weights(2), by.Window(4).mean_lag()
    (array([0.5, 0.5]), 1.5)
    """

    length: int

    def __post_init__(self) -> None:
        self._set("length", whole("the window's length", self.length, 1))

    @property
    def support(self) -> int:
        """Its length."""
        return self.length

    def weights(self, t: int) -> Array:
        """`1/h` for each of the last `h = min(t, length)` decisions."""
        h = min(t, self.length)
        return np.full(h, 1.0 / h)

    def beta(self, t: int) -> float:
        """`1/h`."""
        return 1.0 / min(t, self.length)

    def mean_lag(self, t: int | None = None) -> float:
        """`(h - 1)/2`."""
        return ((self.length if t is None else min(t, self.length)) - 1) / 2

    def lag_total(self, t: int) -> float:
        """The sum of `(min(s, length) - 1)/2` over s up to t."""
        h = min(t, self.length)
        return (h * (h - 1) + 2 * (t - h) * (h - 1)) / 4

    def charges(self, costs: Array, past: int = 0) -> Array:
        """`c^tau`, the sum of `g^t / min(t, length)` over t from tau to tau + length - 1."""
        return charges_of(self, costs, past)

    def state(self, n: int) -> RunningState:
        """A running window."""
        return RunningState(self, n, WINDOW, length=self.length)
