"""What all pages share: the template, charts, figures, thinning of curves, CSV files, and folders."""

from .charts import AREAS, REST, area, band, dots, line, thin
from .environment import environment
from .figures import COLOURS, INK, LINES, draw_curves, look
from .folder import check_writable, report_folder
from .lanes import Lane, lanes
from .latex import latex_table
from .page import File, Page, Share, Verdict
from .regrets import regret_page
from .sheets import as_csv

__all__ = [
    "AREAS",
    "COLOURS",
    "INK",
    "LINES",
    "REST",
    "File",
    "Lane",
    "Page",
    "Share",
    "Verdict",
    "area",
    "as_csv",
    "band",
    "check_writable",
    "dots",
    "draw_curves",
    "environment",
    "lanes",
    "latex_table",
    "line",
    "look",
    "regret_page",
    "report_folder",
    "thin",
]
