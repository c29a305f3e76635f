"""Run every kernel once, so that the first real use finds them compiled: `python tools/warm.py`."""

import tempfile
import time
from pathlib import Path

import numpy as np

import bygones as by
from bygones.learners import one_of_each

MEMORIES = (by.Window(3), by.FullHistory(), by.Geometric(0.5), by.Weights([0.5, 0.5]))


def main() -> None:
    """Simulate a little of everything."""
    begun = time.perf_counter()
    for memory in MEMORIES:
        problem = by.Problem(3, 8, memory)
        learners = [learner for learner in one_of_each() if learner.accepts(memory)]
        by.simulate(problem, learners, by.StocHet(), replicates=2).summary()
        by.expected(problem, [by.FTARL(), by.Hedge()], by.StocId(), guarantee=True)
        by.backtest("@flights", memory, cost_range=1000)
    by.StocId().draw(3, 10_000, np.random.default_rng(0))
    player = by.FTARL().start(problem)
    player.observe(problem.memory.start(3).push(player.decide()))
    with tempfile.TemporaryDirectory() as folder:
        by.save(player, Path(folder) / "player.npz")
    print(f"bygones: kernels compiled, {time.perf_counter() - begun:.1f} s", flush=True)


if __name__ == "__main__":
    main()
