"""Time the engine against the floor and its rivals, side by side in one run: `make bench`.

The floor draws the same uniforms with numpy into a cache-sized buffer and sums them up, which no simulation can do
without. All times are the best of several runs. Prints tables and writes `benchmarks/results.md` and `growth.png`.
"""

import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

import reference
import rivals

import bygones as by
from bygones.kernels import Array

PAIR = [by.FTARL(), by.LSA()]
PAPER = by.Problem(actions=10, horizon=10_000, memory=by.Window(100))
FAMILIES = (by.StocHet(), by.StocId(), by.Cyclic(hold=50, vectors=2))
BIG = by.Problem(actions=1000, horizon=100_000, memory=by.Window(100))
LONG = by.Problem(actions=10, horizon=10_000_000, memory=by.Window(100))
STREAMED = (by.FTARL(), by.Hedge(), by.LSA(), by.AdaHedge(), by.Tracking())
SLICE = 500  # rounds of what is too slow to run whole
FEW = 4  # replicates of what is too slow to run whole


def best(job: Callable[..., object], *arguments: object, repeats: int = 5) -> float:
    """The least time of several runs."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        job(*arguments)
        times.append(time.perf_counter() - start)
    return min(times)


def floor(tables: int, rounds: int, n: int) -> None:
    """Draw and sum up so many tables of uniforms."""
    buffer = np.empty((max(1, 10_000 // n), n))
    for table in range(tables):
        generator = np.random.default_rng(table)
        for _ in range(rounds // len(buffer)):
            np.cumsum(generator.random(out=buffer), axis=0)


def standard(workers: int, replicates: int = 100) -> None:
    """The paper's three families, FTARL and LSA, own costs each, means and deviations of all rounds."""
    for family in FAMILIES:
        result = by.simulate(PAPER, PAIR, family, replicates, workers=workers, progress=False)
        for label in result.regrets:
            result.moments(label)


def standard_plain(replicates: int) -> None:
    """The same by the plain compiled loop."""
    for family in FAMILIES:
        for r in range(replicates):
            rng = np.random.default_rng(r)
            costs, out = family.draw(10, 10_000, rng), np.empty((1, 10_000))
            rivals.plain_ftarl(costs, rng.exponential(size=(1, 10)), 100, out)
            rivals.plain_lsa(costs, 0.0008, rng.integers(10, size=1), rng.random((1, 10_000)), 100, out)


def standard_numpy() -> None:
    """FTARL on shared costs by numpy, vectorised over 100 replicates."""
    rng = np.random.default_rng(0)
    costs, out = by.StocId().draw(10, 10_000, rng), np.empty((100, 10_000))
    rivals.numpy_ftarl(costs, rng.exponential(size=(100, 10)), 100, out)


def transcription() -> None:
    """FTARL by the interpreted transcription of the paper, on a slice."""
    costs = by.StocId().draw(10, SLICE, np.random.default_rng(0))
    reference.ftarl(costs, np.random.default_rng(1).exponential(size=10), 100)


def big(costs: object, replicates: int = 100) -> by.Result:
    """FTARL and LSA on one shared table."""
    result = by.simulate(BIG, PAIR, costs, replicates, workers=1, costs_per="shared", progress=False)
    for label in result.regrets:
        result.moments(label)
    return result


def big_plain(costs: Array) -> tuple[float, float]:
    """The big job by the plain loop, scaled from a part of it, and by how much its regrets differ from ours."""
    seconds, apart, seed = 0.0, 0.0, np.random.SeedSequence(0, spawn_key=(0, 1))
    for learner, rounds in ((by.FTARL(), 100_000), (by.LSA(), 10_000)):
        part, out, player = costs[:rounds], np.empty((1, rounds)), learner.start(BIG, seed)
        if isinstance(learner, by.FTARL):
            job = (rivals.plain_ftarl, part, player.noise, 100, out)
        else:
            uniforms = player.generator.random((1, rounds))
            job = (rivals.plain_lsa, part, player.rate, player.current, uniforms, 100, out)
        seconds += best(*job, repeats=1) * 100 * 100_000 / rounds
        mine = by.simulate(BIG, [learner], part, 1, workers=1, record="all", progress=False)
        (regrets,) = mine.regrets.values()
        apart = max(apart, float(np.abs(regrets - out).max()))
    return seconds, apart


def stream(learner: by.Learner, n: int, rounds: int = 2000) -> float:
    """Microseconds of `decide` and `observe`, validated."""
    problem = by.Problem(n, 10**9, by.Window(100))
    player, costs = learner.start(problem), -np.random.default_rng(0).random((rounds, n))

    def job() -> None:
        for row in costs:
            player.decide()
            player.observe(row)

    return best(job, repeats=10) / rounds * 1e6


def streams(n: int) -> list[tuple[str, float]]:
    """Per-round cost of ours and the peers."""
    rows = [(f"{learner!r}, decide and observe", stream(learner, n)) for learner in STREAMED]
    rounds = 200 if n > 100 else 1000
    costs = -np.random.default_rng(0).random((rounds, n))
    for name, play in rivals.peers(n).items():
        each = best(lambda play=play: [play(row) for row in costs], repeats=3) / rounds * 1e6
        rows.append((name, each))
    return rows


MEMORY_JOBS: dict[str, Callable[[], object]] = {
    "nothing, only the imports": lambda: big(np.zeros((10, 1000)), 2),
    "big job, the table whole (800 MB of it)": lambda: big(by.StocId().draw(1000, 100_000, np.random.default_rng(0))),
    "big job, costs drawn in blocks": lambda: big(by.StocId()),
    "10,000,000 rounds, n = 10, one replicate": lambda: by.simulate(LONG, [by.FTARL()], by.StocId(), 1, progress=False),
}


