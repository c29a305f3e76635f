"""Tables that cannot be read, as data: the file, its bytes or their maker, words of the error, and the keywords."""

import gzip
import io
import zipfile
from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import xlsxwriter


class Malformed(NamedTuple):
    about: str
    file: str
    content: bytes | Callable[[], bytes]
    words: tuple[str, ...]
    keywords: dict[str, Any] = {}  # noqa: RUF012 never changed

    def bytes(self) -> bytes:
        return self.content if isinstance(self.content, bytes) else self.content()


GOOD = b"date,rail,road\n2013-01-01,1,2\n2013-01-02,3,4\n2013-01-03,5,6\n"
LONG = b"date,option,cost\n2013-01-01,rail,1\n2013-01-01,road,2\n2013-01-02,rail,3\n2013-01-02,road,4\n"
JSON = b'{"date": "2013-01-01", "rail": 1, "road": 2}\n{"date": "2013-01-02", "rail": 3, "road": 4}\n'
FRAME = {"date": [date(2013, 1, 1), date(2013, 1, 2)], "rail": [1.0, 2.0], "road": [3.0, 4.0]}


def parquet(**columns: Any) -> Callable[[], bytes]:
    def make() -> bytes:
        file = io.BytesIO()
        pl.DataFrame(FRAME | columns, strict=False).write_parquet(file)
        return file.getvalue()

    return make


def arrow(stream: bool = False, **columns: Any) -> Callable[[], bytes]:
    def make() -> bytes:
        file = io.BytesIO()
        frame = pl.DataFrame(FRAME | columns, strict=False)
        (frame.write_ipc_stream if stream else frame.write_ipc)(file)
        return file.getvalue()

    return make


def workbook(part: str = "", change: Callable[[bytes], bytes] = bytes) -> Callable[[], bytes]:
    """A workbook of one sheet, with a part of it changed."""

    def make() -> bytes:
        written, file = io.BytesIO(), io.BytesIO()
        book = xlsxwriter.Workbook(written, {"in_memory": True})
        book.add_worksheet("costs").write_row(0, 0, FRAME)
        for row, cells in enumerate(zip(*FRAME.values(), strict=True), 1):
            book.worksheets()[0].write_row(row, 0, map(str, cells))
        book.close()
        with zipfile.ZipFile(written) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
            for name in old.namelist():
                new.writestr(name, change(old.read(name)) if name == part else old.read(name))
        return file.getvalue()

    return make


