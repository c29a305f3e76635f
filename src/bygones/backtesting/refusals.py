"""What a backtest refuses because its answer would mislead, and what it notes for that reason."""

import math
from typing import Any

import numpy as np

from .. import datasets
from ..io import Rows
from ..kernels import Array
from ..memory import Memory
from ..validation import LARGEST, real, shown
from .games import UNKNOWN
from .sentences import percent

ADDABLE = 2.0**53  # float64 adds nothing of 1 to what is larger
AT_ONCE = 2**20  # numbers
NAMED = 5  # options in a note


def check_kind(data: Any, rewards: bool) -> None:  # noqa: ANN401
    """Refuse to call the costs of a bundled table rewards: the advice would be the worst option.

    Args:
        data: the table as it was given.
        rewards: its entries are called gains.

    Raises:
        ValueError: if it is known that they are costs.
    """
    if rewards and isinstance(data, str) and data.startswith("@"):
        known = datasets.find(data[1:])
        if not known.rewards:
            raise ValueError(f"{data} holds costs, not gains ({known.about[:-1]}): leave rewards=True out")


def check_trading(trade_cost: float, switch_cost: float, prices: bool) -> float:
    """The cost of trading, refused where it cannot be charged.

    Args:
        trade_cost: in parts of what is traded.
        switch_cost: what a switch costs, which is for costs and rewards.
        prices: the table holds prices.

    Returns:
        The cost of trading.

    Raises:
        ValueError: if it is not from 0 to below 0.5, as 2 are traded in a full change, or does not fit the table.
    """
    part = real("trade_cost", trade_cost)
    if not 0 <= part < 0.5:
        raise ValueError(
            f"trade_cost is {trade_cost!r}: give a number of at least 0 and below 0.5, in parts of what is traded, "
            "such as 0.001"
        )
    if part and not prices:
        raise ValueError("trade_cost= is charged on prices: give prices=True, or switch_cost= for costs and rewards")
    if switch_cost and prices:
        raise ValueError("switch_cost= is charged on costs and rewards: give trade_cost= for prices")
    return part


def check_current(rows: Rows) -> None:
    """Refuse a table whose last period has no value at all, as then no option can be recommended.

    Args:
        rows: the table.

    Raises:
        ValueError: if all values of the last period were carried on.
    """
    if len(rows.ended) == len(rows.names):
        raise ValueError(
            f"no option has a value at {rows.times[-1]}, the last period, so none can be recommended after it: leave "
            "out the rows at the end that have no values"
        )


def check_held(rows: Array, memory: Memory, periods: int) -> list[str]:
    """Refuse decisions that are too few to know the state that they lead to.

    Args:
        rows: the decisions really taken, the last one in the last period.
        memory: how long they count.
        periods: of the table, those included that are not played.

    Returns:
        A note, if decisions before the table would still count, and are not known.

    Raises:
        ValueError: if decisions that are not known would have more than a hundredth of the weight.
    """
    count = len(rows)
    if count >= periods:
        return _older(memory, count) if memory.support is None and math.isfinite(memory.mean_lag()) else []
    weights = memory.weights(periods)
    missing = float(weights[count:].sum())
    if missing > (0 if memory.support else UNKNOWN):
        needed = memory.support or int((np.cumsum(weights) < 1 - UNKNOWN).sum()) + 1
        raise ValueError(
            f"held= has {count:,} decision{'s'[: count != 1]}, and those before them still have {percent(missing)} of "
            f"the weight under {memory.phrase}: give at least the last {needed:,}"
        )
    return []


def _older(memory: Memory, count: int) -> list[str]:
    """A note on decisions before some others, which would still have weight under a memory that has no end."""
    twice = memory.weights(2 * count)
    missing = float(twice[count:].sum())
    if missing <= UNKNOWN:
        return []
    weight = f"those of the {count:,} periods before would have {percent(missing)} of the weight"
    return [f"decisions before the table are not known, and are taken as if there were none; {weight}"]


def check_sizes(rows: Rows, switch_cost: float) -> None:
    """Refuse costs that are too large to be added to the others: these would vanish in the sum.

    What is typical is the median of all values but zeros, so one that is a million times larger is not refused.

    Args:
        rows: the table.
        switch_cost: what a switch costs, which is added up with the values.

    Raises:
        ValueError: if a value or the cost of a switch is too large; the message has the period.
    """
    values, step = rows.values, max(1, AT_ONCE // len(rows.names))
    some = np.abs(values[:: -(-len(values) // step)])
    typical = float(np.median(some[some > 0])) if some.any() else LARGEST
    limit = min(ADDABLE * typical, LARGEST)
    lost = f"more than {ADDABLE:.0g} times a typical value of the table, {typical:g}: added up, the others would vanish"
    if switch_cost > limit:
        raise ValueError(f"the cost of a switch is {switch_cost:g}, {lost}; give at most {limit:g}")
    for first in range(0, len(values), step):
        sizes = np.abs(values[first : first + step])
        for row, column in np.argwhere(sizes > limit)[:1].tolist() if sizes.max() > limit else ():
            where = f"at {rows.times[first + row]}, {shown(rows.names[column])} is {values[first + row, column]:g}"
            raise ValueError(
                f"{where}, {lost}; correct it, leave that period out, or write 0 where rounding left tiny values"
            )


def long_gaps(rows: Rows, memory: Memory) -> list[str]:
    """A note on options whose values were carried on for longer than a decision counts.

    Args:
        rows: the table.
        memory: how long decisions count.

    Returns:
        One note, or none.
    """
    length = memory.span if memory.support is None else memory.support
    longest: dict[str, str] = {}
    for each in rows.carried:
        if each.periods > length:
            stretch = f"{each.periods:,} periods after {each.after}"
            longest[each.option] = f"{longest[each.option]} and {stretch}" if each.option in longest else stretch
    if not longest:
        return []
    named = ", ".join(f"{shown(name)} for {stretch}" for name, stretch in list(longest.items())[:NAMED])
    more = f" and {len(longest) - NAMED:,} more" if len(longest) > NAMED else ""
    return [f"values were carried on for longer than the memory: {named}{more}; what these cost then is a guess"]