def peak(job: str) -> float:
    """Peak memory of a job, in MB, measured in a process of its own."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, __file__, "--memory", job], capture_output=True, text=True, check=True
    )
    return float(done.stdout.split()[-1])


def table(header: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(header) + " |", "|---|" + "---:|" * (len(header) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def main() -> None:
    by.simulate(PAPER, PAIR, by.StocId(), 2, workers=2)
    standard_plain(1)
    # In turns, so that what else the machine does meets all of them alike.
    turns = []
    for _ in range(11):
        drawn = best(floor, 200, 10_000, 10, repeats=1) + best(floor, 300, 1_000, 10, repeats=1)
        turns.append((best(floor, 300, 10_000, 10, repeats=1), drawn, *(best(standard, k, repeats=1) for k in (1, 2))))
    unit, strict, ours, two = map(min, zip(*turns, strict=True))
    medians = np.median(np.array(turns), axis=0)
    slow = [
        ("plain compiled loop, from 4 replicates", best(standard_plain, FEW, repeats=2) * 100 / FEW),
        (
            "numpy over 100 replicates, a sixth of the job: FTARL alone, one shared table",
            best(standard_numpy, repeats=1),
        ),
        (f"interpreted transcription, FTARL alone, from {SLICE} rounds", best(transcription) * 300 * 10_000 / SLICE),
    ]
    rows = [["the floor: a table for each of the 300 pairs of family and replicate", "1.00", f"{unit:.3f} s"]]
    rows += [
        [
            "stricter: only the uniforms really drawn (none for Cyc's costs; LSA's own)",
            f"{strict / unit:.2f}",
            f"{strict:.3f} s",
        ]
    ]
    for k, took, median in ((1, ours, medians[2]), (2, two, medians[3])):
        also = (
            f"{took / strict:.2f} x the stricter one; medians {median / medians[0]:.2f} and {median / medians[1]:.2f}"
        )
        rows += [[f"bygones, {k} worker{'s'[: k > 1]}", f"{took / unit:.2f}", also]]
    rows += [[name, f"{t / unit:.1f}", f"{t / ours:.0f} x bygones"] for name, t in slow]
    parts = ["## Standard job: 3 families, FTARL and LSA, 100 replicates, T = 10,000, n = 10, H = 100, own costs\n"]
    parts.append(table(["", "times the floor", ""], rows))

    costs = by.StocId().draw(1000, 100_000, np.random.default_rng(0))
    big_unit = best(floor, 1, 100_000, 1000, repeats=3)
    whole, blocks = best(big, costs, repeats=3), best(big, by.StocId(), repeats=3)
    plain, apart = big_plain(costs)
    del costs
    rows = [["the floor, one table", "1.00", f"{big_unit:.2f} s"]]
    rows += [["bygones, the table given", f"{whole / big_unit:.2f}", f"{whole:.2f} s"]]
    rows += [["bygones, costs drawn in blocks", f"{blocks / big_unit:.2f}", f"{blocks:.2f} s"]]
    rows += [
        [
            "plain compiled loop, scaled from one replicate (LSA from 10,000 rounds)",
            f"{plain / big_unit:.0f}",
            f"{plain / whole:.0f} x bygones; regrets of both learners differ by at most {apart:.1g}",
        ]
    ]
    parts.append("## Big job: FTARL and LSA, 100 replicates of one shared table, T = 100,000, n = 1,000\n")
    parts.append(table(["one worker", "times the floor", ""], rows))

    one = best(lambda: by.simulate(PAPER, [by.FTARL()], by.StocHet(), 1, workers=1, progress=False))
    exact = best(lambda: by.expected(PAPER, [by.FTARL()], by.StocHet(), workers=1, progress=False))
    parts.append("## Exact means\n")
    parts.append(table(["standard problem, FTARL", "times one replicate"], [["expected", f"{exact / one:.1f}"]]))

    parts.append("## One round at a time\n")
    small, large = dict(streams(10)), dict(streams(1000))
    rows = [[name, f"{small[name]:.1f} us", f"{large[name]:.1f} us"] for name in small]
    parts.append(table(["", "n = 10", "n = 1,000"], rows))
    hedge, tracking = (large[f"{learner!r}, decide and observe"] for learner in (by.Hedge(), by.Tracking()))
    parts.append(f"At n = 1,000 a round of Tracking takes {tracking / hedge:.1f} times one of Hedge; the limit is 3.\n")

    parts.append("## Peak memory\n")
    parts.append(table(["", "MB"], [[job, f"{peak(job):,.0f}"] for job in MEMORY_JOBS]))

    import growth

    parts.append("## How cost grows\n\nFitted exponents of time, log-log; the plot is `growth.png`.\n")
    parts.append(table(["", "exponent"], [[name, f"{exponent:.2f}"] for name, exponent in growth.measure(HERE)]))
    about = (
        f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores {platform.machine()}, Python {platform.python_version()}"
    )
    text = f"# Benchmarks\n\nMade by `make bench`: {about}. Ratios of the best of several runs, one thread unless "
    text += "said.\n\n" + "\n".join(parts)
    (HERE / "results.md").write_text(text)
    print(text)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--memory"]:
        MEMORY_JOBS[sys.argv[2]]()
        # What the system says of this process alone; getrusage would count its parent's too.
        print(int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) / 1024)
    else:
        main()
