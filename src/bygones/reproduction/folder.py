"""The folder of a reproduction: the page, the figure in print quality, and the data."""

from functools import partial
from pathlib import Path

from ..report import File, as_csv
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
    "bounds": "bounds of the paper, Hedge and HedgeAhead, by rounds and window",
}
_UNDATED = {"png": {"Software": None}, "pdf": {"CreationDate": None}, "svg": {"Date": None}}


def write(
    done: Reproduction, path: Path, formats: tuple[str, ...], command: str, seconds: float, single_file: bool = False
) -> None:
    """Write everything, or nothing.

    The same results give the same bytes, except for the page, which says how long it took.

    Args:
        done: the results.
        path: a new or empty folder, or one that holds an earlier reproduction; or the one file.
        formats: the formats of Figure 1.
        command: the command that made it.
        seconds: how long the computing took.
        single_file: write one file of HTML, with script and data inside.
    """
    page(done, command, seconds, _files(done, formats)).report(path, KIND, single_file)


def _files(done: Reproduction, formats: tuple[str, ...]) -> dict[str, File]:
    """The files that belong to the page."""
    from matplotlib import rc_context

    files = {}
    if done.sampled:
        drawn, dots = figure1(done), QUICK_DOTS if done.quick else DOTS
        with rc_context(PRINT):
            for kind in formats:
                save = partial(drawn.savefig, format=kind, dpi=dots, metadata=_UNDATED[kind])
                files[f"figure1.{kind}"] = File(f"Figure 1 as {kind.upper()}", as_bytes(save))
    for name, frame in done.tables().items():
        files[f"{name}.csv"] = File(HOLDS[name], as_csv(frame))
    if done.sampled or done.past:
        curves = as_bytes(done.curves().write_parquet)
        files["results.parquet"] = File("every curve of regret over the rounds", curves)
    return files
