"""Text files in blocks of whole lines, and the fields of CSV and TSV files."""

import csv
import gzip
import io
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import numpy as np
import polars as pl

from .batches import LARGE, SAMPLE, Batch, Numbers, enough, following, place
from .encodings import Narrow, as_utf8
from .header import SEPARATORS, UNCLOSED, Header, Lines, fault_of, find_header
from .numerals import FRACTION
from .times import are_months

BLOCK = 2**23  # bytes read at once
LONGEST = 2**26  # bytes of a line; line feeds between quotes do not end it
GROWTH = 200  # times that a packed file may grow, if it is LARGE then
LONG_WIDTH = 3  # columns of a long table: time, option and value
LINE_FEED, RETURN, QUOTE = b'\n\r"'


def blocks(path: Path, quotes: bool, encoding: str | None, notes: list[str]) -> Iterator[Lines]:
    """A text file, as UTF-8, in blocks of whole lines; where fields may be quoted, none of those is cut.

    Every byte is looked at a fixed number of times, whatever the lines and quotes are.

    Args:
        path: the file; unpacked where its name ends in `.gz`.
        quotes: line feeds between quotes do not end a line.
        encoding: as the user says; None: found.
        notes: a note on the encoding is added to them.

    Yields:
        The blocks, in their order.

    Raises:
        ValueError: if the file is not text, a line is too long, or a packed file grows too much.
    """
    with path.open("rb") as raw:
        waiting: list[bytes] = []  # the beginning of a line
        narrow = Narrow(encoding)
        before, taken, inside = 0, 0, False
        for piece in as_utf8(_pieces(raw, path), encoding):
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
                    yield Lines(narrow.decode(block, before), before, raw.tell() - taken)
                    before, taken = before + block.count(b"\n"), raw.tell()
        notes += narrow.notes()


def _pieces(raw: IO[bytes], path: Path) -> Iterator[bytes]:
    """The bytes of a file, unpacked, and an empty piece at the end."""
    packed = path.suffix.lower() == ".gz"
    file = gzip.GzipFile(fileobj=raw) if packed else raw
    most, read, piece = max(LARGE, GROWTH * path.stat().st_size), 0, b"-"
    while piece:
        try:
            piece = file.read(BLOCK)
        except (gzip.BadGzipFile, EOFError, zlib.error):
            raise ValueError("it is not a gzip file, or only a part of one: unpack it to see") from None
        read += len(piece)
        if packed and read > most:
            fault = f"it has more than {most:,} bytes unpacked, over {GROWTH} times its size"
            raise ValueError(f"{fault}: unpack it to see, and give the file that comes out")
        yield piece


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


def csv_batches(path: Path, usual: str, encoding: str | None, notes: list[str]) -> Iterator[Batch]:
    """The fields of a CSV file, as text: the first batch has the header's names, and may have no rows.

    Args:
        path: the file.
        usual: the separator, unless the header has another.
        encoding: as the user says; None: found.
        notes: notes on the encoding and on lines above the header are added to them.

    Yields:
        The batches, in their order.

    Raises:
        ValueError: if a column without a name has a value.
    """
    head: Header | None = None
    start, fractions = 0, None
    for block in blocks(path, True, encoding, notes):
        parts = [block]
        if head is None:
            head = find_header(block, usual, notes)
            if head is None:
                continue
            parts = _sampled_first(head.rest, len(head.names))
        for part in parts:
            frame, lines = _fields(part, head, fractions or (), start)
            if fractions is None and enough(start + frame.height, frame.width):
                fractions = _fractions(frame)
            places = pl.DataFrame({"row": following(start, frame.height), "line": lines})
            for name in head.unnamed:
                for row in frame[name].is_not_null().arg_true()[:1]:
                    raise ValueError(f"{place(places, row)} has a value in {name}: name it, or take it out")
            yield Batch(frame.drop(head.unnamed), places, part.size)
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


def _fractions(frame: pl.DataFrame) -> tuple[str, ...]:
    """The columns of text that hold numbers with a point: later blocks can have them as numbers, to the same bits."""
    pointed = frame.select(pl.all().str.contains(FRACTION).any()).row(0)
    odd = frame.cast(pl.Float64, strict=False).null_count().row(0)
    columns = zip(frame.columns, pointed, frame.null_count().row(0), odd, strict=True)
    numbers = (name for name, is_pointed, before, after in columns if is_pointed and before == after)
    return tuple(name for name in numbers if not are_months(frame[name]))


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
        fault = fault_of(error, reader.line_num - begun)
    if fault:
        raise ValueError(f"row {start + len(lines) + 1} (line {block.before + begun + 1}) {fault}")
    return fields, lines
