"""Parquet and Arrow files, tried before they are trusted."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from .batches import LARGE, Batch, following

ROWS, CELLS = 2**16, 2**22  # read at once, at most
WAYS = {b"PAR1": "scan_parquet", b"ARRO": "scan_ipc", b"\xff\xff\xff\xff": "read_ipc_stream"}  # by their first bytes
SPACE, MANY = 2**32, 3  # bytes that a file with a limit may take there, and what is said of too many values
TRIAL = """
import sys
from contextlib import suppress
way, path, most, space = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
if most:
    with suppress(ImportError):  # not on Windows
        import resource
        limits = [limit for limit in (space, *resource.getrlimit(resource.RLIMIT_AS)) if limit >= 0]
        resource.setrlimit(resource.RLIMIT_AS, (min(limits), min(limits)))
import polars as pl
frame, rows = pl.read_ipc_stream(path).lazy() if way == "read_ipc_stream" else getattr(pl, way)(path, glob=False), 0
for part in frame.collect_batches():
    rows += part.height
    if most and rows * part.width > most:
        sys.exit(3)
sys.exit(rows != frame.select(pl.len()).collect().item())
"""


def open_binary(path: Path, most: int | None = None) -> tuple[int, Iterator[Batch]]:
    """How many rows a Parquet file, or an Arrow file or stream, has, and the rows.

    Another process reads the file first: damaged bytes can make polars abort, which nobody could catch, or end early
    without an error, which is why that process counts the rows.

    Args:
        path: of the file.
        most: how many values it may have, its times included, as a few bytes can stand for any number; None: any.

    Returns:
        The number of rows, and the rows.

    Raises:
        ValueError: if the file is damaged, not of the kind that its name says, a large stream, or has too many values.
    """
    kind = "a Parquet" if path.suffix.lower() == ".parquet" else "an Arrow"
    with _as_sentence(kind):
        with path.open("rb") as file:
            way = WAYS.get(file.read(4), "")
        # -P: nothing is taken from the folder at hand
        program = [sys.executable, "-P", "-c", TRIAL, way, str(path), str(most or 0), str(SPACE)]
        if not way or (way == "scan_parquet") != (kind == "a Parquet"):
            raise pl.exceptions.ComputeError
        if sys.executable:
            done = subprocess.run(program, capture_output=True, check=False)  # noqa: S603
            if most and done.returncode == MANY:
                raise too_many(most)
            done.check_returncode()
        if way == "read_ipc_stream" and path.stat().st_size > LARGE:
            raise ValueError("it is an Arrow stream, and large: save it as an Arrow file, or as Parquet")
        scan = pl.read_ipc_stream(path).lazy() if way == "read_ipc_stream" else getattr(pl, way)(path, glob=False)
        if not len(scan.collect_schema()):
            raise ValueError("it has no columns: give one for each option")
        return int(scan.select(pl.len()).collect().item()), _batches(scan, kind)


def _batches(scan: pl.LazyFrame, kind: str) -> Iterator[Batch]:
    start = 0
    with _as_sentence(kind):
        schema = scan.collect_schema()
        rows = max(1, min(ROWS, CELLS // len(schema)))
        for frame in scan.collect_batches(chunk_size=rows, maintain_order=True):
            yield Batch(frame, pl.DataFrame({"row": following(start, frame.height)}), frame.height)
            start += frame.height
    if not start:  # else nobody would know the columns
        yield Batch(schema.to_frame(), pl.DataFrame({"row": following(0, 0)}), 0)


def too_many(most: int) -> ValueError:
    """What is said of a file with more values than that."""
    return ValueError(f"it has more than {most:,} values, its times included: give fewer periods")


@contextmanager
def _as_sentence(kind: str) -> Iterator[None]:
    """Whatever goes wrong in a damaged file, as one sentence."""
    try:
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, subprocess.CalledProcessError, OSError):
        raise ValueError(f"it is not {kind} file, or only a part of one, or damaged: export it again") from None
