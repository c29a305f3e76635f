"""Charts of a page: the traces that plotly draws, thinned to what a screen can show."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .figures import COLOURS, look

POINTS = 400  # of a curve on a page
LONGEST = 24  # characters of a name at the end of a line
# In lengths, which both plotly and the legend below a chart understand.
DASHES = ("solid", "9px 4px", "9px 3px 2px 3px", "2px 3px", "16px 5px", "16px 4px 2px 4px", "5px 2px", "2px 2px")
# Neighbours in a stack differ in hue and in lightness, on light paper and on dark; none is a colour of lines.
AREAS = (
    *("#1a66ad", "#f0a35e", "#2e8b57", "#c9a0dc", "#b5651d", "#7fd1d8", "#a83258", "#d9d04a"),
    *("#6a6fc9", "#9ccc65", "#8b1e1e", "#f4b6c8"),
)
REST = "#8c8c8c"  # the layer that all other options share

Trace = dict[str, Any]
Values = Iterable[Any]


def thin(*curves: NDArray[Any], most: int = POINTS) -> list[NDArray[Any]]:
    """Evenly spaced points of curves that have the same length, always with the first and the last point.

    Args:
        curves: arrays whose first axis is time.
        most: how many points to keep; shorter curves stay as they are.

    Returns:
        The thinned curves, in the same order.

    >>> import numpy as np
    >>> [curve.tolist() for curve in thin(np.arange(1, 8), np.arange(7.0), most=3)]
    [[1, 4, 7], [0.0, 3.0, 6.0]]
    """
    picks = np.unique(np.linspace(0, len(curves[0]) - 1, most).round().astype(int))
    return [curve[picks] for curve in curves]


def line(
    name: str, x: Values, y: Values, number: int, *, thin: bool = False, ended: bool = True, **more: object
) -> Trace:
    """A line of a chart.

    Args:
        name: its name in the legend.
        x: where its points are.
        y: how high they are.
        number: which colour and dash it has.
        thin: True for a thin solid line.
        ended: its name is written at its end, where there is room.
        more: further settings of plotly; lines with the same `legendgroup` are hidden and shown together.

    Returns:
        What plotly draws.
    """
    colour, dash = look(number)
    style = {"color": COLOURS[colour], "dash": "solid" if thin else DASHES[dash], "width": 1 if thin else 2}
    label = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
    end = {"meta": literal(label)} if ended else {}
    return _trace(short(x), short(y), name=literal(name), line=style) | end | more


def band(x: Values, low: Values, high: Values, number: int, group: str) -> Trace:
    """A band behind a line, without an entry in the legend.

    Args:
        x: where its points are.
        low: its lower edge.
        high: its upper edge.
        number: which colour it has.
        group: the `legendgroup` of its line.

    Returns:
        What plotly draws.
    """
    there = short(x)
    quiet = {"hoverinfo": "skip", "showlegend": False, "legendgroup": group, "line": {"width": 0}}
    fill = {"fill": "toself", "fillcolor": f"{COLOURS[number % len(COLOURS)]}2e"}
    return _trace(there + there[::-1], short(high) + short(low)[::-1]) | fill | quiet


def dots(
    name: str, x: Sequence[float], y: Sequence[str], number: int, errors: Sequence[float] = (), symbol: str = "circle"
) -> Trace:
    """Marks in rows, with whiskers to both sides.

    Args:
        name: their name in the legend.
        x: where they are.
        y: the names of their rows.
        number: which colour they have.
        errors: the length of each whisker; none: there are none.
        symbol: the shape of a mark.

    Returns:
        What plotly draws.
    """
    colour = COLOURS[number % len(COLOURS)]
    marks = {"mode": "markers", "marker": {"symbol": symbol, "size": 11, "color": colour, "line": {"width": 2}}}
    bars = {"error_x": {"type": "data", "array": short(errors), "color": colour, "thickness": 2}} if errors else {}
    return _trace(short(x), list(map(literal, y)), name=literal(name)) | marks | bars


def area(name: str, x: Values, y: Values, number: int | None, shape: str = "linear") -> Trace:
    """One layer of a stack.

    Args:
        name: its name in the legend.
        x: where its points are.
        y: how thick it is there.
        number: which colour it has; None: grey, for what is left.
        shape: of its edge: `linear`, or `hv` for steps.

    Returns:
        What plotly draws.
    """
    colour = REST if number is None else AREAS[number % len(AREAS)]
    style = {"width": 0.5, "color": colour, "shape": shape}
    return _trace(short(x), short(y), name=literal(name), stackgroup="one", line=style, fillcolor=colour)


def _trace(x: list[Any], y: list[Any], **more: object) -> Trace:
    return {"type": "scatter", "mode": "lines", "x": x, "y": y, **more}


def literal(name: str) -> str:
    """A name that plotly shows as it is: it reads tags in names."""
    return escape(name, quote=False)


def short(values: Values, most: int = POINTS) -> list[Any]:
    """What a screen can show: some of the values, with six digits; whole numbers and dates stay as they are.

    Args:
        values: of a curve, in its order.
        most: how many to keep.

    Returns:
        Plain values, always with the first and the last.
    """
    (kept,) = thin(values if isinstance(values, np.ndarray) else np.array(list(values), dtype=object), most=most)
    return [float(f"{value:.6g}") if isinstance(value, float) else value for value in kept.tolist()]
