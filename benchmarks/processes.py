"""What takes a process of its own: importing, compiling on an empty cache, and peak memory."""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from timing import FULL, QUICK, Sizes, in_turns, process, ratios, seconds, table

WARM = Path(__file__).parent.parent / "tools" / "warm.py"
SIMULATION = (
    "import bygones as by; problem = by.Problem(actions=4, horizon=1000, memory=by.Window(10)); "
    "by.simulate(problem, [by.FTARL(), by.LSA()], by.StocHet(), replicates=20).summary()"
)


def start_section(sizes: Sizes) -> str:
    """Whole processes, and compilation."""
    bare, libraries = "python, doing nothing", "import numpy, numba, polars"
    light, small = "import bygones", "a small simulate and its summary, kernels compiled before"
    programs = {bare: "pass", libraries: libraries, light: light, small: SIMULATION}
    times = in_turns(
        {name: lambda program=program: process(sys.executable, "-c", program) for name, program in programs.items()},
        sizes.turns,
    )
    command = [str(WARM)] if sizes.all_kernels else ["-c", SIMULATION]
    with tempfile.TemporaryDirectory() as cache:
        env, taken = os.environ | {"XDG_CACHE_HOME": cache}, []
        for _ in range(2):
            begun = time.perf_counter()
            process(sys.executable, *command, env=env)
            taken.append(time.perf_counter() - begun)
        signatures = [path.name for path in Path(cache).rglob("*.kernel")]
        kernels = {name.partition("-")[0] for name in signatures}
    what = "all kernels, by `tools/warm.py`," if sizes.all_kernels else "the kernels of a small simulate"
    rows = [
        [f"compiling {what} on an empty cache", seconds(taken[0] - taken[1])],
        ["the same process on the full cache", seconds(taken[1])],
        ["kernels compiled", str(len(kernels))],
        ["signatures compiled", str(len(signatures))],
    ]
    return (
        "## First use\n\nWhole processes:\n\n"
        + ratios(times, [(light, bare), (small, bare), (small, libraries)])
        + "\nCompilation, once per version and machine: a process on an empty cache less one on the full cache.\n\n"
        + table(["", ""], rows)
    )


def big(costs: object, actions: int, rounds: int, replicates: int) -> None:
    """The big job."""
    import bygones as by

    problem = by.Problem(actions, rounds, by.Window(100))
    result = by.simulate(
        problem, [by.FTARL(), by.LSA()], costs, replicates, workers=1, costs_per="shared", progress=False
    )
    for label in result.regrets:
        result.moments(label)


def memory_jobs(sizes: Sizes) -> dict[str, Callable[[], object]]:
    """What is run for its memory; each in a process of its own."""
    import numpy as np

    import bygones as by

    n, rounds, replicates, long = sizes.big_actions, sizes.big_rounds, sizes.big_replicates, sizes.long_rounds
    longest = by.Problem(10, long, by.Window(100))
    family = by.StocId()
    return {
        "a tiny job: little but the imports": lambda: big(np.zeros((10, n)), n, 10, 2),
        f"big job, the table whole ({n * rounds * 8 / 1e6:,.0f} MB of it)": lambda: big(
            family.draw(n, rounds, np.random.default_rng(0)), n, rounds, replicates
        ),
        "big job, costs drawn in blocks": lambda: big(family, n, rounds, replicates),
        f"{long:,} rounds, n = 10, one replicate": lambda: by.simulate(
            longest, [by.FTARL()], family, 1, progress=False
        ),
    }


def memory_section(sizes: Sizes) -> str:
    """Peak memory of some jobs."""
    size = "quick" if sizes is QUICK else "full"
    rows = [
        [job, f"{float(process(sys.executable, __file__, size, job).split()[-1]):,.0f}"] for job in memory_jobs(sizes)
    ]
    return "## Peak memory\n\n" + table(["whole process", "MB"], rows)


if __name__ == "__main__":
    memory_jobs(QUICK if sys.argv[1] == "quick" else FULL)[sys.argv[2]]()
    # What the system says of this process alone; getrusage would count its parent's too.
    print(int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) / 1024)
