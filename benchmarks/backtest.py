"""Backtest a CSV file, against merely reading it.

`make bench` takes 300,000 periods and ten options, in turns in one process. `make bench-large`, or
`python benchmarks/backtest.py [rows]`, takes 10,000,000 periods, some 2 GB, each job in a process of its own, and
writes benchmarks/large.md, with the peak memory too.
"""

import json
import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl
from timing import Sizes, in_turns, process, ratios, table

import bygones as by

ROWS, OPTIONS = 10_000_000, 10
CHUNK = 250_000  # rows
MEMORY = "window:100"


def make(path: Path, rows: int) -> None:
    """Write a table of costs: noise around means that take turns."""
    generator = np.random.default_rng(0)
    with path.open("wb") as file:
        for first in range(0, rows, CHUNK):
            count = min(CHUNK, rows - first)
            steps = generator.normal(size=(count, OPTIONS)) + generator.normal(size=OPTIONS)
            frame = pl.DataFrame({"period": np.arange(first + 1, first + count + 1)}).with_columns(
                pl.Series(f"option {k}", steps[:, k]) for k in range(OPTIONS)
            )
            file.write(frame.write_csv(include_header=first == 0).encode())


def stream(path: Path) -> None:
    """Merely read the table, block by block."""
    for _ in pl.scan_csv(path).collect_batches(chunk_size=2**17, maintain_order=True):
        pass


def check(path: Path) -> None:
    """Read the table with all that is checked of it."""
    by.read_table(path, progress=False)


def play(path: Path) -> None:
    """Backtest the table with the learners that are played unless others are named."""
    by.backtest(path, MEMORY, progress=False)


JOBS = {"merely read, block by block": stream, "read and checked": check, "backtested with the default learners": play}


def section(sizes: Sizes) -> str:
    """A file that fits into memory, against both ways of merely reading it and against our own reader."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        make(path, sizes.rows)
        megabytes = path.stat().st_size / 1e6
        eager, blocks = "polars read_csv, the whole file", "polars scan_csv, block by block"
        ours, whole = "bygones, read and checked", "bygones, backtest with the default learners"
        times = in_turns(
            {
                eager: lambda: pl.read_csv(path),
                blocks: lambda: stream(path),
                ours: lambda: check(path),
                whole: lambda: play(path),
            },
            sizes.few_turns,
        )
    pairs = [(whole, eager), (whole, blocks), (whole, ours), (ours, eager), (ours, blocks)]
    return (
        f"## Backtest of a CSV file of {sizes.rows:,} periods and {OPTIONS} options, {megabytes:.0f} MB\n\n"
        f"Memory `{MEMORY}`; without the sensitivity to the memory, which is computed when asked for. polars uses all "
        "cores.\n\n"
    ) + ratios(times, pairs)


def large(rows: int) -> None:
    """A file that is larger than it should be, each job in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        make(path, rows)
        size = path.stat().st_size / 1e9
        found = {job: json.loads(process(sys.executable, __file__, job, str(path))) for job in JOBS}
    first = found[next(iter(JOBS))]
    lines = []
    for job, used in found.items():
        ratio, work = (f"{used[kind] / first[kind]:.1f}" for kind in ("seconds", "work"))
        each = f"{used['seconds'] / rows * 1e6:.2f}"
        lines.append([ratio, work, job, f"{used['seconds']:.1f}", each, f"{used['peak']:.2f}"])
    header = ["times merely reading", "by processor time", "job", "seconds", "us per row", "peak GB"]
    text = (
        f"# A large table\n\nA CSV file of {rows:,} periods and {OPTIONS} options, {size:.2f} GB: merely read with\n"
        "polars, read and checked, and backtested without the sensitivity. Written by `make bench-large`.\n\n"
    ) + table(header, lines, words=3)
    print(text)
    if rows == ROWS:
        Path(__file__).with_name("large.md").write_text(text)


def main(job: str, path: Path) -> None:
    """Do one job, and print what it used."""
    begun = time.perf_counter()
    JOBS[job](path)
    seconds = time.perf_counter() - begun
    used = resource.getrusage(resource.RUSAGE_SELF)
    said = {"seconds": seconds, "work": used.ru_utime + used.ru_stime, "peak": used.ru_maxrss / 1e6}
    print(json.dumps(said))


if __name__ == "__main__":
    if sys.argv[1:] and sys.argv[1] in JOBS:
        main(sys.argv[1], Path(sys.argv[2]))
    else:
        large(int(sys.argv[1]) if sys.argv[1:] else ROWS)
