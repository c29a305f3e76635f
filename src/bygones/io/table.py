"""Reading a table: from any source to checked rows."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from .. import datasets
from ..kernels import Array
from ..parallel import check_fork, showing
from ..validation import LARGEST, as_array, as_frame, distinct, listed, matched, shown, word
from .batches import SAMPLE, Source, following
from .carry import Stretches, filled
from .columns import Layout, lay_out
from .dates import LONG, as_said
from .files import BINARY, open_file
from .frames import open_frames
from .gaps import Gaps
from .numerals import Numerals, find_decimal
from .periods import Piece, periods
from .reading import Reading, checked
from .rows import Gathered, Rows, calling, numbered, resolved
from .suspects import check_suspects
from .times import spacing

MOST = 2**20  # numbers of the first rows, in which columns that are hardly options are looked for
Opened = tuple[Layout, int | None, Iterator[Piece]]


def read_table(
    source: Any,  # noqa: ANN401
    *,
    time: str | None = None,
    actions: Sequence[str] | None = None,
    prices: bool = False,
    missing: str = "error",
    decimal: str | None = None,
    date_format: str | None = None,
    encoding: str | None = None,
    sort: str | None = None,
    value: str | None = None,
    option: str | None = None,
    sheet: str | None = None,
    most: int | None = None,
    progress: bool | None = None,
    least: int = 2,
) -> Rows:
    """Read a table from any source and check it.

    It may be wide, with one column per option, or long: a column of times, one of the options' names and one of values.
    The rows of a wide table must be in the order of time, or all in the opposite order. Those of a long table may come
    in any order, as each has its period; only a file too large to sort, or an iterator, must come period by period.

    Numbers and dates may be written as people do: `1.234,50 €`, `12 %`, `(5)`, `31/12/2013`, `2019Q3`. What has only
    one reading is read so, and noted; where two are possible, the error names the keywords that decide.

    Unless `actions` names the options, a column that is the sum or the mean of the others, or a running number, is
    refused.

    Args:
        source: the path of a CSV, TSV, Excel, Parquet, Arrow, JSON lines or `.npy` file, `@` and the name of a bundled
            data set, any data frame, a dict of columns, an array or nested lists, a `Table`, rows that were read
            before, or an iterator of blocks, all arrays or all data frames. The options of an array are called "0", "1"
            and so on.
        time: the column of times; None: the one that holds dates, or is called `date`, `time`, `day` and so on.
        actions: the options that count, in this order; None: all columns but the time.
        prices: the values are prices, and become log price relatives, `ln(p[t] / p[t-1])`, which add up to log wealth.
        missing: what to do about a value that is missing: `error`, `drop` the period, or `carry` the last value on.
        decimal: what separates fractions, `"."` or `","`; None: found.
        date_format: `"day-first"`, `"month-first"`, or a format such as `"%d/%m/%Y"`; None: found.
        encoding: of a text file, such as `"cp1252"`; None: found.
        sort: `"ascending"` sorts the rows by time; `"descending"` turns around a table whose newest row is first. None:
            turned around if all times fall.
        value: of a long table, the column of the values; None: found.
        option: of a long table, the column of the options' names; None: found.
        sheet: of a workbook, the sheet; None: the only one with a table.
        most: how many values a file may have, its times included; it is refused before more are in memory. None: any.
        progress: show a bar if it takes long; None: on a terminal.
        least: how many periods it must have at least.

    Returns:
        The rows: `names`, `times`, `values`, `notes`, `gains` and `carried`. An array of floats is not copied.

    Raises:
        ValueError: if the source is not a table, or a value or a time is wrong or missing; the message has the place.
        OSError: if the file cannot be read.

    >>> import bygones as by
    >>> rows = by.read_table("@flights", actions=["Alaska Airlines", "Delta Air Lines"])
    >>> rows
    <Rows: costs of 2 options in 365 periods, 2013-01-01 to 2013-12-31>
    >>> rows.values[:2]
    array([[-14.5 ,  -7.58],
           [-20.  ,  -2.31]])
    >>> by.read_table([[1.0, 2.0], [3.0, 4.0]]).names
    ('0', '1')
    >>> by.read_table({"day": ["31.12.2013", "1.1.2014"], "rail": ["0,75", "1.200"], "road": [1, 2]}).values
    array([[7.5e-01, 1.0e+00],
           [1.2e+03, 2.0e+00]])
    """
    word("missing=", missing, ("error", "drop", "carry"))
    reading = checked(
        Reading(
            decimal=decimal,
            date_format=date_format,
            encoding=encoding,
            sort=sort,
            value=value,
            option=option,
            sheet=sheet,
            most=most,
        )
    )
    with calling(source):
        layout, size, pieces = open_pieces(source, time, actions, missing == "drop", reading)
        names, cleaner, gathered = layout.options, Cleaner(missing, prices), Gathered()
        with showing(progress, size, "reading") as tick:
            for piece in pieces:
                names, clean = piece.names, cleaner.clean(piece)
                gathered.add(clean.times, clean.values)
                tick(piece.size)
        cleaner.check()
        if gathered.count < least:
            what = ("return" if prices else "period") + "s" * (gathered.count != 1)
            left, remedy = "", ""
            if cleaner.dropped and cleaner.gaps is not None:
                absent = cleaner.gaps.absent
                worst = shown(names[int(absent.argmax())])
                left = f" left, as {cleaner.dropped:,} lack a value, {absent.max():,} that of {worst}"
                remedy = ", or name the options without it in actions="
            raise ValueError(
                f"it has {gathered.count} {what}{left}: give at least {'two' if least == 2 else least}{remedy}"
            )
        times, timed = pl.concat(gathered.times, rechunk=True), layout.time is not None
        values, total = gathered.values(), list[str]()
        if not (timed or prices or layout.asked) and _sums(values):
            values, times, total = values[:-1], times[:-1], ["the last row is the sum of those above it: left out"]
        doubts = [] if layout.asked else check_suspects(names, np.concatenate(cleaner.first), prices, timed)
        notes = [
            *layout.notes,
            *total,
            *_notes(cleaner, gathered, names),
            *doubts,
            *(spacing(times) if timed and len(times) > 1 else []),
        ]
        once = tuple(dict.fromkeys(notes))  # rows that are read again have notes already
        carried = [each for each in (*layout.carried, *cleaner.carried.all()) if each.option in names]
        relative = prices or layout.prices
        gains, dropped = relative or layout.gains, layout.dropped + cleaner.dropped
        before = layout.before if cleaner.before is None else cleaner.before
        return Rows(names, times, values, once, gains, tuple(carried), relative, dropped, before)


class Cleaner:
    """Cleans one piece of a table after the other.

    Args:
        missing: what to do about a value that is missing: `error`, `drop` the period, or `carry` the last value on.
        prices: the values are prices, and become log price relatives.
    """

    def __init__(self, missing: str, prices: bool) -> None:
        self.missing = missing
        self.prices = prices
        self.dropped = 0
        self.carried = Stretches()
        self.first: list[Array] = []  # the first rows that lack no value
        self.gaps: Gaps | None = None  # once a piece has said how many options there are
        self.refused = False  # a value is missing that should not
        self.before: object = None  # the time of the first price, which has no relative
        self._last: Array | None = None  # the last row, cleaned

    def clean(self, piece: Piece) -> Piece:
        """A piece without fault."""
        values = piece.values
        if not len(values):
            return piece
        gaps = None
        self.gaps = self.gaps or Gaps(values.shape[1])
        if not -LARGEST <= values.min() <= values.max() <= LARGEST:  # nan is not either
            gaps = np.isnan(values)
            if self.missing == "carry":
                piece = piece._replace(values=filled(values, self._last))
            for row, column in np.argwhere(np.abs(piece.values) > LARGEST)[:1].tolist():
                number = piece.values[row, column]
                limits = f"between -{LARGEST:g} and {LARGEST:g}"
                raise ValueError(f"{piece.place(row, column)} is {number:g}: give a number {limits}")
        self.gaps.add(piece, gaps if gaps is not None and gaps.any() else None)
        if gaps is not None:
            there = np.flatnonzero(np.isfinite(piece.values.sum(axis=1)))
            self.dropped += len(values) - len(there)
            self.refused |= self.missing != "drop" and len(there) < len(values)
            piece = piece.only(there)
        if self.refused or not len(piece.values):
            return piece.only(np.arange(0))
        if self.missing == "carry":
            self.carried.add(piece, np.isnan(values))
        left = min(SAMPLE, max(LONG, MOST // values.shape[1])) - sum(map(len, self.first))
        if left > 0:
            self.first.append(values[:left][~np.isnan(values[:left]).any(axis=1)])
        before, self._last = self._last, piece.values[-1].copy()
        return self._relatives(piece, before) if self.prices else piece

    def check(self) -> None:
        """Raise ValueError if a value is missing that should not; once all is read, as it says what can be done."""
        if self.refused and self.gaps is not None:
            raise ValueError(self.gaps.fault(self.missing == "carry"))

    def _relatives(self, piece: Piece, before: Array | None) -> Piece:
        """The logarithm of each price over the one before; the very first has none."""
        for row, column in np.argwhere(piece.values <= 0)[:1].tolist():
            fault = f"{piece.place(row, column)} is {piece.values[row, column]:g}, and prices are above 0"
            raise ValueError(f"{fault}: give one, or leave prices=True out if these are not prices")
        prices, first = (piece.values, 1) if before is None else (np.vstack([before, piece.values]), 0)
        with np.errstate(over="ignore", under="ignore"):
            ratios = prices[1:] / prices[:-1]
        for row, column in np.argwhere(~((ratios >= 1 / LARGEST) & (ratios <= LARGEST)))[:1].tolist():
            after = f"{prices[row + 1, column]:g} after {prices[row, column]:g}"
            raise ValueError(f"{piece.place(row + first, column)} is {after}: the change is too large")
        self.before = piece.times[0] if before is None else self.before
        return piece._replace(times=piece.times[first:], values=np.log(ratios))


def open_pieces(
    source: Any,  # noqa: ANN401
    time: str | None,
    actions: Sequence[str] | None,
    drop: bool,
    reading: Reading | None = None,
) -> Opened:
    """What the columns of any source are, its size if known, and its periods, as they come.

    Args:
        source: as for `read_table`.
        time: the column of times; None: find it.
        actions: the options that count; None: all.
        drop: rows without a time are left out.
        reading: what the user says of how it is written.

    Returns:
        The opened table.

    Raises:
        ValueError: if the source is not a table.
    """
    check_fork()
    said: Reading = {} if reading is None else reading
    rows = resolved(source)
    blocks = rows if isinstance(rows, Iterator) else iter([rows])
    first = list(islice(blocks, 1))
    if not first:
        raise ValueError("it is an iterator without blocks: give at least one")
    blocks = chain(first, blocks)
    if not isinstance(rows, str | Path) and as_frame(first[0]) is None:
        if time is not None:
            raise ValueError(f"time= is {shown(time)}, and it has no such column: leave it out, or give a data frame")
        if isinstance(rows, Rows):
            own = (rows.gains, rows.carried, rows.prices, rows.dropped, rows.before)
            known = Layout((), None, None, True, [*rows.notes], *own)
            return known, None, iter([_piece(rows, actions)])
        return Layout((), asked=actions is not None), None, (_piece(each, actions) for each in _as_rows(blocks))
    large = isinstance(rows, Iterator)
    table = _as_said(open_frames(blocks, time, large), time, said) if large else open_source(rows, time, said)
    gains = isinstance(source, str) and source.startswith("@") and datasets.find(source[1:]).rewards
    layout = lay_out(table.sample, time, actions, said)
    table.notes.extend(layout.notes)
    layout = replace(layout, gains=gains, notes=table.notes)
    return layout, table.size, periods(table, layout, drop, said.get("sort"))


def _as_rows(blocks: Iterator[Any]) -> Iterator[Rows]:
    """Arrays as rows, numbered one after the other."""
    start, width = 0, None
    for block in blocks:
        values = as_array(block)
        if values.ndim != 2 or values.dtype.kind not in "biuf":
            remedy = "a data frame, or an array with one row per period and one column per option"
            fault = f"it is of type {type(block).__name__}, not a table of numbers"
            raise ValueError(f"{fault}: give a path, the name of a data set, {remedy}")
        count, here = values.shape
        width = here if width is None else width
        if here != width:
            raise ValueError(f"after row {start} there are {here} columns, and before it {width}: give as many")
        yield Rows(numbered(here), pl.Series(following(start, count)), np.asarray(values, dtype=np.float64))
        start += count


def _piece(rows: Rows, actions: Sequence[str] | None) -> Piece:
    """Rows as periods."""
    names, times, values = rows.names, rows.times, rows.values
    if len(names) < 2:
        raise ValueError(f"it has {len(names)} columns: give at least two, one for each option")
    if actions is not None:
        wanted = distinct("actions=", actions, 2)
        names, values = wanted, values[:, matched(names, wanted)]
    known = {"row": following(0, len(times)), "time": times} if times.dtype.is_temporal() else {"row": times}
    return Piece(names, times, values, pl.DataFrame(known), len(values))


def open_source(source: Any, time: str | None, reading: Reading | None = None) -> Source:  # noqa: ANN401
    """A file, a bundled data set or a data frame in batches.

    Args:
        source: the path, `@` and the name of the data set, or the data frame.
        time: the column of times, if it was named.
        reading: what the user says of how it is written.

    Returns:
        The source.

    Raises:
        ValueError: if it is not a table, or has no rows.
    """
    if isinstance(source, str) and source.startswith("@"):
        source = datasets.load(source[1:])
    said: Reading = {} if reading is None else reading
    file = isinstance(source, str | Path)
    table = open_file(Path(source), said) if file else open_frames(iter([source]), time, large=False)
    if not table.sample.height:
        raise ValueError(f"it has the columns {listed(table.sample.columns)} and no rows: give one row per period")
    return _as_said(table, time, said)


def _as_said(table: Source, time: str | None, reading: Reading) -> Source:
    """A table with the dates as they are said to be, and batches that know how their numbers are written."""
    date_format = reading.get("date_format")
    if date_format is not None:
        table = as_said(table, date_format, time)
    numerals = Numerals(reading.get("decimal") or find_decimal(table.sample))
    batches = (batch._replace(numerals=numerals) for batch in table.batches)
    return table._replace(batches=batches, numerals=numerals)


def open_columns(source: str | Path, names: Sequence[str] | None) -> tuple[int, Iterator[Piece]] | None:
    """How many periods a wide Parquet or Arrow file has, and the periods; None: it is another file.

    Args:
        source: the path of the file.
        names: the options; where there are such columns, no other is looked at, not even the time. None: find them.

    Returns:
        Both.
    """
    if Path(source).suffix.lower() not in BINARY:
        return None
    table = open_source(source, None)
    there = names is not None and set(names) <= set(table.sample.columns)
    layout = Layout(tuple(names or ()), asked=True) if there else lay_out(table.sample, None, names, {})
    return None if layout.pair or table.size is None else (table.size, periods(table, layout, drop=False))


def _sums(values: Array) -> bool:
    """Whether the last of at least ten rows is the sum of the others, in every column."""
    last = values[-1]
    if len(values) < LONG or not last.any():
        return False
    return bool(np.allclose(values[:-1].sum(axis=0), last, rtol=1e-9, atol=0))


def _notes(cleaner: Cleaner, gathered: Gathered, names: Sequence[str]) -> Iterator[str]:
    """What the user should know of what was read."""
    if cleaner.dropped:
        yield f"{cleaner.dropped:,} {'period lacks' if cleaner.dropped == 1 else 'periods lack'} a value: left out"
    if carried := cleaner.carried.count:
        yield f"{carried:,} missing {'value was' if carried == 1 else 'values were'} carried on"
    if cleaner.prices:
        yield "prices became log price relatives, so that gains add up to log wealth; the first period has none"
    constant = [names[column] for column in gathered.constant()]
    if constant:
        yield f"{listed(constant)} never {'changes' if len(constant) == 1 else 'change'}"
