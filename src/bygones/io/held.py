"""Reading decisions that were really taken, in the periods of a table."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from ..kernels import Array
from ..validation import shown
from .batches import place
from .history import as_shares, forward, gather
from .reading import Reading
from .rows import calling
from .times import ticks


def read_held(
    source: Any,  # noqa: ANN401
    names: Sequence[str],
    times: pl.Series,
    reading: Reading | None = None,
    dropped: int = 0,
    decimal: str | None = None,
    amounts: bool = False,
) -> tuple[Array, list[str]]:
    """Decisions that were really taken in the last periods of a table, and before it as well if they are there.

    Decisions with times belong to the periods of these times, and may stand in any order. Those without times, or for a
    table without them, are those of the last periods, the oldest first; times, if there are any, must say the same, or
    all go back.

    Args:
        source: a file or data frame: a column of weights for each option, or a column with the name of the option that
            was chosen; other columns are ignored.
        names: the options.
        times: of the table's periods, in order; its name is that of the table's column, "" if it has none.
        reading: how the table is written, where that is not clear.
        dropped: how many periods of the table were left out, so that decisions without times cannot be counted off.
        decimal: what separates fractions in the table, which holds where the decisions do not say.
        amounts: they may be amounts, which add up to anything.

    Returns:
        One row of weights per decision, the last one that of the last period; and notes on what was left out.

    Raises:
        ValueError: if these are not decisions over the options, or a period from the first of them on has none.

    >>> import polars as pl
    >>> weeks = pl.Series("week", [1, 2, 3])
    >>> read_held(pl.DataFrame({"week": [3, 2], "chosen": ["rail", "road"]}), ["rail", "road"], weeks)
    (array([[0., 1.],
           [1., 0.]]), [])
    """
    with calling(source):
        decisions, places = gather(source, names, reading, times.name, decimal)
        decisions, notes = (decisions, []) if amounts else as_shares(decisions, places, names)
        untimed = "time" not in places.columns
        if dropped and (untimed or not times.name):
            raise ValueError(uncounted(dropped))
        if not times.name:
            return forward(decisions, places)[0], notes
        if untimed:
            unsaid = f"what was held has no times: taken as the last {len(decisions):,}, the oldest first"
            return decisions, [*notes, unsaid]
        dates, periods = _alike(places["time"], times)
        for row in dates.is_null().arg_true()[:1]:
            raise ValueError(f"{place(places, row)} has no time: give it")
        rows = np.argsort(ticks(dates), kind="stable")
        when, period = ticks(dates)[rows], ticks(periods)
        for at in np.flatnonzero(when[1:] == when[:-1])[:1]:
            first, second = (place(places, int(rows[k])) for k in (at, at + 1))
            raise ValueError(f"{second} is for the same period as {first}: give one decision per period")
        begin, end = periods[0], periods[-1]
        for row in (dates > end).arg_true()[:1]:
            raise ValueError(f"{place(places, row)} is after {end}, when the table ends: leave it out")
        at = np.searchsorted(period, when)
        known, before = period[at] == when, when < period[0]
        start = 0 if before.any() or not known.any() else int(at[known][0])
        there = np.zeros(len(period) - start, dtype=bool)
        there[at[known] - start] = True
        for gap in np.flatnonzero(~there)[:1]:
            since = f"from {begin if before.any() else periods[start]} to {end}"
            raise ValueError(f"it has no decision for {periods[start + int(gap)]}: give one for every period {since}")
        odd = np.flatnonzero(~known & ~before)
        what = "decision is" if len(odd) == 1 else "decisions are"
        left = [f"{len(odd):,} {what} of times that the table has not, such as {dates[int(rows[k])]}" for k in odd[:1]]
        return decisions[rows[known | before]], [*notes, *(f"{note}: left out" for note in left)]


def uncounted(dropped: int) -> str:
    """What is wrong with decisions that cannot be told by their place in the order.

    >>> uncounted(1)
    '1 period of the table was left out, so that the order does not say which decision is of which period: give the \
times of both, or fill the table, as with missing="carry"'
    """
    left = "1 period of the table was" if dropped == 1 else f"{dropped:,} periods of the table were"
    unclear = "so that the order does not say which decision is of which period"
    return f'{left} left out, {unclear}: give the times of both, or fill the table, as with missing="carry"'


def _alike(dates: pl.Series, times: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Two columns of times as ones that can be compared."""
    if dates.dtype == times.dtype:
        return dates, times
    zoned = [getattr(each.dtype, "time_zone", None) is not None for each in (dates, times)]
    if dates.dtype.is_temporal() and times.dtype.is_temporal() and not any(zoned):
        return dates.cast(pl.Datetime("us")), times.cast(pl.Datetime("us"))
    if dates.dtype.is_numeric() and times.dtype.is_numeric():
        return dates.cast(pl.Float64), times.cast(pl.Float64)
    unlike = f"its times are like {shown(str(dates.drop_nulls()[0]))}, and those of the table like"
    raise ValueError(f"{unlike} {shown(str(times[0]))}: write both in the same way")
