"""Reading a table: from any source to checked rows."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from .. import datasets
from ..parallel import showing
from ..validation import as_array, as_frame, distinct, listed, matched, shown, word
from .batches import Source, following
from .cleaner import MISSING, Cleaner
from .columns import Layout, lay_out
from .files import BINARY, open_array, open_file
from .frames import open_frames
from .periods import Piece, periods
from .rows import Gathered, Rows, Tabular, calling, numbered
from .times import spacing


class Opened(NamedTuple):
    """A table as it is read: its periods, its size if known, whether it has times and gains, and what to know of it."""

    pieces: Iterator[Piece]
    size: int | None
    timed: bool = False
    gains: bool = False
    notes: Sequence[str] = ()


def read_table(
    source: Any,  # noqa: ANN401
    *,
    time: str | None = None,
    actions: Sequence[str] | None = None,
    prices: bool = False,
    missing: str = "error",
    progress: bool | None = None,
) -> Rows:
    """Read a table from any source and check it.

    It may be wide, with one column per option, or long: a column of times, one of the options' names and one of values.
    The rows of a wide table must be in the order of time. Those of a long table may come in any order, as each has its
    period; only a file too large to sort, or an iterator, must come period by period.

    Args:
        source: the path of a CSV, TSV, Parquet, Arrow, JSON lines or `.npy` file, `@` and the name of a bundled data
            set, any data frame, an array or nested lists, a `Table`, rows that were read before, or an iterator of
            blocks, all arrays or all data frames. The options of an array are called "0", "1" and so on.
        time: the column of times; None: the one that holds dates, or is called `date`, `time`, `day` and so on.
        actions: the options that count, in this order; None: all columns but the time.
        prices: the values are prices, and become the returns since the period before.
        missing: what to do about a value that is missing: `error`, `drop` the period, or `carry` the last value on.
        progress: show a bar if it takes long; None: on a terminal.

    Returns:
        The rows: `names`, `times`, `values`, `notes` and `gains`. An array of floats is not copied.

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
    """
    word("missing=", missing, MISSING)
    with calling(source):
        table = open_pieces(source, time, actions, missing == "drop")
        cleaner = Cleaner(missing, prices)
        gathered = Gathered()
        names: tuple[str, ...] = ()
        with showing(progress, table.size, "reading") as tick:
            for piece in table.pieces:
                names = piece.names
                gathered.add(*cleaner.clean(piece))
                tick(piece.size)
        if gathered.count < 2:
            what = ("return" if prices else "period") + "s" * (gathered.count != 1)
            left, remedy = "", ""
            if cleaner.dropped:
                worst = shown(names[int(cleaner.absent.argmax())])
                left = f" left, as {cleaner.dropped:,} lack a value, {cleaner.absent.max():,} that of {worst}"
                remedy = ", or name the options without it in actions="
            raise ValueError(f"it has {gathered.count} {what}{left}: give at least two{remedy}")
        times = gathered.times()
        uneven = spacing(times) if table.timed else None
        notes = (*table.notes, *_notes(cleaner, gathered, names), *([] if uneven is None else [uneven]))
        once = tuple(dict.fromkeys(notes))  # rows that are read again have notes already
        return Rows(names, times, gathered.values(), once, prices or table.gains)


def open_pieces(source: Any, time: str | None, actions: Sequence[str] | None, drop: bool) -> Opened:  # noqa: ANN401
    """The periods of any source, as they come.

    Args:
        source: as for `read_table`.
        time: the column of times; None: find it.
        actions: the options that count; None: all.
        drop: rows without a time are left out.
    """
    rows = source.as_rows() if isinstance(source, Tabular) else source
    table, gains = None, False
    if isinstance(rows, Rows):
        tables, gains = iter([rows]), rows.gains
    elif isinstance(source, Iterator):
        first = list(islice(source, 1))
        if not first:
            raise ValueError("it is an iterator without blocks: give at least one")
        blocks = chain(first, source)
        if as_frame(first[0]) is None:
            tables = _as_rows(blocks)
        else:
            table = open_frames(blocks, time, large=True)
    elif is_array(source):
        tables = _as_rows(iter([open_array(Path(source)) if isinstance(source, str | Path) else source]))
    else:
        table = open_source(source, time)
        gains = isinstance(source, str) and source.startswith("@") and datasets.find(source[1:]).rewards
    if table is None:
        if time is not None:
            raise ValueError(f"time= is {shown(time)}, and it has no such column: leave it out, or give a data frame")
        return Opened((_piece(each, actions) for each in tables), None, gains=gains, notes=getattr(rows, "notes", ()))
    layout = lay_out(table.sample, time, actions)
    return Opened(periods(table, layout, drop), table.size, layout.time is not None, gains, layout.notes)


def is_array(source: Any) -> bool:  # noqa: ANN401
    """Whether a source is an array, or a file of one, and not a table with columns that have names."""
    if isinstance(source, str | Path):
        return Path(source).suffix.lower() == ".npy"
    return as_frame(source) is None


def _as_rows(blocks: Iterator[Any]) -> Iterator[Rows]:
    """Arrays as rows, numbered one after the other."""
    start, width = 0, None
    for block in blocks:
        values = as_array(block)
        if values.ndim != 2 or values.dtype.kind not in "biuf":
            raise ValueError(
                f"it is of type {type(block).__name__}, and no table of numbers: give a path, the name of a data set, "
                "a data frame, or an array with one row per period and one column per option"
            )
        count, here = values.shape
        width = here if width is None else width
        if here != width:
            raise ValueError(f"after row {start} there are {here} columns, and before {width}: give as many")
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


def open_source(source: Any, time: str | None) -> Source:  # noqa: ANN401
    """A file, a bundled data set or a data frame in batches."""
    if isinstance(source, str) and source.startswith("@"):
        source = datasets.load(source[1:])
    file = isinstance(source, str | Path)
    table = open_file(Path(source)) if file else open_frames(iter([source]), time, large=False)
    if not table.sample.height:
        raise ValueError(f"it has the columns {listed(table.sample.columns)} and no rows: give one row per period")
    return table


def open_columns(source: Any, names: Sequence[str] | None) -> Opened | None:  # noqa: ANN401
    """The periods of a wide Parquet or Arrow file, whose number is known; None: it is another source.

    Args:
        source: as for `read_table`.
        names: the options; where there are such columns, no other is looked at, not even the time. None: find them.
    """
    if not isinstance(source, str | Path) or Path(source).suffix.lower() not in BINARY:
        return None
    table = open_source(source, None)
    if names is not None and set(names) <= set(table.sample.columns):
        layout = Layout(None, tuple(names), None, True, [])
    else:
        layout = lay_out(table.sample, None, names)
    return None if layout.pair else Opened(periods(table, layout, drop=False), table.size)


def _notes(cleaner: Cleaner, gathered: Gathered, names: Sequence[str]) -> Iterator[str]:
    """What the user should know of what was read."""
    if cleaner.dropped:
        yield f"{cleaner.dropped:,} {'period lacks' if cleaner.dropped == 1 else 'periods lack'} a value: left out"
    if cleaner.carried:
        yield f"{cleaner.carried:,} missing {'value was' if cleaner.carried == 1 else 'values were'} carried on"
    if cleaner.prices:
        yield "prices became returns since the period before, added up, not compounded; the first period has none"
    constant = [names[column] for column in gathered.constant()]
    if constant:
        yield f"{listed(constant)} never {'changes' if len(constant) == 1 else 'change'}"
