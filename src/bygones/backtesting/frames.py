"""What was played, as frames."""

import math
from collections.abc import Container, Sequence
from datetime import timedelta

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..engine import Wealth
from ..kernels import Array
from ..result import QUANTILES
from ..theory import known
from .games import Played

YEAR = timedelta(days=365.25)
ENDS = [QUANTILES["q05"], QUANTILES["q95"]]


def accounts(played: Played, switch_cost: float) -> pl.DataFrame:
    """One row per learner: what it would have paid, and against what.

    Args:
        played: what was played.
        switch_cost: what it costs to change from one option to another.

    Returns:
        The columns learner, total, average, regret, share (of the most that a run can lose), gap (to the least that
        anybody could have paid), switches, switch_cost, total_with_switches, low and high (the 5 % and 95 % quantiles
        of the total over the draws), bound and guarantee; null where there is no such figure.
    """
    setup, lows, (T, R) = played.setup, played.options.low, known(played.setup.problem, "a backtest")
    peak = float(np.abs(played.options.lows).max())

    def summed(lost: float) -> float:
        """What was paid, from what was lost against each period's least; without what rounding leaves of zero."""
        rounding = 1e-15 * math.sqrt(T) * (abs(lost) + peak)
        return 0.0 if abs(lost + lows) < rounding else float(lost + lows)

    rows = []
    for one in played.entries:
        lost, regret = one.account.loss, float(one.regrets[0, -1])
        switches, low, high = one.account.switches, None, None
        if one.draws is not None:
            drawn, moved = one.draws
            switches = float(moved.total.mean())
            low, high = (summed(end) for end in np.quantile(drawn.total, ENDS))
            if one.learner.mean() is None:  # the mean of the draws is all there is
                lost = float(drawn.total.mean())
                regret = lost - played.feed.best
        total = summed(lost)
        rows.append(
            {
                "learner": one.label,
                "total": total,
                "average": total / T,
                "regret": regret,
                "share": regret / (R * T),
                "gap": lost - played.least,
                "switches": switches,
                "switch_cost": switch_cost * switches,
                "total_with_switches": total + switch_cost * switches,
                "low": low,
                "high": high,
                "bound": None if len(setup.history) else one.learner.bound(setup.problem),
                "guarantee": None if one.held is None else float(one.held[0, -1]),
            }
        )
    return pl.DataFrame(rows, schema={name: pl.Float64 if name != "learner" else pl.String for name in rows[0]})


def options(played: Played) -> pl.DataFrame:
    """One row per option: what it would have cost to hold it all the time; the best first."""
    relative = played.feed.tally.totals
    totals = relative + played.options.low
    columns = {"total": totals, "average": totals / played.feed.rounds, "regret": relative - relative.min()}
    return pl.DataFrame({"option": _names(played)} | columns).sort("regret", maintain_order=True)


def wealth(played: Played, times: pl.Series) -> pl.DataFrame | None:
    """One row per portfolio: what holding it would have made of a wealth of 1; the most first; None: without prices.

    A learner's portfolio is its state. One that draws holds its exact mean, as in the accounts, or its first draw where
    the mean is not known.

    Args:
        played: what was played.
        times: the times of all periods, in order.

    Returns:
        The columns name, kind (learner, asset, benchmark), wealth (at the end), growth (the rate of compound growth, a
        share), volatility (the standard deviation of log growth), drawdown (the largest fall from an earlier high, a
        share of that), turnover (all that was traded, in parts of the wealth at the time, drift included, purchases and
        sales both counted) and cost (the share of the final wealth that trading took). Growth and volatility are per
        year if the times are dates, else per period. Null stands for what is too large to be a number.
    """
    if played.benchmarks is None:
        return None
    groups: list[tuple[str, Sequence[str], Wealth]] = [
        *(("learner", [one.label], one.portfolio.wealth) for one in played.entries if one.portfolio),
        ("asset", played.setup.problem.names, played.benchmarks.assets),
        ("benchmark", ["uniform, rebalanced"], played.benchmarks.rebalanced.wealth),
        ("benchmark", ["uniform, bought and held"], played.benchmarks.bought.wealth),
    ]
    frame = pl.concat(_worth(*group, yearly(times) or 1.0) for group in groups)
    return frame.sort("log", descending=True, maintain_order=True).drop("log")


def _worth(kind: str, names: Sequence[str], worth: Wealth, scale: float) -> pl.DataFrame:
    """One row per portfolio of a kind, with growth and volatility over so many periods."""
    with np.errstate(over="ignore"):
        columns = {
            "wealth": np.exp(worth.logs),
            "growth": np.expm1(worth.logs * (scale / worth.periods)),
            "volatility": worth.deviations * math.sqrt(scale),
            "drawdown": worth.drawdowns,
            "turnover": worth.turnover,
            "cost": worth.lost,
            "log": worth.logs,
        }
    frame = pl.DataFrame({"name": pl.Series(names, dtype=pl.String), "kind": kind} | columns)
    return frame.with_columns(pl.when(pl.col(pl.Float64).is_finite()).then(pl.col(pl.Float64)))


