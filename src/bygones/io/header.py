"""The header of a CSV or TSV file: what separates fields, the columns' names, and what stands above them."""

import csv
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple

from ..validation import distinct, shown
from .numerals import NUMERAL

WIDEST = 2**20  # columns
FAULTS = {  # what csv says, in other words
    "larger than field limit": f"has a field of more than {csv.field_size_limit():,} characters: shorten it",
    "expected after": "goes on after a closing quote: quote the whole field, and write two quotes for one inside it",
    "unexpected end of data": "opens a quote that is never closed: close it, or take it out",
    "new-line character": "has a carriage return inside: save the file with the line ends of Unix or Windows",
}
UNCLOSED = "opens a quote that is not closed within {:,} {}: close it, or take it out"
SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
TRIED = 10  # rows that show which separator is the right one
TITLES, ABOVE = 30, 2**16  # lines, and bytes, that may stand above the header
VALUE = re.compile(r"[-+]?[\d.,]+(e[-+]?\d+)?%?|\d{4}[-/]\d\d?([-/]\d\d?.*)?", re.IGNORECASE)  # a number or a date

AMOUNT = re.compile(NUMERAL)


class Lines(NamedTuple):
    """Whole lines of a file: how many lines there are before them, and how much of the file they took."""

    content: bytes
    before: int
    size: int


class Header(NamedTuple):
    """The columns' names, what separates fields, the lines that follow, and the last columns that have no name."""

    names: tuple[str, ...]
    separator: str
    rest: Lines
    unnamed: tuple[str, ...] = ()


class Split(NamedTuple):
    """The first line of some text, split: by what, into which names, and how many lines it takes.

    Args:
        separator: what splits it and the first rows alike.
        names: its fields.
        lines: how many it takes.
        rows: the first rows after it.
    """

    separator: str
    names: tuple[str, ...]
    lines: int
    rows: list[list[str]]

    @property
    def fits(self) -> bool:
        """Whether it is surely a header: at least two names, and each row has a field for each, and for no other."""
        named = [name for name in self.names if name]
        same = all(len(row) == len(self.names) and not any(row[len(named) :]) for row in self.rows)
        first = self.names[: len(named)]
        return len(named) > 1 and same and bool(self.rows) and ("" not in first or not self.names[0])


def find_header(block: Lines, usual: str, notes: list[str]) -> Header | None:
    """The header, which ends in this block of lines; None: they are all blank.

    Where the first line does not fit the rows below, as a title does not, the first one that does is the header.

    Args:
        block: the first lines of a file.
        usual: the separator, unless the header has another.
        notes: a note on lines above the header is added to them.

    Returns:
        The header, and the lines after it.

    Raises:
        ValueError: if there is none, or a column has no name.
    """
    content = block.content
    start = content.find(b"\n") + 1 if content.startswith(b"sep=") else 0  # for Excel
    blanks = len(content) - start - len(content[start:].lstrip())
    if start + blanks == len(content):
        return None
    start = content.rfind(b"\n", start, start + blanks) + 1 or start
    line = block.before + content.count(b"\n", 0, start) + 1
    split, fault = _tried(content[start:], line, usual)
    below = None if split is not None and split.fits else _below(content, start, usual)
    if below is not None:
        above = content.count(b"\n", start, below[0])
        notes.append(
            f"{above} line{'s' * (above > 1)} above the columns' names {'are' if above > 1 else 'is'} left out"
        )
        (start, split), line = below, line + above
    if split is None:
        raise ValueError(fault)
    separator, names, count, rows = split
    end = start
    for _ in range(count):
        end = content.find(b"\n", end) + 1
    if len(names) > WIDEST:
        fault = f"line {line} names {len(names):,} columns, and there may be {WIDEST:,}"
        raise ValueError(f"{fault}: give three instead, time, option and value")
    if is_data(names):
        raise ValueError(f"line {line} begins with {shown(names[0])}, not a name: give the columns' names there")
    if rows and all(len(row) == len(names) + 1 and not row[-1] for row in rows):
        names = (*names, "")  # each row ends in a separator, and the header does not
    last = len(names)
    while last > 2 and not names[last - 1]:
        last -= 1
    unnamed = tuple(f"column {place + 1} without a name" for place in range(last, len(names)))
    if "" in names[1:last]:
        raise ValueError(f"column {names.index('', 1) + 1} has no name: name it in line {line}, or take it out")
    rest = Lines(content[end:], line + count - 1, block.size)
    return Header(distinct("its columns", (*names[:last], *unnamed), 1), separator, rest, unnamed)


