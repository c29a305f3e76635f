"""What the columns of a table are: which is the time, which are options, and whether each option has its own column."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from ..validation import distinct, listed, matched, shown
from .dates import LONG, told
from .numbers import is_numeral, is_text, trim
from .reading import Reading
from .rows import Carried, check_named
from .times import NUMBER, WHOLE, WORDED, dated, form, parse, ticks, trimmed

CALLED = re.compile(
    "(?i:date|datetime|day|hour|minute|month|period|quarter|round|step|time|timestamp|week|year"
    "|datum|jahr|monat|periode|quartal|woche|zeit|année|annee|jour|mois|semaine|trimestre|fecha|semana|año"
    r"|(?:calendar )?week[ _]?(?:no|nr|num|number)\W*|kalenderwoche)|t"
)
SHORT = re.compile("(?i:kw|cw|wk|yr)|[Mm]o")  # times, or options
INDICES = ("", "__index_level_0__", "index", "unnamed: 0")  # what an index without a name is called in files


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
        dropped: of rows that were read before, how many periods were left out.
        before: of price relatives that were read before, the time of the price before the first one.
    """

    options: tuple[str, ...]
    time: str | None = None
    pair: tuple[str, str] | None = None
    asked: bool = False
    notes: list[str] = field(default_factory=list)
    gains: bool = False
    carried: tuple[Carried, ...] = ()
    prices: bool = False
    dropped: int = 0
    before: object = None


