"""Text files in blocks of whole lines, and the fields of CSV and TSV files."""

import csv
import gzip
import io
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from ..validation import distinct, shown
from .batches import SAMPLE, Batch, Numbers, following

BLOCK = 2**23  # bytes read at once
LONGEST = 2**28  # bytes of a line
FAULTS = {  # what csv says, in other words
    "larger than field limit": f"has a field of more than {csv.field_size_limit():,} characters: shorten it",
    "expected after": "goes on after a closing quote: quote the whole field, and write two quotes for one inside it",
    "unexpected end of data": "opens a quote that is never closed: close it, or take it out",
}
BLANK = re.compile(rb"^\r?\n", re.MULTILINE)
LONG_WIDTH = 3  # columns of a long table: time, option and value
SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
VALUE = re.compile(r"[-+]?[\d.,]+(e[-+]?\d+)?%?|\d{4}[-/]\d\d?([-/]\d\d?.*)?", re.IGNORECASE)  # a number or a date


class Lines(NamedTuple):
    """Whole lines of a file: how many lines there are before them, and how much of the file they took."""

    content: bytes
    before: int
    size: int


def blocks(path: Path, quotes: bool) -> Iterator[Lines]:
    """A text file, checked to be UTF-8, in blocks of whole lines; where fields may be quoted, none of those is cut.

    Args:
        path: the file; unpacked where its name ends in `.gz`.
        quotes: line feeds between quotes do not end a line.

    Yields:
        The blocks, in their order.

    Raises:
        ValueError: if the file is not text in UTF-8, or a line is too long.
    """
    with path.open("rb") as raw:
        file = gzip.GzipFile(fileobj=raw) if path.suffix.lower() == ".gz" else raw
        rest, before, taken = b"", 0, 0
        while True:
            try:
                piece = file.read(BLOCK)
            except (gzip.BadGzipFile, EOFError, zlib.error):
                raise ValueError("it is not a gzip file, or only a part of one: unpack it to see") from None
            if not (before or rest):
                if piece.startswith((b"\xff\xfe", b"\xfe\xff")):
                    raise ValueError("it is written in UTF-16: save it as UTF-8")
                piece = piece.removeprefix(b"\xef\xbb\xbf")
            content = rest + piece
            cut = _cut(content, quotes) if piece else len(content)
            block, rest = content[:cut], content[cut:]
            if len(rest) > LONGEST:
                raise ValueError(f"line {before + 1} does not end within {LONGEST:,} bytes: close its quotes")
            if block:
                block += b"" if block.endswith(b"\n") else b"\n"
                _check(block, before)
                yield Lines(block, before, raw.tell() - taken)
                before, taken = before + block.count(b"\n"), raw.tell()
            if not piece:
                return


def _cut(content: bytes, quotes: bool) -> int:
    """Where the last whole line ends; 0: nowhere."""
    end, quotes = len(content), quotes and b'"' in content
    before = content.count(b'"') if quotes else 0  # quotes before the cut: of an odd number, the last is open
    while True:
        cut = content.rfind(b"\n", 0, end) + 1
        before -= content.count(b'"', cut, end) if quotes else 0
        if before % 2 == 0 or not cut:
            return cut
        end = cut - 1


def _check(block: bytes, before: int) -> None:
    """Raise ValueError if a block is not text, or not in UTF-8."""
    place, fault = block.find(b"\0"), "holds a NUL byte, as binary files do: give a text file in UTF-8"
    if place < 0 and not block.isascii():
        try:
            block.decode()
        except UnicodeDecodeError as error:
            place = error.start
            fault = f"is not UTF-8, but perhaps Latin-1 (byte {block[place]:#x}): save the file as UTF-8"
    if place >= 0:
        line = before + block.count(b"\n", 0, place) + 1
        raise ValueError(f"line {line} {fault}")


def csv_batches(path: Path, usual: str) -> Iterator[Batch]:
    """The fields of a CSV file, as text: the first batch has the header's names, and may have no rows.

    Args:
        path: the file.
        usual: the separator, unless the header has another.

    Yields:
        The batches, in their order.
    """
    names: tuple[str, ...] = ()
    separator, start = usual, 0
    fractions: tuple[str, ...] = ()
    for block in blocks(path, quotes=True):
        parts = [block]
        if not names:
            names, separator, block = _header(block, usual)
            if not names:
                continue
            parts = _sampled_first(block, len(names))
        for part in parts:
            frame, lines = _fields(part, names, fractions, separator, start)
            fractions = fractions or _fractions(frame)
            yield Batch(frame, pl.DataFrame({"row": following(start, frame.height), "line": lines}), part.size)
            start += frame.height


