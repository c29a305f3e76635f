"""A fitted memory: what it is, how sure it is, and its picture."""

from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from ..bootstrap import block_length, resample
from ..kernels import Array
from ..memory import Geometric, Memory, Weights, Window
from .candidates import lags_of
from .free import free_weights
from .record import Record
from .rivals import CONSTANT, FREE, Rivals

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RESAMPLES = 100  # of free weights
SIZE = 6.4, 3.6  # inches


@dataclass(frozen=True, eq=False, repr=False)
class MemoryFit:
    """The memory that fits past decisions and outcomes, and how sure that is.

    - `memory`: the one that fits best. If `decided` is False it is a guess that the data do not support.
    - `table`: a polars frame with one row for each candidate, `constant` and `free weights` among them: its root mean
      squared `error` on parts it was not fitted to, the share of the variance it `explained`, by how much its squared
      error is `worse` than that of `memory` (with a 90 % interval from `low` to `high`, which allows for the choice of
      the memory), and whether it is `as_good`: not clearly worse, and clearly better than a constant if `memory` is.
      Computed when it is first asked for.
    - `decided`: False if the data cannot tell; `reason` then says why.
    - `interval`: the shortest and the longest memory of the same kind that bootstrap resamples choose, in 95 % of them;
      None for free weights.
    - `free`: weights of any shape that fit best.
    - `constant` and `effects`: of the fitted memory; `effects` is None if costs are known.

    Args:
        record: what it was fitted to.
        rivals: all candidates and their errors.
        longest: the most periods that were tried.
    """

    memory: Memory
    decided: bool
    free: Weights
    interval: tuple[Memory, Memory] | None
    constant: float
    effects: dict[str, float] | None
    record: Record
    rivals: Rivals
    longest: int

    @cached_property
    def table(self) -> pl.DataFrame:
        """All candidates, with their errors."""
        return self.rivals.table(self.rivals.name(self.memory))

    def __repr__(self) -> str:
        return "\n".join(self.sentences)

    @property
    def reason(self) -> str:
        """Why the data cannot tell; empty if they can."""
        if self.decided:
            return ""
        if not np.ptp(self.record.decisions, axis=0).any():
            return "the decisions never change"
        if not self.rivals.clearly_better(self.rivals.name(self.memory), CONSTANT):
            return "no memory explains the outcomes clearly better than a constant does"
        if self.memory == Window(1):
            return "longer memories fit as well as none"
        return "no memory at all (window:1) fits as well"

    @property
    def sentences(self) -> list[str]:
        """The answer in plain sentences, the most important first."""
        explained = dict(zip(self.rivals.names, self.rivals.explained(), strict=True))
        kind = self.rivals.name(self.memory)
        if not self.decided:
            guess = f"The best guess is {self.memory.short_words}, but do not rely on it."
            remedy = "More periods, or decisions that change more often, would help."
            return [f"The data cannot tell how long the past counts: {self.reason}.", guess, remedy]
        lines = [f"The memory that fits best is {self.memory.short_words}: {self._meaning()}."]
        if self.interval is not None:
            low, high = (each.short_words for each in self.interval)
            said = f"from {low} to {high}" if low != high else low
            lines.append(f"How sure: {said} in 95 % of bootstrap resamples.")
        parts = [f"It explains {100 * explained[kind]:.0f} % of the variance of the outcomes"]
        share = explained["window:1"]
        none = f"{100 * share:.0f} %" if share >= 0 else "does worse than a constant"
        parts += [f"no memory (window:1) {none}"] * (self.memory != Window(1))
        lines.append(
            ", ".join(parts) + f", on parts of the {len(self.record.explained):,} periods it was not fitted to."
        )
        lines.append(self._others())
        if self.effects is not None:
            named = ", ".join(f"{name} {effect:.4g}" for name, effect in self.effects.items())
            lines.append(f"Effects, per unit of what is remembered: {named}; constant {self.constant:.4g}.")
        return lines

    def _meaning(self) -> str:
        """What the memory says, in words."""
        if self.memory == Window(1):
            return "the past does not count"
        if isinstance(self.memory, Window):
            return f"the last {self.memory.length} decisions count equally"
        if isinstance(self.memory, Geometric):
            return f"a decision counts half as much after {self.memory.half_life:.3g} periods"
        return f"weights of no simple shape, with a mean lag of {self.memory.mean_lag():.3g} periods"

    def _others(self) -> str:
        """What fits as well, in words: ranges of neighbours all of which do."""
        own, said = self.memory.short_words, []
        for kind in ("window", "geometric"):
            tried = self.table.filter(kind=kind).sort("mean_lag").select("memory", "as_good").rows()
            for good, group in groupby(tried, key=itemgetter(1)):
                words = [Memory.parse(name).short_words for name, _ in group]
                said += [" to ".join(dict.fromkeys([words[0], words[-1]]))] * (good and words != [own])
        free = self.table.filter(memory=FREE)["as_good"].item() and not isinstance(self.memory, Weights)
        said += [FREE] * free
        return f"Cannot be ruled out: {', '.join(said)}." if said else "Nothing else fits as well."

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, for JSON."""
        return {
            "memory": self.memory.words,
            "decided": self.decided,
            "reason": self.reason,
            "half_life": self.memory.half_life if isinstance(self.memory, Geometric) else None,
            "interval": None if self.interval is None else [each.words for each in self.interval],
            "free_weights": list(self.free.lags),
            "constant": self.constant,
            "effects": self.effects,
            "periods": len(self.record.explained),
            "longest": self.longest,
            "sentences": self.sentences,
            "table": self.table.to_dicts(),
        }

    def plot(self, ax: "Axes | None" = None, figsize: tuple[float, float] | None = None) -> "Axes":
        """Draw the weights of the lags: free ones with 90 % intervals, and the fitted memory.

        The band holds all memories of its interval; where the data cannot tell there is none.

        Args:
            ax: matplotlib axes to draw on; None: those of a new figure.
            figsize: of the new figure, in inches.

        Returns:
            The axes.
        """
        from ..report import COLOURS
        from ..report.axes import new_axes

        axes = new_axes(figsize or SIZE) if ax is None else ax
        lags, drawn = np.arange(self.longest), self._drawn()
        low, high = np.quantile(drawn, [0.05, 0.95], axis=0)
        free = lags_of(self.free, self.longest)
        axes.vlines(lags, low, high, color="0.7", linewidth=3, label="free weights, 90 % interval")
        axes.plot(lags, free, "o", color="0.35", markersize=3.5, label="free weights")
        label = self.memory.short_words if not isinstance(self.memory, Weights) else "fitted weights"
        label += "" if self.decided else " (a guess: the data cannot tell)"
        fitted = lags_of(self.memory, self.longest)
        axes.step(lags, fitted, where="mid", color=COLOURS[0], linewidth=1.8, label=label)
        if self.interval is not None and self.decided and self.interval[0] != self.interval[1]:
            low, high = self.interval
            within = [each for each in self.rivals.like(low) if low.span <= each.span <= high.span]
            ends = np.stack([lags_of(each, self.longest) for each in within])
            look: dict[str, Any] = {"color": COLOURS[0], "alpha": 0.18, "linewidth": 0, "step": "mid"}
            label = f"{low.short_words} to {high.short_words}, 95 % of resamples"
            axes.fill_between(lags, ends.min(axis=0), ends.max(axis=0), label=label, **look)
        axes.set_xlabel("periods ago")
        axes.set_ylabel("weight of the decision")
        axes.set_ylim(bottom=0)
        axes.locator_params(axis="x", integer=True)
        axes.set_xlim(-0.6, self.longest - 0.4)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False)
        return axes

    def _drawn(self) -> Array:
        """Free weights fitted to resamples of the periods, (resamples, lags)."""
        lagged, outcomes, known = self.record.lagged(self.longest), self.record.explained, self.record.costs is not None
        start = lags_of(self.free, self.longest)
        rows = resample(len(outcomes), block_length(outcomes), RESAMPLES)
        return np.stack([free_weights(lagged[row], outcomes[row], start, known) for row in rows])
