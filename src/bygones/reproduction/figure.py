"""Figure 1 for print: one column wide, readable without colours."""

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import paper
from ..report import COLOURS, LINES, thin
from .runs import Reproduction, bound_curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PRINT: dict[Any, Any] = {"svg.hashsalt": "bygones", "pdf.fonttype": 42}  # the same bytes every time; real letters
POINTS = 200  # of a curve: more than print can show


def figure1(done: Reproduction) -> "Figure":
    """Panels (a)-(f): FTARL against LSA on the left, against the bound curve on the right.

    Lines are means, bands are one standard deviation, thin lines are exact means over the learner's own randomness, and
    marks are the published curves.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    small: dict[Any, Any] = dict.fromkeys(("font.size", "axes.titlesize", "axes.labelsize"), 7)
    small |= {"legend.fontsize": 5.8, "axes.linewidth": 0.6}
    with rc_context(small):
        figure = Figure(figsize=(3.5, 5.2))
        figure.subplots_adjust(left=0.15, right=0.95, bottom=0.155, top=0.965, wspace=0.42, hspace=0.42)
        grid = figure.subplots(len(paper.PANELS), 2)
        for row, family in enumerate(paper.PANELS):
            left, right = grid[row]
            _curve(left, done, family, "LSA, Anava", 1)
            for axes, letter in ((left, "ace"[row]), (right, "bdf"[row])):
                _curve(axes, done, family, paper.FTARL_LABEL, 0)
                axes.set_title(f"({letter}) {family}")
                axes.margins(x=0.01)
                axes.locator_params(nbins=4)
                axes.spines[["top", "right"]].set_visible(False)
                axes.tick_params(width=0.6, length=2)
            t = np.linspace(1, paper.PROBLEM.horizon or 1, POINTS)
            right.plot(
                t,
                bound_curve(family, t),
                color=COLOURS[2],
                linestyle=LINES[2],
                linewidth=1,
                label="the paper's bound curve",
            )
            left.set_ylabel("regret")
        for axes in grid[-1]:
            axes.set_xlabel("round")
        entries = dict(pair for axes in grid[0] for pair in zip(*axes.get_legend_handles_labels()[::-1], strict=True))
        besides = {"exact": Line2D([], [], color="0.3", linewidth=0.5), "one deviation": Patch(color="0.3", alpha=0.16)}
        names = sorted(entries | besides, key=lambda name: ("published" in name, name in besides, name))
        handles = [(entries | besides)[name] for name in names]
        figure.legend(handles, names, loc="lower center", ncols=3, frameon=False, handlelength=2.6)
    return figure


def _curve(axes: "Axes", done: Reproduction, family: str, name: str, number: int) -> None:
    colour, style, learner = COLOURS[number], LINES[number], type(paper.LEARNERS[name]).__name__
    t, mean, sd = thin(*done.curve("sampled", family, name), most=POINTS)
    _, exact, _ = thin(*done.curve("exact", family, name), most=POINTS)
    axes.plot(t, mean, color=colour, linestyle=style, linewidth=1.1, label=name)
    axes.fill_between(t, mean - sd, mean + sd, color=colour, alpha=0.16, linewidth=0)
    axes.plot(t, exact, color=colour, linewidth=0.5)
    read = paper.published().filter(family=family, learner=learner)
    mark = {"marker": "os"[number], "markersize": 2.6, "markerfacecolor": "white", "markeredgecolor": colour}
    look: dict[str, Any] = mark | {
        "markeredgewidth": 0.7,
        "linestyle": "none",
        "clip_on": False,
    }  # the last is on the edge
    axes.plot(read["round"], read["mean_regret"], label=f"{learner}, published", **look)
