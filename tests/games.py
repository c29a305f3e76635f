"""Two thousand games to hold promises to: costs of every kind that hurts, under every kind of memory."""

import numpy as np

import bygones as by

GAMES = 2048


def game(number):
    """A problem and a table of costs in its range; the same ones for the same number."""
    rng = np.random.default_rng(number)
    n, T = int(rng.integers(2, 6)), int(rng.integers(1, 121))
    length = int(rng.integers(1, 1 + min(T + 3, 30)))
    memory = [
        by.Window(length),
        by.FullHistory(),
        by.Geometric(float(rng.uniform(0.02, 0.99))),
        by.Weights(list(rng.dirichlet(np.full(length, 0.5)) * 0.9 + 0.1 / length)),
    ][number % 4]
    half = 1 + number // 32 % T  # so that periods of all lengths have their turn
    cost_range = float(10.0 ** rng.integers(-2, 3))
    kind = number // 4 % 8
    if kind < 6:
        family = [
            by.StocId(),
            by.StocHet(),
            by.Blocks(half),
            by.SquareWave(half),
            by.Trap(half),
            by.Cyclic(half, int(rng.integers(1, n + 1))),
        ][kind]
        costs = family.draw(n, T, rng)
    elif kind == 6:  # always against what Hedge has most of
        costs, totals = np.zeros((T, n)), np.zeros(n)
        for row in costs:
            row[totals.argmin()] = 1.0
            totals += row
    else:  # waves of several periods, and of several sizes
        turns = np.arange(T)[:, np.newaxis] // rng.integers(1, T + 1, n) % 2
        costs = turns * rng.random(n)
    return by.Problem(n, T, memory, cost_range), cost_range * costs
