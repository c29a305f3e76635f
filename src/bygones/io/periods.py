"""Batches of a wide or a long table as periods: times, and a row of values each."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import polars as pl

from ..kernels import Array
from ..validation import matched, shown
from .batches import Batch, Numbers, Source, cell, place
from .columns import Layout
from .numbers import floats
from .times import are_totals, check_forward, form, goes_back, parse, read_times, ticks, trimmed


class Piece(NamedTuple):
    """Some periods, one after the other.

    Args:
        names: the options.
        times: one each; the rows' numbers where they have none.
        values: a row each; nan: missing.
        places: of the table's rows that they come from.
        size: how much of the source they are.
        cells: of a long table, which of the rows each value comes from, -1 if from none; None: one row is one period.
    """

    names: tuple[str, ...]
    times: pl.Series
    values: Array
    places: pl.DataFrame
    size: int
    cells: Numbers | None = None

    def only(self, kept: Numbers) -> "Piece":
        """Some of the periods."""
        some = self._replace(times=self.times.gather(kept), values=self.values[kept])
        return some._replace(places=self.places[kept]) if self.cells is None else some._replace(cells=self.cells[kept])

    def place(self, period: int, option: int) -> str:
        """Where the value of a period and an option is.

        Args:
            period: its number in the piece, from 0.
            option: its number, from 0.

        Returns:
            The words for a message.
        """
        name = self.names[option]
        if self.cells is None:
            return cell(self.places, period, name)
        row = int(self.cells[period, option])
        if row < 0:
            return f"the row of {shown(name)} at {self.times[period]}"
        return f"{place(self.places, row)}, option {shown(name)}"


def periods(source: Source, layout: Layout, drop: bool, sort: str | None = None) -> Iterator[Piece]:
    """The periods of a table, in order.

    Args:
        source: the table.
        layout: what its columns are; notes on rows that are left out or turned around are added to its notes.
        drop: rows without a time are left out.
        sort: `"ascending"`: by time; `"descending"`: the newest row is first; None: it is if the first times fall.

    Returns:
        Pieces of the table, as they are asked for.
    """
    batches = _checked(source, layout, drop)
    if layout.pair is not None:
        return (_grouped if source.large else _sorted)(_long(batches, *layout.pair), layout.options)
    if sort is None and _falls(source.sample, layout.time):
        layout.notes.append("the newest row is first: the table was turned around")
        sort = "descending"
    if sort is None:
        return _forward(_wide(batches, layout), layout.time)
    return _turned(_wide(batches, layout), layout.time, sort, source.large)


def _checked(source: Source, layout: Layout, drop: bool) -> Iterator[Batch]:
    """Batches with all columns and with times, without the rows that have none."""
    known, column, lost, totals = set(source.sample.columns), layout.time, 0, 0
    written = None if column is None else form(source.sample[column])
    for batch in source.batches:
        strange = [name for name in batch.frame.columns if name not in known]
        if strange and not layout.asked:
            row = batch.frame[strange[0]].is_not_null().arg_max() or 0
            remedy = "give it from the first row on, or name the options without it in actions="
            raise ValueError(f"{place(batch.places, row)} is the first with {shown(strange[0])}: {remedy}")
        absent = known.difference(batch.frame.columns)
        if absent:
            batch = batch._replace(frame=batch.frame.with_columns(pl.lit(None).alias(name) for name in absent))
        if column is not None:
            times = read_times(batch, column, written, drop)
            batch = batch._replace(places=batch.places.with_columns(time=times))
            if times.has_nulls():
                there, summed = times.is_not_null(), int((are_totals(batch.frame[column]) & times.is_null()).sum())
                lost, totals = lost + times.null_count() - summed, totals + summed
                batch = batch._replace(frame=batch.frame.filter(there), places=batch.places.filter(there))
        yield batch
    if source.numerals is not None:
        source.numerals.check()
        layout.notes.extend(source.numerals.notes())
    if totals:
        layout.notes.append(f"{totals:,} {'row is a total' if totals == 1 else 'rows are totals'}: left out")
    if lost:
        layout.notes.append(f"{lost:,} {'row has' if lost == 1 else 'rows have'} no time: left out")


def _wide(batches: Iterator[Batch], layout: Layout) -> Iterator[Piece]:
    """One column per option: the rows are the periods."""
    for batch in batches:
        times = batch.places["row"].alias("") if layout.time is None else batch.places["time"].alias(layout.time)
        values = np.stack([floats(batch, name) for name in layout.options], axis=1)
        yield Piece(layout.options, times, values, batch.places, batch.size)


def _forward(pieces: Iterator[Piece], column: str | None) -> Iterator[Piece]:
    """The same, checked to go forward in time."""
    last: list[pl.DataFrame] = []
    for piece in pieces:
        if column is not None:
            check_forward(pl.concat([*last, piece.places], how="vertical_relaxed"), column)
            last = [piece.places.tail(1)] if piece.places.height else last
        yield piece


def _falls(sample: pl.DataFrame, column: str | None) -> bool:
    """Whether the times of the first rows go back, every one of them."""
    if column is None:
        return False
    written = form(sample[column])
    if written is None:
        return False
    return goes_back(parse(trimmed(sample[column]), written))


def _turned(pieces: Iterator[Piece], column: str | None, sort: str, large: bool) -> Iterator[Piece]:
    """All periods at once, the oldest first."""
    if large:
        raise ValueError(
            "the newest row is first, or they are to be sorted, and it is too large for that: sort it by time"
        )
    if column is None and sort == "ascending":
        raise ValueError('sort= is "ascending", and there is no time to sort by: name it with time=')
    parts = [piece for piece in pieces if len(piece.values)]
    if not parts:
        return
    times = pl.concat([piece.times for piece in parts])
    places = pl.concat([piece.places for piece in parts], how="vertical_relaxed")
    values, size = np.concatenate([piece.values for piece in parts]), sum(piece.size for piece in parts)
    order = np.argsort(ticks(times), kind="stable") if sort == "ascending" else np.arange(len(times))[::-1]
    whole = Piece(parts[0].names, times, values, places, size).only(order)
    yield from _forward(iter([whole if column is not None else whole._replace(times=times)]), column)


def _long(batches: Iterator[Batch], names: str, values: str) -> Iterator[tuple[pl.DataFrame, int]]:
    """The rows of a long table and their sizes: where they are, with columns `time`, `option` and `value`."""
    for batch in batches:
        options = batch.frame[names].cast(pl.String).str.strip_chars()
        blank = (options.is_null() | (options == "")).arg_true()
        if len(blank):
            raise ValueError(f"{cell(batch.places, blank[0], names)}, is missing: name the option")
        yield batch.places.with_columns(option=options, value=floats(batch, values)), batch.size


def _sorted(batches: Iterator[tuple[pl.DataFrame, int]], wanted: tuple[str, ...]) -> Iterator[Piece]:
    """All periods at once; the rows may come in any order, such as option by option."""
    frames, sizes = map(list, zip(*batches, strict=True))
    rows = pl.concat(frames)
    frames.clear()  # or else there would be two copies in memory
    names = _named(rows)
    if wanted:
        matched(names, wanted)
        rows = _wanted(rows, wanted)
    if rows.height:
        rows = rows.sort("time", maintain_order=True)
        yield _pivoted(rows, wanted or names, sum(sizes))


def _grouped(batches: Iterator[tuple[pl.DataFrame, int]], wanted: tuple[str, ...]) -> Iterator[Piece]:
    """The periods of a table too large to sort: its rows must come period by period."""
    names, taken = wanted, 0
    known = pl.Series(names, dtype=pl.String)  # made once, as the blocks may be tiny and the options many
    rest: list[pl.DataFrame] = []
    for frame, size in batches:
        rows = pl.concat([*rest, _wanted(frame, wanted)], rechunk=True)
        times = ticks(rows["time"])
        for row in np.flatnonzero(times[1:] < times[:-1])[:1].tolist():
            fault = f"{place(rows, row + 1)} is earlier than {place(rows, row)}, and the table is too large to be"
            raise ValueError(f"{fault} sorted here: sort it by time, or give each option its own column")
        cut = int(np.searchsorted(times, times[-1])) if len(times) else 0
        if cut and not names:
            names = _named(rows)
            known = pl.Series(names, dtype=pl.String)
        for row in (~rows["option"].is_in(known)).arg_true()[:1] if names else ():
            fault = f"{place(rows, row)} is the first with {shown(rows['option'][row])}"
            raise ValueError(f"{fault}: name the options with actions=, all or without it")
        rest, taken = [rows[cut:]], taken + size
        if cut:
            yield _pivoted(rows[:cut], names, taken)
            taken = 0
    if rest and rest[0].height:
        yield _pivoted(rest[0], names or _named(rest[0]), taken)


def _wanted(rows: pl.DataFrame, wanted: tuple[str, ...]) -> pl.DataFrame:
    """The rows of the options that are wanted; () means all."""
    return rows.filter(rows["option"].is_in(wanted)) if wanted else rows


def _named(rows: pl.DataFrame) -> tuple[str, ...]:
    """The options of some rows of a long table, as they first appear."""
    names = tuple(rows["option"].unique(maintain_order=True))
    if len(names) == 1:
        raise ValueError(f"only {shown(names[0])} is an option: give at least two")
    return names


def _pivoted(rows: pl.DataFrame, names: tuple[str, ...], size: int) -> Piece:
    """The periods of a long table's rows, which are in order."""
    n, order = len(names), np.arange(rows.height)
    period = rows["time"].rle_id().to_numpy().astype(np.int64)
    codes = rows["option"].replace_strict(names, range(n), return_dtype=pl.Int64).to_numpy()
    at = period * n + codes
    cells = np.full((period[-1] + 1) * n, -1)
    cells[at[::-1]] = order[::-1]  # so that the first row of a cell stays
    for row in np.flatnonzero(cells[at] != order)[:1].tolist():
        name, first = shown(names[codes[row]]), place(rows, int(cells[at[row]]))
        raise ValueError(f"{place(rows, row)} gives {name} a second value, after {first}: keep one of them")
    values = np.where(cells < 0, np.nan, rows["value"].to_numpy()[cells]).reshape(-1, n)
    return Piece(names, rows["time"].unique(maintain_order=True), values, rows, size, cells.reshape(-1, n))