def _tried(content: bytes, line: int, usual: str) -> tuple[Split | None, str]:
    """The first line, split; or else why it cannot be."""
    try:
        return _split(content, line, usual), ""
    except ValueError as error:
        return None, str(error)


def _below(content: bytes, start: int, usual: str) -> tuple[int, Split] | None:
    """Where a line begins below the first one that is surely the header, with names and rows of values."""
    content = content[: min(content.rfind(b"\n", 0, ABOVE) + 1, len(content))]
    for _ in range(TITLES):
        start = content.find(b"\n", start) + 1
        if start == 0 or start == len(content):
            return None
        split, _ = _tried(content[start:], 1, usual)
        if split is not None and split.fits and not _valued(split.names) and _valued(split.rows[0]):
            return start, split
    return None


def _valued(fields: Sequence[str]) -> bool:
    """Whether a field is a number or a date."""
    return any(VALUE.fullmatch(field) for field in fields)


def is_data(fields: Sequence[str]) -> bool:
    """Whether fields are a row of values, not names: all are numbers or dates, but for a time that may come first.

    >>> is_data(["Jan 2020", "10.69 €"]), is_data(["date", "101"]), is_data(["", "0"])
    (True, False, False)
    """
    values = all(VALUE.fullmatch(field) or AMOUNT.fullmatch(field) for field in fields[1:])
    return values and any(mark.isdigit() for mark in fields[0])


def _split(content: bytes, line: int, usual: str) -> Split:
    """The separator that splits the header and the first rows alike, the names, and how many lines the header has."""
    heads: dict[str, tuple[Any, list[str], int]] = {}
    faults = []
    for separator in dict.fromkeys((usual, *SEPARATORS)):
        reader = csv.reader(_texts(content), delimiter=separator, strict=True)
        try:
            heads[separator] = reader, next(reader), reader.line_num
        except csv.Error as error:
            faults.append(fault_of(error, reader.line_num))
    several = [each for each, (_, names, _) in heads.items() if len(names) > 1]
    if faults and not several:
        raise ValueError(f"line {line} {faults[0]}")
    rows = {each: _rows(heads[each][0]) for each in several}
    alike = {each: sum(len(row) == len(heads[each][1]) for row in rows[each]) for each in several}
    best = max(heads, key=lambda each: (alike.get(each, 0), len(heads[each][1])))
    return Split(best, tuple(name.strip() for name in heads[best][1]), heads[best][2], rows.get(best, []))


def _texts(content: bytes) -> Iterator[str]:
    """Lines, as they are asked for; a carriage return ends none."""
    end = 0
    while end < len(content):
        start, end = end, content.find(b"\n", end) + 1
        yield content[start:end].decode()


def _rows(rows: Iterator[list[str]]) -> list[list[str]]:
    """The first rows, if they can be split."""
    with suppress(csv.Error):
        return list(islice(filter(None, rows), TRIED))
    return []


def fault_of(error: csv.Error, lines: int) -> str:
    """What csv says of a row that it has read so many lines of, in other words.

    Args:
        error: what csv raises.
        lines: how many it has read.

    Returns:
        The words that follow the place.
    """
    sign = next((sign for sign in FAULTS if sign in str(error)), None)
    if sign == "larger than field limit" and lines > 1:
        return UNCLOSED.format(csv.field_size_limit(), "characters")
    return f"cannot be split: {error}" if sign is None else FAULTS[sign]
