"""Taking times: jobs in turns, ratios of their times, tables; and how large the jobs are."""

import statistics
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple


class Sizes(NamedTuple):
    """How large the jobs are; the defaults are those of the published figures."""

    turns: int = 11
    few_turns: int = 3  # for what takes long
    rounds: int = 10_000  # of the standard job, of a stream, and of the table that many replicates share
    replicates: int = 100
    interpreted_rounds: int = 500
    big_rounds: int = 100_000
    big_actions: int = 1000
    big_replicates: int = 100
    stream_actions: tuple[int, ...] = (10, 1000)
    shared_replicates: tuple[int, ...] = (100, 300, 1000, 3000, 10_000)
    grown_rounds: tuple[int, ...] = (10_000, 30_000, 100_000, 300_000)
    grown_actions: tuple[int, ...] = (1000, 3000, 10_000, 30_000)
    long_rounds: int = 10_000_000  # of the run whose memory is measured
    rows: int = 300_000  # of the CSV file
    all_kernels: bool = True  # compile all of them on an empty cache, rather than those of one small simulation


FULL = Sizes()
QUICK = Sizes(
    turns=1,
    few_turns=1,
    rounds=300,
    replicates=4,
    interpreted_rounds=50,
    big_rounds=2000,
    big_actions=50,
    big_replicates=4,
    stream_actions=(10, 50),
    shared_replicates=(10, 30, 100),
    grown_rounds=(1000, 3000),
    grown_actions=(30, 100),
    long_rounds=10_000,
    rows=2000,
    all_kernels=False,
)


class Times(NamedTuple):
    """Seconds of a job that was run several times."""

    best: float
    median: float

    def scaled(self, factor: float) -> "Times":
        """The times of a job so many times as large."""
        return Times(self.best * factor, self.median * factor)


def in_turns(jobs: Mapping[str, Callable[[], object]], turns: int) -> dict[str, Times]:
    """Run every job once per turn, so that what else the machine does meets all alike; the first turn is not timed."""
    taken: dict[str, list[float]] = {name: [] for name in jobs}
    for turn in range(turns + 1):
        for name, job in jobs.items():
            begun = time.perf_counter()
            job()
            if turn:
                taken[name].append(time.perf_counter() - begun)
    return {name: Times(min(seconds), statistics.median(seconds)) for name, seconds in taken.items()}


def process(*command: str, env: Mapping[str, str] | None = None) -> str:
    """Run a process to its end, and give what it printed."""
    return subprocess.run(command, capture_output=True, text=True, check=True, env=env).stdout  # noqa: S603


def table(header: Iterable[str], rows: Iterable[Iterable[str]], words: int = 1) -> str:
    """A table in Markdown whose first columns hold words, and the others numbers."""
    header = list(header)
    lines = [header, ["---"] * words + ["---:"] * (len(header) - words), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def ratios(times: Mapping[str, Times], pairs: Iterable[tuple[str, str]]) -> str:
    """A table of jobs against jobs."""
    rows = []
    for job, other in pairs:
        mine, its = times[job], times[other]
        best, median = mine.best / its.best, mine.median / its.median
        rows.append([f"{best:.2f}", f"{median:.2f}", job, other, seconds(mine.best), seconds(mine.median)])
    return table(["times (best)", "times (median)", "job", "compared to", "best", "median"], rows, words=4)


def seconds(value: float) -> str:
    """A time with three digits or so, in a fitting unit."""
    if value < 1e-3:
        return f"{value * 1e6:.1f} us"
    return f"{value * 1e3:.1f} ms" if value < 1 else f"{value:.2f} s"
