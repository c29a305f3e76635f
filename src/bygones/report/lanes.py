"""Charts of lanes: one narrow panel per name, one below the other, on the same time axis."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from .charts import AREAS, REST, Trace, Values, literal, short
from .figures import COLOURS

POINTS = 1_000  # of a lane
BELOW = 46  # pixels for the time axis


class Lane(NamedTuple):
    """A panel: its values, and the number of its colour (None: grey, for what is left)."""

    values: Values
    number: int | None


def lanes(
    panels: Mapping[str, Lane],
    x: Sequence[Any],
    *,
    span: tuple[float, float],
    shares: bool = False,
    marks: Iterable[Any] = (),
) -> tuple[list[Trace], dict[str, Any]]:
    """Draw panels with their names inside, so that no legend is needed and the names fit a narrow screen.

    Args:
        panels: what to draw, by names, from top to bottom.
        x: the times of the values.
        span: the least and the largest value of every panel.
        shares: fill the panels and show percentages; otherwise they have lines, and an axis with numbers.
        marks: times to mark by a line through all panels.

    Returns:
        What plotly draws, and its layout.
    """
    height, count = 48 if shares else 74, len(panels)
    there, total = short(x, POINTS), height * count + BELOW
    layout: dict[str, Any] = {"height": total, "margin": {"l": 14} if shares else {}, "annotations": []}
    traces = []
    for k, (name, lane) in enumerate(panels.items()):
        top, which = 1 - k / count, "" if k == 0 else str(k + 1)
        palette = AREAS if shares else COLOURS  # a line needs more contrast than an area
        colour = REST if lane.number is None else palette[lane.number % len(palette)]
        drawn = {"fill": "tozeroy", "fillcolor": colour} if shares else {}
        style = {"color": colour, "width": 0.5 if shares else 1.3, "shape": "hv" if shares else "linear"}
        trace = {"type": "scatter", "mode": "lines", "x": there, "y": short(lane.values, POINTS), "line": style}
        traces.append({**trace, **drawn, "name": literal(name), "yaxis": f"y{which}", "showlegend": False})
        layout[f"yaxis{which}"] = {
            "domain": [top - 0.98 / count, top - 20 / height / count],
            "range": list(span),
            "fixedrange": True,
            "nticks": 4,
            "showticklabels": not shares,
            "showgrid": not shares,
            **({"hoverformat": ".0%"} if shares else {}),
        }
        layout["annotations"].append(
            {
                "xref": "paper",
                "x": 0,
                "xanchor": "left",
                "yref": "paper",
                "y": top,
                "yanchor": "top",
                "text": literal(name),
                "showarrow": False,
                "borderpad": 0,
            }
        )
    layout["xaxis"] = {"anchor": f"y{count}" if count > 1 else "y", "automargin": True}
    edges = {"type": "line", "yref": "paper", "y0": 0, "y1": 1}
    layout["shapes"] = [{**edges, "x0": mark, "x1": mark} for mark in marks]
    return traces, layout
