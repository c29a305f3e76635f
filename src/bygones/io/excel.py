"""Sheets of Excel workbooks, tried before they are trusted."""

import subprocess
import sys
import zipfile
import zlib
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl

from ..validation import distinct, listed, shown
from .batches import Batch, following
from .dates import day_or_month, one_way, strptime
from .header import is_data
from .numbers import is_numeral
from .reading import DATES

ENDINGS = (".xlsx", ".xlsm")
UNPACKED = 2**29  # bytes of all parts of a workbook
SPACE = 2**32  # bytes that reading it may take: a sheet of two cells far apart would take all that there are
ABOVE = 30  # rows that may stand above the columns' names
LINE = "\0line"  # no column of a sheet is called so
TRIAL = """
import sys
from contextlib import suppress
with suppress(ImportError):  # not on Windows
    import resource
    limits = [limit for limit in (int(sys.argv[2]), *resource.getrlimit(resource.RLIMIT_AS)) if limit >= 0]
    resource.setrlimit(resource.RLIMIT_AS, (min(limits), min(limits)))
import fastexcel
book = fastexcel.read_excel(sys.argv[1])
for name in book.sheet_names:
    book.load_sheet(name, header_row=None, skip_rows=0, dtypes="string").to_polars()
"""
KINDS = {  # what else may have such a name, by its first bytes
    b"\xd0\xcf\x11\xe0": "it is an old Excel file, or one with a password: save it as .xlsx, without a password",
    b"<": "it is a page (HTML or XML) with the name of a workbook: open it in a spreadsheet and save it as .xlsx",
}
DAMAGED = "it is not an Excel workbook, or only a part of one, or damaged: save it again as .xlsx, or as .csv"


def open_excel(path: Path, sheet: str | None, notes: list[str]) -> tuple[int, Iterator[Batch]]:
    """How many rows a sheet of a workbook has, and the rows.

    Another process reads the workbook first, with a limit to its memory: what few bytes say of rows and columns can
    take any amount of it.

    Args:
        path: the workbook.
        sheet: its name; None: the only one that holds a table.
        notes: a note on rows above the columns' names is added to them.

    Returns:
        Both.

    Raises:
        ValueError: if it is not a workbook, has no such sheet, or several that may be meant.
    """
    with path.open("rb") as file:
        begin = file.read(4)
    for mark, words in KINDS.items():
        if begin.startswith(mark):
            raise ValueError(words)
    if not begin.startswith(b"PK") and begin.isascii() and begin.decode().isprintable():
        raise ValueError("it is text with the name of a workbook: rename it to .csv")
    _check_size(path)
    if sys.executable:
        program = [sys.executable, "-P", "-c", TRIAL, str(path), str(SPACE)]  # -P: nothing is taken from the folder
        if subprocess.run(program, capture_output=True, check=False).returncode:  # noqa: S603
            raise ValueError(
                "it is a damaged workbook, or its cells are too many or too far apart: save the sheet as .csv"
            )
    import fastexcel

    try:
        book = fastexcel.read_excel(path)
        frame = _table(book, _chosen(book, sheet), notes)
    except fastexcel.FastExcelError:
        raise ValueError(DAMAGED) from None
    places = pl.DataFrame({"row": following(0, frame.height), "line": frame[LINE]})
    return frame.height, iter([Batch(frame.drop(LINE), places, frame.height)])


def _check_size(path: Path) -> None:
    """Raise ValueError if the parts of a workbook are damaged, or too large; what the archive says is not believed."""
    total = 0
    try:
        with zipfile.ZipFile(path) as archive:
            for part in archive.infolist():
                part.file_size = UNPACKED + 1  # as much as there is
                with archive.open(part) as file:
                    while piece := file.read(2**20):
                        total += len(piece)
                        if total > UNPACKED:
                            raise ValueError(f"it has more than {UNPACKED:,} bytes unpacked: save the sheet as .csv")
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError):
        raise ValueError(DAMAGED) from None


def _cells(book: Any, name: str, **more: Any) -> pl.DataFrame:  # noqa: ANN401
    """The cells of a sheet, from its first row on."""
    asked = {"header_row": None, "skip_rows": 0, "whitespace_as_null": True} | more
    cells: pl.DataFrame = book.load_sheet(name, **asked).to_polars()
    return cells


def _chosen(book: Any, sheet: str | None) -> str:  # noqa: ANN401
    """The sheet that was named, or the only one that may be meant."""
    names: list[str] = book.sheet_names
    if sheet is not None:
        if sheet not in names:
            raise ValueError(f"it has no sheet called {shown(sheet)}: its sheets are {listed(names)}")
        return sheet
    tables = [name for name in names if _head(_cells(book, name, dtypes="string")) is not None]
    if len(tables) > 1:
        raise ValueError(f"the sheets {listed(tables)} each hold a table: say which with sheet=")
    if not tables:
        raise ValueError(f"none of its sheets, {listed(names)}, holds a table: give the columns' names in a row")
    return tables[0]


