"""`bygones study`: learners, costs and problems crossed, computed once and kept."""

import os
import sys
import time
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.box import SIMPLE_HEAD

from ..visible import visible
from .grids import NUMBER, TEXT, Terminal, grid
from .options import SingleFile, examples, page_at

if TYPE_CHECKING:
    from ..studies import Study
    from ..studies.results import Found

FAILED, INTERRUPTED = 1, 130
FAILURES = 20  # that are listed
NEW = examples("bygones study new study.toml")
RUN = examples(
    "bygones study run study.toml",
    "bygones study run study.toml --dry-run",
    "bygones study run study.toml --cluster tcp://10.0.0.1:8786",
)
SHOW = examples("bygones study status study-results")
REPORT = examples("bygones study report study-results", "bygones study report study-results --single-file")
EXPORT = examples("bygones study export study-results --out results.csv")

app = typer.Typer(help="Learners, costs and problems crossed, computed once and kept.", no_args_is_help=True)
Declared = Annotated[Path, typer.Argument(help="The study, a TOML file; `bygones study new` writes one.")]
Place = Annotated[Path, typer.Argument(help="The folder that `bygones study run` wrote.")]


@app.command("new", epilog=NEW)
def new(path: Annotated[Path, typer.Argument(help="A new file.")]) -> None:
    """Write an example of a study, with comments, to begin with."""
    from ..store import replacing
    from ..studies.reading import EXAMPLE

    if path.exists():
        raise ValueError(f"{path} is there already: name a new file")
    with replacing(path) as file:
        file.write(EXAMPLE.encode())
    Terminal().print(f"Wrote {path}; run it with: bygones study run {path}", soft_wrap=True)


@app.command("run", epilog=RUN)
def run(
    file: Declared,
    out: Annotated[Path | None, typer.Option(help="Folder for the results. Default: FILE without its ending.")] = None,
    workers: Annotated[int | None, typer.Option(help="How many at a time. Default: one for each core.")] = None,
    processes: Annotated[bool, typer.Option("--processes", help="Use processes, not threads.")] = False,
    cluster: Annotated[
        str | None,
        typer.Option(help="A Dask cluster: its scheduler's address, tcp://... or tls://..., or local:4 to start one."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what is to be done and how long it takes, and do nothing.")
    ] = False,
) -> None:
    """Compute what is missing of a study, and keep it.

    Whatever ends a run, what it has computed is kept: run it again to go on.
    More replicates or values are added to what is there. The exit code is 1
    if something failed.
    """
    from ..studies.running import Session
    from ..validation import whole

    study = _read(file)
    folder = out or file.with_suffix("")
    if folder == file:
        raise ValueError(f"{file} has no ending to leave out: name a folder with --out")
    if workers is not None:
        whole("--workers", workers, 1)
    session, console = Session(study, folder, dry=dry_run), Terminal()
    plan = session.plan()
    console.print(plan.sentence(None if cluster else workers or os.cpu_count() or 1))
    if dry_run:
        return
    begun = time.perf_counter()
    try:
        ran = session.run(workers=workers, processes=processes, cluster=cluster)
    except KeyboardInterrupt:
        print("bygones: what was computed is kept: run it again to go on", file=sys.stderr, flush=True)
        if processes or cluster:
            raise
        sys.stdout.flush()
        os._exit(INTERRUPTED)  # threads would first finish their cells
    for sentence in ran.sentences(folder):
        console.print(sentence, soft_wrap=True)
    if not ran.failed:
        _show(console, session.found)
    console.print(f"The results: {folder} ({time.perf_counter() - begun:.1f} s)", soft_wrap=True)
    console.print(f"A page of them: bygones study report {folder}", soft_wrap=True)
    if ran.failed:
        raise typer.Exit(FAILED)


@app.command("status", epilog=SHOW)
def status(
    folder: Place,
    json: Annotated[bool, typer.Option("--json", help="Print it as JSON, for programs.")] = False,
) -> None:
    """Say what of a study is there, what is missing, and what failed."""
    from ..studies.results import load

    found = load(folder)
    left, failures = found.missing(), found.failures()
    total = len(found.study) * found.study.replicates
    if json:
        print(dumps({"replicates": total, "missing": left, "failed": failures}, indent=1))
        return
    console = Terminal()
    console.print(f"{total - left:,} of {total:,} replicates are there, of {len(found.study):,} configurations.")
    if left:
        console.print(f"{left:,} are missing: run the study again to compute them.")
    for each in failures[:FAILURES]:
        here = each["configuration"]
        console.print(f"Failed: {here['learner']} on {here['costs']}, {here['memory']}: {each['error']}")


@app.command("report", epilog=REPORT)
def report(
    folder: Place,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for the page, or the name of the one file. Default: FOLDER-report."),
    ] = None,
    single_file: SingleFile = False,
) -> None:
    """Write a page of what a study found: learners compared, growth of regret, maps and tables."""
    from ..studies.results import load
    from ..studies.sentences import answer

    begun = time.perf_counter()
    found = load(folder)
    place = out or folder.resolve().with_name(f"{folder.resolve().name}-report")
    page = page_at(place, single_file)
    found.report(page if single_file else place, single_file)
    console = Terminal()
    console.print(answer(found))
    console.wrote(page, time.perf_counter() - begun)


@app.command("export", epilog=EXPORT)
def export(
    folder: Place,
    out: Annotated[
        Path, typer.Option(help="A file that ends in .parquet or .csv, for all rows; in .tex, for a table of means.")
    ],
) -> None:
    """Write the results of a study to one file; the same results give the same bytes."""
    from ..studies.results import load

    found = load(folder)
    found.export(out)
    left = found.missing()
    console = Terminal()
    if left:
        console.print(f"Note: {left:,} replicates are missing; run the study again to complete it.")
    console.print(f"Wrote {out}", soft_wrap=True)


def _read(file: Path) -> "Study":
    """Read a study; its mistakes are printed one by one."""
    from ..studies.reading import read_study

    try:
        return read_study(file)
    except ValueError as error:
        lines = str(error).splitlines()
        for line in lines[:-1]:
            print(f"bygones: {visible(line)}", file=sys.stderr)
        raise ValueError(lines[-1]) from None


def _show(console: Terminal, found: "Found") -> None:
    """Print who is best, and how its regret grows: the answer, not every configuration."""
    from ..studies.sentences import answer, growth, standings

    console.print(answer(found))
    head, rows = standings(found)
    if len(rows) > 1:
        columns = dict(zip(head, (TEXT, NUMBER, NUMBER, NUMBER), strict=True))
        more = len({end.named["learner"] for end in found.ends}) - len(rows)
        made = grid("", columns, rows, f"and {more:,} more learners" if more else None)
        made.title, made.box = None, SIMPLE_HEAD
        console.print(made)
    for sentence in growth(found):
        console.print(sentence)
