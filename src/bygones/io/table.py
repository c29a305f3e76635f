"""Reading a table: from a file, a bundled data set or a data frame to checked rows."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .. import datasets
from ..parallel import showing
from ..validation import listed, shown, word
from .batches import Source
from .cleaner import MISSING, Cleaner
from .columns import lay_out
from .files import open_file
from .frames import open_frame
from .periods import periods
from .rows import Gathered, Rows
from .times import spacing


def read(
    source: Any,  # noqa: ANN401
    *,
    time: str | None = None,
    actions: Sequence[str] | None = None,
    prices: bool = False,
    missing: str = "error",
    progress: bool | None = None,
) -> Rows:
    """A table, checked.

    It may be wide, a column an option, or long: a column of times, one of the options' names and one of values. The
    rows of a wide table must be in the order of time. Those of a long table may come in any order, as each says its
    period; only a file too large to sort must come period by period.

    Args:
        source: the path of a CSV, TSV, Parquet, Arrow or JSON lines file, `@` and the name of a bundled data set, or
            any data frame.
        time: the column of times; None: the one that holds dates, or is called `date`, `time`, `day` and so on.
        actions: the options that count, in this order; None: all columns but the time.
        prices: the values are prices, and become the returns since the period before.
        missing: what to do about a value that is missing: `error`, `drop` the period, or `carry` the last value on.
        progress: show a bar where it takes long; None: on a terminal.

    >>> rows = read("@flights", actions=["Alaska Airlines", "Delta Air Lines"])
    >>> rows.values.shape, rows.times[0]
    ((365, 2), datetime.date(2013, 1, 1))
    """
    word("--missing", missing, MISSING)
    with calling(source):
        table = open_source(source, time)
        layout = lay_out(table, time, actions)
        cleaner = Cleaner(missing, prices)
        gathered, names = Gathered(), layout.options
        with showing(progress, table.size, "reading") as tick:
            for piece in periods(table, layout, missing == "drop"):
                names = piece.names
                gathered.add(*cleaner.clean(piece))
                tick(piece.size)
        if gathered.count < 2:
            what = ("return" if prices else "period") + "s" * (gathered.count != 1)
            left, remedy = "", ""
            if cleaner.dropped:
                worst = shown(names[int(cleaner.absent.argmax())])
                left = f" left, as {cleaner.dropped:,} lack a value, {cleaner.absent.max():,} that of {worst}"
                remedy = ", or name the options without it in --actions"
            raise ValueError(f"it has {gathered.count} {what}{left}: give at least two{remedy}")
        times = gathered.times()
        uneven = None if layout.time is None else spacing(times)
        notes = (*layout.notes, *_notes(cleaner, gathered, names), *([] if uneven is None else [uneven]))
        return Rows(names, times, gathered.values(), notes)


def open_source(source: Any, time: str | None) -> Source:  # noqa: ANN401
    """A table in batches, whatever it is."""
    if isinstance(source, str) and source.startswith("@"):
        table = open_frame(datasets.load(source[1:]), time)
    elif isinstance(source, str | Path):
        table = open_file(Path(source))
    else:
        table = open_frame(source, time)
    if not table.sample.height:
        raise ValueError(f"it has the columns {listed(table.columns)} and no rows: give a row a period")
    return table


@contextmanager
def calling(source: Any) -> Iterator[None]:  # noqa: ANN401
    """Say of which table an error tells."""
    name = str(source) if isinstance(source, str | Path) else "the table"
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    except PermissionError:
        raise OSError(f"{name}: it may not be read: change who may, or copy it") from None
    except OSError as error:
        raise OSError(f"{name}: {error.strerror or error}") from None


def _notes(cleaner: Cleaner, gathered: Gathered, names: Sequence[str]) -> Iterator[str]:
    """What the user should know of what was read."""
    if cleaner.lost:
        yield f"{cleaner.lost:,} {'row has' if cleaner.lost == 1 else 'rows have'} no time: left out"
    if cleaner.dropped:
        yield f"{cleaner.dropped:,} {'period lacks' if cleaner.dropped == 1 else 'periods lack'} a value: left out"
    if cleaner.carried:
        yield f"{cleaner.carried:,} missing {'value was' if cleaner.carried == 1 else 'values were'} carried on"
    if cleaner.prices:
        yield "prices became returns since the period before, added up, not compounded; the first period has none"
    constant = [names[column] for column in gathered.constant()]
    if constant:
        yield f"{listed(constant)} never {'changes' if len(constant) == 1 else 'change'}"
