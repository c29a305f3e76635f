"""Backtest a table that is larger than it should be: `make bench-large`, or `python benchmarks/backtest.py [rows]`.

Makes a CSV file of 10,000,000 periods and ten options, some 2 GB, in a temporary folder. Then processes of their own
merely read it with polars, block by block; read and check it with bygones; and backtest it. Prints the time a row takes
as a ratio to merely reading, and the peak memory of each, and writes them to benchmarks/large.md.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

ROWS, OPTIONS = 10_000_000, 10
CHUNK = 250_000  # rows


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


def read(path: Path) -> None:
    """Merely read the table, block by block."""
    seen = sum(len(batch) for batch in pl.scan_csv(path).collect_batches(chunk_size=2**17, maintain_order=True))
    print(f"{seen:,} rows read", file=sys.stderr)


def check(path: Path) -> None:
    """Read the table with all that is checked of it."""
    from bygones.io import read as read_rows

    print(f"{len(read_rows(path, progress=True).values):,} rows checked", file=sys.stderr)


def play(path: Path) -> None:
    """Backtest the table."""
    import bygones as by

    print(by.backtest(path, "window:100", progress=True), file=sys.stderr)


def measured(job: str, path: Path) -> dict[str, float]:
    """Seconds, those of the processors, and gigabytes of a job, in a process of its own."""
    done = subprocess.run([sys.executable, __file__, job, str(path)], stdout=subprocess.PIPE, check=True)  # noqa: S603
    told: dict[str, float] = json.loads(done.stdout)
    return told


def main(rows: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        make(path, rows)
        size = path.stat().st_size / 1e9
        found = {job: measured(job, path) for job in JOBS}
    lines = [
        "# A large table",
        "",
        f"A CSV file of {rows:,} periods and {OPTIONS} options, {size:.2f} GB: merely read with polars, read and",
        "checked, and backtested with all learners. Written by `make bench-large`.",
        "",
        "| job | seconds | us a row | times merely reading | by processor time | peak GB |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for job, told in found.items():
        ratio, work = (told[kind] / found["read"][kind] for kind in ("seconds", "work"))
        each = told["seconds"] / rows * 1e6
        lines.append(
            f"| {SAID[job]} | {told['seconds']:.1f} | {each:.2f} | {ratio:.1f} | {work:.1f} | {told['peak']:.2f} |"
        )
    print("\n".join(lines))
    if rows == ROWS:
        Path(__file__).with_name("large.md").write_text("\n".join(lines) + "\n")


JOBS = {"read": read, "check": check, "play": play}
SAID = {"read": "merely read", "check": "read and checked", "play": "backtested"}

if __name__ == "__main__":
    if sys.argv[1:] and sys.argv[1] in JOBS:
        begun = time.perf_counter()
        JOBS[sys.argv[1]](Path(sys.argv[2]))
        seconds = time.perf_counter() - begun
        used = resource.getrusage(resource.RUSAGE_SELF)
        told = {"seconds": seconds, "work": used.ru_utime + used.ru_stime, "peak": used.ru_maxrss / 1e6}
        print(json.dumps(told))
    else:
        main(int(sys.argv[1]) if sys.argv[1:] else ROWS)
