"""The report's folder: the page, the figure in print quality, the data."""

from pathlib import Path

from ..report import SCRIPT, plotly_script, writing
from ..store import as_bytes
from .figure import PRINT, figure1
from .page import page
from .runs import Reproduction

SECTIONS = ("figure1", "horizon", "audit", "past")
FORMATS = ("png", "pdf", "svg")
DOTS = 400  # an inch of PNG
_UNDATED = {"png": {"Software": None}, "pdf": {"CreationDate": None}, "svg": {"Date": None}}


def write(done: Reproduction, folder: Path, formats: tuple[str, ...], command: str, seconds: float) -> None:
    """Write everything, or nothing.

    The same results give the same bytes, but for the page, which tells how long it took.
    """
    from matplotlib import rc_context

    with writing(folder) as place:
        pictures: tuple[str, ...] = ()
        if done.sampled:
            drawn = figure1(done)
            pictures = tuple(f"figure1.{kind}" for kind in formats)
            with rc_context(PRINT):
                for kind, name in zip(formats, pictures, strict=True):
                    drawn.savefig(place / name, dpi=DOTS, metadata=_UNDATED[kind])
            (place / "table.csv").write_bytes(as_bytes(done.table.write_csv))
        if done.sampled or done.past:
            (place / "results.parquet").write_bytes(as_bytes(done.curves().write_parquet))
        (place / SCRIPT).write_bytes(plotly_script())
        (place / "index.html").write_text(page(done, command, seconds, pictures).html(), encoding="utf-8")
