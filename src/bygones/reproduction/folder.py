"""The report's folder: the page, the figure in print quality, the data."""

from pathlib import Path

from ..report import SCRIPT, plotly_script, writing
from ..store import as_bytes
from .figure import PRINT, figure1
from .page import page
from .runs import Reproduction

KIND = "reproduction"
SECTIONS = ("figure1", "horizon", "audit", "past")
FORMATS = ("png", "pdf", "svg")
DOTS, QUICK_DOTS = 400, 200  # an inch of PNG
HOLDS = {  # of each table of a Reproduction, what its file is said to hold
    "table": "the end values of Figure 1",
    "fits": "how far curves are from the published ones",
    "trap": "regret in the trap, over the window's length",
    "growth": "how regret grows with the number of rounds",
    "theta": "FTARL that knows only a bound on the window's length",
    "audit": "the lines of the audit",
    "past": "the end values of learners past the paper",
}
_UNDATED = {"png": {"Software": None}, "pdf": {"CreationDate": None}, "svg": {"Date": None}}


def write(done: Reproduction, folder: Path, formats: tuple[str, ...], command: str, seconds: float) -> None:
    """Write everything, or nothing.

    The same results give the same bytes, but for the page, which tells how long it took.
    """
    from matplotlib import rc_context

    files = {}
    with writing(folder, KIND) as place:
        if done.sampled:
            drawn, dots = figure1(done), QUICK_DOTS if done.quick else DOTS
            with rc_context(PRINT):
                for kind in formats:
                    drawn.savefig(place / f"figure1.{kind}", dpi=dots, metadata=_UNDATED[kind])
                    files[f"figure1.{kind}"] = f"Figure 1 as {kind.upper()}"
        for name, frame in done.tables().items():
            (place / f"{name}.csv").write_bytes(as_bytes(frame.write_csv))
            files[f"{name}.csv"] = HOLDS[name]
        if done.sampled or done.past:
            (place / "results.parquet").write_bytes(as_bytes(done.curves().write_parquet))
            files["results.parquet"] = "every curve of regret over the rounds"
        (place / SCRIPT).write_bytes(plotly_script())
        (place / "index.html").write_text(page(done, command, seconds, files).html(), encoding="utf-8")