def yearly(times: pl.Series) -> float | None:
    """How many periods a year has, 365.25 days long; None: the times are not dates.

    >>> import polars as pl
    >>> from datetime import date
    >>> round(yearly(pl.Series([date(2020, 1, 1), date(2021, 1, 1), date(2024, 1, 1)])), 3)
    0.5
    """
    if not times.dtype.is_temporal():
        return None
    return float((len(times) - 1) / ((times[-1] - times[0]) / YEAR))


def stretches(played: Played, times: pl.Series) -> pl.DataFrame:
    """One row per learner: the periods that cost it the most against the best option.

    Args:
        played: what was played.
        times: the times of all periods, in order.

    Returns:
        The columns learner, from and to (times), periods and excess; a learner that never paid more has no row.
    """
    star = int(played.feed.tally.totals.argmin())
    found = [(one.label, *(one.account.worst_stretch(star) or (-1, -1, 0.0))) for one in played.entries]
    schema = {"learner": pl.String, "from": pl.Int64, "to": pl.Int64, "excess": pl.Float64}
    frame = pl.DataFrame(found, schema, orient="row").filter(pl.col("from") >= 0)
    ends = {name: times.gather(frame[name]) for name in ("from", "to")}
    return frame.select("learner", **ends, periods=pl.col("to") - pl.col("from") + 1, excess="excess")


def upcoming(played: Played, ended: Container[str]) -> pl.DataFrame:
    """Each learner's decision for the period after the last, and the state it would lead to.

    Args:
        played: what was played.
        ended: the options without a current value, which get no weight.

    Returns:
        One row per learner and option, with the columns learner, option, decision and state; none for a learner that
        has no decision any more.
    """
    names, frames = _names(played), []
    live = np.array([name not in ended for name in names])
    best = np.where(live, played.feed.tally.totals, math.inf).argmin()
    schema = {"learner": pl.String, "option": pl.String, "decision": pl.Float64, "state": pl.Float64}
    for one in played.entries:
        player = one.seat.players[0]
        try:
            player.ready(1)
        except ValueError:  # a table of advice ends with the data
            continue
        decision, (y, beta) = _among(player.decide(), live, int(best)), one.account.memory.carried()
        columns = {"learner": one.label, "option": names, "decision": decision, "state": y + beta * decision}
        frames.append(pl.DataFrame(columns, schema))
    return pl.concat([pl.DataFrame(schema=schema), *frames])


def _among(decision: Array, live: NDArray[np.bool_], best: int) -> Array:
    """A decision that gives weight to some options only: in the same proportions, or all to the best of them."""
    if not decision[~live].any():
        return decision
    left: Array = np.where(live, decision, 0.0)
    if not left.any():
        left[best] = 1.0
    left /= left.sum()
    return left


def path(played: Played, times: pl.Series) -> pl.DataFrame:
    """Over the recorded periods: learner, time, round, cost so far, regret, and the guarantee where there is one.

    Args:
        played: what was played.
        times: the times of the recorded periods, in order.

    Returns:
        One row per learner and recorded period.
    """
    frames = []
    for one in played.entries:
        columns = {"learner": one.label, "time": times, "round": played.setup.recorded}
        columns |= {"cost": one.account.recorded.losses + played.options.lows, "regret": one.regrets[0]}
        columns["guarantee"] = np.full(len(times), np.nan) if one.held is None else one.held[0]
        frames.append(pl.DataFrame(columns))
    return pl.concat(frames).with_columns(pl.col("guarantee").fill_nan(None))


def decisions(played: Played, times: pl.Series) -> pl.DataFrame:
    """Over the recorded periods: learner, time, option, the weight that was decided, and the one in the state.

    Args:
        played: what was played.
        times: the times of the recorded periods, in order.

    Returns:
        One row per learner, recorded period and option, with the columns learner, time, option, decision and state.
    """
    names = _names(played)
    count, n = len(times), len(names)
    when, which = times.gather(np.repeat(np.arange(count), n)), names.gather(np.tile(np.arange(n), count))
    frames = []
    for one in played.entries:
        weights = {name: getattr(one.account.recorded, f"{name}s").reshape(-1) for name in ("decision", "state")}
        frames.append(pl.DataFrame({"learner": one.label, "time": when, "option": which} | weights))
    return pl.concat(frames)


def _names(played: Played) -> pl.Series:
    return pl.Series(played.setup.problem.names, dtype=pl.String)
