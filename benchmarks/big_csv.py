"""Read a large CSV file and say how long it took, against merely splitting it: `python benchmarks/big_csv.py FOLDER`.

Makes FOLDER/big.csv, 10,000,000 rows of 10 options and a time, about 2 GB, unless it is there; delete it afterwards.
Each way of reading runs in its own process, so that its peak of memory is its own.
"""

import resource
import subprocess
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import polars as pl

from bygones.reading import read

ROWS, OPTIONS, STEP = 10_000_000, 10, 200_000


def make(path: Path) -> None:
    """Write the file, block by block."""
    generator = np.random.default_rng(0)
    start = datetime(2000, 1, 1)
    with path.open("wb") as file:
        for row in range(0, ROWS, STEP):
            times = pl.datetime_range(
                start + timedelta(minutes=row), start + timedelta(minutes=row + STEP - 1), "1m", eager=True
            )
            costs = {f"option {i}": generator.random(STEP) for i in range(OPTIONS)}
            pl.DataFrame({"time": times} | costs).write_csv(file, include_header=row == 0)


def merely(path: Path) -> int:
    """Go over the file with polars alone, types guessed."""
    return sum(frame.height for frame in pl.scan_csv(path).collect_batches(maintain_order=True))


def with_bygones(path: Path) -> int:
    return len(read(path, progress=False).values)


def measure(way: str, path: Path) -> None:
    begun, busy = time.perf_counter(), time.process_time()
    rows = globals()[way](path)
    seconds, busy = time.perf_counter() - begun, time.process_time() - busy
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    each = f"{1e6 * seconds / rows:.2f} us a row"
    print(f"{way:12} {rows:,} rows  {seconds:6.1f} s ({busy:.1f} s of processors)  {each}  peak {peak:.2f} GB")


if __name__ == "__main__":
    big = Path(sys.argv[1]) / "big.csv"
    if len(sys.argv) > 2:
        measure(sys.argv[2], big)
    else:
        if not big.exists():
            make(big)
        print(f"{big}: {big.stat().st_size / 1e9:.2f} GB")
        for each in ("merely", "with_bygones"):
            subprocess.run([sys.executable, __file__, sys.argv[1], each], check=True)  # noqa: S603
