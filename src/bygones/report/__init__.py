"""What all pages share: the template, charts, figures, thinning of curves, CSV files, and folders."""

from .charts import AREAS, area, band, line, thin
from .figures import COLOURS, LINES, draw_curves
from .folder import report_folder
from .latex import latex_table
from .page import Page
from .sheets import as_csv

__all__ = [
    "AREAS",
    "COLOURS",
    "LINES",
    "Page",
    "area",
    "as_csv",
    "band",
    "draw_curves",
    "latex_table",
    "line",
    "report_folder",
    "thin",
]
