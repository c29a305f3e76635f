"""What the columns of a table are: which is the time, which are options, and whether each option has its own column."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from ..validation import distinct, listed, matched, shown
from .numbers import is_text, misspelt, trim
from .rows import Carried, check_named
from .times import NUMBER, WHOLE, dated, form, parse

CALLED = re.compile("(?i:date|datetime|day|hour|minute|month|period|quarter|round|step|time|timestamp|week|year)|t")
INDICES = ("", "__index_level_0__", "index", "unnamed: 0")  # what an index without a name is called in files
LONG = 10  # rows of which a pattern is not an accident
THOUSANDS, HUNDREDS = r"^\s*[-+]?[1-9]\d{0,2}(\.\d{3})+\s*$", r"^\s*[-+]?\d{1,3}\s*$"


@dataclass(frozen=True)
class Layout:
    """What the columns are.

    Args:
        options: the options asked for; of a wide table all, of a long one () means those that appear.
        time: the column of times; None: there is none.
        pair: of a long table, the column of the options' names and that of the values; None: the table is wide.
        asked: the options were named by the user.
        notes: what the user should know.
        gains: the values are known to be gains.
        carried: of rows that were read before, the stretches of values that were carried on.
        prices: of rows that were read before, whether they are log price relatives.
    """

    options: tuple[str, ...]
    time: str | None = None
    pair: tuple[str, str] | None = None
    asked: bool = False
    notes: list[str] = field(default_factory=list)
    gains: bool = False
    carried: tuple[Carried, ...] = ()
    prices: bool = False


def lay_out(sample: pl.DataFrame, time: str | None, actions: Sequence[str] | None) -> Layout:
    """Find what the columns are from their names and the first rows.

    Args:
        sample: the first rows of the table.
        time: the column of times; None: find it.
        actions: the options; None: find them.

    Returns:
        What each column is.

    Raises:
        ValueError: if that cannot be determined, or there are fewer than two options.
    """
    wanted = () if actions is None else distinct("actions=", actions, 2)
    rest, notes = sample.columns, []
    if rest[0].lower() in INDICES and time is None and _counts(sample[rest[0]]):
        name = f"is called {shown(rest[0])}" if rest[0] else "has no name"
        notes.append(f"the first column {name} and was taken for row numbers")
        del rest[0]
    if time is None:
        time = find_time(sample, [name for name in rest if name not in wanted])
    else:
        matched(rest, [time])
    if time in wanted:
        raise ValueError(f"{shown(time)} is both the time and an option: take it out of time= or of actions=")
    rest = [name for name in rest if name != time]
    pair = _pair(sample, time, rest) if time is not None and not set(wanted) & set(rest) else None
    options = wanted or (() if pair else tuple(rest))
    if pair is None:
        matched(rest, options)
        check_named(options)
    if pair is None and len(options) < 2:
        found = f"only {shown(options[0])} is an option" if options else "there is no option"
        raise ValueError(f"{found} among its columns, {listed(sample.columns)}: give at least two columns of numbers")
    counting = [] if wanted else [name for name in options if _counts(sample[name], LONG)]
    if counting:
        first = "" if time else "name it with time= if it is the time, "
        fault = f"column {shown(counting[0])} counts the rows, and is hardly an option"
        raise ValueError(f"{fault}: {first}take it out, or name the options in actions=")
    notes += _pointed(sample.select((pair[1],) if pair else options))
    return Layout(options, time, pair, bool(wanted), notes)


def find_time(sample: pl.DataFrame, columns: Sequence[str]) -> str | None:
    """The one column that holds times; None: there is none.

    Args:
        sample: the first rows of a table.
        columns: those that may be the time.

    Returns:
        Its name.

    Raises:
        ValueError: if several columns could be the time.
    """
    found = [name for name in columns if _may_be_time(sample[name])]
    if len(found) > 1:
        remedy = "say which with time=, and the options with actions=, or make one column of them"
        raise ValueError(f"{listed(found)} could each be the time: {remedy}")
    return found[0] if found else None


def _may_be_time(series: pl.Series) -> bool:
    """Whether a column holds dates, or has the name of times and whole numbers, others that rise, or text."""
    written = form(series)
    if dated(written) or not CALLED.fullmatch(series.name):
        return dated(written)
    if written == NUMBER:
        return bool((parse(series, NUMBER).drop_nulls().diff().drop_nulls() > 0).all())
    return written == WHOLE or (written is None and is_text(series))


def _pair(sample: pl.DataFrame, time: str, rest: Sequence[str]) -> tuple[str, str] | None:
    """Which of two columns has the options' names, and which the values; None: neither has names.

    Of a long table the times or the names come again and again; where both are all new, these are not names.
    """
    words = [name for name in rest if len(rest) == 2 and _worded(sample[name])]
    again = sample.height < LONG or any(sample[name].is_duplicated().any() for name in (time, *words))
    if len(words) != 1 or not again:
        return None
    return words[0], rest[1 - rest.index(words[0])]


def _worded(series: pl.Series) -> bool:
    """Whether a column holds words, and not times, or numbers however they are written."""
    if not is_text(series) or form(series) is not None:
        return False
    texts = trim(series).drop_nulls()
    return len(texts) > 0 and misspelt(texts[0]) is None


def _pointed(values: pl.DataFrame) -> list[str]:
    """A note on points that may group thousands: three digits follow each, and some numbers have none."""
    notes = []
    texts = values.select(pl.col(pl.String))
    hundreds = texts.select(pl.all().str.contains(HUNDREDS).any()).row(0) if texts.width else ()
    for column in (texts[name] for name, there in zip(texts.columns, hundreds, strict=True) if there):
        some = column.filter(column.str.contains(".", literal=True))
        if len(some) and some.str.contains(THOUSANDS).all():
            what = f"in {shown(column.name)} three digits follow every point, as in {shown(some[0])}"
            notes.append(f"{what}: these are read as fractions, so write 1069 where thousands are meant")
    return notes


def _counts(series: pl.Series, least: int = 1) -> bool:
    """Whether a column holds the numbers of rows: 0, 1, 2 or 1, 2, 3 and so on, of which there are enough."""
    if series.count() < least or form(series) != WHOLE:
        return False
    numbers = series.cast(pl.String if is_text(series) else pl.Float64).cast(pl.Float64, strict=False).to_numpy()
    steps = np.diff(numbers)
    return len(numbers) > 0 and numbers[0] in (0, 1) and bool(((steps == 1) | np.isnan(steps)).all())
