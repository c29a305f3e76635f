"""Files, by how their names end: each becomes a source of batches."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..validation import shown
from .batches import LARGE, Batch, Source, sampled
from .binary import open_binary
from .frames import column
from .text import blocks, csv_batches

BINARY = (".parquet", ".arrow", ".feather", ".ipc")
PACKED = 10  # times that a packed file may grow
ENDINGS = ".csv, .tsv, .txt (also packed, .csv.gz), .parquet, .arrow, .feather, .ipc, .jsonl, .ndjson or .npy"


def _check(path: Path) -> None:
    """Raise ValueError unless there is a file with something in it."""
    if path.is_dir():
        raise ValueError("it is a folder: name a file in it")
    if not path.exists():
        raise ValueError("there is no such file")
    if not path.is_file():
        raise ValueError("it is not a regular file: write it to one first")
    if path.stat().st_size == 0:
        raise ValueError("it is empty: give a table with one row per period")


def open_array(path: Path) -> NDArray[Any]:
    """An array that `np.save` wrote, mapped and never unpickled; raises ValueError if it is not one."""
    _check(path)
    try:
        return np.lib.format.open_memmap(path, mode="r")
    except PermissionError:
        raise
    except (ValueError, EOFError, OSError):
        remedy = "save it again with np.save"
        raise ValueError(f"it is not an array that numpy saved, or only a part of one: {remedy}") from None


def open_file(path: Path) -> Source:
    """A file as a source; raises ValueError if it is not a table."""
    _check(path)
    packed = path.suffix.lower() == ".gz"
    kind = Path(path.stem if packed else path.name).suffix.lower()
    size = path.stat().st_size
    if kind in (".csv", ".tsv", ".txt"):
        batches = csv_batches(path, "\t" if kind == ".tsv" else ",")
    elif kind in (".jsonl", ".ndjson"):
        batches = _json_batches(path)
    elif kind in BINARY and not packed:
        size, batches = open_binary(path)
    else:
        ending = f"ends in {shown(path.suffix)}" if path.suffix else "has no ending"
        raise ValueError(f"its name {ending}: save it as one that ends in {ENDINGS}")
    sample, batches = sampled(batches)
    held = 8 * size * sample.width if kind in BINARY else size * (PACKED if packed else 1)
    return Source(sample, batches, size, held > LARGE)


def _json_batches(path: Path) -> Iterator[Batch]:
    """JSON lines: one object per line, whose keys are the columns; a key that an object lacks is missing there."""
    row, names = 0, dict[str, None]()
    for block in blocks(path, quotes=False):
        objects: list[dict[str, Any]] = []
        places: list[tuple[int, int]] = []
        for number, line in enumerate(block.content.split(b"\n"), block.before + 1):
            if not line.strip():
                continue
            row += 1
            places.append((row, number))
            try:
                objects.append(msgspec.json.decode(line, type=dict[str, Any]))
            except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
                fault = f"row {row} (line {number}) is {shown(line.decode(errors='replace'))}, not a JSON object"
                raise ValueError(f'{fault} such as {{"date": "2013-01-17", "rail": 2.5}}: {error}') from None
        names |= dict.fromkeys(name for each in objects for name in each)
        if not objects:
            continue
        if not names:
            raise ValueError(f"row 1 (line {places[0][1]}) is {{}}: give each option a key, and the time one too")
        frame = pl.DataFrame({name: column([each.get(name) for each in objects]) for name in names})
        yield Batch(frame, pl.DataFrame(places, {"row": pl.Int64, "line": pl.Int64}, orient="row"), block.size)
