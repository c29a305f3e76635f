"""Dates as people write them: the day or the month first, quarters, weeks, months by name, days of Excel."""

import re
from itertools import product

import polars as pl

from ..validation import shown
from .batches import Source
from .numbers import is_text, trim
from .reading import DATES

CLOCKS = ("", " %H:%M:%S%.f", " %H:%M", " %I:%M:%S %p", " %I:%M %p")
ORDERS = {  # who is first, with a year of four digits and of two
    "day-first": ("%d{0}%m{0}%Y", "%d{0}%m{0}%y"),
    "month-first": ("%m{0}%d{0}%Y", "%m{0}%d{0}%y"),
    "year-first": ("%y{0}%m{0}%d",),
}
SHAPE = r"^\d{1,4}\s?([-/.])\s?\d{1,2}"  # what begins like a date with one of these between its numbers
EARLIEST = 1000  # year of a date in text: else 31/12/13 would be a day of the year 31
LONG = 10  # rows of which a pattern is not an accident
GAP = r"\s?[-/.]?\s?"
YEAR = (
    rf"(?:{GAP}(?P<y>\d{{4}})|\s?[-/.' \u2019]\s?(?P<s>\d{{2}}))"  # behind a number: with two digits only after a sign
)
QUARTERS, HALVES, WEEKS, MONTHS, NAMED = "quarters", "half-years", "weeks", "months", "months by name"
YEARS = "years that begin in one and end in the next"
WEEK = r"(?:W|KW|CW|week|woche|semaine)\s?(?P<k>\d{1,2})"
PERIODS = {  # how periods are written: the year and the number in it
    QUARTERS: (
        rf"(?i)^(?P<y>\d{{4}}){GAP}[QT](?P<k>[1-4])$",
        rf"(?i)^[QT](?P<k>[1-4]){YEAR}$",
        rf"(?i)^(?P<k>[1-4])\.?\s?(?:quartal|quarter|trimestre|Q){YEAR}$",
    ),
    HALVES: (rf"(?i)^(?P<y>\d{{4}}){GAP}H(?P<k>[12])$", rf"(?i)^H(?P<k>[12]){YEAR}$"),
    WEEKS: (rf"(?i)^(?P<y>\d{{4}}){GAP}{WEEK}$", rf"(?i)^{WEEK}{YEAR}$"),
    MONTHS: (
        rf"(?i)^(?P<y>\d{{4}}){GAP}M(?P<k>\d{{1,2}})$",
        r"^(?P<k>\d{1,2})[/.](?P<y>\d{4})$",
        r"^(?P<y>\d{4})/(?P<k>\d{1,2})$",
    ),
    NAMED: (
        r"^(?:(?P<d>\d{1,2})(?:\.|st|nd|rd|th)?[\s/-]*)?(?P<k>\p{L}{3,})\.?[\s/-]*(?P<y>\d{4})$",
        r"^(?P<k>\p{L}{3,})\.?\s+(?P<d>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<y>\d{4})$",
        r"^(?:(?P<d>\d{1,2})-)?(?P<k>\p{L}{3,})\.?-(?P<s>\d{2})$",
        r"^(?P<k>\p{L}{3,})\.?\s?['\u2019](?P<s>\d{2})$",
        r"^(?P<k>\p{L}{3,})\.?\s(?P<s>\d{2})$",
    ),
    YEARS: (r"^(?P<y>\d{4})\s?[-/]\s?(?P<k>\d{4}|\d{2})$",),
}
DAY_OR_YEAR = r"^\p{L}{3,}\.?[\s-]\d{2}$"
STEP = {QUARTERS: 3, HALVES: 6, MONTHS: 1, NAMED: 1}  # months of a period
WORDS = (  # by month, in English, German, French, Spanish and Italian
    "jan january januar jän jänner janv janvier ene enero gen gennaio",
    "feb february februar fev fév févr février febrero febbraio",
    "mar march mär mrz märz mars marzo",
    "apr april avr avril abr abril aprile",
    "may mai mayo mag maggio",
    "jun june juni juin junio giu giugno",
    "jul july juli juil juillet julio lug luglio",
    "aug august aoû août ago agosto",
    "sep sept september septembre septiembre set settembre",
    "oct october okt oktober octobre octubre ott ottobre",
    "nov november novembre noviembre",
    "dec december dez dezember déc décembre dic diciembre dicembre",
)
NUMBERS = {word: str(number) for number, words in enumerate(WORDS, 1) for word in words.split()}
SERIAL, MOMENTS = "days of Excel", "days of Excel with fractions"
SERIALS = re.compile(r"(?i)(.*[\W_])?(date|datum|day|fecha|month|monat|mois|week|woche)([\W_].*)?")
FIRST, LAST = 20_000, 80_000  # of Excel's days: 1954 to 2119
LEFT_OUT = {
    "%Y": ("%y", "%G", "%F", "%D"),
    "%m": ("%b", "%B", "%h", "%j", "%V", "%F", "%D"),
    "%d": ("%e", "%j", "%u", "%F", "%D"),
}
LEAP = 2000  # stands for a year that is left out
NONE = pl.Series()
BEFORE = 25_569  # days of Excel up to 1970
PIVOT = 70  # two digits below are of this century


