"""Ordinary business files, as spreadsheets, ERP systems, banks and shops write them, with the numbers they hold."""

import gzip
import io
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import xlsxwriter

ROWS = 16
NAMES = ("Müller", "Rossi", "O'Neil & Sons")
PLAIN = ("rail", "road", "sea")
VALUES = np.array(
    [[1234.5, 987.25, 45.1], [0.75, 2345.0, 1e6], [12.0, 1050.4, 999.99], [-3.5, 10000.01, 7.0]] * (ROWS // 4)
) + np.arange(ROWS)[:, np.newaxis] * np.array([1.0, 2.0, 3.0])
VALUES = VALUES.round(2)
DAYS = [date(2019, 12, 20) + timedelta(day) for day in range(ROWS)]
MONTHS = [date(2019 + month // 12, month % 12 + 1, 1) for month in range(ROWS)]
QUARTERS = [date(2016 + k // 4, 3 * (k % 4) + 1, 1) for k in range(ROWS)]
WEEKS = [date(2020, 11, 2) + timedelta(weeks=k) for k in range(ROWS)]  # over a year with 53


class Answer(NamedTuple):
    """Keywords that settle a question, and what is read then; None: what the file holds."""

    keywords: dict[str, Any]
    values: np.ndarray | None = None
    times: Sequence[Any] | None = None


class Business(NamedTuple):
    about: str
    file: str
    content: Callable[[], bytes]
    names: Sequence[str] = PLAIN
    times: Sequence[Any] = DAYS
    values: np.ndarray = VALUES
    noted: str = ""  # words of a note
    asked: str = ""  # words of the question; "": there is none
    answers: Sequence[Answer] = ()
    keywords: dict[str, Any] = {}  # noqa: RUF012 never changed


# Numbers


def grouped(group: str, decimal: str, digits: int = 2) -> Callable[[float], str]:
    def write(value: float) -> str:
        return f"{value:,.{digits}f}".translate({ord(","): group, ord("."): decimal})

    return write


def minus_last(value: float) -> str:
    text = german(abs(value))
    return f"{text}-" if value < 0 else text


def bracketed(value: float) -> str:
    return f"({american(-value)})" if value < 0 else american(value)


def dollars(value: float) -> str:
    return f"-${american(-value)}" if value < 0 else f"${american(value)}"


def accounting(value: float) -> str:
    return f"$({american(-value)})" if value < 0 else f"$ {american(value)}"


def indian(value: float) -> str:
    whole, _, rest = f"{abs(value):.2f}".partition(".")
    head, tail = whole[:-3], whole[-3:]
    while len(head) > 2:
        head, tail = head[:-2], f"{head[-2:]},{tail}"
    return f"{'-' * (value < 0)}₹{head}{',' * bool(head)}{tail}.{rest}"


def no_cents(mark: str, form: str = "{}") -> Callable[[float], str]:
    """Whole amounts have a dash in place of the cents."""

    def write(value: float) -> str:
        whole = grouped(OTHER[mark], mark)(value)
        return form.format(whole.replace(f"{mark}00", f"{mark}-"))

    return write


OTHER = {",": ".", ".": "'"}
plain = str
comma = grouped("", ",")
german, american, swiss = grouped(".", ","), grouped(",", "."), grouped("'", ".")
french, narrow, blank = grouped("\u00a0", ","), grouped("\u202f", ","), grouped(" ", ",")

# Times


def on(form: str) -> Callable[[date], str]:
    return lambda day: day.strftime(form)


def short(day: date) -> str:
    return f"{day.day}.{day.month}.{day.year}"


def short_american(day: date) -> str:
    return f"{day.month}/{day.day}/{day.year}"


def quarter(form: str) -> Callable[[date], str]:
    return lambda day: form.format(y=day.year, q=(day.month + 2) // 3)


def week(form: str) -> Callable[[date], str]:
    return lambda day: form.format(y=day.isocalendar().year, w=day.isocalendar().week)


def named(words: str, form: str = "{m} {y}") -> Callable[[date], str]:
    return lambda day: form.format(m=words.split()[day.month - 1], y=day.year, d=day.day)


def serial(day: date) -> str:
    return str((day - date(1899, 12, 30)).days)


# Files


def wide(
    number: Callable[[float], str] = plain,
    time: Callable[[date], str] = str,
    *,
    names: Sequence[str] = PLAIN,
    days: Sequence[date] = DAYS,
    values: np.ndarray = VALUES,
    separator: str = ";",
    encoding: str = "utf-8",
    end: str = "\n",
    head: str = "date",
    above: str = "",
    below: str = "",
    last: str = "",
    quoted: bool = False,
    turn: int = 1,
    more: Sequence[tuple[str, Callable[[int], str]]] = (),
) -> Callable[[], bytes]:
    """One column per option; `more` columns stand after the time, `last` ends every line."""

    def field(text: str) -> str:
        return f'"{text}"' if quoted or separator in text else text

    def make() -> bytes:
        rows = [[head, *(name for name, _ in more), *names]]
        for k, (day, row) in list(enumerate(zip(days, values.tolist(), strict=True)))[::turn]:
            rows.append([time(day), *(cell(k) for _, cell in more), *map(number, row)])
        lines = [separator.join(map(field, row)) + last for row in rows]
        return (above + end.join(lines) + end + below).encode(encoding)

    return make


def long(
    number: Callable[[float], str] = plain,
    time: Callable[[date], str] = str,
    *,
    more: Sequence[tuple[str, Callable[[int, int], str]]] = (),
    heads: tuple[str, str, str] = ("date", "supplier", "cost"),
    names: Sequence[str] = PLAIN,
    separator: str = ";",
    encoding: str = "utf-8",
    turn: int = 1,
) -> Callable[[], bytes]:
    """One row per time and option, with more columns behind."""

    def make() -> bytes:
        rows = [[*heads, *(name for name, _ in more)]]
        for k, day in list(enumerate(DAYS))[::turn]:
            for i, name in enumerate(names):
                rows.append([time(day), name, number(float(VALUES[k, i])), *(cell(k, i) for _, cell in more)])
        return "".join(separator.join(row) + "\n" for row in rows).encode(encoding)

    return make


def book(fill: Callable[[xlsxwriter.Workbook, Callable[..., Any]], None]) -> Callable[[], bytes]:
    def make() -> bytes:
        file = io.BytesIO()
        made = xlsxwriter.Workbook(file, {"in_memory": True})
        fill(made, lambda form: made.add_format({"num_format": form}))
        made.close()
        return file.getvalue()

    return make


def sheet(
    name: str = "Costs",
    top: int = 0,
    left: int = 0,
    *,
    title: str = "",
    number: Any = None,
    time: str | Callable[[date], Any] = "dd.mm.yyyy",
    form: str = "#,##0.00",
    turn: int = 1,
    total: str = "",
) -> Callable[..., None]:
    """A table in a sheet: numbers and dates as such, or as texts where they are written by functions."""

    def fill(made: xlsxwriter.Workbook, formed: Callable[..., Any]) -> None:
        page = made.add_worksheet(name)
        if title:
            page.merge_range(0, left, 0, left + 3, title)
        page.write_row(top, left, ["Datum", *PLAIN])
        for place, k in enumerate(range(ROWS)[::turn], top + 1):
            if isinstance(time, str):
                page.write_datetime(place, left, datetime.combine(DAYS[k], datetime.min.time()), formed(time))
            else:
                page.write(place, left, time(DAYS[k]))
            for i, value in enumerate(VALUES[k].tolist(), left + 1):
                page.write(place, i, value if number is None else number(value), formed(form))
        if total:
            page.write(top + ROWS + 1, left, total)
            page.write_row(top + ROWS + 1, left + 1, VALUES.sum(axis=0).tolist())

    return fill


def sheets(*fills: Callable[..., None]) -> Callable[[], bytes]:
    return book(lambda made, formed: [fill(made, formed) for fill in fills] and None)


def notes_page(made: xlsxwriter.Workbook, _: Any) -> None:
    made.add_worksheet("Read me").write(0, 0, "All amounts without tax.")


def packed(make: Callable[[], bytes]) -> Callable[[], bytes]:
    return lambda: gzip.compress(make())


def frame_file(
    kind: str, time: Callable[[date], Any] = str, number: Callable[[float], Any] = float
) -> Callable[[], bytes]:
    def make() -> bytes:
        columns = {name: [number(value) for value in VALUES[:, i].tolist()] for i, name in enumerate(PLAIN)}
        file = io.BytesIO()
        getattr(pl.DataFrame({"date": list(map(time, DAYS))} | columns), f"write_{kind}")(file)
        return file.getvalue()

    return make


PREAMBLE = "Kontonummer;DE12 3456 7890\nZeitraum;20.12.2019 - 04.01.2020\n\n"
ENGLISH = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"
GERMAN = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
FRENCH = "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc."
SHARES = (VALUES[:, :3] % 90).round(1)
THOUSANDS = np.array([[1234.0, 953.0, 2011.0], [870.0, 1500.0, 3200.0]] * (ROWS // 2)) + np.arange(ROWS)[:, np.newaxis]
SMALL = (THOUSANDS / 1000).round(3)
EACH = np.where(THOUSANDS < 1000, THOUSANDS, THOUSANDS / 1000)  # where a separator is taken for a decimal one
FIRSTS = MONTHS[:12]  # 1 January to 1 December: their days and months can change places
SWAPPED = [date(2019, 1, month) for month in range(1, 13)]
YEARS = list(range(2001, 2001 + ROWS))
UNITS = ("weight kg", lambda k, i: str(100 + k))
DIVIDED = np.array([[float(f"{value:.1f}e-2") for value in row] for row in SHARES.tolist()])
HOLED = VALUES.copy()
HOLED[:5, 2] = np.nan

BUSINESS = [
    # spreadsheets, saved as text
    Business("Excel, German", "a.csv", wide(german, on("%d.%m.%Y"), encoding="cp1252", end="\r\n", names=NAMES, head="Datum"), NAMES, noted="decimal comma"),
    Business("Excel, German, UTF-8", "a.csv", wide(german, short, encoding="utf-8-sig", end="\r\n", names=NAMES), NAMES, noted="the day first"),
    Business("Excel, German, Unicode text", "a.txt", wide(german, short, separator="\t", encoding="utf-16", end="\r\n", names=NAMES), NAMES),
    Business("Excel, Austrian, no groups", "a.csv", wide(comma, on("%d.%m.%Y"))),
    Business("Excel, French", "a.csv", wide(french, on("%d/%m/%Y"), encoding="cp1252", names=NAMES), NAMES, noted="groups"),
    Business("Excel, French, narrow blanks", "a.csv", wide(narrow, on("%d/%m/%Y"))),
    Business("Excel, Spanish, blanks", "a.csv", wide(blank, on("%d/%m/%Y"), head="Fecha")),
    Business("Excel, Swiss", "a.csv", wide(swiss, on("%d.%m.%Y"), names=NAMES), NAMES, noted="groups"),
    Business("Excel, Swiss, curly", "a.csv", wide(grouped("\u2019", "."), on("%d.%m.%Y"))),
    Business("Excel, US", "a.csv", wide(american, short_american, separator=",", end="\r\n"), noted="the month first"),
    Business("Excel, US, dollars", "a.csv", wide(dollars, short_american, separator=","), noted="currencies"),
    Business("Excel, US, accounting", "a.csv", wide(accounting, short_american, separator=","), noted="negative"),
    Business("Excel, US, brackets", "a.csv", wide(bracketed, on("%m/%d/%Y"), separator=",", quoted=True), noted="negative"),
    Business("Excel, British", "a.csv", wide(lambda value: f"£{american(value)}".replace("£-", "-£"), on("%d/%m/%Y"), separator=",")),
    Business("Excel, Indian", "a.csv", wide(indian, on("%d-%m-%Y"), separator=",")),
    Business("Excel, Danish", "a.csv", wide(lambda value: f"kr. {german(value)}", on("%d-%m-%Y"), encoding="cp1252")),
    Business("Excel, Brazilian", "a.csv", wide(lambda value: f"R$ {german(value)}", on("%d/%m/%Y"))),
    Business("Excel, euros behind", "a.csv", wide(lambda value: f"{german(value)} €", on("%d.%m.%Y"), encoding="cp1252"), noted="currencies"),
    Business("Excel, sep=", "a.csv", wide(comma, on("%d.%m.%Y"), above="sep=;\n")),
    Business("Excel, real minus", "a.csv", wide(lambda value: german(value).replace("-", "\u2212"), short)),
    Business("LibreOffice, tabs", "a.tsv", wide(german, on("%d.%m.%y"), separator="\t"), noted="the day first"),
    Business("Google Sheets, US", "a.csv", wide(american, short_american, separator=",", encoding="utf-8")),
    Business("Numbers, quoted", "a.csv", wide(comma, on("%d.%m.%Y"), quoted=True, separator=",")),
    Business("a price list, dashes for cents", "a.csv", wide(no_cents(",", "{} €"), short), noted="in place of cents"),
    Business("a price list, Swiss, dashes for cents", "a.csv", wide(no_cents(".", "CHF {}"), short), noted="in place of cents"),
    Business("Excel, US, accounting with nothing", "a.csv", wide(lambda value: " $-   " if value == 12 + 2 else f" ${american(value)} ", short_american, separator=","), values=np.where(VALUES == 12 + 2, 0, VALUES)),
    # ERP systems, banks, shops
    Business("SAP, minus behind", "a.txt", wide(minus_last, on("%d.%m.%Y"), separator="|"), noted="minus behind"),
    Business("SAP, minus and currency behind", "a.csv", wide(lambda value: f"{minus_last(value)} EUR", on("%d.%m.%Y"))),
    Business("SAP, UTF-16 without a mark", "a.txt", wide(german, on("%d.%m.%Y"), separator="\t", encoding="utf-16-le")),
    Business("SAP, UTF-16 the other way round", "a.txt", wide(german, on("%d.%m.%Y"), separator="\t", encoding="utf-16-be")),
    Business("SAP, dates without signs", "a.csv", wide(comma, on("%Y%m%d"))),
    Business("an ERP report with a title", "a.csv", wide(german, short, above="Kosten je Lieferant\nStand: 05.01.2020\n\n"), noted="3 lines above"),
    Business("an ERP report with a padded title", "a.csv", wide(german, short, above="Kosten je Lieferant;;;\n;;;\n"), noted="above the columns' names"),
    Business("an ERP report with a total", "a.csv", wide(german, short, below="Summe;1.000,00;2.000,00;3.000,00\n"), noted="1 row is a total"),
    Business("an ERP report, separators at line ends", "a.csv", wide(german, short, last=";")),
    Business("an ERP report, newest first", "a.csv", wide(german, short, turn=-1), noted="turned around"),
    Business("a bank, newest first, with a preamble", "a.csv", wide(german, on("%d.%m.%Y"), encoding="cp1252", above=PREAMBLE, turn=-1, names=NAMES), NAMES, noted="turned around"),
    Business("a bank, ISO codes", "a.csv", wide(lambda value: f"CHF {swiss(value)}", on("%d.%m.%Y"))),
    Business("a shop, weekday and remark", "a.csv", wide(american, str, separator=",", more=[("weekday", lambda k: DAYS[k].strftime("%A")), ("remark", lambda k: "sale" if k % 5 == 0 else "")]), noted="left out"),
    Business("a shop, two dates", "a.csv", wide(plain, str, more=[("booked", lambda k: str(DAYS[k] + timedelta(3)))]), asked="'date', 'booked' could each be the time", answers=[Answer({"time": "date"}), Answer({"time": "booked"}, times=[day + timedelta(3) for day in DAYS])]),
    Business("advertising, rates in percent", "a.csv", wide(lambda value: f"{value:.1f}%", str, values=SHARES, separator=","), values=DIVIDED, noted="hundredths"),
    Business("advertising, German percent", "a.csv", wide(lambda value: f"{value:.1f} %".replace(".", ","), short, values=SHARES), values=DIVIDED, noted="hundredths"),
    Business("advertising, with hours", "a.csv", wide(plain, lambda day: f"{short_american(day)} 8:30 AM", separator=","), times=[datetime(day.year, day.month, day.day, 8, 30) for day in DAYS]),
    Business("a log of a machine", "a.csv", wide(comma, lambda day: f"{day:%d.%m.%Y} 23:15:00"), times=[datetime(day.year, day.month, day.day, 23, 15) for day in DAYS]),
    # times
    Business("months by name", "a.csv", wide(american, named(ENGLISH), days=MONTHS, separator=","), times=MONTHS, noted="months by name"),
    Business("months by name, short years", "a.csv", wide(american, lambda day: day.strftime("%b-%y"), days=MONTHS, separator=","), times=MONTHS),
    Business("German months", "a.csv", wide(german, named(GERMAN), days=MONTHS, encoding="cp1252"), times=MONTHS),
    Business("German days and months", "a.csv", wide(german, named(GERMAN, "{d}. {m} {y}"), head="Tag")),
    Business("French months", "a.csv", wide(narrow, named(FRENCH), days=MONTHS), times=MONTHS),
    Business("days with English months", "a.csv", wide(plain, on("%d-%b-%Y"))),
    Business("days with English months, US", "a.csv", wide(plain, on("%B %d, %Y"), separator=",")),
    Business("months of Eurostat", "a.csv", wide(plain, on("%YM%m"), days=MONTHS, separator=","), times=MONTHS, noted="months"),
    Business("months with a slash", "a.csv", wide(plain, on("%m/%Y"), days=MONTHS), times=MONTHS),
    Business("quarters", "a.csv", wide(plain, quarter("{y}Q{q}"), days=QUARTERS, separator=","), times=QUARTERS, noted="quarters"),
    Business("quarters with a dash", "a.csv", wide(comma, quarter("{y}-Q{q}"), days=QUARTERS), times=QUARTERS),
    Business("quarters first", "a.csv", wide(american, quarter("Q{q} {y}"), days=QUARTERS, separator=","), times=QUARTERS),
    Business("French quarters", "a.csv", wide(narrow, quarter("T{q} {y}"), days=QUARTERS), times=QUARTERS),
    Business("weeks", "a.csv", wide(plain, week("{y}-W{w:02}"), days=WEEKS, separator=","), times=WEEKS, noted="weeks"),
    Business("German weeks", "a.csv", wide(comma, week("KW {w}/{y}"), days=WEEKS), times=WEEKS),
    Business("weeks, newest first", "a.csv", wide(comma, week("{y}W{w:02}"), days=WEEKS, turn=-1), times=WEEKS, noted="turned around"),
    Business("days of Excel", "a.csv", wide(plain, serial, head="Invoice date"), noted="days that Excel counts"),
    Business("years, newest first", "a.csv", wide(german, str, days=YEARS, turn=-1, head="Jahr"), times=YEARS, noted="turned around"),
    Business("years of two digits", "a.csv", wide(plain, on("%m/%d/%y"), separator=","), noted="the month first"),
    Business("a first of every month, with slashes", "a.csv", wide(comma, on("%d/%m/%Y"), days=FIRSTS, values=VALUES[:12]), times=FIRSTS, values=VALUES[:12], asked="the day or the month may be first", answers=[Answer({"date_format": "day-first"}), Answer({"date_format": "%d/%m/%Y"}), Answer({"date_format": "month-first"}, times=SWAPPED)]),
    Business("a first of every month, with points", "a.csv", wide(german, on("%d.%m.%Y"), days=FIRSTS, values=VALUES[:12], head="Monat"), times=FIRSTS, values=VALUES[:12], asked="the day or the month may be first", answers=[Answer({"date_format": "day-first"}), Answer({"date_format": "month-first"}, times=SWAPPED)]),
    Business("months with a point", "a.csv", wide(plain, on("%m.%Y"), days=MONTHS, head="Monat"), times=MONTHS, noted="months"),
    Business("months with a point, decimal commas", "a.csv", wide(comma, lambda day: f"{day.month}.{day.year}", days=MONTHS, head="Monat"), times=MONTHS),
    Business("weeks with short years", "a.csv", wide(comma, lambda day: week("KW{w:02}/{y}")(day).replace("/20", "/"), days=WEEKS), times=WEEKS),
    Business("quarters with short years", "a.csv", wide(comma, lambda day: quarter("Q{q}/{y}")(day).replace("/20", "/"), days=QUARTERS), times=QUARTERS),
    Business("German quarters", "a.csv", wide(comma, quarter("{q}. Quartal {y}"), days=QUARTERS), times=QUARTERS),
    Business("months by name, short years, blanks", "a.csv", wide(plain, on("%b %y"), days=MONTHS, separator=","), times=MONTHS),
    Business("years from summer to summer", "a.csv", wide(plain, lambda year: f"{year}/{(year + 1) % 100:02}", days=YEARS, head="Season"), times=[date(year, 1, 1) for year in YEARS], noted="end in the next"),
    Business("weeks behind a word", "a.csv", wide(plain, lambda k: f"Week {k}", days=list(range(1, 1 + ROWS)), head="Week"), times=list(range(1, 1 + ROWS))),
    Business("weeks that start again", "a.csv", wide(plain, lambda k: str((k + 44) % 52 + 1), days=list(range(1, 1 + ROWS)), head="KW"), times=list(range(1, 1 + ROWS)), noted="starts again after 52"),
    Business("a date and its week", "a.csv", wide(comma, short, more=[("KW", lambda k: str(DAYS[k].isocalendar().week)), ("Yr", lambda k: str(DAYS[k].year))]), noted="'KW', 'Yr' repeat 'date': left out"),
    Business("a date and a week of another kind", "a.csv", wide(comma, short, more=[("Week no", lambda k: str(k // 7 + 1))]), asked="'Week no' is called like a time", answers=[Answer({"actions": list(PLAIN)})]),
    Business("a date and a week by another name", "a.csv", wide(comma, short, more=[("x", lambda k: str(k // 3 + 1))]), asked="'x' is a running number", answers=[Answer({"actions": list(PLAIN)})]),
    Business("days without years", "a.csv", wide(plain, lambda k: f"Jan-{k:02}", days=list(range(1, 1 + ROWS)), head="day"), times=[date(2000, 1, k) for k in range(1, 1 + ROWS)], asked="a year or a day may follow the month", answers=[Answer({"date_format": "%b-%d"}), Answer({"date_format": "%b-%y"}, times=[date(2000 + k, 1, 1) for k in range(1, 1 + ROWS)])]),
    # two meanings
    Business("thousands alone, US", "a.csv", wide(grouped(",", ".", 0), values=THOUSANDS, separator=","), values=THOUSANDS, asked="its comma may be decimal", answers=[Answer({"decimal": "."}), Answer({"decimal": ","}, values=EACH)]),
    Business("thousands alone, German", "a.csv", wide(grouped(".", ",", 0), short, values=THOUSANDS), values=THOUSANDS, asked="which may be a fraction or thousands", answers=[Answer({"decimal": ","}), Answer({"decimal": "."}, values=EACH)]),
    Business("three places, German", "a.csv", wide(grouped("", ",", 3), short, values=SMALL + 1), values=(SMALL + 1).round(3), asked="its comma may be decimal", answers=[Answer({"decimal": ","}), Answer({"decimal": "."}, values=np.round((SMALL + 1) * 1000))]),
    Business("thousands, German, settled by one price", "a.csv", wide(lambda value: "0,5" if value == THOUSANDS[7, 1] else grouped(".", ",", 0)(value), values=THOUSANDS), values=np.where(THOUSANDS[7, 1] == THOUSANDS, 0.5, THOUSANDS)),
    Business("thousands with euros, settled by cents", "a.csv", wide(lambda value: f"€{american(value)}", values=THOUSANDS, separator=","), values=THOUSANDS),
    Business("a table in no order", "a.csv", lambda: shuffled(wide(comma, short)()), asked='sort="ascending"', answers=[Answer({"sort": "ascending"})]),
    Business("newest first, without a time", "a.csv", wide(comma, turn=-1, more=[("x", lambda k: "")]), keywords={"sort": "descending", "actions": list(PLAIN)}),
    # long tables
    Business("long", "a.csv", long(german, short), noted="decimal comma"),
    Business("long, newest first, with a region", "a.csv", long(german, short, turn=-1, more=[("region", lambda k, i: "north")]), noted="'region' is left out"),
    Business("long, from a data base", "a.csv", long(plain, more=[("currency", lambda k, i: "EUR"), ("remark", lambda k, i: "")], separator=","), noted="left out"),
    Business("long, with a weight", "a.csv", long(german, short, more=[UNITS]), asked="one of 'cost', 'weight kg'", answers=[Answer({"value": "cost"}), Answer({"value": "weight kg"}, values=np.repeat(np.arange(100.0, 100 + ROWS), 3).reshape(-1, 3))]),
    Business("long, with a kind of supplier", "a.csv", long(comma, short, more=[("kind", lambda k, i: "abc"[i])]), asked="one of 'supplier', 'kind'", answers=[Answer({"option": "supplier"})]),
    Business("long, with numbers of suppliers", "a.csv", long(comma, short, names=("101", "102", "103")), ("101", "102", "103"), asked="option=", answers=[Answer({"option": "supplier"}), Answer({"option": "supplier", "value": "cost"})]),
    # workbooks
    Business("a workbook", "a.xlsx", sheets(sheet())),
    Business("a workbook with a macro", "a.xlsm", sheets(sheet(time="yyyy-mm-dd"))),
    Business("a workbook with a title", "a.xlsx", sheets(sheet(title="Costs by supplier", top=2)), noted="above the columns' names"),
    Business("a workbook with a corner left free", "a.xlsx", sheets(sheet(top=3, left=2))),
    Business("a workbook, newest first", "a.xlsx", sheets(sheet(turn=-1)), noted="turned around"),
    Business("a workbook with a total", "a.xlsx", sheets(sheet(total="Total")), noted="1 row is a total"),
    Business("a workbook of texts", "a.xlsx", sheets(sheet(number=german, time=short)), noted="decimal comma"),
    Business("a workbook with days as numbers", "a.xlsx", sheets(sheet(time=lambda day: int(serial(day)))), noted="days that Excel counts"),
    Business("a workbook with a page of notes", "a.xlsx", sheets(notes_page, sheet())),
    Business("a workbook of two tables", "a.xlsx", sheets(sheet("2019"), sheet("Plan, new", turn=-1)), asked="'2019', 'Plan, new' each hold a table: say which with sheet=", answers=[Answer({"sheet": "2019"}), Answer({"sheet": "Plan, new"})]),
    Business("a workbook in money and percent", "a.xlsx", sheets(sheet(form='_-* #,##0.00 "€"_-')),),
    # packed, and other formats
    Business("packed", "a.csv.gz", packed(wide(german, short, encoding="cp1252", names=NAMES)), NAMES),
    Business("packed, tabs", "a.tsv.gz", packed(wide(american, short_american, separator="\t"))),
    Business("packed JSON lines of texts", "a.jsonl.gz", packed(frame_file("ndjson", short, german))),
    Business("JSON lines of texts", "a.jsonl", frame_file("ndjson", short_american, dollars)),
    Business("Parquet of texts", "a.parquet", frame_file("parquet", short, lambda value: f"{german(value)} €")),
    # options that begin late or end early
    Business("a supplier who comes late", "a.csv", lambda: wide(comma, short, values=HOLED)().replace(b"nan", b""), asked='(5 of 16 are lost), or name the options without \'sea\' in actions= (none is lost)', answers=[Answer({"missing": "drop"}, VALUES[5:], DAYS[5:]), Answer({"actions": ["rail", "road"]}, VALUES[:, :2])]),
    Business("a supplier who ends early", "a.csv", lambda: wide(comma, short, values=HOLED[::-1])().replace(b"nan", b"n/a"), asked='missing="drop" (5 of 16 are lost), repeat the value before with missing="carry", or name', answers=[Answer({"missing": "drop"}, VALUES[::-1][:11], DAYS[:11]), Answer({"missing": "carry"}, np.vstack([VALUES[::-1][:11], [[*row[:2], VALUES[5, 2]] for row in VALUES[:5][::-1]]])), Answer({"actions": ["rail", "road"]}, VALUES[::-1, :2])]),
    Business("dashes for what is missing", "a.csv", lambda: wide(comma, short, values=HOLED)().replace(b"nan", b"-"), asked="is missing", answers=[Answer({"missing": "drop"}, VALUES[5:], DAYS[5:])]),
]  # fmt: skip


def shuffled(content: bytes) -> bytes:
    head, *rows = content.splitlines(keepends=True)
    return head + b"".join(rows[::2] + rows[1::2])
