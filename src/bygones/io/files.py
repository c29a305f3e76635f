"""Files, by how their names end: each becomes a source of batches."""

import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..validation import shown
from .batches import LARGE, Batch, Source, sampled
from .binary import open_binary, too_many
from .excel import ENDINGS as BOOKS
from .excel import open_excel
from .frames import column
from .header import WIDEST
from .reading import Reading
from .text import blocks, csv_batches, without_blanks

TEXTS = (".csv", ".tsv", ".txt")
BINARY = (".parquet", ".arrow", ".feather", ".ipc")
PACKED = 10  # times that a packed file may grow
SPARSE, FEW = 64, 10**6  # places in a table of JSON lines: for each that has a value, and anyhow
ENDINGS = ".csv, .tsv, .txt (also packed, .csv.gz), .xlsx, .parquet, .arrow, .feather, .ipc, .jsonl, .ndjson or .npy"


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
    except Exception:  # numpy parses the header as Python, and passes on whatever that raises
        remedy = "save it again with np.save"
        raise ValueError(f"it is not an array that numpy saved, or only a part of one: {remedy}") from None


def open_file(path: Path, reading: Reading) -> Source:
    """A file as a source.

    Args:
        path: the file.
        reading: what the user says of it.

    Returns:
        The source.

    Raises:
        ValueError: if it is not a table.
    """
    _check(path)
    packed = path.suffix.lower() == ".gz"
    kind = Path(path.stem if packed else path.name).suffix.lower()
    size, encoding, notes = path.stat().st_size, reading.get("encoding"), list[str]()
    if kind in TEXTS:
        batches = csv_batches(path, "\t" if kind == ".tsv" else ",", encoding, notes)
    elif kind in (".jsonl", ".ndjson"):
        batches = _json_batches(path, encoding, notes)
    elif kind in BINARY and not packed:
        size, batches = open_binary(path, reading.get("most"))
    elif kind in BOOKS and not packed:
        size, batches = open_excel(path, reading.get("sheet"), notes)
    else:
        ending = f"ends in {shown(path.suffix)}" if path.suffix else "has no ending"
        raise ValueError(f"its name {ending}: save it as one that ends in {ENDINGS}")
    if "sheet" in reading and kind not in BOOKS:
        raise ValueError(f"sheet= is {shown(reading['sheet'])}, and only a workbook (.xlsx) has sheets: leave it out")
    most = reading.get("most")
    sample, batches = sampled(batches if most is None else _at_most(most, batches), kind in TEXTS)
    held = 8 * size * sample.width if kind in BINARY else size * (PACKED if packed else 1)
    return Source(sample, batches, size, held > LARGE, notes)


def _at_most(most: int, batches: Iterator[Batch]) -> Iterator[Batch]:
    """The same batches; raises ValueError once they have more values than that."""
    count = 0
    for batch in batches:
        count += batch.frame.height * batch.frame.width
        if count > most:
            raise too_many(most)
        yield batch


def _json_batches(path: Path, encoding: str | None, notes: list[str]) -> Iterator[Batch]:
    """JSON lines: one object per line, whose keys are the columns; a key that an object lacks is missing there."""
    row, names = 0, dict[str, None]()
    for block in blocks(path, False, encoding, notes):
        content, numbers = without_blanks(block.content)
        objects: list[dict[str, Any]] = []
        places: list[tuple[int, int]] = []
        for number, line in zip((block.before + numbers).tolist(), content.split(b"\n"), strict=False):
            if line.strip():
                row += 1
                places.append((row, number))
                objects.append(_object(line, row, number))
        names |= dict.fromkeys(name for each in objects for name in each)
        if not objects:
            continue
        if not names:
            raise ValueError(f"row 1 (line {places[0][1]}) is {{}}: give each option a key, and the time one too")
        _check_names(names, objects, places)
        columns: dict[str, list[Any]] = {name: [None] * len(objects) for name in names}
        for place, each in enumerate(objects):
            for name, value in each.items():
                columns[name][place] = value
        frame = pl.DataFrame({name: column(values) for name, values in columns.items()})
        yield Batch(frame, pl.DataFrame(places, {"row": pl.Int64, "line": pl.Int64}, orient="row"), block.size)


def _object(line: bytes, row: int, number: int) -> dict[str, Any]:
    """The object that a line holds; raises ValueError if it is not one, or has a key twice."""
    where = f"row {row} (line {number})"
    try:
        found = msgspec.json.decode(line, type=dict[str, Any])
        texts = sum(isinstance(value, str) for value in found.values())
        if line.count(b'"') != 2 * (len(found) + texts):  # else no key is there twice, nor a quote inside a text
            _check_once(json.loads(line, object_pairs_hook=list, parse_int=str))
    except KeyError as error:
        raise ValueError(f"{where} has the key {shown(error.args[0])} twice: keep one of them") from None
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        fault = f"{where} is {shown(line.decode(errors='replace'))}, not a JSON object"
        raise ValueError(f'{fault} such as {{"date": "2013-01-17", "rail": 2.5}}: {error}') from None
    return found


def _check_once(pairs: list[tuple[str, Any]]) -> None:
    """Raise KeyError if a key of an object is there twice."""
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise KeyError(key)
        seen.add(key)


def _check_names(names: Collection[str], objects: list[dict[str, Any]], places: list[tuple[int, int]]) -> None:
    """Raise ValueError if there are too many keys, or if they differ so much that the table would be all holes."""
    cells, known = len(names) * len(objects), sum(map(len, objects))
    remedy = "take out the keys that are no options, or give three keys: those of the time, the option and the value"
    if len(names) > WIDEST:
        raise ValueError(f"it has {len(names):,} different keys, and there may be {WIDEST:,}: {remedy}")
    if cells > FEW + SPARSE * known:
        fault = f"up to row {places[-1][0]} (line {places[-1][1]}) there are {len(names):,} different keys"
        each = f"a row has {known / len(objects):.3g} of them, and needs one in {SPARSE}"
        raise ValueError(f"{fault}, and {each}: {remedy}")
