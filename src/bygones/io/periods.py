"""Batches of a wide or a long table as periods: times, and a row of values each."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import polars as pl

from ..kernels import Array
from ..validation import matched, shown
from .batches import Batch, Numbers, Source, joined
from .columns import Layout
from .numbers import floats
from .times import check_forward, read_times, ticks


@dataclass(frozen=True)
class Piece:
    """Some periods, one after the other.

    Args:
        names: the options.
        times: one each; the rows' numbers where they have none.
        values: a row each; nan: missing.
        place: tells where the value of a period and an option is.
        size: how much of the source they are.
        lost: how many of its rows were left out, as they have no time.
    """

    names: tuple[str, ...]
    times: pl.Series
    values: Array
    place: Callable[[int, int], str]
    size: int
    lost: int


def periods(source: Source, layout: Layout, drop: bool) -> Iterator[Piece]:
    """The periods of a table, in order.

    Args:
        source: the table.
        layout: what its columns are.
        drop: rows without a time are left out.
    """
    batches = (_checked(batch, layout) for batch in source.batches)
    if layout.time is None:
        return _wide(((batch, None) for batch in batches), layout)
    timed = (_timed(batch, layout.time, layout.written, drop) for batch in batches)
    if layout.pair is None:
        return _wide(timed, layout)
    names, values = layout.pair
    pieces = (_long(batch, times, names, values) for batch, times in timed)
    return _grouped(pieces, layout.options) if source.large else _sorted(pieces, layout.options)


def _checked(batch: Batch, layout: Layout) -> Batch:
    """A batch with all columns; raises ValueError if only later rows have one."""
    here = set(batch.frame.columns)
    strange = here - layout.known
    if strange and not layout.asked:
        name = next(name for name in batch.frame.columns if name in strange)
        row = batch.frame[name].is_not_null().arg_max() or 0
        raise ValueError(
            f"{batch.place(row)} is the first with {shown(name)}: give it from the first row on, or name the options "
            "without it in actions="
        )
    if layout.known <= here:
        return batch
    absent = [pl.lit(None).alias(name) for name in layout.known - here]
    return replace(batch, frame=batch.frame.with_columns(absent))


def _timed(batch: Batch, column: str, written: str | None, drop: bool) -> tuple[Batch, pl.Series]:
    """A batch and its times, without the rows that have none."""
    times = read_times(batch, column, written, drop)
    kept = times.is_not_null().arg_true().to_numpy()
    if len(kept) == len(times):
        return batch, times
    return replace(batch.only(kept), lost=len(times) - len(kept)), times.gather(kept)


def _wide(batches: Iterator[tuple[Batch, pl.Series | None]], layout: Layout) -> Iterator[Piece]:
    """One column per option: the rows are the periods."""
    last = None
    for batch, times in batches:
        if times is not None and len(times):
            check_forward(batch, times, last, str(layout.time))
            last = ticks(times)[-1], batch.place(len(times) - 1, times[-1])
        place = partial(_cell, batch, times, layout.options)
        columns = [
            floats(batch.frame[name], partial(_cell, batch, times, layout.options, column=column))
            for column, name in enumerate(layout.options)
        ]
        when = pl.Series(batch.rows) if times is None else times
        yield Piece(layout.options, when, np.stack(columns, axis=1), place, batch.size, batch.lost)


def _cell(batch: Batch, times: pl.Series | None, names: tuple[str, ...], row: int, column: int) -> str:
    return f"{batch.place(row, None if times is None else times[row])}, column {shown(names[column])}"


def _long(batch: Batch, times: pl.Series, names: str, values: str) -> Batch:
    """The rows of a long table, in columns `time`, `option` and `value`."""
    options = batch.frame[names].cast(pl.String).str.strip_chars()
    blank = (options.is_null() | (options == "")).arg_true()
    if len(blank):
        place = batch.place(blank[0], times[blank[0]])
        raise ValueError(f"{place}, column {shown(names)}, is missing: name the option")
    numbers = floats(batch.frame[values], lambda row: _cell(batch, times, (values,), row, 0))
    frame = pl.DataFrame([times.alias("time"), options.alias("option"), pl.Series("value", numbers)])
    return replace(batch, frame=frame)


def _wanted(batch: Batch, wanted: tuple[str, ...]) -> Batch:
    """The rows of the options that are wanted; () means all."""
    return batch.only(batch.frame["option"].is_in(wanted).arg_true().to_numpy()) if wanted else batch


def _sorted(pieces: Iterator[Batch], wanted: tuple[str, ...]) -> Iterator[Piece]:
    """All periods at once; the rows may come in any order, such as option by option."""
    whole = joined(list(pieces))
    names = _named(whole)
    if wanted:
        matched(names, wanted)
    whole = _wanted(whole, wanted)
    order = np.argsort(ticks(whole.frame["time"]), kind="stable")
    if len(order):
        yield _pivoted(whole.only(order), wanted or names)


def _grouped(pieces: Iterator[Batch], wanted: tuple[str, ...]) -> Iterator[Piece]:
    """The periods of a table too large to sort: its rows must come period by period."""
    names = wanted
    rest: list[Batch] = []
    for piece in pieces:
        batch = joined([*rest, _wanted(piece, wanted)])
        times = ticks(batch.frame["time"])
        back = np.flatnonzero(times[1:] < times[:-1])
        if back.size:
            row = int(back[0]) + 1
            raise ValueError(
                f"{batch.place(row, batch.frame['time'][row])} is earlier than {batch.place(row - 1)}, and the table "
                "is too large to be sorted here: sort it by time, or give each option its own column"
            )
        cut = int(np.searchsorted(times, times[-1])) if len(times) else 0
        rest = [batch]
        if cut and not names:
            names = _named(batch)
        if names:
            _check_known(batch, names)
        if cut:
            rest = [replace(batch.only(np.arange(cut, len(times))), size=0, lost=0)]
            yield _pivoted(batch.only(np.arange(cut)), names)
    if rest[0].frame.height:
        yield _pivoted(rest[0], names or _named(rest[0]))


def _named(batch: Batch) -> tuple[str, ...]:
    """The options of some rows of a long table, as they first appear."""
    names = tuple(batch.frame["option"].unique(maintain_order=True))
    if len(names) == 1:
        raise ValueError(f"only {shown(names[0])} is an option: give at least two")
    return names


def _check_known(batch: Batch, names: tuple[str, ...]) -> None:
    """Raise ValueError if the first rows do not have an option."""
    options = batch.frame["option"]
    strange = (~options.is_in(names)).arg_true()
    if len(strange):
        row = strange[0]
        raise ValueError(
            f"{batch.place(row, batch.frame['time'][row])} is the first with {shown(options[row])}: name the options "
            "with actions=, all or without it"
        )


def _pivoted(batch: Batch, names: tuple[str, ...]) -> Piece:
    """The periods of a long table's rows, which are in order."""
    frame, n = batch.frame, len(names)
    times = ticks(frame["time"])
    new = np.ones(len(times), dtype=bool)
    new[1:] = times[1:] != times[:-1]
    codes = frame["option"].replace_strict(list(names), list(range(n)), return_dtype=pl.Int64).to_numpy()
    cells = (np.cumsum(new) - 1) * n + codes
    count = int(new.sum())
    where = np.full(count * n, -1)
    where[cells[::-1]] = np.arange(len(cells))[::-1]  # so that the first row of a cell stays
    again = np.flatnonzero(where[cells] != np.arange(len(cells)))
    if again.size:
        row, first = int(again[0]), int(where[cells[again[0]]])
        raise ValueError(
            f"{batch.place(row, frame['time'][row])} gives {shown(names[codes[row]])} a second value, after "
            f"{batch.place(first)}: keep one of them"
        )
    values = np.full((count, n), np.nan)
    values.reshape(-1)[cells] = frame["value"].to_numpy()
    stamps = frame["time"].gather(np.flatnonzero(new))
    place = partial(_long_cell, batch, stamps, names, where.reshape(-1, n))
    return Piece(names, stamps, values, place, batch.size, batch.lost)


def _long_cell(batch: Batch, times: pl.Series, names: tuple[str, ...], where: Numbers, row: int, column: int) -> str:
    if where[row, column] < 0:
        return f"the row of {shown(names[column])} at {times[row]}"
    return f"{batch.place(int(where[row, column]), times[row])}, option {shown(names[column])}"
