"""Time the players against the floor, side by side in one run: `make bench`.

The floor draws the same number of uniforms into a small buffer and sums them up, which no simulation can do without.
Prints a table and writes `benchmarks/results.md`.
"""

import platform
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import reference  # type: ignore[import-not-found]

import bygones as by
from bygones.learners import Learner

PROBLEM = by.Problem(actions=10, horizon=10_000, memory=by.Window(100))
SLICE = 500  # rounds of the interpreted transcription that are timed, then scaled


def best(job: Callable[..., object], *arguments: object, repeats: int = 5) -> float:
    """The least time of several runs, the first of which only warms up."""
    job(*arguments)
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        job(*arguments)
        times.append(time.perf_counter() - start)
    return min(times)


def floor() -> None:
    generator, buffer = np.random.default_rng(0), np.empty((100, 10))
    for _ in range(100):
        np.cumsum(generator.random(out=buffer), axis=0)


def whole(learner: Learner, costs: by.Costs) -> None:
    table = costs.draw(10, 10_000, np.random.default_rng(0))
    states = PROBLEM.memory.start(10).extend(learner.start(PROBLEM).play(table))
    by.accounting.regret(table, states)


def stream(learner: Learner, rounds: int = 1000) -> None:
    player, costs = learner.start(PROBLEM), np.linspace(-1, 0, 10)
    for _ in range(rounds):
        player.decide()
        player.observe(costs)


def transcription() -> None:
    costs = by.StocId().draw(10, SLICE, np.random.default_rng(0))
    reference.ftarl(costs, np.random.default_rng(1).exponential(size=10), 100)


def main() -> None:
    unit = best(floor)
    rows = [("drawing and summing the costs (the floor)", 1.0, "")]
    for learner in (by.FTARL(), by.FTARL(play="mean"), by.LSA(), by.Hedge()):
        took = best(whole, learner, by.StocId())
        rows.append((f"{learner!r}, costs, play, states and regret", took / unit, ""))
    scaled = best(transcription, repeats=2) * 10_000 / SLICE
    rows.append((f"the paper's transcription, interpreted (from {SLICE} rounds)", scaled / unit, ""))
    for learner in (by.FTARL(), by.Hedge()):
        each = best(stream, learner) / 1000
        rows.append((f"{learner!r}, decide and observe, round by round", 10_000 * each / unit, f"{1e6 * each:.1f} us"))
    lines = ["| job, T = 10,000, n = 10, H = 100, one run | times the floor | a round |", "|---|---:|---:|"]
    lines += [f"| {name} | {ratio:,.1f} | {note} |" for name, ratio, note in rows]
    about = f"{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, Python {platform.python_version()}, one thread"
    text = f"# Benchmarks\n\nMade by `make bench`: {about}. Best of several runs.\n\n" + "\n".join(lines) + "\n"
    (Path(__file__).parent / "results.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