def _head(cells: pl.DataFrame) -> tuple[int, list[int]] | None:
    """The row of the columns' names, and the columns that they are in; None: there is none.

    It is the first one that has a name, and is no row of values, for every column with a value below it. Remarks may
    stand in columns without a name.
    """
    cells = cells.with_columns(pl.all().str.strip_chars().replace("", None))
    for row, names in enumerate(cells.head(ABOVE).rows()):
        below = cells[row + 1 :]
        filled = [place for place, name in enumerate(names) if name is not None or below[:, place].count()]
        used = [place for place in filled if names[place] is not None or not _remarks(below[:, place])]
        named = len(used) > 1 and all(names[place] is not None for place in used)
        if named and not is_data([names[place] for place in used]) and any(below[:, place].count() for place in used):
            return row, used
    return None


def _remarks(cells: pl.Series) -> bool:
    """Whether the cells of a column are words: neither numbers nor dates."""
    return not cells.str.contains(r"^\W*\d").any()


def _table(book: Any, name: str, notes: list[str]) -> pl.DataFrame:  # noqa: ANN401
    """The table of a sheet: numbers, dates and truths as such, all else as text; the last column has the lines."""
    texts = _cells(book, name, dtypes="string")
    found = _head(texts)
    if found is None:
        remedy = "give each column that has values a name, in one row"
        raise ValueError(f"the sheet {shown(name)} has no row of columns' names: {remedy}")
    row, used = found
    if texts[:row].select(pl.any_horizontal(pl.all().is_not_null()).sum()).item():
        notes.append(f"the row{'s' * (row > 1)} above the columns' names {'are' if row > 1 else 'is'} left out")
    names = distinct("its columns", [texts[row, place].strip() for place in used], 1)
    texts = texts[row + 1 :]
    full = [place for place in used if texts[:, place].count()]
    some = {"skip_rows": row + 1, "use_columns": lambda column: column.index in full}
    typed, floats = _cells(book, name, schema_sample_rows=None, **some), _cells(book, name, dtypes="float", **some)
    truths = _cells(book, name, dtypes="boolean", **some)  # of numbers, but not of texts
    columns = {place: _exact(typed[:, k], floats[:, k], truths[:, k]) for k, place in enumerate(full)}
    frame = pl.DataFrame(
        {column: columns.get(place, texts[:, place]) for column, place in zip(names, used, strict=True)}
    )
    frame = _filled(frame, notes)
    there = frame.select(pl.any_horizontal(pl.all().is_not_null())).to_series()
    lines = pl.Series(LINE, following(row + 1, frame.height))
    return frame.hstack([lines]).filter(there)


def _filled(frame: pl.DataFrame, notes: list[str]) -> pl.DataFrame:
    """A sheet in which the date of a merged cell holds for the rows below it: each date has the same words once."""
    name, words = frame.columns[0], [each for each in frame.columns[1:] if frame[each].dtype == pl.String]
    dates = frame[name].forward_fill()
    if not frame[name].dtype.is_temporal() or not frame[name].null_count() or dates.has_nulls():
        return frame
    whole = frame.with_columns(dates)
    for each in words:
        full = not frame[each].has_nulls() and frame[each].n_unique() * dates.n_unique() == frame.height
        if full and whole.select(name, each).is_unique().all():
            notes.append(f"{shown(name)} is missing in some rows, and is that of the row above")
            return whole
    return frame


def _exact(typed: pl.Series, floats: pl.Series, truths: pl.Series) -> pl.Series:
    """A column, with all digits of the numbers where some of its cells are text; days where times are at midnight.

    Where texts have a point or a comma, which may mean two things, numbers are written with an exponent instead.
    """
    if typed.dtype == pl.String:
        cut = typed.cast(pl.Float64, strict=False) != floats
        exact = typed.set(cut.fill_null(False), None).fill_null(floats.cast(pl.String))
        words = typed.filter(truths.is_null() & typed.is_not_null()).str.strip_chars()
        if (is_numeral(words) & words.str.contains(r"[.,]\d")).any():
            at = (truths.is_not_null() & floats.is_not_null()).arg_true()
            exact = exact.scatter(at, [_one_reading(floats[row]) for row in at])
        return _one_form(exact.str.replace(r"^(\d{4}-\d\d-\d\d) 00:00:00$", "$1"))
    if isinstance(typed.dtype, pl.Datetime) and bool((typed.dt.truncate("1d") == typed).all()):
        return typed.dt.date()
    return typed


def _one_form(texts: pl.Series) -> pl.Series:
    """Dates of which some are texts, all written alike, if only one reading of these goes one way with the others.

    >>> _one_form(pl.Series(["2020-01-04", "05.01.2020", "2020-01-06"])).to_list()
    ['2020-01-04', '2020-01-05', '2020-01-06']
    """
    days = strptime(texts, "%Y-%m-%d")
    rest = texts.filter(days.is_null() & texts.is_not_null()).str.strip_chars()
    forms = {day_or_month(rest, (order,)) for order in DATES} - {None} if 0 < len(rest) < days.count() else set()
    found = [days.fill_null(strptime(texts.str.strip_chars(), str(each))) for each in sorted(map(str, forms))]
    right = [each for each in found if each.null_count() == texts.null_count() and one_way(each)]
    return right[0].cast(pl.String) if len(right) == 1 else texts


def _one_reading(number: float) -> str:
    """A number without a decimal point.

    >>> _one_reading(-1.459), _one_reading(1003.0)
    ('-1459e-3', '1003e0')
    """
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    whole = f"{'-' * sign}{''.join(map(str, digits))}"
    return f"{whole}{'0' * int(exponent)}e0" if int(exponent) >= 0 else f"{whole}e{exponent}"
