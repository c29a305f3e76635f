"""What more cores would do to a study of a million cells: a discrete simulation, from what is measured here.

Cells are handed out by one scheduler and come back to one process, which writes them to disk; both do one thing at a
time. At most `AHEAD` cells for each worker are handed out and not yet written. What the scheduler and the writer take
for a cell is measured by this script: the processor time of both, of the former, which is what limits it; and the time
on disk, of the latter. The network's part is given.

`python benchmarks/many_cores.py` prints the table; `--quick` measures less.
"""

import heapq
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import studies
from timing import seconds, table

from bygones.studies.cells import compute
from bygones.studies.folder import Folder
from bygones.studies.running import AHEAD

CORES = (1, 10, 100, 300, 1000, 3000)
LENGTHS = (0.5, 1.0, 5.0)  # seconds of a cell
CELLS = 1_000_000
SAMPLE = 20  # cells for each core that are simulated; then the rate is steady
LATENCY, BANDWIDTH = 0.5e-3, 1e9 / 8  # of a network: seconds, and bytes in a second
SPREAD = 0.2  # of a cell's time, to both sides


class Costs(NamedTuple):
    """Seconds for a cell, beside its own time."""

    scheduler: float
    writer: float
    transfer: float


def simulated(cores: int, length: float, costs: Costs, count: int) -> float:
    """Seconds until so many cells are computed and written.

    Args:
        cores: of all workers.
        length: of a cell, in the mean.
        costs: beside that.
        count: of cells.

    Returns:
        When the last one is written.

    >>> simulated(2, 1.0, Costs(0, 0, 0), 4) < 2.5
    True
    """
    scheduler = writer = 0.0  # when they are free again
    free = [(0.0, core) for core in range(cores)]
    waiting = min(AHEAD * cores, count)  # cells that may be handed out without one coming back
    backs: list[float] = []
    left, now = count, 0.0
    while left:
        if not waiting:  # until one is written
            now, waiting = max(now, heapq.heappop(backs)), 1
        scheduler = max(scheduler, now) + costs.scheduler
        begun, core = heapq.heappop(free)
        taken = length * (1 + SPREAD * (2 * (left * 0.6180339887498949 % 1) - 1))
        ended = max(begun, scheduler + LATENCY) + taken
        heapq.heappush(free, (ended, core))
        writer = max(writer, ended + costs.transfer) + costs.writer
        heapq.heappush(backs, writer)
        waiting, left = waiting - 1, left - 1
    return max(backs, default=now)


def measured(count: int) -> Costs:
    """What the scheduler, the writer and the network take for a cell."""
    work = studies.cells(count, 10)
    made = [compute(cell) for cell in work]
    with tempfile.TemporaryDirectory() as name:
        folder, begun = Folder(Path(name)), time.perf_counter()
        for cell, content in zip(work, made, strict=True):
            folder.keep(cell, content)  # type: ignore[arg-type]
        writer = (time.perf_counter() - begun) / count
    both = studies.taken(work, time.process_time, cluster="local:2") / count  # processor time of all but the workers
    return Costs(both, writer, LATENCY + len(made[0]) / BANDWIDTH)


def main(quick: bool) -> None:
    """Measure, simulate, and print."""
    costs, rows = measured(20 if quick else 500), []
    for length in LENGTHS:
        for cores in CORES:
            count = min(CELLS, max(2000, SAMPLE * cores))
            rate = count / simulated(cores, length, costs, count)
            row = [f"{length:g} s", f"{cores:,}", f"{rate:,.0f}", f"{rate * length:,.0f}"]
            rows.append([*row, f"{100 * rate * length / cores:.0f} %", f"{CELLS / rate / 3600:,.1f} hours"])
    print(
        f"# A study of {CELLS:,} cells on many cores, simulated\n\nMeasured for a cell: the scheduler "
        f"{seconds(costs.scheduler)}, writing {seconds(costs.writer)}, transfer {seconds(costs.transfer)} (a network "
        "of 1 Gbit/s, half a millisecond away).\n"
    )
    print(table(["a cell", "cores", "cells per second", "speed-up", "of the cores", "the study"], rows, words=2))


if __name__ == "__main__":
    main("--quick" in sys.argv[1:])