def _sampled_first(block: Lines, width: int) -> list[Lines]:
    """The rows that show what the columns hold, and the rest, which can then be read as numbers at once.

    The rows of a table that may be long, and so shows its options in all of them, stay together, and so do quoted ones.
    """
    end = 0
    for _ in range(SAMPLE):
        end = block.content.find(b"\n", end) + 1
        if end == 0:
            return [block]
    head, rest = block.content[:end], block.content[end:]
    if width == LONG_WIDTH or b'"' in block.content or BLANK.search(head) or not rest:
        return [block]
    return [Lines(head, block.before, 0), Lines(rest, block.before + SAMPLE, block.size)]


def _header(block: Lines, usual: str) -> tuple[tuple[str, ...], str, Lines]:
    """The columns' names, the separator, and what is left of the block."""
    content, line = block.content, block.before
    start = end = content.find(b"\n") + 1 if content.startswith(b"sep=") else 0  # for Excel
    line += content.count(b"\n", 0, start)
    while end < len(content) and (not content[start:end].strip() or content.count(b'"', start, end) % 2 == 1):
        start = end if not content[start:end].strip() else start
        end = content.find(b"\n", end) + 1
        line += 1
    text = content[start:end].decode().strip("\r\n")
    if not text.strip():
        return (), usual, block
    if "\r" in text:
        raise ValueError("its lines end in a carriage return alone: save it with the line ends of Unix or Windows")
    try:
        fields = {each: next(csv.reader(io.StringIO(text, newline=""), delimiter=each)) for each in SEPARATORS}
    except csv.Error as error:
        raise ValueError(f"line {line} does not give the columns' names: {error}") from None
    separator = max((usual, *SEPARATORS), key=lambda each: len(fields[each]))
    names = tuple(name.strip() for name in fields[separator])
    if all(VALUE.fullmatch(name) for name in names):
        raise ValueError(f"line {line} begins with {shown(names[0])}, not a name: give the columns' names there")
    if "" in names[1:]:
        raise ValueError(f"column {names.index('', 1) + 1} has no name: name it in line {line}, or take it out")
    return distinct("its columns", names, 1), separator, Lines(content[end:], line, block.size)


def _fractions(frame: pl.DataFrame) -> tuple[str, ...]:
    """The columns of text that hold numbers with a point: later blocks can have them as numbers, to the same bits."""
    pointed = [column for column in frame.iter_columns() if column.str.contains(".", literal=True).any()]
    return tuple(
        column.name for column in pointed if column.cast(pl.Float64, strict=False).null_count() == column.null_count()
    )


def _fields(
    block: Lines, names: Sequence[str], fractions: Sequence[str], separator: str, start: int
) -> tuple[pl.DataFrame, Numbers]:
    """The fields of a block, as text but for the columns of fractions, and the line that each row ends on."""
    content = block.content
    schema, quote = dict.fromkeys(names, pl.String), '"' if b'"' in content else None
    plain = (len(names) > 1 or not BLANK.search(content)) and (quote is None or _whole(content, separator))
    for numbers in (fractions, ()) if plain else ():
        with suppress(pl.exceptions.PolarsError):  # a row is too long, or a field is not a number
            kinds: dict[str, Any] = schema | dict.fromkeys(numbers, pl.Float64)
            frame = pl.read_csv(content, has_header=False, separator=separator, quote_char=quote, schema=kinds)
            fields = content.count(separator.encode()) + frame.height if frame[:, -1].has_nulls() else None
            if fields in (None, frame.height * len(names)):  # else a row is too short, or blank
                return frame, following(block.before, frame.height)
    rows, lines = _slowly(block, len(names), separator, start)
    return pl.DataFrame(rows, schema, orient="row"), np.array(lines, dtype=np.int64)


def _whole(content: bytes, separator: str) -> bool:
    """Whether all quotes are around whole fields, which hold no quote, separator or line feed, and not too much."""
    mark, most = re.escape(separator.encode()), min(csv.field_size_limit(), LONGEST)
    field = rb'(?<![^\n%b])"[^"\n%b]{,%d}"(?=%b|\r?\n)' % (mark, mark, most, mark)
    return 2 * len(re.findall(field, content)) == content.count(b'"')


def _slowly(block: Lines, width: int, separator: str, start: int) -> tuple[list[list[str | None]], list[int]]:
    """The fields of a block that has unusual quotes, blank lines, or rows of different lengths, which are refused."""
    reader = csv.reader(io.StringIO(block.content.decode(), newline=""), delimiter=separator, strict=True)
    rows: list[list[str | None]] = []
    lines: list[int] = []
    fault = ""
    try:
        for row in reader:
            if row and len(row) != width:
                columns = f"there are {width} columns" if width > 1 else "the first line names one column"
                quote = f"quote what holds a {SEPARATORS[separator]}"
                fault = f"has {len(row)} fields, and {columns}: give one for each, and {quote}"
                break
            if row:
                rows.append([field or None for field in row])
                lines.append(block.before + reader.line_num)
    except csv.Error as error:
        fault = next((words for sign, words in FAULTS.items() if sign in str(error)), f"cannot be split: {error}")
    if fault:
        raise ValueError(f"row {start + len(rows) + 1} (line {block.before + reader.line_num}) {fault}")
    return rows, lines