def lay_out(sample: pl.DataFrame, time: str | None, actions: Sequence[str] | None, reading: Reading) -> Layout:
    """Find what the columns are from their names and the first rows.

    Args:
        sample: the first rows of the table.
        time: the column of times; None: find it.
        actions: the options; None: find them.
        reading: what the user says of how the table is written.

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
    said = {key: name for key, name in reading.items() if key in ("option", "value") and isinstance(name, str)}
    matched(rest, list(said.values()))
    if time is None:
        time = find_time(sample, [name for name in rest if name not in (*wanted, *said.values())])
    else:
        matched(rest, [time])
    if time in wanted:
        raise ValueError(f"{shown(time)} is both the time and an option: take it out of time= or of actions=")
    rest = [name for name in rest if name != time]
    pair = written = None
    if time is None and said:
        raise ValueError("a long table needs a column of times, and there is none: name it with time=")
    if time is not None:
        others = [name for name in _odd(sample.select(rest)) if not _may_be_option(sample[name])]
        pair = _pair(sample, time, rest, others, said) if said or not set(wanted) & set(rest) else None
        written = form(sample[time])
        notes += told(time, written, next(iter(sample[time].drop_nulls()), None))
        left = [name for name in rest if name not in pair] if pair else [] if wanted else others
        if left and (pair or not sample[time].is_duplicated().any()):
            why = f"the options are in {shown(pair[0])}, the values in {shown(pair[1])}" if pair else "no numbers"
            notes.append(f"{listed(left)} {'are' if len(left) > 1 else 'is'} left out ({why})")
            rest = [name for name in rest if name not in left]
    if "date_format" in reading and (time is None or not dated(written)):
        given = shown(reading["date_format"])
        raise ValueError(f"date_format= is {given}, and no column has such dates: leave it out, or give another")
    if time is not None and pair is None:
        rest = rest if wanted else _without_parts(sample, time, rest, notes)
        numbers = None if dated(written) or written is None else parse(trimmed(sample[time]), written)
        if numbers is not None and starts_again(numbers):
            top = int(ticks(numbers.drop_nulls()).max())
            notes.append(f"{shown(time)} starts again after {top}: the rows are taken in their order")
            time = None
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
    dates = [name for name in found if dated(form(sample[name]))]
    if len(dates) == 1 and all(form(sample[name]) in (WHOLE, WORDED) for name in found if name != dates[0]):
        return dates[0]
    if len(found) > 1:
        remedy = "say which with time=, and the options with actions=, or make one column of them"
        raise ValueError(f"{listed(found)} could each be the time: {remedy}")
    return found[0] if found else None


def _may_be_time(series: pl.Series) -> bool:
    """Whether a column holds dates, or has the name of times and whole numbers, others that rise, or text."""
    written = form(series)
    if dated(written):
        return True
    if not CALLED.fullmatch(series.name):
        short = SHORT.fullmatch(series.name) is not None or written == WORDED
        return short and written in (WHOLE, WORDED) and _runs(parse(trimmed(series), written))
    if written == NUMBER:
        return bool((parse(series, NUMBER).drop_nulls().diff().drop_nulls() > 0).all())
    return written in (WHOLE, WORDED) or (written is None and is_text(series))


def _runs(numbers: pl.Series) -> bool:
    """Whether numbers go one way, or start again."""
    steps = numbers.drop_nulls().diff().drop_nulls()
    return bool((steps >= 0).all() or (steps <= 0).all()) or starts_again(numbers)


def starts_again(numbers: pl.Series) -> bool:
    """Whether numbers count from 0 or 1 to some number, again and again, as weeks and months do from year to year.

    >>> starts_again(pl.Series([51, 52, 1, 2])), starts_again(pl.Series([51, 52, 53])), starts_again(pl.Series([3, 1]))
    (True, False, False)
    """
    values = numbers.drop_nulls().to_numpy()
    steps = np.diff(values)
    back = np.flatnonzero(steps != 1)
    ends = values[back]
    return bool(back.size and np.isin(values[back + 1], (0, 1)).all() and (ends >= max(ends.max() - 1, 4)).all())


def _without_parts(sample: pl.DataFrame, time: str, rest: Sequence[str], notes: list[str]) -> list[str]:
    """The columns but those that repeat a part of the date; raises ValueError where one only may do so."""
    repeated = parts_of_time(sample, time, rest)
    if repeated:
        several = len(repeated) > 1
        notes.append(f"{listed(repeated)} repeat{'s' * (not several)} {shown(time)}: left out")
    kept = [name for name in rest if name not in repeated]
    for name in kept:
        named = CALLED.fullmatch(name) or SHORT.fullmatch(name)
        if named and form(sample[name]) in (WHOLE, WORDED) and _may_be_time(sample[name]):
            remedy = "take it out, or name the options in actions="
            raise ValueError(f"{shown(name)} is called like a time, and hardly an option: {remedy}")
    return kept


def parts_of_time(sample: pl.DataFrame, time: str | None, columns: Sequence[str]) -> list[str]:
    """The columns that only repeat a part of the date: its year, quarter, month, week or day.

    Without a name that says so, ten rows must.

    Args:
        sample: the first rows of a table.
        time: the column of times.
        columns: those to look at.

    Returns:
        Their names.

    >>> days = pl.DataFrame({"date": ["2020-01-06", "2020-02-03"], "KW": [2, 6], "rail": [2, 7]})
    >>> parts_of_time(days, "date", ["KW", "rail"])
    ['KW']
    """
    written = None if time is None else form(sample[time])
    if time is None or not dated(written) or sample.height < 2:
        return []
    dates = parse(trimmed(sample[time]), str(written))
    weekday = dates.dt.weekday()
    parts = [dates.dt.year(), dates.dt.iso_year(), dates.dt.quarter(), dates.dt.month(), dates.dt.week()]
    parts += [dates.dt.day(), weekday, weekday - 1, weekday % 7]
    there = dates.is_not_null()
    known = {tuple(part.filter(there).cast(pl.Float64).to_list()) for part in parts}
    found = []
    for name in columns:
        named = CALLED.fullmatch(name) or SHORT.fullmatch(name)
        sure = named or (len(dates) >= LONG and not _counts(sample[name]))
        kind = form(sample[name]) if sure and not sample[name].null_count() else None
        if kind in (WHOLE, WORDED):
            numbers = parse(sample[name], str(kind)).filter(there).cast(pl.Float64)
            found += [name] * (tuple(numbers.to_list()) in known)
    return found


Pair = tuple[str, str] | None


def _pair(sample: pl.DataFrame, time: str, rest: Sequence[str], others: Sequence[str], said: dict[str, str]) -> Pair:
    """Of a long table, the column of the options' names and that of the values; None: the table is wide.

    Of a long table the times come again and again, or there are no two columns of numbers, and the names come again.
    Names are words of which no time has one twice.
    """
    words = [name for name in others if _worded(sample[name])]
    numbers = [name for name in rest if name not in others and sample[name].count()]
    again = sample[time].is_duplicated().any()
    if not said and not again:
        some = [name for name in words if sample.height < LONG or sample[name].is_duplicated().any()]
        return (some[0], numbers[0]) if len(some) == len(words) == len(numbers) == 1 else None
    if not said and not words:
        return None
    several = [name for name in words if sample[name].n_unique() > 1] or words
    once = [name for name in several if sample.select(time, name).is_unique().all()]
    options = [said["option"]] if "option" in said else once or several
    values = [said["value"]] if "value" in said else [name for name in numbers if name not in options]
    if len(options) == len(values) == 1:
        return options[0], values[0]
    unclear = [
        f"{what} (one of {listed(found)}) with {key}=" if found else f"{what} with {key}="
        for what, key, found in (("the options", "option", options), ("the values", "value", values))
        if len(found) != 1
    ]
    raise ValueError(f"each row is about one option: name the column of {', and that of '.join(unclear)}")


def _odd(columns: pl.DataFrame) -> list[str]:
    """The columns that do not hold plain numbers; they are looked for all at once, as there may be 100,000."""
    texts = columns.select(pl.col(pl.String))
    counts = texts.null_count().row(0), texts.cast(pl.Float64, strict=False).null_count().row(0)
    plain = {name for name, before, after in zip(texts.columns, *counts, strict=True) if before == after}
    return [name for name, dtype in columns.schema.items() if not dtype.is_numeric() and name not in plain]


def _worded(series: pl.Series) -> bool:
    """Whether a column holds words, and not times, or numbers however they are written."""
    if not is_text(series) or form(series) is not None:
        return False
    texts = trim(series).drop_nulls()
    return len(texts) > 0 and 2 * is_numeral(texts).sum() < len(texts)


def _may_be_option(series: pl.Series) -> bool:
    """Whether a column may hold numbers: not words, dates or truths."""
    return not (_worded(series) or dated(form(series)))


def _counts(series: pl.Series, least: int = 1) -> bool:
    """Whether a column holds the numbers of rows: 0, 1, 2 or 1, 2, 3 and so on, of which there are enough."""
    if series.count() < least or form(series) != WHOLE:
        return False
    numbers = series.cast(pl.String if is_text(series) else pl.Float64).cast(pl.Float64, strict=False).to_numpy()
    steps = np.diff(numbers)
    return len(numbers) > 0 and numbers[0] in (0, 1) and bool(((steps == 1) | np.isnan(steps)).all())
