"""Text files in blocks of whole lines, and the fields of CSV and TSV files."""

import csv
import gzip
import io
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from ..validation import distinct, shown
from .batches import LARGE, SAMPLE, Batch, Numbers, following

BLOCK = 2**23  # bytes read at once
LONGEST = 2**26  # bytes of a line; line feeds between quotes do not end it
WIDEST = 2**20  # columns
GROWTH = 200  # times that a packed file may grow, if it is LARGE then
FAULTS = {  # what csv says, in other words
    "larger than field limit": f"has a field of more than {csv.field_size_limit():,} characters: shorten it",
    "expected after": "goes on after a closing quote: quote the whole field, and write two quotes for one inside it",
    "unexpected end of data": "opens a quote that is never closed: close it, or take it out",
    "new-line character": "has a carriage return inside: save the file with the line ends of Unix or Windows",
}
UNCLOSED = "opens a quote that is not closed within {:,} {}: close it, or take it out"
LONG_WIDTH = 3  # columns of a long table: time, option and value
SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
TRIED = 10  # rows that show which separator is the right one
LINE_FEED, RETURN, QUOTE = b'\n\r"'
VALUE = re.compile(r"[-+]?[\d.,]+(e[-+]?\d+)?%?|\d{4}[-/]\d\d?([-/]\d\d?.*)?", re.IGNORECASE)  # a number or a date


class Lines(NamedTuple):
    """Whole lines of a file: how many lines there are before them, and how much of the file they took."""

    content: bytes
    before: int
    size: int


def blocks(path: Path, quotes: bool) -> Iterator[Lines]:
    """A text file, checked to be UTF-8, in blocks of whole lines; where fields may be quoted, none of those is cut.

    Every byte is looked at a fixed number of times, whatever the lines and quotes are.

    Args:
        path: the file; unpacked where its name ends in `.gz`.
        quotes: line feeds between quotes do not end a line.

    Yields:
        The blocks, in their order.

    Raises:
        ValueError: if the file is not text in UTF-8, a line is too long, or a packed file grows too much.
    """
    with path.open("rb") as raw:
        packed = path.suffix.lower() == ".gz"
        file = gzip.GzipFile(fileobj=raw) if packed else raw
        most = max(LARGE, GROWTH * path.stat().st_size)
        waiting: list[bytes] = []  # the beginning of a line
        before, taken, read, inside = 0, 0, 0, False
        while True:
            try:
                piece = file.read(BLOCK)
            except (gzip.BadGzipFile, EOFError, zlib.error):
                raise ValueError("it is not a gzip file, or only a part of one: unpack it to see") from None
            if not read:
                if piece.startswith((b"\xff\xfe", b"\xfe\xff")):
                    raise ValueError("it is written in UTF-16: save it as UTF-8")
                piece = piece.removeprefix(b"\xef\xbb\xbf")
            read += len(piece)
            if packed and read > most:
                fault = f"it has more than {most:,} bytes unpacked, over {GROWTH} times its size"
                raise ValueError(f"{fault}: unpack it to see, and give the file that comes out")
            cut = _cut(piece, inside) if quotes else piece.rfind(b"\n") + 1
            inside = (piece.count(b'"', cut) + (inside and not cut)) % 2 == 1
            waiting.append(piece[: cut or None])
            if sum(map(len, waiting)) - cut > LONGEST:
                endless = "is longer than {:,} {}: end every row with a line feed, or give time, option and value"
                fault = UNCLOSED if quotes and inside else endless
                raise ValueError(f"line {before + 1} {fault.format(LONGEST, 'bytes')}")
            if cut or not piece:
                block, waiting = b"".join(waiting), [piece[cut:]]
                if block:
                    block += b"" if block.endswith(b"\n") else b"\n"
                    _check(block, before)
                    yield Lines(block, before, raw.tell() - taken)
                    before, taken = before + block.count(b"\n"), raw.tell()
            if not piece:
                return


def _cut(piece: bytes, inside: bool) -> int:
    """Where the last whole line of a piece ends, which may begin inside quotes; 0: nowhere."""
    cut = piece.rfind(b"\n") + 1
    if (piece.count(b'"', 0, cut) + inside) % 2 == 0:
        return cut
    marks = np.frombuffer(piece, dtype=np.uint8)
    ends = np.flatnonzero(marks == LINE_FEED)
    whole = ends[(np.searchsorted(np.flatnonzero(marks == QUOTE), ends) + inside) % 2 == 0]
    return int(whole[-1]) + 1 if whole.size else 0


