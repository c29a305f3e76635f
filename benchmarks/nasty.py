"""Files that are hard to read: processor time per megabyte, which must not grow with the size.

    python benchmarks/nasty.py 1 10 100

The arguments are sizes in megabytes, counted unpacked. Without any, they go up to 1 GB, and the page is written.
"""

import gzip
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple

from timing import table

from bygones.io import read_table

SIZES = (1, 10, 100, 1000)
TIMES = 3  # that a file is read; the best one counts
OPTIONS = 10_000  # of wide and long tables, and keys of an object
AT_ONCE = 2**20  # bytes written
PAGE = Path(__file__).parent / "nasty.md"


class Shape(NamedTuple):
    """What a file looks like: its name, what it begins with, and what is repeated for each row from 1."""

    about: str
    file: str
    head: bytes
    row: Callable[[int], bytes]


def many(sign: bytes, row: Callable[[int], bytes]) -> Callable[[int], bytes]:
    """As many fields as there are options, made from their numbers, with a sign between them."""
    fields = sign.join(row(option) for option in range(OPTIONS))
    return lambda number: b"%d%b%b\n" % (number, sign, fields)


KEYS = b", ".join(b'"o%d": 1.5' % option for option in range(OPTIONS))
SHAPES = (
    Shape("a sound table, to compare with", "a.csv", b"t,a,b\n", lambda row: b"%d,1.25,2.5\n" % row),
    Shape("a quote in the header that is never closed", "a.csv", b't,"a,b\n', lambda row: b"%d,1.25,2.5\n" % row),
    Shape("a quote in row 1 that is never closed", "a.csv", b't,a,b\n0,"1,2\n', lambda row: b"%d,1.25,2.5\n" % row),
    Shape("nothing but blank lines, packed", "a.csv.gz", b"", lambda _: b"\n" * 1000),
    Shape("blank lines between rows", "a.csv", b"t,a,b\n", lambda row: b"%d,1.25,2.5\n\r\n\n" % row),
    Shape("a line that does not end", "a.csv", b"t,a,", lambda _: b"option " * 100),
    Shape(
        f"{OPTIONS:,} columns",
        "a.csv",
        b"t," + b",".join(b"o%d" % option for option in range(OPTIONS)) + b"\n",
        many(b",", lambda option: b"%d.5" % (option % 100)),
    ),
    Shape("a line break in every row", "a.csv", b't,a,b,"c\nd"\n', lambda row: b'%d,1.25,2.5,"1\n"\n' % row),
    Shape("JSON lines, each with other keys", "a.jsonl", b"", lambda row: b'{"a%d": 1, "b%d": 2}\n' % (row, row)),
    Shape(
        f"JSON lines with {OPTIONS:,} keys",
        "a.jsonl",
        b"",
        lambda row: b'{"t": %d, %b}\n' % (row, KEYS),
    ),
    Shape(
        f"a long table of {OPTIONS:,} options",
        "a.csv",
        b"t,option,cost\n",
        lambda row: b"".join(b"%d,o%d,1.5\n" % (row, option) for option in range(OPTIONS)),
    ),
)  # fmt: skip


def content(shape: Shape, size: int) -> Iterator[bytes]:
    """A file of so many bytes, unpacked, in parts."""
    written, part = 0, [shape.head]
    for number in count(1):
        part.append(shape.row(number))
        written += len(part[-1])
        if written >= size or number % max(1, AT_ONCE // len(part[-1])) == 0:
            yield b"".join(part)
            part = []
        if written >= size and number > 1:
            return


def taken(shape: Shape, size: int, folder: Path) -> tuple[float, str]:
    """The seconds of all processors to read a file of so many megabytes, and what comes of it."""
    path = folder / shape.file
    with gzip.open(path, "wb", 1) if path.suffix == ".gz" else path.open("wb") as file:
        for part in content(shape, size * 10**6):
            file.write(part)
    seconds = []
    for _ in range(TIMES):
        begun = time.process_time()
        try:
            rows = read_table(path, progress=False)
            outcome = f"{len(rows.names):,} options in {len(rows.values):,} periods"
            del rows
        except ValueError as error:
            outcome = str(error).removeprefix(f"{path}: ")
        seconds.append(time.process_time() - begun)
    path.unlink()
    return min(seconds), outcome


def page(sizes: Sequence[int], rows: list[list[str]]) -> str:
    """The page, with the rows of its table."""
    columns = ["file", *(f"{size:,} MB" for size in sizes), "what comes of the largest"]
    text = (
        "# Files that are hard to read\n\n"
        "Milliseconds per megabyte, counted unpacked, that it takes to read a file and check it, or to refuse it:\n"
        f"processor time of all threads, the best of {TIMES} times. Reading is linear in the bytes if no line grows\n"
        "to the right from 10 MB on; a smaller file is a single block. Written by `make bench-nasty`.\n\n"
    )
    return text + table(columns, rows)


def main() -> None:
    """Measure and print; the page is written if the sizes are the usual ones."""
    sizes = tuple(int(size) for size in sys.argv[1:]) or SIZES
    read_table("@flights")  # so that imports do not count
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for shape in SHAPES:
            times = []
            for size in sizes:
                seconds, outcome = taken(shape, size, Path(folder))
                times.append(f"{seconds / size * 1000:.3g}")
            rows.append([shape.about, *times, outcome.replace("|", "\\|")])
            print(*rows[-1], sep=" | ", flush=True)
    text = page(sizes, rows)
    print(text)
    if sizes == SIZES:
        PAGE.write_text(text)


if __name__ == "__main__":
    main()
