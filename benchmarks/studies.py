"""What a study costs beside its cells: two processes against one, overhead per cell, and large folders.

`python benchmarks/studies.py` writes benchmarks/studies.md; with `--quick` everything is small, and nothing is written.
"""

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from timing import process, seconds, table

import bygones as by
from bygones.studies.cells import Cell, compute
from bygones.studies.configurations import configurations
from bygones.studies.folder import Folder
from bygones.studies.planning import Pace
from bygones.studies.running import Session, run_cells

HERE = Path(__file__).parent
HALF = 0.5  # seconds of a cell


class Fixed(Pace):
    """Cells of one replicate, without a measurement."""

    def seconds(self, this: object) -> float:
        """A second."""
        del this
        return 1.0


def grid(count: int, horizon: int = 10) -> by.Study:
    """A study of so many cells."""
    rates = {"linear": [0.001, 1.0], "steps": max(2, count // 100)}
    return by.Study(
        learners=["hedge:rate={r}"],
        costs=["stochet"],
        memory="window:{H}",
        actions=2,
        horizon=horizon,
        replicates=1,
        grid={"r": rates, "H": {"linear": [1, 100], "steps": 100}},
    )


def cells(count: int, horizon: int) -> list[Cell]:
    """So many cells of one replicate."""
    from bygones.studies.cells import key_of

    found = (point.configuration for point in configurations(grid(max(200, count), horizon)))
    return [Cell(key_of(each), each, 0, 1) for each, _ in zip(found, range(count), strict=False)]


def taken(work: list[Cell], clock: Callable[[], float] = time.perf_counter, **how: object) -> float:
    """Seconds of a clock in which cells are computed and kept in a new folder, once the workers are warm."""
    warm = [cell._replace(first=cell.first + 1, stop=cell.stop + 1) for cell in work[:8]]
    ended: list[float] = []
    with tempfile.TemporaryDirectory() as name:
        ran = run_cells(
            iter(warm + work),
            Folder(Path(name)),
            tick=lambda _: ended.append(clock()),
            **how,  # type: ignore[arg-type]
        )
    assert not ran.failed
    return ended[-1] - ended[len(warm) - 1]


def own(work: list[Cell]) -> float:
    """Seconds that cells take by themselves."""
    compute(work[0])
    begun = time.perf_counter()
    for cell in work:
        compute(cell)
    return time.perf_counter() - begun


def horizon_of(wanted: float) -> int:
    """Rounds of a cell that takes so many seconds."""
    rounds = 1_000_000
    return int(rounds * wanted / min(own(cells(2, rounds)) / 2 for _ in range(3)))


def bare(work: list[Cell], number: int) -> float:
    """Seconds in which processes compute cells and do nothing else: what this machine allows, busy as it is."""
    with ProcessPoolExecutor(number, mp_context=get_context("spawn")) as pool:
        list(pool.map(compute, work[:8]))
        begun = time.perf_counter()
        list(pool.map(compute, work))
        return time.perf_counter() - begun


def throughput_section(quick: bool) -> str:
    """Two processes against one."""
    count = 4 if quick else 200
    work = cells(count, 1000 if quick else horizon_of(HALF))
    times: dict[str, float] = {}
    for number in (1, 2):
        times[f"bare, {number}"] = bare(work, number)
        times[f"study, {number}"] = taken(work, processes=True, workers=number)
    rows = [
        [who, number, seconds(best), f"{times[f'{who}, 1'] / best:.2f}", f"{best / times[f'bare, {number}']:.2f}"]
        for name, best in times.items()
        for who, number in [name.split(", ")]
    ]
    about = "Bare processes compute the cells and keep nothing: they show what the machine allows.\n\n"
    header = ["who", "processes", "time", "times one process", "times bare"]
    return f"## {count} cells of {seconds(times['bare, 1'] / count)}\n\n" + about + table(header, rows, words=2)


def overhead_section(quick: bool) -> str:
    """Time per cell beside its own."""
    count = 20 if quick else 1000
    work, rows = cells(count, 10), []
    alone = own(work) / count
    for name, how in {
        "one thread": {"workers": 1},
        "one process": {"workers": 1, "processes": True},
        "Dask, one worker": {"cluster": "local:1"},
    }.items():
        each = taken(work, **how) / count
        more = each - alone
        rows.append([name, seconds(each), seconds(more), f"{more / alone:.1f}", f"{100 * more / HALF:.2f} %"])
    header = ["where", "per cell", "beside its own time", "times its own", "of a cell of half a second"]
    about = f"## Overhead: {count:,} tiny cells of {seconds(alone)}\n\n"
    return about + "Written to disk, each with `fsync`, one after the other.\n\n" + table(header, rows)


def fill(folder: Path, count: int) -> None:
    """A folder with so many cells; all have the content of one, since a start opens none."""
    from bygones.studies.cells import key_of
    from bygones.studies.reading import written

    study = grid(count)
    made = Folder(folder)
    made.declare(written(study))
    content = b""
    for point in configurations(study):
        cell = Cell(key_of(point.configuration), point.configuration, 0, 1)
        content = content or compute(cell)  # type: ignore[assignment]
        place = made.place(cell)
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(content)


JOBS = ("resume", "plan")


def job(name: str, folder: Path, count: int) -> None:
    """One job in this process, and what it used."""
    import resource

    begun = time.perf_counter()
    session = Session(grid(count), folder, dry=name == "plan")
    session.pace = Fixed()
    plan = session.plan()
    used = time.perf_counter() - begun
    assert plan.cells == (0 if name == "resume" else plan.configurations)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(json.dumps({"seconds": used, "peak": peak, "cells": plan.configurations}))


def large_section(quick: bool) -> str:
    """Starts on large folders."""
    sizes = (200, 400) if quick else (100_000, 1_000_000)
    rows = []
    with tempfile.TemporaryDirectory() as place:
        fill(Path(place) / "resume", sizes[0])
        for name, count in zip(JOBS, sizes, strict=True):
            said = json.loads(process(sys.executable, __file__, name, f"{place}/{name}", str(count)))
            what = "resumed start, all there" if name == "resume" else "plan, nothing there"
            rows.append([what, f"{said['cells']:,}", f"{said['seconds']:.1f} s", f"{said['peak']:,.0f} MB"])
    return "## Large studies\n\n" + table(["", "cells", "time", "peak memory"], rows)


def main(quick: bool) -> None:
    """Run everything, and write the page."""
    parts = [f"# Studies\n\nWritten by `python benchmarks/studies.py`, {os.cpu_count()} cores.\n"]
    for section in (overhead_section, large_section, throughput_section):
        parts.append(section(quick))
        print(parts[-1], flush=True)
    if not quick:
        (HERE / "studies.md").write_text("\n".join(parts))


if __name__ == "__main__":
    if sys.argv[1:] and sys.argv[1] in JOBS:
        job(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
    else:
        main("--quick" in sys.argv[1:])
