"""Reading decisions that were made before a table begins."""

from collections.abc import Sequence
from datetime import date
from typing import Any

import numpy as np
import polars as pl

from ..kernels import Array
from ..validation import listed, matched, shown
from .batches import Batch, cell, place
from .columns import CALLED
from .numbers import floats
from .reading import Reading, for_decisions
from .rows import calling
from .table import open_source
from .times import NUMBER, WHOLE, dated, form, goes_back, not_after, parse


def read_history(source: Any, names: Sequence[str], before: Any = None, reading: Reading | None = None) -> Array:  # noqa: ANN401
    """Decisions that were made before, the oldest first: one row each, one column per option.

    Args:
        source: a file or data frame: a column of weights for each option, or a column with the name of the option that
            was chosen. Dates must go forward; other columns are ignored.
        names: the options.
        before: when the table begins, if it has times.
        reading: what the user says of how it is written.

    Returns:
        The weights of each decision.

    Raises:
        ValueError: if these are not decisions over the options, or not all before the table.

    >>> import polars as pl
    >>> read_history(pl.DataFrame({"chosen": ["rail", "sea"]}), ["rail", "road", "sea"])
    array([[1., 0., 0.],
           [0., 0., 1.]])
    """
    with calling(source):
        decisions, places = gather(source, names, reading)
        if "time" in places.columns:
            if goes_back(places["time"]):
                decisions, places = decisions[::-1], places.reverse()
            _check_dates(places, before)
        return decisions


def gather(
    source: Any,  # noqa: ANN401
    names: Sequence[str],
    reading: Reading | None,
    time: str = "",
) -> tuple[Array, pl.DataFrame]:
    """Decisions as they stand in a table, and where they stand: with a column `time` if the table has one.

    Args:
        source: a file or data frame.
        names: the options.
        reading: how the table is written, where that is not clear.
        time: the column of times, if there is one of that name; else the only one with dates.

    Returns:
        One row of weights per decision, and one row of places.

    Raises:
        ValueError: if these are not decisions over the options.
    """
    table = open_source(source, None, for_decisions(reading))
    columns, chosen = table.sample.columns, None
    if any(name in columns for name in names):
        matched(columns, names)
    else:
        chosen = _chosen(table.sample, names)
    rest = [column for column in columns if column not in names and column != chosen]
    dates = [column for column in rest if dated(form(table.sample[column]))]
    numbers = [column for column in rest if not CALLED.fullmatch(column) and _falls(table.sample[column])]
    if chosen is not None and not dates and numbers:
        remedy = "give one option per row and no numbers, or a column of weights for each option"
        raise ValueError(f"{shown(chosen)} has options and {shown(numbers[0])} numbers: {remedy}")
    same = [column for column in rest if time and column.strip().lower() == time.strip().lower()]
    times = same[:1] or dates
    if time and len(times) > 1:
        remedy = f"call the one that says when a decision was taken {shown(time)}, as in the table"
        raise ValueError(f"{listed(times)} could each be the time: {remedy}")
    written = form(table.sample[times[0]]) if len(times) == 1 else None
    decisions, places = [], []
    for batch in table.batches:
        when = {} if written is None else {"time": parse(batch.frame[times[0]], written)}
        places.append(batch.places.with_columns(**when))
        decisions.append(_weights(batch, names) if chosen is None else _choices(batch, chosen, names))
    return np.concatenate(decisions), pl.concat(places)


def read_decisions(source: Any, reading: Reading | None = None) -> "dict[str, list[Any]]":  # noqa: ANN401
    """The columns of a table of decisions that are not times, with their values: numbers, or texts.

    Args:
        source: a file or data frame.
        reading: how the table is written, where that is not clear.

    Returns:
        The values of each column.

    Raises:
        ValueError: if it cannot be read.
    """
    with calling(source):
        table = open_source(source, None, for_decisions(reading))
        columns = [column for column in table.sample.columns if not dated(form(table.sample[column]))]
        frame = pl.concat([batch.frame.select(columns) for batch in table.batches])
        return {name: series.to_list() for name, series in frame.to_dict().items()}


def _falls(series: pl.Series) -> bool:
    """Whether a column has numbers that do not rise from row to row, as times would."""
    return form(series) in (WHOLE, NUMBER) and bool((parse(series, NUMBER).diff().drop_nulls() <= 0).any())


def _check_dates(places: pl.DataFrame, before: Any) -> None:  # noqa: ANN401
    """Raise ValueError unless there is one decision per period, the oldest first, and all before the table."""
    dates = places["time"]
    row = None if dates.has_nulls() else not_after(dates)
    if row is not None:
        here, earlier = place(places, row), place(places, row - 1)
        raise ValueError(f"{here} is not after {earlier}: give one decision per period, the oldest first")
    last = dates[-1]
    alike = type(last) is type(before) and getattr(last, "tzinfo", None) is None is getattr(before, "tzinfo", None)
    if alike and isinstance(before, date) and last >= before:
        raise ValueError(f"{place(places, -1)} is not before {before}, when the table begins: leave it out")


def _weights(batch: Batch, names: Sequence[str]) -> Array:
    """A column of weights for each option."""
    weights = np.stack([floats(batch, name) for name in names], axis=1)
    for row, column in np.argwhere(~np.isfinite(weights))[:1]:
        raise ValueError(f"{cell(batch.places, row, names[column])} is {weights[row, column]:g}: give a weight")
    return weights


def _chosen(sample: pl.DataFrame, names: Sequence[str]) -> str:
    """The column that holds options' names."""
    found = [column for column in sample.columns if _numbers(sample[column], names).count()]
    if len(found) != 1:
        which = f"{listed(found)} each do" if found else f"of {listed(sample.columns)} none does"
        remedy = f"give one that does, or a column of weights for each of {listed(names)}"
        raise ValueError(f"one column must hold the names of options chosen, and {which}: {remedy}")
    return found[0]


def _choices(batch: Batch, column: str, names: Sequence[str]) -> Array:
    """One option per row, as weights."""
    numbers = _numbers(batch.frame[column], names)
    for row in numbers.is_null().arg_true()[:1]:
        value = shown(batch.frame[column].cast(pl.String).str.strip_chars()[row])
        raise ValueError(f"{cell(batch.places, row, column)} is {value}, not an option: give one of {listed(names)}")
    return np.take(np.eye(len(names)), numbers.to_numpy(), axis=0)


def _numbers(series: pl.Series, names: Sequence[str]) -> pl.Series:
    """The numbers of the options that a column names, with or without the blanks around them; null: of none."""
    texts, numbers = series.cast(pl.String, strict=False), dict(zip(names, range(len(names)), strict=True))
    exact, trimmed = (each.replace_strict(numbers, default=None) for each in (texts, texts.str.strip_chars()))
    return exact.fill_null(trimmed)