def day_or_month(texts: pl.Series, orders: tuple[str, ...] = tuple(ORDERS)) -> str | None:
    """How dates that begin with the day or the month are written; None: not so, or more than one way fits.

    The one that most texts fit is taken. Where two fit alike, it is the one that goes one way, forward or back, in at
    least ten rows, if the other does not.

    Args:
        texts: without blanks around them, none missing.
        orders: who may be first.

    Returns:
        The format.

    >>> day_or_month(pl.Series(["01/02/2013", "31/12/2013"])), day_or_month(pl.Series(["12-31-2013"]))
    ('%d/%m/%Y', '%m-%d-%Y')
    >>> day_or_month(pl.Series(["01/02/2013", "02/02/2013"]))
    >>> day_or_month(pl.Series(["01/02/2013", "02/02/2013"]), ("month-first",))
    '%m/%d/%Y'
    """
    between = texts.str.extract(SHAPE).drop_nulls()
    if 2 * len(between) < max(1, len(texts)):
        return None
    forms = [form.format(between[0]) for order in orders for form in ORDERS[order]]
    parsed = {each: strptime(texts, each) for each in map("".join, product(forms, CLOCKS))}
    most = max(times.count() for times in parsed.values())
    best = {form: times for form, times in parsed.items() if times.count() == most}
    if len(best) > 1 and len(texts) >= LONG:
        best = {form: times for form, times in best.items() if one_way(times)}
    return next(iter(best)) if len(best) == 1 and 2 * most >= len(texts) else None


def one_way(times: pl.Series) -> bool:
    """Whether times only go forward, or only go back."""
    steps = times.drop_nulls().to_physical().diff().drop_nulls()
    return bool((steps >= 0).all() or (steps <= 0).all())


def strptime(texts: pl.Series, written: str) -> pl.Series:
    """Texts in some format as dates, or as times if it has hours; null where they do not fit.

    Args:
        texts: as they were read.
        written: the format.

    Returns:
        One date or time each.
    """
    kind = pl.Datetime("us") if "%H" in written or "%I" in written else pl.Date()
    times = texts.str.strptime(kind, written, strict=False)
    return times.set(times.dt.year() < EARLIEST, None)


def period(texts: pl.Series, kind: str) -> pl.Series:
    """Quarters, weeks and the like as their first days; null where they are written otherwise.

    Args:
        texts: as they were read.
        kind: one of `PERIODS`.

    Returns:
        One date each.

    >>> period(pl.Series(["2019Q3", "Q4 2019", "x"]), QUARTERS).to_list()
    [datetime.date(2019, 7, 1), datetime.date(2019, 10, 1), None]
    >>> period(pl.Series(["2021-W01", "KW 53/2020"]), WEEKS).to_list()
    [datetime.date(2021, 1, 4), datetime.date(2020, 12, 28)]
    >>> period(pl.Series(["Jan 2020", "1. März 2020", "Dec-20"]), NAMED).to_list()
    [datetime.date(2020, 1, 1), datetime.date(2020, 3, 1), datetime.date(2020, 12, 1)]
    >>> period(pl.Series(["2019/20", "2020/21", "2021/12"]), YEARS).to_list()
    [datetime.date(2019, 1, 1), datetime.date(2020, 1, 1), None]
    """
    text = pl.Series("text", texts, dtype=pl.String).str.strip_chars().to_frame()
    found = [text.select(pl.col("text").str.extract_groups(pattern)).unnest("text") for pattern in PERIODS[kind]]
    year, short, number, day = (
        pl.select(
            pl.coalesce(*(each[name] for each in found if name in each.columns), pl.lit(None, pl.String))
        ).to_series()
        for name in "yskd"
    )
    two = short.cast(pl.Int64)
    year = year.fill_null((two + 1900 + 100 * (two < PIVOT).cast(pl.Int64)).cast(pl.String))
    if kind == YEARS:
        follows = number.str.slice(-2).cast(pl.Int64) == (year.cast(pl.Int64) + 1) % 100
        return strptime(year.set(~follows, None) + "-01-01", "%Y-%m-%d")
    if kind == WEEKS:
        return (year + "-W" + number.str.zfill(2) + "-1").str.strptime(pl.Date, "%G-W%V-%u", strict=False)
    if kind == NAMED:
        number = number.str.to_lowercase().replace_strict(NUMBERS, default=None, return_dtype=pl.String)
    month = ((number.cast(pl.Int64, strict=False) - 1) * STEP[kind] + 1).cast(pl.String).str.zfill(2)
    return strptime(year + "-" + month + "-" + day.fill_null("01"), "%Y-%m-%d")