def without_blanks(content: bytes) -> tuple[bytes, Numbers]:
    r"""Lines but the blank ones, and the number of each that is left, from 1.

    >>> without_blanks(b"a\n\r\n\nb\n")
    (b'a\nb\n', array([1, 4]))
    """
    marks = np.frombuffer(content, dtype=np.uint8)
    ends = np.flatnonzero(marks == LINE_FEED)
    sizes = np.diff(ends, prepend=-1)
    there = (sizes > 2) | ((sizes == 2) & (marks[ends - 1] != RETURN))
    return marks[np.repeat(there, sizes)].tobytes(), np.flatnonzero(there) + 1


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
    head: Header | None = None
    start, fractions = 0, None
    for block in blocks(path, quotes=True):
        parts = [block]
        if head is None:
            head = _header(block, usual)
            if head is None:
                continue
            parts = _sampled_first(head.rest, len(head.names))
        for part in parts:
            frame, lines = _fields(part, head, fractions or (), start)
            fractions = _fractions(frame) if fractions is None and frame.height else fractions
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
    if width == LONG_WIDTH or b'"' in block.content or _has_blanks(head) or not rest:
        return [block]
    return [Lines(head, block.before, 0), Lines(rest, block.before + SAMPLE, block.size)]


class Header(NamedTuple):
    """The columns' names, what separates fields, and the lines that follow."""

    names: tuple[str, ...]
    separator: str
    rest: Lines


def _header(block: Lines, usual: str) -> Header | None:
    """The header, which ends in this block of lines; None: they are all blank."""
    content = block.content
    start = content.find(b"\n") + 1 if content.startswith(b"sep=") else 0  # for Excel
    blanks = len(content) - start - len(content[start:].lstrip())
    if start + blanks == len(content):
        return None
    start = content.rfind(b"\n", start, start + blanks) + 1 or start
    line = block.before + content.count(b"\n", 0, start) + 1
    separator, names, count = _split(content[start:], line, usual)
    end = start
    for _ in range(count):
        end = content.find(b"\n", end) + 1
    if len(names) > WIDEST:
        fault = f"line {line} names {len(names):,} columns, and there may be {WIDEST:,}"
        raise ValueError(f"{fault}: give three instead, time, option and value")
    if all(VALUE.fullmatch(name) for name in names):
        raise ValueError(f"line {line} begins with {shown(names[0])}, not a name: give the columns' names there")
    if "" in names[1:]:
        raise ValueError(f"column {names.index('', 1) + 1} has no name: name it in line {line}, or take it out")
    rest = Lines(content[end:], line + count - 1, block.size)
    return Header(distinct("its columns", names, 1), separator, rest)


def _split(content: bytes, line: int, usual: str) -> tuple[str, tuple[str, ...], int]:
    """The separator that splits the header and the first rows alike, the names, and how many lines the header has."""
    heads: dict[str, tuple[Any, list[str], int]] = {}
    faults = []
    for separator in dict.fromkeys((usual, *SEPARATORS)):
        reader = csv.reader(_texts(content), delimiter=separator, strict=True)
        try:
            heads[separator] = reader, next(reader), reader.line_num
        except csv.Error as error:
            faults.append(_fault(error, reader.line_num))
    several = [each for each, (_, names, _) in heads.items() if len(names) > 1]
    if faults and not several:
        raise ValueError(f"line {line} {faults[0]}")
    alike = {each: _alike(*heads[each][:2]) for each in several} if len(several) > 1 else {}
    best = max(heads, key=lambda each: (alike.get(each, 0), len(heads[each][1])))
    return best, tuple(name.strip() for name in heads[best][1]), heads[best][2]


def _texts(content: bytes) -> Iterator[str]:
    """Lines, as they are asked for; a carriage return ends none."""
    end = 0
    while end < len(content):
        start, end = end, content.find(b"\n", end) + 1
        yield content[start:end].decode()


