"""Make the tables of the page on memories: money spent on advertising, and what was sold."""

import sys
from datetime import date
from pathlib import Path

import numpy as np
import polars as pl

import bygones as by

WEEKS, SEED = 156, 5
CARRIED = by.Geometric.from_half_life(3)
BASE, EFFECTS, NOISE = 400.0, np.array([0.9, 0.35]), 45.0  # sales without advertising, per unit of adstock, by chance


def campaigns() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Three years of weekly spending on two channels, in campaigns of some weeks, and the sales that came of it."""
    generator = np.random.default_rng(SEED)
    weeks = pl.date_range(date(2021, 1, 4), interval="1w", end=date(2024, 12, 30), eager=True).head(WEEKS)
    lasting = [np.repeat(generator.choice([0, 0, 150, 300, 500], WEEKS), generator.integers(2, 7, WEEKS)) for _ in "ab"]
    spent = np.stack([each[:WEEKS] for each in lasting], axis=1).astype(np.float64)
    carried = CARRIED.start(2).take(spent)
    sold = BASE + carried @ EFFECTS + generator.normal(0, NOISE, WEEKS)
    spending = pl.DataFrame({"week": weeks, "television": spent[:, 0], "radio": spent[:, 1]})
    return spending.cast({"television": pl.Int64, "radio": pl.Int64}), pl.DataFrame(
        {"week": weeks, "sales": sold.round()}
    )


def main(to: Path) -> int:
    """Write both."""
    for name, table in zip(("spending", "sales"), campaigns(), strict=True):
        table.write_csv(to / f"{name}.csv", float_precision=0)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(__file__).parent.parent / "examples"))
