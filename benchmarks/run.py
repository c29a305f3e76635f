"""Time the library against floors, rivals and peers, side by side in one run: `make bench`.

All jobs of a table run in turns. Prints the tables, and writes `benchmarks/results.md` and `growth.png`. With `--quick`
everything runs at a small size, only to see that it works: the figures mean nothing, and nothing is written.
"""

import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import ahead
import backtest
import growth
import processes
import simulation
import streaming
from timing import FULL, QUICK, Sizes

HERE = Path(__file__).parent
ABOUT = """The jobs of a table ran
in turns, so that what else the machine did met all of them alike; the first turn was not timed. A ratio above 1
means that the job took longer than what it is compared to.
"""


def sections(sizes: Sizes, folder: Path) -> Iterator[str]:
    """The parts of the page, one after the other."""
    yield simulation.standard_section(sizes)
    yield simulation.big_section(sizes)
    yield simulation.exact_section(sizes)
    yield simulation.wrapped_section(sizes)
    yield streaming.section(sizes)
    yield ahead.section(sizes)
    yield backtest.section(sizes)
    yield growth.section(sizes, folder)
    yield processes.start_section(sizes)
    yield processes.memory_section(sizes)


def main(sizes: Sizes, folder: Path) -> None:
    """Run everything, and write the page."""
    cores, python = f"{os.cpu_count()} cores {platform.machine()}", f"Python {platform.python_version()}"
    parts = [
        f"# Benchmarks\n\nMade by `make bench` on {datetime.now(UTC):%Y-%m-%d}, {cores}, {python}. {ABOUT}",
    ]
    print(parts[0], flush=True)
    for part in sections(sizes, folder):
        parts.append(part)
        print(part, flush=True)
    (folder / "results.md").write_text("\n".join(parts))


if __name__ == "__main__":
    if "--quick" in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as name:
            main(QUICK, Path(name))
    else:
        main(FULL, HERE)
