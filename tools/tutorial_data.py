"""Make the tables of the tutorials, all of them invented: `make tutorials`."""

import datetime as dt
import sys
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

Array = NDArray[np.float64]


def contracts() -> dict[str, pl.DataFrame]:
    """Unit costs of three suppliers over two years, and whom a buyer signed in the last 26 weeks.

    Dorn is the cheapest for 66 weeks; then its costs rise by 1.10. The buyer noticed four weeks before the end.
    """
    rng, weeks = np.random.default_rng(11), 104
    level = np.tile([10.4, 9.6, 10.0], (weeks, 1))
    level[66:, 1] += 1.1
    costs = level + rng.normal(0, 0.25, (weeks, 1)) + rng.normal(0, 0.3, (weeks, 3))
    signed = ["Dorn"] * 22 + ["Esser"] * 4
    days = _days(dt.date(2023, 1, 2), weeks, "1w")
    held = pl.DataFrame({"week": days[-26:], "signed": signed})
    return {"contracts": _table("week", days, ["Castell", "Dorn", "Esser"], costs, 2), "contracts-signed": held}


def funds() -> dict[str, pl.DataFrame]:
    """Monthly prices of four funds over twelve years."""
    rng, months = np.random.default_rng(8), 145
    drift, spread = [0.0025, 0.0065, 0.004, 0.001], [0.012, 0.042, 0.045, 0.001]
    walk = rng.normal(drift, spread, (months - 1, 4)).cumsum(axis=0)
    prices = 100 * np.exp(np.vstack([np.zeros(4), walk]))
    days = _days(dt.date(2012, 1, 1), months, "1mo")
    return {"funds": _table("month", days, ["bonds", "shares", "gold", "cash"], prices, 2)}


def advertising() -> dict[str, pl.DataFrame]:
    """What a shop spent on three channels over three years, in thousands, and what it sold.

    A campaign keeps working: what it does fades by a factor of 0.7 per week.
    """
    rng, weeks = np.random.default_rng(3), 156
    spent = rng.gamma(2.0, [4.0, 3.0, 3.5], (weeks // 4, 3)).repeat(4, axis=0) * rng.integers(0, 2, (weeks, 3))
    lingers = np.zeros((weeks, 3))
    for week in range(weeks):
        lingers[week] = 0.7 * lingers[max(week - 1, 0)] + 0.3 * spent[week]
    sold = 120 + lingers @ [3.0, 2.0, 1.0] + rng.normal(0, 4, weeks)
    days = _days(dt.date(2022, 1, 3), weeks, "1w")
    spending = _table("week", days, ["television", "radio", "search"], spent, 1)
    return {"spending": spending, "sales": pl.DataFrame({"week": days, "sales": sold.round(1)})}


def forecasts() -> dict[str, pl.DataFrame]:
    """Daily sales of a shop, what three forecasters said the day before, and squared errors, also of a mix.

    'model' is too low by about 5 and 'buyer' too high by about as much, so that their errors cancel; 'seasonal' is
    right on average and noisy.
    """
    rng, days = np.random.default_rng(5), 120
    sold = 100 + 12 * np.sin(2 * np.pi * np.arange(days) / 7) + rng.normal(0, 3, days)
    said = sold[:, np.newaxis] + rng.normal([-5, 5.5, 0], [2.5, 2.5, 4.5], (days, 3))
    names, when = ["model", "buyer", "seasonal"], _days(dt.date(2025, 1, 1), days, "1d")
    table = _table("day", when, names, said, 1).insert_column(1, pl.Series("sold", sold.round(1)))
    mixed = table.with_columns(pl.mean_horizontal("model", "buyer").alias("model+buyer"))
    errors = mixed.select("day", ((pl.exclude("day", "sold") - pl.col("sold")) ** 2).round(2))
    return {"forecasts": table, "forecasts-squared": errors.select("day", *names), "forecasts-mixed": errors}


def couriers() -> dict[str, pl.DataFrame]:
    """Hours until delivery by three couriers over a hundred days, the first eight of them, and whom a shop sent."""
    rng, days = np.random.default_rng(8), 100
    hours = rng.normal([30.0, 28.5, 26.0], 4.0, (days, 3))
    table = _table("day", _days(dt.date(2025, 3, 3), days, "1d"), ["Fleet", "Gull", "Harrier"], hours, 1)
    sent = table.select("day", sent=pl.lit("Gull"))
    return {"couriers": table, "couriers-first-days": table.head(8), "couriers-sent": sent}


def _days(first: dt.date, number: int, step: str) -> pl.Series:
    """Dates from the first one on."""
    return pl.date_range(first, first + dt.timedelta(days=40 * number), step, eager=True).head(number)


def _table(time: str, days: pl.Series, names: list[str], values: Array, digits: int) -> pl.DataFrame:
    """A wide table, rounded."""
    return pl.DataFrame({time: days} | dict(zip(names, values.round(digits).T, strict=True)))


def tables() -> dict[str, pl.DataFrame]:
    """All tables by their names."""
    return contracts() | funds() | advertising() | forecasts() | couriers()


def main(to: Path) -> int:
    """Write them all."""
    for name, table in tables().items():
        table.write_csv(to / f"{name}.csv")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path("examples")))
