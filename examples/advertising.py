"""Advertising that carries over: what works this week is a fading mean of all past campaigns.

With a carry-over of 0.8 a week (`Geometric`), switching a campaign takes weeks to show. Which channel pays changes with
the season, and nobody knows beforehand.
"""

import numpy as np
from numpy.typing import NDArray

import bygones as by

WEEKS, SEED = 260, 3
CHANNELS = ["search", "radio", "posters", "letters"]


def returns() -> NDArray[np.float64]:
    """Weekly return per unit of what is remembered, for five years: a season for some channels, and noise."""
    rng = np.random.default_rng(SEED)
    season = np.cos(2 * np.pi * np.arange(WEEKS) / 52)[:, np.newaxis]
    level = np.array([1.0, 1.0, 0.9, 0.8]) + season * np.array([0.4, -0.4, 0.1, 0.0])
    return np.clip(level + rng.normal(0, 0.1, level.shape), 0, 2)


def main() -> None:
    """Compare learners, and learn what it is worth to aim at the state instead of the decision."""
    table = by.Table(returns(), rewards=True, names=CHANNELS)
    problem = by.Problem(CHANNELS, horizon=WEEKS, memory=by.Geometric(0.8), cost_range=2.0)
    learners = [by.Steering(), by.AdaHedge(), by.Hedge(), by.FTARL(), by.Uniform()]
    print(by.expected(problem, learners, table))
    foreseen = by.accounting.clairvoyant(table.data, problem.memory)
    print(f"The best channel alone would have returned {-table.data.sum(axis=0).min():.1f}, foresight {-foreseen:.1f}.")
    player = by.Steering().start(problem)
    player.play(table.data)
    print("Next week:", ", ".join(f"{w:.0%} {c}" for c, w in zip(CHANNELS, player.decide(), strict=True) if w > 0.005))


if __name__ == "__main__":
    main()
