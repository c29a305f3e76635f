"""Figures and HTML, from frames."""

from .figures import COLOURS, LINES, draw_curves
from .folder import writing
from .page import AREAS, SCRIPT, Page, area, band, line, plotly_script

__all__ = [
    "AREAS",
    "COLOURS",
    "LINES",
    "SCRIPT",
    "Page",
    "area",
    "band",
    "draw_curves",
    "line",
    "plotly_script",
    "writing",
]