def _alike(rows: Iterator[list[str]], names: Sequence[str]) -> int:
    """How many of the first rows have as many fields as there are names."""
    with suppress(csv.Error):
        return sum(len(row) == len(names) for row in islice(filter(None, rows), TRIED))
    return 0


def _fault(error: csv.Error, lines: int) -> str:
    """What csv says of a row that it has read so many lines of, in other words."""
    sign = next((sign for sign in FAULTS if sign in str(error)), None)
    if sign == "larger than field limit" and lines > 1:
        return UNCLOSED.format(csv.field_size_limit(), "characters")
    return f"cannot be split: {error}" if sign is None else FAULTS[sign]


def _fractions(frame: pl.DataFrame) -> tuple[str, ...]:
    """The columns of text that hold numbers with a point: later blocks can have them as numbers, to the same bits."""
    pointed = frame.select(pl.all().str.contains(".", literal=True).any()).row(0)
    odd = frame.cast(pl.Float64, strict=False).null_count().row(0)
    columns = zip(frame.columns, pointed, frame.null_count().row(0), odd, strict=True)
    return tuple(name for name, is_pointed, before, after in columns if is_pointed and before == after)


def _has_blanks(content: bytes) -> bool:
    return content.startswith((b"\n", b"\r\n")) or b"\n\n" in content or b"\n\r\n" in content


def _fields(block: Lines, head: Header, fractions: Sequence[str], start: int) -> tuple[pl.DataFrame, Numbers]:
    """The fields of a block, as text but for the columns of fractions, and the line that each row ends on."""
    content, names, separator = block.content, head.names, head.separator
    schema, quote = dict.fromkeys(names, pl.String), '"' if b'"' in content else None
    plain = quote is None or _whole(content, separator)
    lines = None
    if plain and _has_blanks(content):
        content, lines = without_blanks(content)
    if not content:
        return pl.DataFrame(schema=schema), following(0, 0)
    for numbers in (fractions, ()) if plain else ():
        with suppress(pl.exceptions.PolarsError):  # a row is too long, or a field is not a number
            kinds: dict[str, Any] = schema | dict.fromkeys(numbers, pl.Float64)
            frame = pl.read_csv(content, has_header=False, separator=separator, quote_char=quote, schema=kinds)
            fields = content.count(separator.encode()) + frame.height if frame[:, -1].has_nulls() else None
            if fields in (None, frame.height * len(names)):  # else a row is too short
                return frame, block.before + (following(0, frame.height) if lines is None else lines)
    texts, ends = _slowly(block, len(names), separator, start)
    columns = {name: texts[number :: len(names)] for number, name in enumerate(names)}
    return pl.DataFrame(columns, schema), np.array(ends, dtype=np.int64)


def _whole(content: bytes, separator: str) -> bool:
    """Whether all quotes are around whole fields, which hold no quote, separator or line feed, and not too much."""
    mark, most = re.escape(separator.encode()), min(csv.field_size_limit(), LONGEST)
    field = rb'"(?<![^\n%b]")[^"\n%b]{,%d}"(?=%b|\r?\n)' % (mark, mark, most, mark)  # found by its first quote
    return 2 * len(re.findall(field, content)) == content.count(b'"')


def _slowly(block: Lines, width: int, separator: str, start: int) -> tuple[list[str | None], list[int]]:
    """The fields of a block that has unusual quotes, or rows of different lengths, which are refused.

    All rows are in one list: the garbage collector would look through a list for each of them again and again.
    """
    text = io.TextIOWrapper(io.BytesIO(block.content), encoding="utf-8", newline="")  # decoded as it is asked for
    reader = csv.reader(text, delimiter=separator, strict=True)
    fields: list[str | None] = []
    lines: list[int] = []
    fault, begun = "", 0
    try:
        for row in reader:
            if row and len(row) != width:
                columns = f"there are {width} columns" if width > 1 else "the first line names one column"
                quote = f"quote what holds a {SEPARATORS[separator]}"
                fault = f"has {len(row)} fields, and {columns}: give one for each, and {quote}"
                break
            begun = reader.line_num
            if row:
                fields += [field or None for field in row]
                lines.append(block.before + begun)
    except csv.Error as error:
        fault = _fault(error, reader.line_num - begun)
    if fault:
        raise ValueError(f"row {start + len(lines) + 1} (line {block.before + begun + 1}) {fault}")
    return fields, lines
