"""Reading decisions that were made before a table begins."""

from collections.abc import Sequence
from datetime import date
from typing import Any

import numpy as np
import polars as pl

from ..kernels import Array
from ..validation import listed, matched, shown
from .batches import Batch, cell, place
from .columns import CALLED, parts_of_time
from .numbers import floats
from .reading import Reading, for_decisions
from .rows import calling
from .table import open_source
from .times import NUMBER, WHOLE, WORDED, are_totals, dated, form, goes_back, not_after, parse, trimmed

FEW = 3  # rows of which a count is not an accident
ROUNDING = 1e-9  # of weights that add up to one


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
        decisions, _ = as_shares(decisions, places, names)
        decisions, places = forward(decisions, places)
        if "time" in places.columns:
            _check_before(places, before)
        return decisions


def gather(
    source: Any,  # noqa: ANN401
    names: Sequence[str],
    reading: Reading | None,
    time: str = "",
    decimal: str | None = None,
) -> tuple[Array, pl.DataFrame]:
    """Decisions as they stand in a table, and where they stand: with a column `time` if the table has one.

    Args:
        source: a file or data frame.
        names: the options.
        reading: how the table is written, where that is not clear.
        time: the column of times, if there is one of that name; else the only one with dates.
        decimal: what separates fractions, where neither the user nor the table says.

    Returns:
        One row of weights per decision, and one row of places.

    Raises:
        ValueError: if these are not decisions over the options.
    """
    table = open_source(source, None, for_decisions(reading))
    if table.numerals is not None and table.numerals.decimal is None:
        table.numerals.decimal = decimal
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
    if same and written is None:
        text = next(iter(table.sample[same[0]].cast(pl.String).drop_nulls()), "")
        raise ValueError(f"{shown(same[0])} is {shown(text)} and the like, not times: write them as in the table")
    for column in [column for column in rest if not times and _counts_back(table.sample[column])][:1]:
        remedy = f"call it {shown(time)} if it is the time, as in the table" if time else "give dates"
        raise ValueError(f"{shown(column)} counts back, and decisions are in order: {remedy}, or the oldest first")
    decisions, places = [], []
    for batch in table.batches:
        if written is not None:
            summed = are_totals(batch.frame[times[0]])
            batch = batch._replace(frame=batch.frame.filter(~summed), places=batch.places.filter(~summed))
        when = {} if written is None else {"time": parse(trimmed(batch.frame[times[0]]), written)}
        batch = batch._replace(places=batch.places.with_columns(**when))
        places.append(batch.places)
        decisions.append(_weights(batch, names) if chosen is None else _choices(batch, chosen, names))
    if table.numerals is not None:
        table.numerals.check()
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
        for time in [column for column in table.sample.columns if column not in columns]:
            repeated = parts_of_time(table.sample, time, columns)
            columns = [column for column in columns if column not in repeated]
        frame = pl.concat([batch.frame.select(columns) for batch in table.batches])
        return {name: series.to_list() for name, series in frame.to_dict().items()}


def _falls(series: pl.Series) -> bool:
    """Whether a column has numbers that do not rise from row to row, as times would."""
    return form(series) in (WHOLE, NUMBER) and bool((parse(series, NUMBER).diff().drop_nulls() <= 0).any())


def _counts_back(series: pl.Series) -> bool:
    """Whether a column has whole numbers of which each is 1 below the one before."""
    if series.count() < FEW or form(series) not in (WHOLE, WORDED):
        return False
    return bool((parse(trimmed(series), str(form(series))).diff().drop_nulls() == -1).all())


def as_shares(decisions: Array, places: pl.DataFrame, names: Sequence[str]) -> tuple[Array, list[str]]:
    """Weights that add up to one; if those of each decision add up to 100, they are percent.

    Args:
        decisions: one row of weights each.
        places: of the rows.
        names: the options.

    Returns:
        The weights, and a note where they were percent.

    Raises:
        ValueError: if they are no shares; the message has the place.
    """
    sums, notes = decisions.sum(axis=1), list[str]()
    if len(sums) and (np.abs(sums - 100) <= 100 * ROUNDING).all():
        notes = ["the weights of each decision add up to 100: read as percent"]
        decisions, sums = decisions / 100, sums / 100
    for row, column in np.argwhere(decisions < 0)[:1]:
        fault = f"{cell(places, row, names[column])} is {decisions[row, column]:g}"
        raise ValueError(f"{fault}: weights are shares, from 0 to 1")
    for row in np.flatnonzero(np.abs(sums - 1) > ROUNDING)[:1]:
        remedy = "give shares, or percent that add up to 100 in every row; of amounts, each divided by their sum"
        raise ValueError(f"{place(places, int(row))} has weights that add up to {sums[row]:g}, not to 1: {remedy}")
    return decisions, notes


def forward(decisions: Array, places: pl.DataFrame) -> tuple[Array, pl.DataFrame]:
    """Decisions with the oldest first, if their times say which that is.

    Args:
        decisions: one row each.
        places: of the rows, with a column `time` if there are any.

    Returns:
        Both, turned around where the newest was first.

    Raises:
        ValueError: if the times go back and forth.
    """
    if "time" not in places.columns:
        return decisions, places
    if goes_back(places["time"]):
        decisions, places = decisions[::-1], places.reverse()
    row = None if places["time"].has_nulls() else not_after(places["time"])
    if row is not None:
        here, earlier = place(places, row), place(places, row - 1)
        raise ValueError(f"{here} is not after {earlier}: give one decision per period, the oldest first")
    return decisions, places


def _check_before(places: pl.DataFrame, before: Any) -> None:  # noqa: ANN401
    """Raise ValueError unless all decisions are before the table."""
    last = places["time"][-1]
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
