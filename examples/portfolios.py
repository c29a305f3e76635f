"""A ladder: every month a sixth of the money matures and is placed anew for six months.

So what is held is the mean of the last six placements. Prices go in, and a backtest says what would have become of the
money, with a fee of 0.1 % on all that is traded.
"""

import datetime as dt

import numpy as np
import polars as pl

import bygones as by

MONTHS, SEED = 180, 4
FUNDS = ["bonds", "shares", "gold", "cash"]


def prices() -> pl.DataFrame:
    """Monthly prices of made-up funds: shares do well, then badly, then well again; cash stands still."""
    rng = np.random.default_rng(SEED)
    drift = np.where(((np.arange(MONTHS) // 60) % 2 == 0)[:, np.newaxis], [0.002, 0.012, 0.001], [0.004, -0.010, 0.009])
    returns = np.column_stack([drift + rng.normal(0, [0.008, 0.03, 0.03], (MONTHS, 3)), np.zeros(MONTHS)])
    first = dt.date(2010, 1, 1)
    months = pl.date_range(first, first.replace(year=first.year + MONTHS // 12), "1mo", closed="left", eager=True)
    return pl.DataFrame({"month": months, **dict(zip(FUNDS, (100 * np.cumprod(1 + returns, axis=0)).T, strict=True))})


def main() -> None:
    """Backtest three ways to place the money, and say where the next sixth goes."""
    learners = ["steering", "hedge", "uniform"]
    result = by.backtest(prices(), "window:6", learners, prices=True, cost_range=0.25, trade_cost=0.001)
    for name, _, wealth, growth, _, drawdown, turnover, _ in result.wealth.iter_rows():
        print(f"{name:24} {wealth:.2f} for 1, {growth:.1%} a year, falling by {drawdown:.0%}, trading {turnover:.1f}")
    print(result.recommendation)
    for option, _, decision, state in result.next.filter(learner="Steering").drop("learner").iter_rows():
        print(f"  {decision:4.0%} of it in {option:6} would make {state:4.0%} of what is held")
    print(result.verdict)


if __name__ == "__main__":
    main()