def far(content: bytes) -> bytes:
    """A sheet with a second cell as far as can be from the first."""
    return content.replace(b"</sheetData>", b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>')


def understated(content: bytes) -> bytes:
    """An archive that claims to be smaller than it is, in the list at its end, which is what readers believe."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        large = max(archive.infolist(), key=lambda part: part.file_size)
    at = content.index(large.filename.encode(), content.index(b"PK\x01\x02")) - 46
    return content[: at + 24] + (99).to_bytes(4, "little") + content[at + 28 :]


SHEET = "xl/worksheets/sheet1.xml"


def archive(content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("a.txt", content)
    return file.getvalue()


def put(old: bytes, new: bytes, content: bytes = GOOD) -> bytes:
    assert old in content
    return content.replace(old, new, 1)


THIRD = "row 2 (2013-01-02, line 3), column 'rail'"

MALFORMED = [
    # missing, infinite, absurd, not a numbers at all
    Malformed("a hole", "a.csv", put(b"3,4", b",4"), (f"{THIRD} is missing", "missing=\"drop\"", "missing=\"carry\"")),
    Malformed("nan", "a.csv", put(b"3,4", b"NaN,4"), (f"{THIRD} is missing",)),
    Malformed("NA", "a.csv", put(b"3,4", b" NA ,4"), (f"{THIRD} is missing",)),
    Malformed(
        "a hole at the beginning",
        "a.csv",
        put(b"1,2\n", b",2\n"),
        ("row 1 (2013-01-01, line 2), column 'rail' is missing", "first one given is row 2", "(1 of 3 is lost)"),
        {"missing": "carry"},
    ),
    Malformed(
        "an option that appears half-way",
        "a.csv",
        put(b"1,2\n2013-01-02,3,4", b"1,\n2013-01-02,3,"),
        ("column 'road' is missing", "first one given is row 3 (2013-01-03, line 4)", "missing=\"drop\" (2 of 3 are lost)"),
    ),
    Malformed("all is missing", "a.csv", b"t,a,b\n1,1,\n2,3,\n3,5,\n", ("0 periods left, as 3 lack",), {"missing": "drop"}),
    Malformed("text", "a.csv", put(b"3,4", b"three,4"), (f"{THIRD} is 'three', not a number", "actions=", "time=")),
    Malformed("a column of text", "a.csv", b"x,a,b\nnorth,1,2\nsouth,2,3\n", ("row 1 (line 2), column 'x' is 'north'",)),
    Malformed("per cent", "a.csv", put(b"3,4", b"12%,4"), ("row 1 (2013-01-01, line 2), column 'rail' is '1', which has no percent sign, and others have one",)),
    Malformed("commas of two meanings", "a.csv", put(b"3,4", b'"1,234",4'), (f"{THIRD} is '1,234', and its comma may be decimal, or may group thousands", 'decimal=","', 'decimal="."')),
    Malformed("points of two meanings", "a.csv", put(b"3,4", b"1.234,4"), ("in 'rail' three digits follow every point, as in '1.234'", 'say decimal="." or decimal=","')),
    Malformed("decimal commas and points", "a.csv", b"date;rail;road\n2013-01-01;1,5;2.5\n2013-01-02;1;2\n", ("column 'rail' is '1,5', with a decimal comma",)),
    Malformed("a point where commas are said", "a.csv", put(b"3,4", b"1.5,4"), (f"{THIRD} is '1.5', with a decimal point, and the table has decimal commas",), {"decimal": ","}),
    Malformed("a comma where points are said", "a.csv", put(b"3,4", b'"0,5",4'), (f"{THIRD} is '0,5', with a decimal comma, and the table has decimal points",), {"decimal": "."}),
    Malformed("two currencies", "a.csv", put(b"1,2\n2013-01-02,3,4", "1 $,2\n2013-01-02,3 €,4".encode()), ("column 'rail' has amounts in $ and €", "actions=")),
    Malformed("half a bracket", "a.csv", put(b"3,4", b"(3,4"), (f"{THIRD} is '(3', not a number",)),
    Malformed("infinity", "a.csv", put(b"3,4", b"-inf,4"), (f"{THIRD} is -inf", "between -1e+100 and 1e+100")),
    Malformed("overflow", "a.csv", put(b"3,4", b"1e400,4"), (f"{THIRD} is inf", "between -1e+100 and 1e+100")),
    Malformed("absurd", "a.csv", put(b"3,4", b"1e101,4"), (f"{THIRD} is 1e+101", "between -1e+100 and 1e+100")),
    Malformed("many digits", "a.csv", put(b"3,4", b"9" * 5000 + b",4"), (f"{THIRD} is inf",)),
    Malformed("hexadecimal", "a.csv", put(b"3,4", b"0x10,4"), (f"{THIRD} is '0x10'",)),
    Malformed("booleans", "a.csv", put(b"3,4", b"true,4"), (f"{THIRD} is true, not a number: write 1 and 0",)),
    Malformed("a gigantic field", "a.csv", lambda: put(b"3,4", b"x" * 20_000_000 + b",4"), (THIRD, "20,000,000 char")),
    Malformed(
        "a gigantic quoted field", "a.csv", lambda: put(b"3,4", b'"' + b"x" * 20_000_000 + b'",4'), ("row 2", "shorten it")
    ),
    # prices
    Malformed("a price of nothing", "a.csv", put(b"3,4", b"0,4"), (f"{THIRD} is 0", "prices="), {"prices": True}),
    Malformed("a negative price", "a.csv", put(b"3,4", b"-3,4"), (f"{THIRD} is -3", "prices="), {"prices": True}),
    Malformed("an absurd return", "a.csv", put(b"1,2\n", b"1e-300,2\n"), (f"{THIRD} is 3 after 1e-300",), {"prices": True}),
    Malformed("an absurd fall", "a.csv", put(b"3,4", b"1e-101,4"), (f"{THIRD} is 1e-101 after 1",), {"prices": True}),
    Malformed("two prices", "a.csv", GOOD[:45], ("1 return: give at least two",), {"prices": True}),
    # times
    Malformed("the same time twice", "a.csv", put(b"01-02", b"01-01"), ("row 2 (2013-01-01, line 3) has the same time as row 1",)),
    Malformed("backwards", "a.csv", put(b"01-03", b"01-01"), ("row 3 (2013-01-01, line 4) is earlier than row 2", "sort", "'date'")),
    Malformed("no time", "a.csv", put(b"2013-01-02", b""), ("row 2 (line 3), column 'date', the time, is missing",)),
    Malformed("no such day", "a.csv", put(b"2013-01-02", b"2013-02-30"), ("'2013-02-30', not a time", "write 2013-01-17")),
    Malformed("day or month first", "a.csv", b"date,a,b\n01/02/2013,1,2\n02/02/2013,1,2\n", ("row 1 (line 2), column 'date' is '01/02/2013', and the day or the month may be first: say date_format=\"day-first\" or date_format=\"month-first\"",)),
    Malformed("day or month first, in a column of another name", "a.csv", b"d,a,b\n01.02.2013,1,2\n02.02.2013,1,2\n", ("'01.02.2013', and the day or the month may be first",)),
    Malformed("a day that is a month", "a.csv", b"date,a,b\n30.12.2013,1,2\n31.12.2013,1,2\n12.31.2013,1,2\n", ("row 3 (line 4), column 'date' is '12.31.2013', not a time",)),
    Malformed("years of two digits", "a.csv", b"date,a,b\n30/12/13,1,2\n31/12/13,1,2\n", ("'30/12/13', and the day or the month may be first", "date_format=\"%y/%m/%d\"")),
    Malformed("times of two kinds", "a.csv", put(b"2013-01-02", b"2013-01-02 10:00"), ("row 2", "all of one kind")),
    Malformed("no year", "a.csv", b"year,a,b\n2011,1,2\n2012,1,2\n20l3,3,4\n", ("'20l3', not a time", "a number, as before")),
    Malformed("two times", "a.csv", b"date,day,a,b\n2013-01-01,5,1,2\n2013-01-02,6,1,2\n", ("'day' is called like a time", "name the options in actions=")),
    Malformed("no such column", "a.csv", GOOD, ("nothing here is called 'when'", "'date', 'rail', 'road'"), {"time": "when"}),
    Malformed("numbers for options", "a.csv", b"date,id,cost\n2013-01-01,1,5\n2013-01-01,2,5\n", ("same time", "the options' names with option= and that of their values with value=")),
    # options
    Malformed("one option", "a.csv", b"date,rail\n2013-01-01,1\n2013-01-02,2\n", ("only 'rail' is an option", "at least two")),
    Malformed("no option", "a.csv", b"date\n2013-01-01\n2013-01-02\n", ("there is no option",)),
    Malformed("no such option", "a.csv", GOOD, ("nothing here is called 'sea'",), {"actions": ["rail", "sea"]}),
    Malformed("one option asked for", "a.csv", GOOD, ("actions=", "at least 2"), {"actions": ["rail"]}),
    Malformed("the same option twice", "a.csv", GOOD, ("actions=", "names must differ"), {"actions": ["rail", "rail"]}),
    Malformed(
        "the time for an option", "a.csv", GOOD, ("both the time and an option",), {"time": "date", "actions": ["date", "rail"]}
    ),
    Malformed("dates for options", "a.csv", GOOD, ("column 'date' is '2013-01-01'",), {"actions": ["rail", "date"]}),
    # the shape of text files
    Malformed("columns of one name", "a.csv", put(b"road", b"rail"), ("'rail'", "names must differ")),
    Malformed("a column without a name", "a.csv", put(b"rail", b""), ("column 2 has no name", "line 1")),
    Malformed("no header", "a.csv", GOOD.split(b"\n", 1)[1], ("line 1 begins with '2013-01-01'", "columns' names")),
    Malformed("no header, numbers", "a.csv", b"1,2,3\n4,5,6\n", ("line 1 begins with '1'",)),
    Malformed("a row too long", "a.csv", put(b"3,4", b"3,4,5"), ("row 2 (line 3) has 4 fields", "3 columns", "comma")),
    Malformed("a row too short", "a.csv", put(b"3,4", b"3"), ("row 2 (line 3) has 2 fields", "3 columns")),
    Malformed(
        "rows that make up for each other", "a.csv", put(b"1,2\n2013-01-02,3,4", b"1\n2013-01-02,3,4,5"), ("row 1 (line 2) has 2",)
    ),
    Malformed("an open quote", "a.csv", put(b"3,4", b'"3,4'), ("row 2", "a quote that is never closed")),
    Malformed("an open quote in the header", "a.csv", put(b"rail", b'"rail'), ("line 1 opens a quote that is never closed: close it",)),
    Malformed("a quote within", "a.csv", put(b"3,4", b'3"x",4'), ("row 2", "column 'rail'", "'3\"x\"'")),
    Malformed("a header alone", "a.csv", b"date,rail,road\n", ("no rows", "'date', 'rail', 'road'")),
    Malformed(
        "numbers of rows",
        "a.csv",
        b"id,rail,road\n" + b"".join(b"%d,%d.5,2\n" % (row, row) for row in range(12)),
        ("column 'id' counts the rows", "time=", "actions="),
    ),
    Malformed("one row", "a.csv", GOOD[:30], ("1 period: give at least two",)),
    Malformed("empty", "a.csv", b"", ("it is empty",)),
    Malformed("blank", "a.csv", b"\n\r\n  \n", ("blank lines",)),
    Malformed("a mark alone", "a.csv", b"\xef\xbb\xbf", ("blank lines",)),
    Malformed("old line ends", "a.csv", GOOD.replace(b"\n", b"\r"), ("carriage return",)),
    # encodings, and what is no text
    Malformed("mixed encodings", "a.csv", put(b"3,4", b"\xfc,4", GOOD.replace(b"road", "Straße".encode())), ("line 3 is not UTF-8",)),
    Malformed("binary", "a.csv", bytes(range(256)), ("line 1 holds a NUL byte",)),
    Malformed("Parquet by another name", "a.csv", parquet(), ("NUL byte", "binary")),
    Malformed("no gzip", "a.csv.gz", GOOD, ("not a gzip file",)),
    Malformed("half a gzip", "a.csv.gz", lambda: gzip.compress(GOOD)[:-12], ("not a gzip file, or only a part",)),
    Malformed("half a workbook", "a.xlsx", b"PK\x03\x04", ("not an Excel workbook, or only a part of one, or damaged",)),
    Malformed("text called a workbook", "a.xlsx", GOOD, ("it is text with the name of a workbook: rename it to .csv",)),
    Malformed("a page called a workbook", "a.xlsx", b"<html><table></table></html>", ("it is a page (HTML or XML)",)),
    Malformed("an old workbook", "a.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", ("it is an old Excel file, or one with a password",)),
    Malformed("an old workbook by its name", "a.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", ("'.xls'", ".xlsx")),
    Malformed("a sheet of a text file", "a.csv", GOOD, ("only a workbook (.xlsx) has sheets",), {"sheet": "costs"}),
    Malformed("another format of dates", "a.csv", b"date,a,b\n01/02/2013,1,2\n02/02/2013,1,2\n", ("date_format= is '%d.%m.%Y', and no column has such dates",), {"date_format": "%d.%m.%Y"}),
    Malformed("dates where there are none", "a.csv", b"a,b\n1,2\n3,4\n", ("no column has such dates",), {"date_format": "day-first"}),
    Malformed("nothing to sort by", "a.csv", b"a,b\n1,2\n3,4\n", ("there is no time to sort by",), {"sort": "ascending"}),
    Malformed("no encoding fits", "a.csv", put(b"rail", b"caf\x81"), ("line 1 is neither UTF-8 nor cp1252", "encoding=")),
    Malformed("another encoding", "a.csv", put(b"rail", b"caf\xe9"), ("byte 0xe9 is not ascii", "encoding="), {"encoding": "ascii"}),
    Malformed("half a sign of UTF-16", "a.csv", GOOD.decode().encode("utf-16") + b"x", ("is not utf-16",)),
    Malformed("no ending", "costs", GOOD, ("its name has no ending",)),
    # long tables
    Malformed("a pair twice", "a.csv", put(b"road,2", b"rail,2", LONG), ("row 2 (2013-01-01, line 3) gives 'rail' a second value, after row 1",)),
    Malformed("a pair missing", "a.csv", put(b"2013-01-02,road,4\n", b"", LONG), ("the row of 'road' at 2013-01-02 is missing", "carry")),
    Malformed("a late option", "a.csv", LONG + b"2013-01-02,sea,1\n", ("the row of 'sea' at 2013-01-01 is missing", "row 5", "actions=")),
    Malformed("text for a value", "a.csv", put(b"rail,3", b"rail,?", LONG), ("row 3 (2013-01-02, line 4), column 'cost' is '?'",)),
    Malformed("a value missing", "a.csv", put(b"rail,3", b"rail,", LONG), ("row 3 (2013-01-02, line 4), option 'rail' is missing",)),
    Malformed("an option without a name", "a.csv", put(b"rail,3", b",3", LONG), ("row 3", "column 'option'", "name the option")),
    Malformed("one option in a long table", "a.csv", LONG.replace(b"road,2", b"rail,2").replace(b"road", b"rail"), ("only 'rail'",)),
    Malformed("no such option in a long table", "a.csv", LONG, ("nothing here is called 'sea': the names are 'rail', 'road'",), {"actions": ["rail", "sea"]}),
    Malformed("numbers of rows", "a.csv", b"No.,date,rail\n" + b"".join(b"%d,2013-01-%02d,5\n" % (k, k) for k in range(1, 13)), ("column 'No.' counts the rows", ": take it out, or name the options in actions=")),
    Malformed("year and month", "a.csv", b"year,month,rail,road\n2013,1,5,6\n2013,2,6,5\n", ("'year', 'month' could each be the time", "make one column of them")),
    Malformed("weeks that go back", "a.csv", b"week,rail,road\n51,5,6\n52,6,5\n7,3,4\n", ("row 3 (7, line 4) is earlier than row 2", "write dates where numbers start again")),
    # JSON lines
    Malformed("no JSON", "a.jsonl", put(b'"rail": 3', b'"rail": ', JSON), ("row 2 (line 2)", "not a JSON object")),
    Malformed("half a line", "a.ndjson", JSON[:-9], ("row 2 (line 2)", "not a JSON object")),
    Malformed("an array", "a.jsonl", b"[" + JSON.replace(b"\n", b",") + b"]", ("row 1 (line 1)", "not a JSON object")),
    Malformed("nan in JSON", "a.jsonl", put(b": 3", b": NaN", JSON), ("row 2 (line 2)", "not a JSON object")),
    Malformed("null", "a.jsonl", put(b": 3", b": null", JSON), ("row 2 (2013-01-02, line 2), column 'rail' is missing",)),
    Malformed("a key missing", "a.jsonl", put(b'"rail": 3, ', b"", JSON), ("row 2 (2013-01-02, line 2), column 'rail' is missing",)),
    Malformed("a late key", "a.jsonl", put(b"4}", b'4, "sea": 1}', JSON), ("row 1", "column 'sea' is missing", "row 2")),
    Malformed("nested", "a.jsonl", put(b": 3", b": [3]", JSON), ("row 2 (2013-01-02, line 2), column 'rail' is '[3]', not a number",)),
    Malformed("deep", "a.jsonl", lambda: b'{"a": ' + b"[" * 100_000, ("row 1 (line 1)", "not a JSON object")),
    Malformed("digits in JSON", "a.jsonl", put(b": 3", b": 1" + b"0" * 400, JSON), ("row 2",)),
    Malformed("JSON", "a.json", JSON, ("'.json'", ".jsonl")),
    # Parquet and Arrow
    Malformed("no Parquet", "a.parquet", GOOD, ("not a Parquet file",)),
    Malformed("half a Parquet", "a.parquet", lambda: parquet()()[:-20], ("not a Parquet file, or only a part",)),
    Malformed("a list", "a.parquet", parquet(rail=[[1.0], [2.0]]), ("row 1 (2013-01-01), column 'rail' is", "not a number")),
    Malformed("a struct", "a.parquet", parquet(rail=[{"a": 1}, {"a": 2}]), ("row 1 (2013-01-01), column 'rail' is", "not a number")),
    Malformed("truth", "a.parquet", parquet(rail=[True, False]), ("column 'rail' is True", "write 1 and 0")),
    Malformed("bytes", "a.parquet", parquet(rail=[b"1", b"2"]), ("column 'rail' is b'1'", "not a number")),
    Malformed("a null", "a.parquet", parquet(rail=[1.0, None]), ("row 2 (2013-01-02), column 'rail' is missing",)),
    Malformed("nothing but nulls", "a.parquet", parquet(rail=[None, None]), ("row 1 (2013-01-01), column 'rail' is missing",)),
    Malformed("categories", "a.parquet", parquet(rail=pl.Series(["a", "b"], dtype=pl.Categorical), sea=[1, 2]), ("column 'rail' is 'a'",), {"actions": ["rail", "sea"]}),
    Malformed("dates in two columns", "a.parquet", parquet(rail=[datetime(2013, 1, 1), datetime(2013, 1, 2)]), ("'date', 'rail'", "time=")),
    Malformed("a decimal and a null", "a.parquet", parquet(rail=[Decimal(1), None]), ("row 2", "column 'rail' is missing")),
    Malformed("no Arrow", "a.arrow", GOOD, ("not an Arrow file",)),
    Malformed("half an Arrow", "a.feather", lambda: arrow()()[:200], ("not an Arrow file, or only a part",)),
    Malformed("half a stream", "a.ipc", lambda: arrow(stream=True)()[:100], ("not an Arrow file, or only a part",)),
    Malformed("a list in Arrow", "a.arrow", arrow(rail=[[1.0], [2.0]]), ("column 'rail' is",)),
]  # fmt: skip


def frame_file(frame: pl.DataFrame, kind: str) -> Callable[[], bytes]:
    def make() -> bytes:
        file = io.BytesIO()
        getattr(frame, f"write_{kind}")(file)
        return file.getvalue()

    return make


def wide(count: int, rows: int, name: str = "o", separator: str = ",", field: str = "1.5") -> Callable[[], bytes]:
    def make() -> bytes:
        header = separator.join(["day", *(f"{name}{option}" for option in range(count))])
        lines = (separator.join([f"{date(2013, 1, 1) + timedelta(row)}", *[field] * count]) for row in range(rows))
        return "\n".join([header, *lines, ""]).encode()

    return make


ROWS = b"".join(b"%d,1.5,2.5\n" % row for row in range(3, 60_000))  # more than a field may have
NAMELESS = pl.DataFrame({"date": FRAME["date"], "": [1.5, 2.5], "road": [3.0, 4.0]})
TWICE = b'{"rail": 1, "road": 2, "rail": 3}\n'
OPEN = "opens a quote that is not closed within 131,072 characters: close it, or take it out"
NEVER = "opens a quote that is never closed: close it, or take it out"
LONG_FIELD = "has a field of more than 131,072 characters: shorten it"
AFTER = "goes on after a closing quote: quote the whole field"

# What was read wrongly, slowly or not at all once.
HOSTILE = [
    # quotes that are not closed
    Malformed("a quote before a name", "a.csv", b't,"a,b\n1,1,2\n2,1,2\n' + ROWS, (f"line 1 {OPEN}",)),
    Malformed("a quote before the first name", "a.csv", b'"t,a,b\n1,1,2\n2,1,2\n' + ROWS, (f"line 1 {OPEN}",)),
    Malformed("a quote before the last name", "a.csv", b't,a,"b\n1,1,2\n2,1,2\n' + ROWS, (f"line 1 {OPEN}",)),
    Malformed("a quote before a name, after blank lines", "a.csv", b'\n \n\nt,"a,b\n1,1,2\n' + ROWS, (f"line 4 {OPEN}",)),
    Malformed("a quote before a name, with semicolons", "a.csv", (b't;"a;b\n1;1;2\n' + ROWS).replace(b",", b";"), (f"line 1 {OPEN}",)),
    Malformed("a quote before a name, with tabs", "a.tsv", (b't\t"a\tb\n1\t1\t2\n' + ROWS).replace(b",", b"\t"), (f"line 1 {OPEN}",)),
    Malformed("a quote before a name, packed", "a.csv.gz", lambda: gzip.compress(b't,"a,b\n1,1,2\n' + ROWS), (f"line 1 {OPEN}",)),
    Malformed("a quote before a name, with Windows' line ends", "a.csv", (b't,"a,b\n1,1,2\n' + ROWS).replace(b"\n", b"\r\n"), (f"line 1 {OPEN}",)),
    Malformed("a quote before a name of a short table", "a.csv", b't,"a,b\n1,1,2\n2,1,2\n', (f"line 1 {NEVER}",)),
    Malformed("three quotes in a header", "a.csv", b't,"a","b\n1,1,2\n2,1,2\n', (f"line 1 {NEVER}",)),
    Malformed("a name that goes on after its quote", "a.csv", b't,"a"x,b\n1,1,2\n2,1,2\n', (f"line 1 {AFTER}",)),
    Malformed("a quote in the first row", "a.csv", b't,a,b\n1,"1,2\n2,1,2\n' + ROWS, (f"row 1 (line 2) {OPEN}",)),
    Malformed("a quote in the second row", "a.csv", b't,a,b\n1,1,2\n2,"1,2\n' + ROWS, (f"row 2 (line 3) {OPEN}",)),
    Malformed("a quote after blank lines", "a.csv", b't,a,b\n1,1,2\n\n\n2,"1,2\n' + ROWS, (f"row 2 (line 5) {OPEN}",)),
    Malformed("a quote in the last row", "a.csv", b't,a,b\n1,1,2\n2,1,2\n' + ROWS + b'99999,"1,2\n', (f"row 60000 (line 60001) {NEVER}",)),
    Malformed("a quote after two lines in quotes", "a.csv", b't,a,b\n1,"1\n",2\n2,"1,2\n' + ROWS, (f"row 2 (line 4) {OPEN}",)),
    Malformed("quotes alone", "a.csv", b'"' * 300_000, (f"line 1 {LONG_FIELD}",)),
    Malformed("an odd number of quotes alone", "a.csv", b'"' * 301, (f"line 1 {NEVER}",)),
    # long lines, fields and names
    Malformed("a long name", "a.csv", b"t,a," + b"x" * 140_000 + b"\n1,2,3\n2,3,4\n", (f"line 1 {LONG_FIELD}",)),
    Malformed("a long name in quotes", "a.csv", b't,a,"' + b"x" * 140_000 + b'"\n1,2,3\n2,3,4\n', (f"line 1 {LONG_FIELD}",)),
    Malformed("a long name of several lines", "a.csv", b't,a,"' + b"x\n" * 70_000 + b'"\n1,2,3\n2,3,4\n', (f"line 1 {OPEN}",)),
    Malformed("a line that does not end", "a.csv", lambda: b"x" * 2**27, ("line 1 is longer than 67,108,864 bytes: end every row with a line feed",)),
    Malformed("an object that does not end", "a.jsonl", lambda: b'{"a": [' + b"1, " * 2**25, ("line 1 is longer than 67,108,864 bytes",)),
    Malformed("a line of blanks that does not end", "a.csv", lambda: b" " * 2**27, ("line 1 is longer than 67,108,864 bytes",)),
    Malformed("a quoted field that does not end", "a.csv", lambda: GOOD + b'2013-01-04,"' + b"1,2\n" * 2**25, ("line 5 opens a quote that is not closed within 67,108,864 bytes",)),
    Malformed("too many columns", "a.csv", lambda: b"a" + b",a" * 2**20 + b"\n", ("line 1 names 1,048,577 columns, and there may be 1,048,576: give three instead",)),
    Malformed("too many keys", "a.jsonl", lambda: b"{" + b", ".join(b'"%x": 1' % key for key in range(2**20 + 1)) + b"}\n", ("1,048,577 different keys, and there may be 1,048,576",)),
    Malformed("old line ends after a good header", "a.csv", b"t,a,b\r1,2,3\r2,3,4\r\n", ("line 1 has a carriage return inside",)),
    # headers past what a field may have
    Malformed("a wide header, and a hole", "a.csv", lambda: put(b"2013-01-02,1.5", b"2013-01-02,", wide(40_000, 2)()), ("row 2 (2013-01-02, line 3), column 'o0' is missing",)),
    Malformed("a wide header, and a word", "a.csv", lambda: put(b"2013-01-02,1.5", b"2013-01-02,x", wide(40_000, 2)()), ("row 2 (2013-01-02, line 3), column 'o0' is 'x'",)),
    Malformed("a wide header, and a short row", "a.csv", lambda: put(b"2013-01-02,1.5,", b"2013-01-02,", wide(40_000, 2)()), ("row 2 (line 3) has 40000 fields, and there are 40001 columns",)),
    Malformed("a wide header with one name twice", "a.csv", lambda: put(b",o39999\n", b",o7\n", wide(40_000, 2)()), ("'o7'", "names must differ")),
    Malformed("a wide header with semicolons, and a hole", "a.csv", lambda: put(b"2013-01-02;1.5", b"2013-01-02;", wide(40_000, 2, separator=";")()), ("column 'o0' is missing",)),
    Malformed("a wide header without rows", "a.csv", wide(40_000, 0), ("no rows",)),
    # bombs
    Malformed("blank lines without end, packed", "a.csv.gz", lambda: gzip.compress(b"\n" * 2**28 + b"\n"), ("it has more than 268,435,456 bytes unpacked, over 200 times its size: unpack it to see",)),
    Malformed("blank lines, packed", "a.csv.gz", lambda: gzip.compress(b"\n" * 2**24), ("nothing but blank lines",)),
    Malformed("blank lines of Windows", "a.csv", lambda: b"\r\n" * 2**21, ("nothing but blank lines",)),
    Malformed("a header and blank lines", "a.csv", lambda: b"t,a,b\n" + b"\n" * 2**22, ("no rows",)),
    Malformed("blank lines in JSON", "a.jsonl", lambda: b"\n" * 2**23, ("nothing but blank lines",)),
    Malformed("blanks in JSON", "a.jsonl", lambda: b" \n" * 2**20, ("nothing but blank lines",)),
    Malformed("a fault after blank lines", "a.csv", lambda: GOOD + b"\n" * 2**22 + b"2013-01-04,x,7\n", ("row 4 (2013-01-04, line 4194309), column 'rail' is 'x'",)),
    Malformed("a fault after blank lines in JSON", "a.jsonl", lambda: JSON + b"\n" * 2**22 + b"[]\n", ("row 3 (line 4194307) is '[]', not a JSON object",)),
    # workbooks
    Malformed("blanks without end in a workbook", "a.xlsx", workbook(SHEET, lambda content: content.replace(b"<sheetData>", b" " * 2**29 + b"<sheetData>")), ("it has more than 536,870,912 bytes unpacked: save the sheet as .csv",)),
    Malformed("blanks without end in a workbook that claims to be small", "a.xlsx", lambda: understated(workbook(SHEET, lambda content: content.replace(b"<sheetData>", b" " * 2**29 + b"<sheetData>"))()), ("it has more than 536,870,912 bytes unpacked",)),
    Malformed("two cells far apart", "a.xlsx", workbook(SHEET, far), ("it is a damaged workbook, or its cells are too many or too far apart",)),
    Malformed("a workbook without its sheet", "a.xlsx", workbook(SHEET, lambda _: b"<worksheet"), ("it is a damaged workbook",)),
    Malformed("a workbook cut short", "a.xlsx", lambda: workbook()()[:-30], ("not an Excel workbook, or only a part of one",)),
    Malformed("an archive of another kind", "a.xlsx", lambda: archive(b"nothing"), ("it is a damaged workbook",)),
    Malformed("no such sheet", "a.xlsx", workbook(), ("it has no sheet called 'plan': its sheets are 'costs'",), {"sheet": "plan"}),
    Malformed("a sheet of nothing", "a.xlsx", workbook(SHEET, lambda content: content[: content.index(b"<sheetData>")] + b"<sheetData/></worksheet>"), ("none of its sheets, 'costs', holds a table",)),
    # UTF-16
    Malformed("a UTF-16 line without end", "a.csv", lambda: ("t,a,b\n" + "1" * (2**26 + 9)).encode("utf-16"), ("line 2 is longer than 67,108,864 bytes",)),
    Malformed("UTF-16 without end, packed", "a.csv.gz", lambda: gzip.compress("\n".encode("utf-16-le") * 2**28), ("over 200 times its size",)),
    # JSON lines
    Malformed("other keys in every line", "a.jsonl", lambda: b"".join(b'{"a%d": 1, "b%d": 2}\n' % (row, row) for row in range(10_000)), ("up to row 10000 (line 10000) there are 20,000 different keys, and a row has 2 of them", "the time, the option and the value")),
    Malformed("one more key in every line", "a.jsonl", lambda: b"".join(b'{"t": %d, "a": 1, "b%d": 2}\n' % (row, row) for row in range(10_000)), ("10,002 different keys, and a row has 3 of them",)),
    Malformed("a key twice", "a.jsonl", JSON + TWICE, ("row 3 (line 3) has the key 'rail' twice: keep one of them",)),
    Malformed("a key twice in the first line", "a.jsonl", TWICE + JSON, ("row 1 (line 1) has the key 'rail' twice",)),
    Malformed("a key twice with the same value", "a.jsonl", put(b'"road": 4', b'"road": 4, "road": 4', JSON), ("row 2 (line 2) has the key 'road' twice",)),
    Malformed("a key twice, one of them text", "a.jsonl", put(b'"road": 4', b'"road": "4", "road": 4', JSON), ("row 2 (line 2) has the key 'road' twice",)),
    Malformed("a key twice, the last of them text", "a.jsonl", put(b'"road": 4', b'"road": 4, "road": "4"', JSON), ("row 2 (line 2) has the key 'road' twice",)),
    Malformed("a key twice, once escaped", "a.jsonl", put(b'"road": 4', b'"road": 4, "r\\u006fad": 5', JSON), ("row 2 (line 2) has the key 'road' twice",)),
    Malformed("a time twice", "a.jsonl", put(b'"rail": 3', b'"date": "2013-01-03", "rail": 3', JSON), ("row 2 (line 2) has the key 'date' twice",)),
    Malformed("a key twice within a value", "a.jsonl", put(b": 3", b': {"a": 1, "a": 2}', JSON), ("column 'rail' is", 'not a number')),
    Malformed("a key twice, after blank lines", "a.jsonl", b"\n\n" + JSON + b"\n" + TWICE, ("row 3 (line 6) has the key 'rail' twice",)),
    Malformed("a key twice, packed", "a.jsonl.gz", lambda: gzip.compress(JSON + TWICE), ("row 3 (line 3) has the key 'rail' twice",)),
    Malformed("an empty key", "a.jsonl", JSON.replace(b'"rail"', b'""'), ("option 1 has no name: give its column one, or take it out",)),
    # columns without a name, and files without columns
    Malformed("a Parquet column without a name", "a.parquet", frame_file(NAMELESS, "parquet"), ("option 1 has no name: give its column one, or take it out",)),
    Malformed("an Arrow column without a name", "a.arrow", frame_file(NAMELESS, "ipc"), ("option 1 has no name",)),
    Malformed("a column without a name in a stream", "a.ipc", frame_file(NAMELESS, "ipc_stream"), ("option 1 has no name",)),
    Malformed("the last column without a name", "a.parquet", frame_file(NAMELESS.select("date", "road", ""), "parquet"), ("option 2 has no name",)),
    Malformed("Parquet without columns", "a.parquet", frame_file(pl.DataFrame(), "parquet"), ("it has no columns: give one for each option",)),
    Malformed("Arrow without columns", "a.arrow", frame_file(pl.DataFrame(), "ipc"), ("it has no columns: give one for each option",)),
    Malformed("a stream without columns", "a.ipc", frame_file(pl.DataFrame(), "ipc_stream"), ("it has no columns: give one for each option",)),
    Malformed("Parquet without rows", "a.parquet", frame_file(NAMELESS.select("date", "road").clear(), "parquet"), ("no rows",)),
    Malformed("categories that count", "a.parquet", parquet(rail=pl.Series(["x", "2"], dtype=pl.Categorical), id=pl.Series(["1", "2"], dtype=pl.Categorical)), ("column 'rail' is 'x'",)),
    Malformed("a category missing", "a.parquet", parquet(rail=pl.Series(["1", None], dtype=pl.Categorical)), ("row 2 (2013-01-02), column 'rail' is missing",)),
    # separators
    Malformed("commas, and semicolons in names, and a hole", "a.csv", b"a&lt;b,c&lt;d,e&lt;f\n1,2,3\n1,,3\n", ("row 2 (line 3), column 'c&lt;d' is missing",)),
    Malformed("commas, and semicolons in names, and a short row", "a.csv", b"a&lt;b,c&lt;d,e&lt;f\n1,2,3\n1,2\n", ("row 2 (line 3) has 2 fields, and there are 3 columns", "comma")),
]  # fmt: skip

DAY = "date;rail, fast;road, slow\n2013-01-01;1;2\n2013-01-02;3;4\n"
NUMERALS = pl.Series(["1", "3"], dtype=pl.Categorical)
# What must be read, though it looks odd: the file, the names and the values.
ODD = {
    "commas, and semicolons in names": ("a.csv", b"a&lt;b,c&lt;d,e&lt;f\n1,2,3\n4,5,6\n", ("a&lt;b", "c&lt;d", "e&lt;f"), [[1, 2, 3], [4, 5, 6]]),
    "semicolons, and commas in names": ("a.csv", DAY.encode(), ("rail, fast", "road, slow"), [[1, 2], [3, 4]]),
    "bars, and tabs in names": ("a.tsv", b"t|a\tx\ty|b\tz\n1|1|2\n2|3|4\n", ("a\tx\ty", "b\tz"), [[1, 2], [3, 4]]),
    "tabs, and commas in names": ("a.csv", b"t\ta, x, y, z\tb\n1\t1\t2\n2\t3\t4\n", ("a, x, y, z", "b"), [[1, 2], [3, 4]]),
    "a quote inside a name": ("a.csv", b't,5" pipe,b\n1,1,2\n2,3,4\n', ('5" pipe', "b"), [[1, 2], [3, 4]]),
    "a line break in a name": ("a.csv", b't,"a\nx",b\n1,1,2\n2,3,4\n', ("a\nx", "b"), [[1, 2], [3, 4]]),
    "blank lines everywhere": ("a.csv", b"\n\r\n \nt,a,b\n\n1,1,2\n\r\n\n2,3,4\n\n", ("a", "b"), [[1, 2], [3, 4]]),
    "blank lines everywhere, and quotes": ("a.csv", b'\n"t","a","b"\n\n"1","1","2"\n\r\n"2","3","4"\n\n', ("a", "b"), [[1, 2], [3, 4]]),
    "blank lines in JSON": ("a.jsonl", b'\n\n{"a": 1, "b": 2}\n\r\n \n{"a": 3, "b": 4}\n\n', ("a", "b"), [[1, 2], [3, 4]]),
    "quotes inside a key of JSON": ("a.jsonl", b'{"a\\"": 1, "b": "2"}\n{"a\\"": 3, "b": "4"}\n', ('a"', "b"), [[1, 2], [3, 4]]),
    "objects that lack keys": ("a.jsonl", b'{"a": 1, "b": 2}\n{"a": 3}\n{"b": 4, "a": 5}\n', ("a", "b"), [[1, 2], [5, 4]]),
    "categories of numerals": ("a.parquet", parquet(rail=NUMERALS), ("rail", "road"), [[1, 3], [3, 4]]),
    "categories of numerals in Arrow": ("a.arrow", arrow(rail=NUMERALS), ("rail", "road"), [[1, 3], [3, 4]]),
    "an enumeration of numerals": ("a.parquet", parquet(rail=NUMERALS.cast(pl.Enum(["1", "3"]))), ("rail", "road"), [[1, 3], [3, 4]]),
    "20,000 columns": ("a.csv", wide(20_000, 2), tuple(f"o{k}" for k in range(20_000)), np.full((2, 20_000), 1.5).tolist()),
    "names past what a field may have": ("a.csv", wide(50, 2, "x" * 4000), tuple("x" * 4000 + str(k) for k in range(50)), np.full((2, 50), 1.5).tolist()),
    "such names, with bars": ("a.csv", wide(50, 2, "x" * 4000, "|"), tuple("x" * 4000 + str(k) for k in range(50)), np.full((2, 50), 1.5).tolist()),
}  # fmt: skip
