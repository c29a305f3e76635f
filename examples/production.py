"""A plant that commits: what a week starts runs for six weeks, so that the output is the mean of the last six choices.

The plan goes on from week to week: the player is saved, and loaded again when the next week's costs are known.
"""

import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import bygones as by

WEEKS, SEED = 104, 1
LINES = ["bread", "pasta", "biscuits"]


def unit_costs() -> NDArray[np.float64]:
    """Two years of weekly costs per unit: pasta is cheap at first, bread after a bad harvest is over."""
    rng = np.random.default_rng(SEED)
    level = np.where(np.arange(WEEKS)[:, np.newaxis] < 40, [1.3, 1.0, 1.2], [0.9, 1.2, 1.1])
    return np.clip(level + rng.normal(0, 0.15, (WEEKS, len(LINES))), 0.5, 2.0)


def main() -> None:
    """Plan two years, week by week, and compare with the best single line."""
    problem = by.Problem(LINES, horizon=WEEKS, memory=by.Window(6), cost_range=1.5)
    print(f"Hedge would promise a regret of at most {by.Hedge().bound(problem):.0f}.")
    file = Path(tempfile.mkdtemp()) / "plan.npz"
    by.save(by.Steering().start(problem), file)
    output, paid, costs = problem.memory.start(problem.n), 0.0, unit_costs()
    for week, cost in enumerate(costs, start=1):
        player = by.load(file)
        running = output.push(player.decide())  # what the plant makes this week
        paid += float(running @ cost)
        player.observe(cost)
        by.save(player, file)
        if week % 26 == 0:
            mix = ", ".join(f"{share:.0%} {line}" for line, share in zip(LINES, running, strict=True))
            print(f"week {week:3}: {mix}")
    best = costs.sum(axis=0)
    print(f"Paid {paid:.1f}; the best single line, {LINES[best.argmin()]}, would have cost {best.min():.1f}.")


if __name__ == "__main__":
    main()
