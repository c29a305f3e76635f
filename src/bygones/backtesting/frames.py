"""What was played, as frames."""

import math
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

import numpy as np
import polars as pl

from ..accounting import courses
from ..engine import Account, Wealth
from ..result import QUANTILES
from ..theory import known
from .certainty import YOU, compared
from .games import Played

YEAR = timedelta(days=365.25)
ENDS = [QUANTILES["q05"], QUANTILES["q95"]]
CHANGES = (0, 1, 2, 5)  # of the best paths that are shown


def accounts(played: Played, switch_cost: float) -> pl.DataFrame:
    """One row per learner: what it would have paid, and against what; and one of what was really done, if known.

    Args:
        played: what was played.
        switch_cost: what it costs to change from one option to another.

    Returns:
        The columns learner, total, average, regret, share (of the most that a run can lose), gap (to the least that
        anybody could have paid), switches, switch_cost, total_with_switches, low and high (the 5 % and 95 % quantiles
        of the total over the draws), bound and guarantee; null where there is no such figure. Where it is known, what
        was really done is the row `you`, and there are the columns periods, and saved: against what was really done,
        over the same periods and with switches; the move into the first of these counts for nobody.
    """
    setup, you = played.setup, yours(played)
    R = known(setup.problem, "a backtest")[1]
    lows, peak, begin = played.options.low, float(np.abs(played.options.lows).max()), setup.judged

    def summed(lost: float, lows: float = lows) -> float:
        """What was paid, from what was lost against each period's least; without what rounding leaves of zero."""
        rounding = 1e-15 * math.sqrt(len(setup.values)) * (abs(lost) + peak)
        return 0.0 if abs(lost + lows) < rounding else float(lost + lows)

    def row(label: str, periods: int, total: float, regret: float, gap: float, switches: float) -> dict[str, Any]:
        paid = switch_cost * switches
        return {
            "learner": label,
            "total": total,
            "average": total / periods,
            "regret": regret,
            "share": regret / (R * periods),
            "gap": gap,
            "switches": switches,
            "switch_cost": paid,
            "total_with_switches": total + paid,
            "low": None,
            "high": None,
            "bound": None,
            "guarantee": None,
            "periods": periods,
            "saved": 0.0,
        }

    spent = 0.0 if played.you is None else float(played.you.spent(setup, played.options, switch_cost)[-1])
    rows = []
    for one in played.entries:
        lost, regret, switches, ends = one.account.loss, float(one.regrets[0, -1]), one.account.switches, {}
        if one.draws is not None:
            drawn, moved = one.draws
            switches = float(moved.total.mean())
            ends = dict(zip(("low", "high"), (summed(end) for end in np.quantile(drawn.total, ENDS)), strict=True))
            if one.learner.mean() is None:  # the mean of the draws is all there is
                lost = float(drawn.total.mean())
                regret = lost - played.feed.best
        mine = row(one.label, len(setup.values), summed(lost), regret, lost - played.least, switches) | ends
        mine["bound"] = None if len(setup.history) else one.learner.bound(setup.problem)
        mine["guarantee"] = None if one.held is None else float(one.held[0, -1])
        if you is not None:
            paid = one.spent(played.options, switch_cost)
            mine["saved"] = spent - float(paid[-1] - setup.before(paid)) + one.first_move(setup, switch_cost)
        rows.append(mine)
    if played.you is not None and you is not None:
        regret = you.loss - float((played.feed.tally.totals - played.you.before).min())
        gap, periods = you.loss - played.your_least(), len(setup.values) - begin
        rows.append(
            row(YOU, periods, summed(you.loss, lows - setup.before(played.options.lows)), regret, gap, you.switches)
            | {"saved": 0.0}
        )
    kinds = {"learner": pl.String, "periods": pl.Int64}
    frame = pl.DataFrame(rows, schema={name: kinds.get(name, pl.Float64) for name in rows[0]})
    return frame if you is not None else frame.drop("periods", "saved")


def yours(played: Played) -> Account | None:
    """The account of what was really done."""
    return None if played.you is None else played.you.account


