"""The mean of the last H decisions."""

from typing import ClassVar

import numpy as np

from ..kernels import Array
from ..validation import whole
from .base import Memory
from .form import WINDOW, Form
from .full_history import FullHistory


class Window(Memory):
    """The mean of the last `length` decisions: the paper's memory, its H.

    `x^t = (v^(t-h+1) + ... + v^t) / h` with `h = min(t, length)`.

    >>> import bygones as by
    >>> by.Window(4).weights(2), by.Window(4).mean_lag()
    (array([0.5, 0.5]), 1.5)
    """

    length: int
    example: ClassVar[str] = "window:100"

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

    @property
    def second_lag(self) -> float:
        """`(length - 1)(length - 2)/3`."""
        return (self.length - 1) * (self.length - 2) / 3

    def kernel(self, count: int) -> Array:
        """`1/length`, for each of its decisions."""
        return np.full(min(count, self.length), 1.0 / self.length)

    def lag_total(self, t: int) -> float:
        """The sum of `(min(s, length) - 1)/2` over s up to t."""
        h = min(t, self.length)
        return (h * (h - 1) + 2 * (t - h) * (h - 1)) / 4

    @property
    def form(self) -> Form:
        """A running sum over a ring of decisions."""
        return Form(WINDOW, length=self.length)

    def window(self, T: int) -> int:
        """Its length."""
        return self.length

    def ignorance(self, T: int) -> float | None:
        """`(length + 1)/2` with `T >= 2 length - 2`; of a window that the horizon never fills, as for full history."""
        if 2 * self.length - 2 <= T:
            return 1 + self.mean_lag()
        return FullHistory().ignorance(T) if self.length >= T else None

    @property
    def span(self) -> float:
        """Its length."""
        return float(self.length)

    def scaled(self, factor: float) -> "Window":
        """A window whose length is rounded down, and at least 1."""
        return Window(max(1, int(factor * self.length)))

    @property
    def phrase(self) -> str:
        """`a 7-period window`."""
        said = f"{self.length:,}"
        article = "an" if said[0] == "8" or said.partition(",")[0] in ("11", "18") else "a"  # as it is spoken
        return f"{article} {said}-period window"
