"""Candidates against each other: whose errors are clearly larger."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from ..bootstrap import block_length, compare, resample
from ..kernels import Array
from ..memory import Memory, Weights

CONSTANT, FREE = "constant", "free weights"
RESAMPLES, CHOICES = 499, 999  # of intervals, and of the choice of the best
LEVEL = 0.9  # claims are one-sided, so 5 % are wrong


@dataclass(frozen=True, eq=False)
class Rivals:
    """What was tried, and the squared errors of each.

    Args:
        memories: windows and fading ones.
        names: of all candidates: the words of these memories, `constant` and `free weights`.
        squares: (T', candidates), errors on parts that they were not fitted to.
    """

    memories: list[Memory]
    names: list[str]
    squares: Array

    def name(self, memory: Memory) -> str:
        """What a memory is called here."""
        return FREE if isinstance(memory, Weights) else memory.words

    def against(self, rival: str, some: Sequence[str]) -> tuple[Array, Array]:
        """By how much the squared errors of some candidates are larger than a rival's.

        Candidates that are much worse than the rival cannot be chosen in its place. They must not widen the intervals
        of those that can, and have intervals of their own.

        Reference: Hansen (2005), *A Test for Superior Predictive Ability*, whose threshold this is.

        Args:
            rival: the candidate to compare with.
            some: the candidates that are asked for.

        Returns:
            The ends of their intervals, which hold for all candidates together.
        """
        place, asked = self.names.index(rival), [self.names.index(name) for name in some]
        apart = self.squares - self.squares[:, [place]]
        errors = apart.std(axis=0) / math.sqrt(len(apart))
        far = apart.mean(axis=0) > math.sqrt(2 * math.log(math.log(len(apart)))) * errors
        low, high = np.zeros(len(far)), np.zeros(len(far))
        for group in (far, ~far):
            if group[asked].any():
                own = group | (np.arange(len(far)) == place)
                here = int(own[:place].sum())
                compared = compare(self.squares[:, own], level=LEVEL, resamples=RESAMPLES, against=here)
                low[own], high[own] = compared.low, compared.high
        return low[asked], high[asked]

    def clearly_better(self, one: str, rival: str) -> bool:
        """Whether one candidate, chosen from all by its errors, is better than a rival.

        Args:
            one: the candidate.
            rival: the other one.

        Returns:
            True if its interval excludes the contrary.
        """
        return bool(self.against(rival, [one])[1][0] < 0)

    def clearly_worse(self, several: Sequence[str], rival: str) -> bool:
        """Whether each of several candidates is worse than a rival.

        Args:
            several: the candidates.
            rival: the other one.

        Returns:
            True if their intervals exclude the contrary.
        """
        return bool((self.against(rival, several)[0] > 0).all())

    def explained(self) -> Array:
        """The share of the variance that each candidate explains, which may be negative."""
        means: Array = self.squares.mean(axis=0)
        return 1 - means / means[0] if means[0] > 0 else np.zeros(len(means))

    def table(self, chosen: str) -> pl.DataFrame:
        """One row per candidate: its errors, and how much worse it is than the chosen one.

        The worst candidates have the widest intervals. So where the chosen one is clearly better than a constant, those
        that are not are not as good.
        """
        means, place = self.squares.mean(axis=0), self.names.index(chosen)
        ends = [self.against(name, [chosen]) for name in self.names]
        useful = self.against(CONSTANT, self.names)[1] < 0
        kinds = {memory.words: type(memory).__name__.lower() for memory in self.memories}
        lags = {memory.words: memory.mean_lag() for memory in self.memories}
        frame = pl.DataFrame(
            {
                "memory": self.names,
                "kind": [kinds.get(name, name) for name in self.names],
                "mean_lag": pl.Series([lags.get(name) for name in self.names], dtype=pl.Float64),
                "error": np.sqrt(means),
                "explained": self.explained(),
                "worse": means - means[place],
                "low": [0.0 - each[1][0] for each in ends],
                "high": [0.0 - each[0][0] for each in ends],
            }
        )
        as_good = (frame["low"].to_numpy() <= 0) & (useful | ~useful[place])
        return frame.with_columns(as_good=pl.Series(as_good)).sort("kind", "mean_lag", maintain_order=True)

    def like(self, memory: Memory) -> list[Memory]:
        """The memories of one kind, the shortest first."""
        return sorted((each for each in self.memories if type(each) is type(memory)), key=lambda each: each.span)

    def interval(self, memory: Memory) -> tuple[Memory, Memory] | None:
        """The shortest and the longest of the memories of one kind that are the best in 95 % of the resamples."""
        kind = self.like(memory)
        if not kind:
            return None
        squares = self.squares[:, [self.names.index(each.words) for each in kind]]
        apart = squares - squares[:, [kind.index(memory)]]
        rows = resample(len(apart), block_length(apart), CHOICES)
        best = np.sort([int(apart[row].sum(axis=0).argmin()) for row in rows])
        return kind[int(best[round(0.025 * CHOICES)])], kind[int(best[round(0.975 * CHOICES) - 1])]