def _all(played: Played) -> Iterator[tuple[str, Account]]:
    """The accounts by their labels: the learners', and that of what was really done."""
    yield from ((one.label, one.account) for one in played.entries)
    if (you := yours(played)) is not None:
        yield YOU, you


def options(played: Played) -> pl.DataFrame:
    """One row per option: what it would have cost to hold it all the time; the best first."""
    relative = played.feed.tally.totals
    totals = relative + played.options.low
    columns = {"total": totals, "average": totals / played.feed.rounds, "regret": relative - relative.min()}
    return pl.DataFrame({"option": names_of(played)} | columns).sort("regret", maintain_order=True)


def wealth(played: Played, times: pl.Series) -> pl.DataFrame | None:
    """One row per portfolio: what holding it would have made of a wealth of 1; the most first; None: without prices.

    A learner's portfolio is its state. One that draws holds its exact mean, as in the accounts, or its first draw where
    the mean is not known.

    Args:
        played: what was played.
        times: the times of all prices, in order, that before the first period included, if it is known.

    Returns:
        The columns name, kind (learner, you, asset, benchmark), wealth (at the end), growth (the rate of compound
        growth, a share), volatility (the standard deviation of log growth), drawdown (the largest fall from an earlier
        high, a share of that), turnover (all that was traded, in parts of the wealth at the time, drift included,
        purchases and sales both counted) and cost (the share of the final wealth that trading took). Growth and
        volatility are per year if the times are dates, else per period. Null stands for what is too large to be a
        number. Where it is known what was really done there is a column periods: that is known for some of them only.
    """
    if played.benchmarks is None:
        return None
    groups: list[tuple[str, Sequence[str], Wealth]] = [
        *(("learner", [one.label], one.portfolio.wealth) for one in played.entries if one.portfolio),
        *((YOU, [YOU], you.portfolio.wealth) for you in [played.you] if you and you.portfolio),
        ("asset", played.setup.problem.names, played.benchmarks.assets),
        ("benchmark", ["uniform, rebalanced"], played.benchmarks.rebalanced.wealth),
        ("benchmark", ["uniform, bought and held"], played.benchmarks.bought.wealth),
    ]
    frame = pl.concat(_worth(*group, yearly(times[-group[2].periods - 1 :]) or 1.0) for group in groups)
    yours = frame["kind"] == YOU  # over fewer periods, so that it has no rank
    return frame.sort(yours, -frame["log"], maintain_order=True).drop("log", *["periods"] * (not yours.any()))


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
            "periods": worth.periods,
            "log": worth.logs,
        }
    frame = pl.DataFrame({"name": pl.Series(names, dtype=pl.String), "kind": kind} | columns)
    return frame.with_columns(pl.when(pl.col(pl.Float64).is_finite()).then(pl.col(pl.Float64)))


