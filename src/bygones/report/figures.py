"""Figures with matplotlib, drawn from frames."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

# Curves differ by their dashes too, for readers who do not see colours.
COLOURS = ("#0b5fa5", "#c1440e", "#2a7f3f", "#7b3fa0", "#8a6d00", "#00808a", "#a03060", "#555555")
INK = "#1a1a1a"  # of a curve that is none of these
LINES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (5, 1)), (0, (1, 1)), (0, (3, 1, 1, 1)), (0, (8, 3)))


def look(number: int) -> tuple[int, int]:
    """Which colour and which line a curve has: no two of the first 64 have both in common."""
    return number % len(COLOURS), (number + number // len(COLOURS)) % len(LINES)


def draw_curves(axes: "Axes", curves: "pl.DataFrame", bounds: Mapping[str, float] | None = None) -> None:
    """Draw mean regret over the rounds, with a band of one standard deviation, and promises as thin lines.

    Args:
        axes: where to draw.
        curves: a frame with the columns learner, round, mean, sd and perhaps guarantee.
        bounds: of some learners, what they promise at the last round.
    """
    for number, learner in enumerate(curves["learner"].unique(maintain_order=True)):
        own = curves.filter(learner=learner)
        t, mean, deviation = (own[name].to_numpy() for name in ("round", "mean", "sd"))
        colour, line = (kinds[place] for kinds, place in zip((COLOURS, LINES), look(number), strict=True))
        axes.plot(t, mean, linestyle=line, color=colour, linewidth=1.6, label=learner)
        axes.fill_between(t, mean - deviation, mean + deviation, color=colour, alpha=0.18, linewidth=0)
        if "guarantee" in own.columns and own["guarantee"].is_not_null().any():
            axes.plot(t, own["guarantee"], linestyle=line, color=colour, linewidth=0.8, label=f"{learner}, guarantee")
        if bounds and learner in bounds:
            axes.axhline(bounds[learner], linestyle=line, color=colour, linewidth=0.8, label=f"{learner}, bound")
    axes.set_xlabel("round")
    axes.margins(x=0)
    axes.locator_params(axis="x", nbins=4)
    axes.spines[["top", "right"]].set_visible(False)
