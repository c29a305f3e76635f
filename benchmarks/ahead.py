"""Playing ahead, against Hedge: a round, a block, what shorter filters lose, and how long their programs take.

`make bench` writes this section with all others; `make bench-ahead` writes it alone, to `benchmarks/ahead.md`. With
`--quick` it only shows that it works: everything is small, and nothing is written.
"""

import os
import platform
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from streaming import stream
from timing import FULL, QUICK, Sizes, in_turns, seconds, table

import bygones as by
from bygones.theory import AheadPlan, ahead_plan, design

if TYPE_CHECKING:
    from collections.abc import Callable

PAGE = Path(__file__).parent / "ahead.md"
LENGTHS = (1, 5, 16, 50, None)  # of filters, in rounds; None: the default
TIMES = 10  # rounds for each of a window, in the programs that are timed
LONG = 5  # times as long as the window of 100 is the other one whose programs are timed


def section(sizes: Sizes) -> str:
    """A table of filters, from none to the default, and one of programs."""
    problem = by.Problem(10, sizes.rounds, by.Window(min(100, sizes.rounds // TIMES)))
    return (
        f"## Playing ahead: HedgeAhead against Hedge, T = {sizes.rounds:,}, n = 10, "
        f"a window of {problem.memory.span:.0f}\n\n{_filters(problem, sizes)}\n{_programs(problem, sizes)}"
    )


def _filters(problem: by.Problem, sizes: Sizes) -> str:
    """What filters of several lengths promise, and what they cost in a round and in a block."""
    learners: dict[str, by.Learner] = {"Hedge": by.Hedge()}
    learners |= {_name(length): by.HedgeAhead(length=length) for length in LENGTHS}
    costs = -np.random.default_rng(0).random((sizes.rounds, problem.n))
    rows = list(costs)
    jobs: dict[str, Callable[[], object]] = {}
    for name, learner in learners.items():
        jobs[f"{name}, rounds"] = lambda learner=learner: stream(learner, problem, rows)
        jobs[f"{name}, block"] = lambda learner=learner: learner.start(problem).play(costs)
    times = in_turns(jobs, sizes.turns)
    plain, lines = by.Hedge().bound(problem) or 0.0, []
    for name, learner in learners.items():
        promised = learner.bound(problem) or 0.0
        few = np.count_nonzero(ahead_plan(problem, length=learner.length).psi) if "Ahead" in name else 0
        line = [name, str(few), f"{promised:,.1f}", f"{promised / plain:.0%}"]
        for part in ("rounds", "block"):
            own, its = times[f"{name}, {part}"], times[f"Hedge, {part}"]
            each, typical = own.best / its.best, own.median / its.median
            line += [f"{own.best / sizes.rounds * 1e6:.2f} us", f"{each:.2f} ({typical:.2f})"]
        lines.append(line)
    against = "times Hedge's"
    head = ["learner", "moves", "bound", "of Hedge's", "a round", against, "a round of a block", against]
    return (
        "The length of a filter is how many rounds it may look back; moves counts the coefficients that are not 0. A\n"
        "round is decide and observe, a block is all rounds at once. Times are the best, ratios the best and (the\n"
        "median). The programs had been solved before: players of one problem share their filter.\n\n"
    ) + table(head, lines)


def _programs(problem: by.Problem, sizes: Sizes) -> str:
    """How long it takes to find a rate and a filter."""
    longer = by.Problem(problem.n, TIMES * sizes.rounds, by.Window(LONG * round(problem.memory.span)))
    jobs = {f"{one!r}": lambda one=one: _solved(one) for one in (problem, longer)}
    times, lines = in_turns(jobs, sizes.few_turns), []
    for one in (problem, longer):
        taken, begun = times[f"{one!r}"], time.process_time()
        plan = _solved(one)
        processor = seconds(time.process_time() - begun)
        line = [f"{one.memory.span:.0f}", f"{one.horizon:,}", str(np.count_nonzero(plan.psi))]
        lines.append([*line, seconds(taken.best), seconds(taken.median), processor])
    return "Finding the rate and the filter, which every process does once for each problem:\n\n" + table(
        ["window", "T", "moves", "best", "median", "time of the processor"], lines, words=0
    )


def _solved(problem: by.Problem) -> AheadPlan:
    """Solve the programs of a problem, whether they were solved before or not."""
    design._planned.cache_clear()
    return ahead_plan(problem)


def _name(length: int | None) -> str:
    return "HedgeAhead" if length is None else f"HedgeAhead, length {length}"


def main() -> None:
    """Measure, print, and write the page."""
    quick = "--quick" in sys.argv[1:]
    found = section(QUICK if quick else FULL)
    print(found)
    if not quick:
        when = f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores {platform.machine()}"
        head = f"Made by `make bench-ahead` on {when}, Python {platform.python_version()}. The jobs of a table ran in\n"
        PAGE.write_text(f"# Playing ahead\n\n{head}turns; the first turn was not timed.\n\n{found}")


if __name__ == "__main__":
    main()
