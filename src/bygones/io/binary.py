"""Parquet and Arrow files, tried before they are trusted."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from .batches import LARGE, Batch, following

ROWS, CELLS = 2**16, 2**22  # read at once, at most
TRIAL = """
import sys, polars as pl
scan, path = sys.argv[1:]
frame = pl.read_ipc_stream(path).lazy() if scan == "stream" else getattr(pl, scan)(path, glob=False)
for _ in frame.collect_batches(): pass
"""


def open_parquet(path: Path) -> tuple[int, Iterator[Batch]]:
    """How many rows a Parquet file has, and the rows."""
    with _as_sentence("Parquet"):
        _try(path, "scan_parquet", _framed(path, b"PAR1"))
        return _scanned(pl.scan_parquet(path, glob=False), "Parquet")


def open_arrow(path: Path) -> tuple[int, Iterator[Batch]]:
    """How many rows an Arrow file or stream has, and the rows."""
    with _as_sentence("Arrow"):
        if _framed(path, b"ARROW1"):
            _try(path, "scan_ipc", sound=True)
            return _scanned(pl.scan_ipc(path, glob=False), "Arrow")
        _try(path, "stream", _begins(path, b"\xff\xff\xff\xff"))
        if path.stat().st_size > LARGE:
            raise ValueError("it is an Arrow stream, and large: save it as an Arrow file, or as Parquet")
        return _scanned(pl.read_ipc_stream(path).lazy(), "Arrow")


def _begins(path: Path, mark: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(mark)) == mark


def _framed(path: Path, mark: bytes) -> bool:
    """Whether a file begins and ends with a mark."""
    with path.open("rb") as file:
        begins = file.read(len(mark)) == mark
        file.seek(-min(len(mark), path.stat().st_size), 2)
        return begins and file.read() == mark


def _try(path: Path, scan: str, sound: bool) -> None:
    """Read a file in another process first: bytes that were damaged can make polars abort, which none could catch."""
    program = [sys.executable, "-P", "-c", TRIAL, scan, str(path)]  # -P: nothing is taken from the folder at hand
    if not sound or (sys.executable and subprocess.run(program, capture_output=True, check=False).returncode):  # noqa: S603
        raise pl.exceptions.ComputeError


def _scanned(scan: pl.LazyFrame, kind: str) -> tuple[int, Iterator[Batch]]:
    return int(scan.select(pl.len()).collect().item()), _batches(scan, kind)


def _batches(scan: pl.LazyFrame, kind: str) -> Iterator[Batch]:
    start = 0
    with _as_sentence(kind):
        rows = max(1, min(ROWS, CELLS // len(scan.collect_schema())))
        for frame in scan.collect_batches(chunk_size=rows, maintain_order=True):
            yield Batch(frame, following(start, frame.height), frame.height)
            start += frame.height


@contextmanager
def _as_sentence(kind: str) -> Iterator[None]:
    """Whatever goes wrong in a damaged file, as one sentence."""
    try:
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError):
        raise ValueError(f"it is no {kind} file, or only a part of one, or damaged: export it again") from None
