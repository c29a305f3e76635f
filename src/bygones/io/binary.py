"""Parquet and Arrow files, tried before they are trusted."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from .batches import LARGE, Batch, following

ROWS, CELLS = 2**16, 2**22  # read at once, at most
MARKS = {  # that files begin and end with
    "scan_parquet": (b"PAR1", b"PAR1"),
    "scan_ipc": (b"ARROW1", b"ARROW1"),
    "read_ipc_stream": (b"\xff\xff\xff\xff", b""),
}
TRIAL = """
import sys, polars as pl
way, path = sys.argv[1:]
frame = pl.read_ipc_stream(path).lazy() if way == "read_ipc_stream" else getattr(pl, way)(path, glob=False)
for _ in frame.collect_batches(): pass
"""


def open_binary(path: Path) -> tuple[int, Iterator[Batch]]:
    """How many rows a Parquet file, or an Arrow file or stream, has, and the rows."""
    kind, ways = ("Parquet", ["scan_parquet"]) if path.suffix.lower() == ".parquet" else ("Arrow", [*MARKS][1:])
    with _as_sentence(kind):
        way = next((way for way in ways if _marked(path, *MARKS[way])), None)
        if way is None or not _tried(path, way):
            raise pl.exceptions.ComputeError
        if way != "read_ipc_stream":
            scan: pl.LazyFrame = getattr(pl, way)(path, glob=False)
        elif path.stat().st_size > LARGE:
            raise ValueError("it is an Arrow stream, and large: save it as an Arrow file, or as Parquet")
        else:
            scan = pl.read_ipc_stream(path).lazy()
        return int(scan.select(pl.len()).collect().item()), _batches(scan, kind)


def _marked(path: Path, first: bytes, last: bytes) -> bool:
    """Whether a file begins and ends with marks."""
    with path.open("rb") as file:
        begins = file.read(len(first)) == first
        file.seek(-min(len(last), path.stat().st_size), 2)
        return begins and file.read() == last


def _tried(path: Path, way: str) -> bool:
    """Whether another process can read a file: damaged bytes can make polars abort, which nobody could catch."""
    program = [sys.executable, "-P", "-c", TRIAL, way, str(path)]  # -P: nothing is taken from the folder at hand
    return not sys.executable or not subprocess.run(program, capture_output=True, check=False).returncode  # noqa: S603


def _batches(scan: pl.LazyFrame, kind: str) -> Iterator[Batch]:
    start = 0
    with _as_sentence(kind):
        rows = max(1, min(ROWS, CELLS // len(scan.collect_schema())))
        for frame in scan.collect_batches(chunk_size=rows, maintain_order=True):
            yield Batch(frame, pl.DataFrame({"row": following(start, frame.height)}), frame.height)
            start += frame.height


@contextmanager
def _as_sentence(kind: str) -> Iterator[None]:
    """Whatever goes wrong in a damaged file, as one sentence."""
    try:
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError):
        raise ValueError(f"it is no {kind} file, or only a part of one, or damaged: export it again") from None