def periodic(texts: pl.Series) -> str | None:
    """Which of `PERIODS` most texts are; None: of none, or the day or the year may follow a month's name.

    Some years such as 2009/10 are like months. They are years where all are, so that they are no months in a row.

    Args:
        texts: without blanks around them, none missing.

    Returns:
        The kind.

    >>> periodic(pl.Series(["2009/10", "2010/11"])), periodic(pl.Series(["Jan 20", "Feb 20"]))
    ('years that begin in one and end in the next', 'months by name')
    >>> periodic(pl.Series(["Jan-01", "Jan-02"]))
    """
    texts = texts.unique(maintain_order=True)
    years = period(texts, YEARS).count()
    if years > 1 and 2 * years >= len(texts) and years >= period(texts.str.replace("-", "/"), MONTHS).count():
        return YEARS
    known = (each for each in PERIODS if each != YEARS and 2 * period(texts, each).count() >= len(texts))
    kind = next(known, None)
    if kind == NAMED and 2 * texts.str.contains(DAY_OR_YEAR).sum() >= len(texts):
        months = period(texts, NAMED).drop_nulls()
        steps = months.dt.year().diff().abs().drop_nulls()
        unclear = (months.dt.month().diff() == 0).any() or (steps > 1).any() or not one_way(months)
        return None if unclear else kind
    return kind


def are_serial(name: str, numbers: pl.Series) -> bool:
    """Whether numbers are the days that Excel counts, by the name of their column and their size.

    Args:
        name: of the column.
        numbers: floats; null or nan: missing.

    Returns:
        Whether they are.

    >>> are_serial("Invoice date", pl.Series([41639.0])), are_serial("cost", pl.Series([41639.0]))
    (True, False)
    """
    if SERIALS.fullmatch(name) is None:
        return False
    there = numbers.fill_nan(None).drop_nulls()
    return len(there) > 0 and bool(there.is_between(FIRST, LAST).all())


def of_serial(days: pl.Series, whole: bool) -> pl.Series:
    """Excel's days as dates, or as times.

    Args:
        days: as numbers.
        whole: they are dates; one with a fraction is null.

    Returns:
        One date or time each.

    >>> of_serial(pl.Series([41639.0, 41639.5]), whole=True).to_list()
    [datetime.date(2013, 12, 31), None]
    """
    wrong = (days < FIRST) | (days > LAST) | ((days != days.floor()) & whole)
    seconds = (days.set(wrong, None) - BEFORE) * 86_400
    times = (seconds.round().cast(pl.Int64) * 1_000_000).cast(pl.Datetime("us"))
    return times.dt.date() if whole else times


def told(column: str, written: str | None, text: object) -> list[str]:
    """A note on how dates are read, unless they are plain.

    Args:
        column: that they are in.
        written: how they are written.
        text: one of them.

    Returns:
        One note, or none.

    >>> told("day", "%d/%m/%y", "31/12/13")
    ["the dates of 'day' have the day first, as in '31/12/13'"]
    """
    first = {"%d": "the day", "%m": "the month", "%y": "the year"}.get((written or "")[:2])
    if first:
        return [f"the dates of {shown(column)} have {first} first, as in {shown(text)}"]
    if written in PERIODS:
        return [f"{shown(column)} has {written}, as in {shown(text)}, and their first days stand for them"]
    if written in (SERIAL, MOMENTS):
        return [f"the numbers of {shown(column)} are the days that Excel counts, as in {shown(text)}"]
    return []


def as_said(table: Source, date_format: str, time: str | None) -> Source:
    """A table whose dates are written as the user says, with the same dates as 2013-12-31.

    Args:
        table: as it was opened.
        date_format: who is first, or a format.
        time: the column of the times, if it was named.

    Returns:
        The table; what does not fit the format stays as it is.
    """
    formats: dict[str, str] = {}
    for name in table.sample.columns if time is None else [time]:
        texts = trim(table.sample[name]).drop_nulls() if is_text(table.sample[name]) else pl.Series(dtype=pl.String)
        written = day_or_month(texts, (date_format,)) if date_format in DATES else date_format
        if written is not None and 0 < len(texts) <= 2 * _said(texts, written).count():
            formats[name] = written
            table.notes.extend(told(name, written, texts[0]))

    def said(frame: pl.DataFrame) -> pl.DataFrame:
        there = {name: written for name, written in formats.items() if is_text(frame.get_column(name, default=NONE))}
        columns = {name: trim(frame[name]) for name in there}
        dates = {name: _said(columns[name], written).dt.to_string("iso") for name, written in there.items()}
        return frame.with_columns(texts.fill_null(columns[name]).alias(name) for name, texts in dates.items())

    batches = (batch._replace(frame=said(batch.frame)) for batch in table.batches)
    return table._replace(sample=said(table.sample), batches=batches)


def _said(texts: pl.Series, written: str) -> pl.Series:
    """Dates in a user's format, of which the year, the month or the day may be left out."""
    for part, others in LEFT_OUT.items():
        if not any(each in written for each in (part, *others)):
            texts, written = texts + (f" {LEAP}" if part == "%Y" else " 01"), f"{written} {part}"
    try:
        return strptime(texts, written)
    except pl.exceptions.PolarsError:
        raise ValueError(f"date_format= is {shown(written)}, which is not a format such as '%d/%m/%Y'") from None