def yearly(times: pl.Series) -> float | None:
    """How many periods a year has, 365.25 days long, from the times of their prices; None: the times are not dates.

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
    found = [(label, *(account.worst_stretch(star) or (-1, -1, 0.0))) for label, account in _all(played)]
    schema = {"learner": pl.String, "from": pl.Int64, "to": pl.Int64, "excess": pl.Float64}
    frame = pl.DataFrame(found, schema, orient="row").filter(pl.col("from") >= 0)
    ends = {name: times.gather(frame[name]) for name in ("from", "to")}
    return frame.select("learner", **ends, periods=pl.col("to") - pl.col("from") + 1, excess="excess")


def rivals(played: Played, switch_cost: float) -> pl.DataFrame:
    """How much worse each learner is than the cheapest, per period and with switches.

    Args:
        played: what was played.
        switch_cost: what it costs to change from one option to another.

    Returns:
        The cheapest first: learner, difference, low, high and distinguishable, as `compared` gives them.
    """
    totals = np.column_stack([one.spent(played.options, switch_cost) for one in played.entries])
    return compared("learner", [one.label for one in played.entries], totals, played.setup.recorded).drop("beaten")


def comparison(played: Played) -> pl.DataFrame:
    """How much worse each option is than the best, per period, as `compared` gives it."""
    return compared("option", played.setup.problem.names, played.options.totals, played.setup.recorded)


def paths(played: Played, times: pl.Series) -> pl.DataFrame:
    """The best fixed option, and the best paths with some changes.

    Args:
        played: what was played.
        times: the times of all periods, in order.

    Returns:
        The columns changes (at most so many), total, saved (against the best fixed option), dates (of the changes) and
        options (one after the other).
    """
    ((totals, moves),) = played.paths.tables
    least, names = totals.min(axis=1), played.setup.problem.names
    rows = [
        (
            k,
            least[k] + played.options.low,
            least[0] - least[k],
            [times[t] for t in course.rounds],
            [names[i] for i in course.actions],
        )
        for k, course in enumerate(courses(totals, moves))
        if k in CHANGES
    ]
    kinds = (pl.Int64, pl.Float64, pl.Float64, pl.List(times.dtype), pl.List(pl.String))
    return pl.DataFrame(
        rows, dict(zip(("changes", "total", "saved", "dates", "options"), kinds, strict=True)), orient="row"
    )


def costs(played: Played, times: pl.Series) -> pl.DataFrame:
    """What each option cost: time, option and value, a mean over the periods up to each of the recorded ones.

    Args:
        played: what was played.
        times: the times of the recorded periods, in order.

    Returns:
        One row per recorded period and option.
    """
    lengths = np.diff(played.setup.recorded, prepend=0)[:, np.newaxis]
    totals = played.options.totals + played.options.lows[:, np.newaxis]
    means = np.diff(totals, axis=0, prepend=0.0) / lengths
    return pl.DataFrame(_when_and_which(played, times) | {"value": means.reshape(-1)})


def path(played: Played, times: pl.Series) -> pl.DataFrame:
    """Over the recorded periods: learner, time, round, cost so far, regret, and the guarantee where there is one.

    Args:
        played: what was played.
        times: the times of the recorded periods, in order.

    Returns:
        One row per learner and recorded period.
    """
    frames, held = [], {one.label: one.held for one in played.entries}
    for label, account in _all(played):
        columns = {"learner": label, "time": times, "round": played.setup.recorded}
        lows, best = played.options.lows, played.options.best
        if played.you is not None and label == YOU:  # only since it is known what was done
            lows, best = lows - played.setup.before(lows), (played.options.totals - played.you.before).min(axis=1)
        columns |= {"cost": account.recorded.losses + lows, "regret": account.recorded.losses - best}
        now = held.get(label)
        columns["guarantee"] = np.full(len(times), np.nan) if now is None else now[0]
        frames.append(pl.DataFrame(columns).fill_nan(None).drop_nulls("cost"))
    return pl.concat(frames)


def decisions(played: Played, times: pl.Series) -> pl.DataFrame:
    """Over the recorded periods: learner, time, option, the weight that was decided, and the one in the state.

    Args:
        played: what was played.
        times: the times of the recorded periods, in order.

    Returns:
        One row per learner, recorded period and option, with the columns learner, time, option, decision and state.
    """
    frames = []
    for label, account in _all(played):
        weights = {name: getattr(account.recorded, f"{name}s").reshape(-1) for name in ("decision", "state")}
        columns = {"learner": pl.lit(label)} | _when_and_which(played, times) | weights
        frames.append(pl.select(**columns).filter(pl.col("state").is_not_nan()))
    return pl.concat(frames)


def _when_and_which(played: Played, times: pl.Series) -> dict[str, pl.Series]:
    """Times and options of a frame with one row per recorded period and option."""
    names, count = names_of(played), len(times)
    n = len(names)
    when, which = times.gather(np.repeat(np.arange(count), n)), names.gather(np.tile(np.arange(n), count))
    return {"time": when, "option": which}


def names_of(played: Played) -> pl.Series:
    """The options."""
    return pl.Series(played.setup.problem.names, dtype=pl.String)
