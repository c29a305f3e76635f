"""Weights by hand."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar

import numpy as np

from ..kernels import Array
from ..validation import LARGEST, real
from .base import Memory
from .form import WEIGHTED, Form
from .state import SIMPLEX_TOLERANCE


class Weights(Memory):
    """Weights of your own for lags 0, 1, 2, ...; the newest decision's first.

    >>> import bygones as by
    >>> memory = by.Weights([0.5, 0.3, 0.2])
    >>> memory.weights(2), round(memory.mean_lag(), 9)
    (array([0.625, 0.375]), 0.7)
    """

    lags: Sequence[float]
    example: ClassVar[str] = "weights:0.5,0.3,0.2"

    def __post_init__(self) -> None:
        if not isinstance(self.lags, list | tuple | np.ndarray):
            raise ValueError(f"the weights are {self.lags!r}: give a list of numbers, the newest decision's first")
        lags = tuple(real(f"the weight of lag {k}", weight) for k, weight in enumerate(self.lags))
        for k, weight in enumerate(lags):
            if not 0 <= weight < math.inf:
                raise ValueError(f"the weight of lag {k} is {weight!r}: give a number that is not negative")
        if not lags or lags[0] < 1 / LARGEST:
            raise ValueError(f"the weight of lag 0 is below {1 / LARGEST:g} or missing: the newest decision must count")
        total = math.fsum(lags)
        if abs(total - 1) > SIMPLEX_TOLERANCE:
            raise ValueError(f"the weights add up to {total!r}: they must add up to one; divide each by {total!r}")
        self._set("lags", lags)

    @property
    def support(self) -> int:
        """The number of its weights."""
        return len(self.lags)

    def weights(self, t: int) -> Array:
        """The first t weights, divided by their sum."""
        here = np.array(self.lags[:t])
        return here / math.fsum(here)

    def mean_lag(self, t: int | None = None) -> float:
        """`sum_k k a_k^(t)`."""
        return _mean_lag(tuple(self.lags[:t]))

    @property
    def second_lag(self) -> float:
        """`sum_k k (k - 1) a_k`, the weights divided by their sum."""
        return _second_lag(tuple(self.lags))

    def kernel(self, count: int) -> Array:
        """Its weights, divided by their sum."""
        return self.weights(self.support)[:count]

    def lag_total(self, t: int) -> float:
        """The sum of the mean lags up to t."""
        here = np.array(self.lags[:t])
        lags = np.cumsum(np.arange(len(here)) * here) / np.cumsum(here)
        return math.fsum(lags) + (t - len(here)) * self.mean_lag()

    @property
    def form(self) -> Form:
        """A weighted sum over a ring of decisions."""
        return Form(WEIGHTED, length=len(self.lags), lags=tuple(self.lags))

    def ignorance(self, T: int) -> float | None:
        """`1 + m1` with `T >= 2L - 2`, for L weights."""
        return 1 + self.mean_lag() if 2 * self.support - 2 <= T else None

    @property
    def short_words(self) -> str:
        """Its words with four digits."""
        return f"{self.words.rpartition(':')[0]}:{','.join(f'{weight:.4g}' for weight in self.lags)}"


@lru_cache(maxsize=4096)
def _mean_lag(lags: tuple[float, ...]) -> float:
    """Asked in every round, and the same in all from the last weight on."""
    return math.fsum(k * weight for k, weight in enumerate(lags)) / math.fsum(lags)


@lru_cache(maxsize=4096)
def _second_lag(lags: tuple[float, ...]) -> float:
    """Asked in every round too."""
    return math.fsum(k * (k - 1) * weight for k, weight in enumerate(lags)) / math.fsum(lags)
