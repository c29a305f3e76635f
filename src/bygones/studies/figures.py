"""Figures of a study with matplotlib: regret against a parameter, over the rounds, and learners compared."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from ..report import COLOURS, LINES, draw_curves, look
from ..result import SIZE
from ..validation import word
from .comparing import Curve, Ranking, curves, numeric, ranking
from .results import FIXED, Found

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 7.2, 3.1  # of a row of panels
BOUND = "thin lines: bounds"
LINES_SHOWN = 8  # of one chart: the best learners


def draw(found: Found, against: str | None, costs: str | None, ax: "Axes | None") -> "Axes":
    """Draw regret against a parameter; without one, learners compared.

    Args:
        found: the results.
        against: the parameter; None: the first that is a number.
        costs: which; None: the first.
        ax: the axes to draw on; None: those of a new figure.

    Returns:
        The axes.

    Raises:
        ValueError: if there is no such parameter or costs, or nothing to draw.
    """
    from ..report.axes import new_axes

    names = numeric(found.study)
    if against is not None:
        word("against", against, tuple(names))
    name = against or (names[0] if names else None)
    made = shown_curves(found, [name]) if name else []
    kinds = list(dict.fromkeys(curve.costs for curve in made))
    chosen = word("costs", costs, tuple(kinds)) if costs is not None and made else kinds[0] if kinds else None
    ranked = ranking(found.ends)
    if not made and not ranked.standings:
        raise ValueError("there is nothing to draw yet: run the study first")
    axes = new_axes(SIZE) if ax is None else ax
    if name and made:
        draw_growth(axes, name, [curve for curve in made if curve.costs == chosen])
        axes.set_title(str(chosen), fontsize="medium")
        axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    else:
        draw_ranking(axes, ranked)
    return axes


def shown_curves(found: Found, names: Sequence[str]) -> list[Curve]:
    """The curves of the best learners, the best first.

    Args:
        found: the results.
        names: the parameters.

    Returns:
        At most eight for each kind of costs.
    """
    place = {each.learner: number for number, each in enumerate(ranking(found.ends).standings)}
    made = list(curves(found.study, found.ends, names))
    kinds = list(dict.fromkeys(curve.costs for curve in made))
    made.sort(key=lambda curve: (kinds.index(curve.costs), place.get(curve.learner, len(place))))
    return [curve for kind in kinds for curve in [each for each in made if each.costs == kind][:LINES_SHOWN]]


def growth_figure(found: Found, name: str) -> "Figure":
    """Mean regret against a parameter: a panel for each kind of costs.

    Args:
        found: the results.
        name: the parameter.

    Returns:
        The figure.
    """
    made = shown_curves(found, [name])
    kinds = list(dict.fromkeys(curve.costs for curve in made))
    figure, panels = _panels(len(kinds))
    for axes, kind in zip(panels, kinds, strict=True):
        draw_growth(axes, name, [curve for curve in made if curve.costs == kind])
        axes.set_title(kind, fontsize="medium")
    _legend(figure, panels)
    return figure


def rounds_figure(found: Found) -> "Figure":
    """Mean regret over the rounds, with a band of one standard deviation: a panel for each problem."""
    parts = problems(found)
    figure, panels = _panels(len(parts))
    for axes, (title, part) in zip(panels, parts, strict=True):
        draw_curves(axes, part)
        axes.set_title(title, fontsize="medium")
        axes.set_ylabel("regret")
    _legend(figure, panels)
    return figure


def ranking_figure(found: Found) -> "Figure":
    """How much more regret than the best each learner has."""
    from matplotlib.figure import Figure

    ranked = ranking(found.ends)
    figure = Figure(figsize=(SIZE[0], 1.0 + 0.3 * len(ranked.standings)), layout="constrained")
    draw_ranking(figure.add_subplot(), ranked)
    return figure


def problems(found: Found, most: int = 6) -> list[tuple[str, pl.DataFrame]]:
    """The curves over the rounds, problem by problem, with a title that tells them apart.

    Args:
        found: the results.
        most: how many problems at most.

    Returns:
        Titles and frames.
    """
    frame, apart = found.curves(), [name for name in found.swept if name in FIXED[1:] or name in found.study.grid]
    keys = [name for name in FIXED if name != "learner"]
    parts = frame.partition_by(keys, maintain_order=True)[:most]
    return [(", ".join(_part(name, part[name][0]) for name in apart) or part["costs"][0], part) for part in parts]


def _part(name: str, value: object) -> str:
    return str(value) if name in ("costs", "memory") else f"{name} {value}"


def draw_growth(axes: "Axes", name: str, made: Sequence[Curve]) -> None:
    """Draw mean regret against a parameter, with two standard errors, and bounds as thin lines.

    Args:
        axes: where to draw.
        name: the parameter.
        made: one curve for each learner.
    """
    for number, curve in enumerate(made):
        colour, style = (kinds[place] for kinds, place in zip((COLOURS, LINES), look(number), strict=True))
        x = [value for (value,) in curve.values]
        errors: Any = 2 * curve.table.std(axis=0, ddof=1) / np.sqrt(len(curve.table)) if len(curve.table) > 1 else None
        axes.errorbar(
            x, curve.means, errors, color=colour, linestyle=style, marker="o", markersize=3, capsize=2,
            label=curve.learner,
        )  # fmt: skip
        if curve.bounds is not None:
            axes.plot(x, curve.bounds, color=colour, linestyle=style, linewidth=0.7, alpha=0.7)
    if any(curve.bounds is not None for curve in made):
        axes.plot([], [], color="0.4", linewidth=0.7, label=BOUND)
    across, up = logarithmic(made)
    if up:
        axes.set_yscale("log")
    if across:
        axes.set_xscale("log")
        ticks = tick_values(made)
        axes.set_xticks(ticks, [f"{value:,.6g}" for value in ticks])
        axes.tick_params(axis="x", which="minor", bottom=False, labelbottom=False)
    axes.set_xlabel(name)
    axes.set_ylabel("regret")
    axes.spines[["top", "right"]].set_visible(False)


def logarithmic(made: Sequence[Curve]) -> tuple[bool, bool]:
    """Whether the values, and the means, can be drawn on logarithmic axes."""
    return all(min(curve.values)[0] > 0 for curve in made), all(curve.means.min() > 0 for curve in made)


def tick_values(made: Sequence[Curve], most: int = 8) -> list[float]:
    """The values of the parameter that a logarithmic axis names.

    Args:
        made: the curves.
        most: how many at most.

    Returns:
        The values.
    """
    values = sorted({value for curve in made for (value,) in curve.values})
    return [values[place] for place in np.unique(np.linspace(0, len(values) - 1, most).round().astype(int))]


def draw_ranking(axes: "Axes", ranked: Ranking) -> None:
    """Draw how much more regret than the best each learner has, with two standard errors.

    Args:
        axes: where to draw.
        ranked: the learners.
    """
    standings = ranked.standings[::-1]
    errors = [2 * (each.se or 0.0) for each in standings]
    names = [each.learner for each in standings]
    axes.errorbar([each.more for each in standings], names, xerr=errors, fmt="o", color=COLOURS[0], capsize=2)
    axes.axvline(0.0, color="0.7", linewidth=0.8, zorder=0)
    axes.set_xlabel(f"more regret than {ranked.standings[0].learner}, with two standard errors")
    axes.spines[["top", "right"]].set_visible(False)


def _panels(count: int) -> tuple["Figure", list["Axes"]]:
    """A figure with so many panels, at most two in a row."""
    from matplotlib.figure import Figure

    columns = min(2, max(count, 1))
    rows = -(-max(count, 1) // columns)
    figure = Figure(figsize=(WIDTH, HEIGHT * rows + 0.5), layout="constrained")
    made = list(figure.subplots(rows, columns, squeeze=False).flat)
    for axes in made[count:]:
        axes.remove()
    return figure, made[:count]


def _legend(figure: "Figure", panels: Sequence["Axes"]) -> None:
    """One legend below all panels."""
    entries = dict(pair for axes in panels for pair in zip(*axes.get_legend_handles_labels()[::-1], strict=True))
    names = sorted(entries, key=lambda name: name == BOUND)  # the last: it is about all
    figure.legend([entries[name] for name in names], names, loc="outside lower center", ncols=2, frameon=False)
