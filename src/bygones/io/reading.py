"""What a user may say about how a table is written, where more than one reading is possible."""

import codecs
from typing import TypedDict

from ..validation import shown, word

ENCODINGS = (
    "ascii big5 cp437 cp850 cp852 cp866 cp932 cp949 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 euc_jp "
    "euc_kr gb18030 gbk iso8859-1 iso8859-2 iso8859-5 iso8859-7 iso8859-9 iso8859-15 koi8-r mac-roman shift_jis utf-8 "
    "utf-8-sig utf-16 utf-16-be utf-16-le"
)
DATES = ("day-first", "month-first")


class Reading(TypedDict, total=False):
    """How a table is written; what is left out, or None, is found from the table.

    Args:
        decimal: `"."` or `","`: what separates the whole part of a number from its fraction.
        date_format: `"day-first"`, `"month-first"`, or a format such as `"%d/%m/%Y"`.
        encoding: of a text file, such as `"cp1252"`.
        sort: `"ascending"` sorts the rows by time; `"descending"` turns a table around whose newest row is first.
        value: of a long table, the column of the values.
        option: of a long table, the column of the options' names.
        sheet: of a workbook, the sheet.
        most: how many values a file may have, its times included; more are not read.
    """

    decimal: str | None
    date_format: str | None
    encoding: str | None
    sort: str | None
    value: str | None
    option: str | None
    sheet: str | None
    most: int | None


def checked(reading: Reading) -> Reading:
    """The same, without what is None; raises ValueError if a word is not one of those allowed."""
    given: Reading = {key: value for key, value in reading.items() if value is not None}  # type: ignore[assignment]
    if "decimal" in given:
        word("decimal=", given["decimal"], (".", ","))
    if "sort" in given:
        word("sort=", given["sort"], ("ascending", "descending"))
    if "date_format" in given and "%" not in str(given["date_format"]):
        word("date_format=", given["date_format"], (*DATES, "%d/%m/%Y"))
    if "encoding" in given:
        given["encoding"] = _codec(given["encoding"])
    return given


def for_decisions(reading: Reading | None) -> Reading:
    """What holds for a table of decisions too, which has columns and sheets of its own."""
    shared = ("decimal", "date_format", "encoding", "most")
    given = {key: value for key, value in (reading or {}).items() if key in shared}
    return checked(given)  # type: ignore[arg-type]


def _codec(name: str | None) -> str:
    """The name that Python has for an encoding; raises ValueError if it is not one of text."""
    try:
        found = codecs.lookup(str(name)).name
    except (LookupError, ValueError):
        found = ""
    if found not in ENCODINGS.split():
        known = "utf-8, utf-16, cp1252 (Windows, western), cp1250, cp1251, cp850, shift_jis, gb18030"
        raise ValueError(f"encoding= is {shown(name)}: give one of {known} and the like")
    return found
