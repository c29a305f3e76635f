"""Columns of times: how they are written, that they go forward, and how evenly."""

from itertools import product
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..validation import shown
from .batches import Batch, cell, place
from .dates import (
    LONG,
    MOMENTS,
    MONTHS,
    PERIODS,
    SERIAL,
    YEARS,
    are_serial,
    day_or_month,
    of_serial,
    period,
    periodic,
    strptime,
)
from .numbers import is_text, trim, unclear_day
from .numerals import POINTED

TOTALS = (
    r"(?i)^\s*(\d{4}\s)?(grand |sub)?"
    r"(totale?s?|sum|summe|gesamt\w*|somme|suma|average|mean|durchschnitt|mittelwert|moyenne|media|promedio)\b"
)
WHOLE, NUMBER, WORDED = "whole numbers", "numbers", "whole numbers behind a word"
WORD = r"(?i)^(?:w|kw|cw|week|woche|semaine|semana|day|tag|jour|month|monat|mois|period|periode|round)\.?\s?(\d{1,6})$"
DAYS = ("%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d")
COMPACT = "%Y%m%d"
MONTH = "%Y-%m"
CLOCKS = tuple("".join(parts) for parts in product(DAYS[:2], "T ", ("%H:%M:%S%.f", "%H:%M"), ("", "%#z")))
FORMS = (*DAYS, MONTH, "%G-W%V-%u", *CLOCKS)
LIKELY = r"\d{4}|\d[-/.]\d{1,2}[-/.]\d|\p{L}.?\d\d|\p{L}\s?\d\D{1,3}\d\d"  # what all dates have
FIRST_DAY, LAST_DAY = -719_161, 2_932_895  # since 1970; one less at either end, for the sake of time zones
EIGHT_DIGITS = 19_000_101, 21_001_231  # numbers that may be days
DAY = 86_400_000_000  # microseconds
UNITS = {"ms": DAY // 1000, "us": DAY, "ns": DAY * 1000}  # of a day
PIECE = 2**20  # times whose steps are held at once
CALENDAR = ((28, 31), (89, 92), (181, 184), (365, 366))  # days of a month, a quarter, half a year, a year


def form(sample: pl.Series) -> str | None:
    """How most times of a sample are written; None: they are not times.

    >>> import polars as pl
    >>> [form(pl.Series([text])) for text in ("2013-01-17", "2013-01-17T08:00Z", "2013", "17.1.2013", "2019Q3")]
    ['%Y-%m-%d', '%Y-%m-%dT%H:%M%#z', 'whole numbers', '%d.%m.%Y', 'quarters']
    >>> form(pl.Series(["1.2.2013", "2.2.2013"]))  # the day or the month may be first
    >>> form(pl.Series([20130117, 20130118]))
    '%Y%m%d'
    """
    if sample.dtype in (pl.Date, pl.Datetime):
        return ""
    if is_text(sample):
        if are_months(sample):
            return MONTHS
        plain = sample.cast(pl.String).cast(pl.Float64, strict=False)
        if np.isnan(plain.to_numpy()).sum() == sample.null_count() < len(sample):
            return form(plain.drop_nulls() if sample.null_count() else plain)  # what follows is slow
        texts = trim(sample).drop_nulls()
        numbers = parse(texts, NUMBER).drop_nulls()
        if 2 * len(numbers) >= max(1, len(texts)):
            return form(numbers)
        if 2 * texts.str.contains(WORD).sum() >= max(1, len(texts)):
            return WORDED
        if 2 * (texts.str.contains(LIKELY).sum() or 0) < max(1, len(texts)):
            return None
        kind = periodic(texts)
        known = (each for each in FORMS if 2 * parse(texts, each).count() >= len(texts))
        return kind if kind == YEARS else next(known, None) or kind or day_or_month(texts)
    if sample.dtype.is_numeric():
        numbers = sample.cast(pl.Float64)
        values = numbers.to_numpy()  # nan where one is missing
        least, most = EIGHT_DIGITS
        days = len(values) > 0 and bool(((values >= least) & (values <= most)).all())
        if days and not parse(numbers, COMPACT).has_nulls():
            return COMPACT
        whole = bool(((values == np.floor(values)) | np.isnan(values)).all())
        if are_serial(sample.name, numbers):
            return SERIAL if whole else MOMENTS
        return WHOLE if whole else NUMBER
    return None


def are_months(texts: pl.Series) -> bool:
    """Whether texts such as 01.2020 are months, not numbers: most are like that, and go one way or have noughts.

    >>> are_months(pl.Series(["11.2019", "12.2019", "01.2020"])), are_months(pl.Series(["11.2019", "1.5"]))
    (True, False)
    """
    first = next(iter(texts.head(LONG).drop_nulls()), "")
    if POINTED.fullmatch(str(first).strip()) is None:  # soon, as there may be 100,000 columns
        return False
    known = trim(texts).drop_nulls().unique(maintain_order=True)
    months = period(known.filter(known.str.contains(f"^(?:{POINTED.pattern})$")), MONTHS)
    if len(known) - len(months) > known.str.contains(TOTALS).sum() or len(months) < 2:
        return False
    steps = np.diff(ticks(months))
    return bool((steps > 0).all() or (steps < 0).all() or known.str.starts_with("0").any())


def dated(written: str | None) -> bool:
    """Whether times are written with a year, month and so on."""
    return written is not None and "numbers" not in written


def parse(times: pl.Series, written: str) -> pl.Series:
    """Times that are written in some form; null where they are not.

    Args:
        times: as they were read.
        written: how they are written, as `form` says.

    Returns:
        Dates, times of day, or numbers.
    """
    if not written:
        return within(times)
    if is_text(times):
        times = times.cast(pl.String)
    if written == WORDED:
        return times.str.strip_chars().str.extract(WORD).cast(pl.Int64) if is_text(times) else parse(times, WHOLE)
    if written == COMPACT:
        return parse(times, WHOLE).cast(pl.String).str.to_date(COMPACT, strict=False)
    if written == WHOLE:
        if times.dtype.is_float():
            times = times.set(times != times.floor(), None)
        return times.cast(pl.Int64, strict=False)
    if written in (NUMBER, SERIAL, MOMENTS):
        numbers = times.cast(pl.Float64, strict=False).fill_nan(None)
        return numbers if written == NUMBER else of_serial(numbers, written == SERIAL)
    if not is_text(times):
        return pl.Series([None] * len(times), dtype=pl.Date)
    if written == MONTH:
        return parse(times + "-01", DAYS[0])
    return within(period(times, written) if written in PERIODS else strptime(times, written))


def read_times(batch: Batch, column: str, written: str | None, drop: bool) -> pl.Series:
    """The times of a batch, null where a row without one is dropped, is a total of the others or only a remark.

    Args:
        batch: the rows.
        column: the one of the times.
        written: how they are written; None: unlike any time.
        drop: rows without a time are left out.

    Returns:
        One time per row.

    Raises:
        ValueError: if a time is wrong or missing; the message has its place.
    """
    given = batch.frame[column]
    times = given.clear(len(given)) if written is None else parse(given, written)
    if not times.has_nulls():
        return times
    known = trimmed(given)
    times = times if written is None else parse(known, written)
    total = are_totals(given) if written is not None else pl.repeat(False, len(given), eager=True)
    if written is not None and batch.frame.width > 1:  # a remark has nothing but words, in place of a time
        total |= batch.frame.select(pl.all_horizontal(pl.exclude(column).is_null())).to_series() & known.is_not_null()
    wrong = (times.is_null() & ~total & (known.is_not_null() | (not drop))).arg_true()
    if len(wrong):
        place, value = cell(batch.places, wrong[0], column), within(given)[wrong[0]]
        if known.is_null()[wrong[0]]:
            raise ValueError(f'{place}, the time, is missing: give it, or leave such rows out with missing="drop"')
        dates = "2013-01-17, 2013-01 or 2013-01-17 08:30, all of one kind"
        like = "a number, as before" if not dated(written) and written else dates
        unclear = unclear_day(place, value) if written is None and isinstance(value, str) else None
        remedy = f"write {like}, or name the column that is one with time="
        raise ValueError(unclear or f"{place} is {shown(value)}, not a time: {remedy}")
    return times


def are_totals(times: pl.Series) -> pl.Series:
    """Which rows are sums or means of the others, by what they have in place of a time.

    >>> are_totals(pl.Series(["2013-01-17", "Total", "Gesamtsumme:", "Average 2013"])).to_list()
    [False, True, True, True]
    """
    if not is_text(times):
        return pl.repeat(False, len(times), eager=True)
    return times.cast(pl.String).str.contains(TOTALS).fill_null(False)


def trimmed(times: pl.Series) -> pl.Series:
    """Times as they were read, without the blanks around them; null: missing."""
    if is_text(times):
        return trim(times)
    return times.fill_nan(None) if times.dtype.is_float() else times


def within(times: pl.Series) -> pl.Series:
    """Times, null where their year is not from 1 to 9999, which nobody could show."""
    if not isinstance(times.dtype, pl.Date | pl.Datetime):
        return times
    unit = UNITS[times.dtype.time_unit] if isinstance(times.dtype, pl.Datetime) else 1
    far = ~(times.to_physical() // unit).is_between(FIRST_DAY, LAST_DAY)
    return times.set(far, None) if far.any() else times


def ticks(times: pl.Series) -> NDArray[Any]:
    """Times as numbers that can be compared."""
    return times.to_physical().to_numpy()


def not_after(times: pl.Series) -> int | None:
    """The first of the times that is not after the one before; None: they go forward."""
    numbers = ticks(times)
    early = np.flatnonzero(numbers[1:] <= numbers[:-1])
    return int(early[0]) + 1 if early.size else None


def goes_back(times: pl.Series) -> bool:
    """Whether each time is before the one in front of it."""
    steps = np.diff(ticks(times.drop_nulls()))
    return steps.size > 0 and bool((steps < 0).all())


def check_forward(places: pl.DataFrame, column: str) -> None:
    """Check that the time of every row is after that of the row before.

    Args:
        places: of the rows, with their times.
        column: that the times are from.

    Raises:
        ValueError: if one is not; the message names both rows.
    """
    times = places["time"]
    row = not_after(times)
    if row is None:
        return
    if len(times[row - 1 : row + 1].unique()) == 1:
        fault, columns = "has the same time as", "the column of the options' names with option= and that of their"
        remedy = f"give each period one row; or, where each row is about one option, say {columns} values with value="
    else:
        anew = "" if times.dtype.is_temporal() else ", write dates where numbers start again each year"
        fault, named = "is earlier than", "name the time with time= and the options with actions="
        remedy = f'sort the rows by {shown(column)} with sort="ascending"{anew}, or {named}'
    raise ValueError(f"{place(places, row)} {fault} {place(places, row - 1)}: {remedy}")


def spacing(times: pl.Series) -> list[str]:
    """A note, where the steps from one time to the next differ, but not as months and years do.

    >>> import polars as pl
    >>> from datetime import date
    >>> spacing(pl.Series([date(2013, 1, 17), date(2013, 1, 18), date(2013, 1, 21), date(2013, 1, 22)]))
    ['the times are unevenly spaced: most steps are 1 day, 1 other goes up to 3 days; each row counts as one period']
    """
    step = _duration if times.dtype.is_temporal() else "{:g}".format
    numbers = ticks(times.cast(pl.Datetime("us")) if times.dtype.is_temporal() else times)
    pieces = (np.diff(numbers[at : at + PIECE + 1]) for at in range(0, len(numbers) - 1, PIECE))
    ends = np.array([(piece.min(), piece.max()) for piece in pieces])
    low, high = ends[:, 0].min(), ends[:, 1].max()
    calendar = times.dtype.is_temporal() and any(low >= least * DAY and high <= most * DAY for least, most in CALENDAR)
    if low == high or calendar:
        return []
    sizes, counts = np.unique(np.diff(numbers), return_counts=True)
    usual, others = sizes[counts.argmax()], counts.sum() - counts.max()
    extreme = f"up to {step(high)}" if high > usual else f"down to {step(low)}"
    more = f"{others:,} other{'s go' if others > 1 else ' goes'} {extreme}"
    return [f"the times are unevenly spaced: most steps are {step(usual)}, {more}; each row counts as one period"]


def _duration(microseconds: int) -> str:
    """A step in words.

    >>> [_duration(DAY // 2), _duration(3 * DAY), _duration(90_000_000)]
    ['12 hours', '3 days', '90 seconds']
    """
    units = {"day": DAY, "hour": DAY // 24, "minute": DAY // 1440}
    unit = next((unit for unit, size in units.items() if microseconds % size == 0), "second")
    count = microseconds / units.get(unit, 1_000_000)
    return f"{count:,.10g} {unit}{'' if count == 1 else 's'}"
