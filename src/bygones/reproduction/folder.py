"""The folder of a reproduction: the page, the figure in print quality, and the data."""

from pathlib import Path

from ..report import as_csv, report_folder
from ..store import as_bytes
from .figure import PRINT, figure1
from .page import page
from .runs import Reproduction

KIND = "reproduction"
SECTIONS = ("figure1", "horizon", "audit", "past")
FORMATS = ("png", "pdf", "svg")
DOTS, QUICK_DOTS = 400, 200  # per inch of PNG
HOLDS = {  # what the file of each table holds
    "table": "regret after the last round of Figure 1",
    "fits": "distances from the published curves",
    "trap": "regret in the trap, by the window's length",
    "growth": "growth of regret with the number of rounds",
    "theta": "FTARL that knows only a bound on the window's length",
    "audit": "the statements of the audit",
    "past": "regret of learners beyond the paper",
    "changing": "their regret where the best action changes",
}
_UNDATED = {"png": {"Software": None}, "pdf": {"CreationDate": None}, "svg": {"Date": None}}


def write(done: Reproduction, folder: Path, formats: tuple[str, ...], command: str, seconds: float) -> None:
    """Write everything, or nothing.

    The same results give the same bytes, except for the page, which says how long it took.

    Args:
        done: the results.
        folder: a new or empty folder, or one that holds an earlier reproduction.
        formats: the formats of Figure 1.
        command: the command that made it.
        seconds: how long the computing took.
    """
    from matplotlib import rc_context

    files = {}
    with report_folder(folder, KIND) as place:
        if done.sampled:
            drawn, dots = figure1(done), QUICK_DOTS if done.quick else DOTS
            with rc_context(PRINT):
                for kind in formats:
                    drawn.savefig(place / f"figure1.{kind}", dpi=dots, metadata=_UNDATED[kind])
                    files[f"figure1.{kind}"] = f"Figure 1 as {kind.upper()}"
        for name, frame in done.tables().items():
            (place / f"{name}.csv").write_bytes(as_csv(frame))
            files[f"{name}.csv"] = HOLDS[name]
        if done.sampled or done.past:
            (place / "results.parquet").write_bytes(as_bytes(done.curves().write_parquet))
            files["results.parquet"] = "every curve of regret over the rounds"
        page(done, command, seconds, files).write(place)
