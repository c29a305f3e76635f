"""Folders that hold a report: written whole or not at all, and never over what somebody else put there."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

MARK = "report.json"


@contextmanager
def writing(folder: Path, keep: bool = True) -> Iterator[Path]:
    """A place to write a report in, which becomes the folder when all went well and vanishes when not.

    A folder that is there must be empty, or hold an earlier report, which is replaced.

    Args:
        folder: where the report goes.
        keep: False only tries whether it could.
    """
    place = folder.resolve()
    if place.exists() and not place.is_dir():
        raise ValueError(f"{folder} is a file: name a folder")
    if place.is_dir() and any(place.iterdir()):
        ours = _listed(place / MARK)
        strange = sorted(path.name for path in place.iterdir() if path.name not in ours)
        if strange:
            raise ValueError(
                f"{folder} holds {strange[0]!r}, which is no part of a report of bygones: name an empty or a new folder"
            )
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise ValueError(f"{folder} cannot be made: a file is in the way of its folder; name another") from None
    beside, before = (place.with_name(f".{place.name}.{token_hex(4)}") for _ in range(2))
    beside.mkdir()
    try:
        yield beside
        if not keep:
            return
        names = sorted(path.name for path in beside.iterdir())
        (beside / MARK).write_text(json.dumps({"format": "bygones report", "files": [*names, MARK]}, indent=1) + "\n")
        if place.exists():
            place.rename(before)
        beside.rename(place)
    except BaseException:
        if before.exists() and not place.exists():
            before.rename(place)
        raise
    finally:
        shutil.rmtree(beside, ignore_errors=True)
        shutil.rmtree(before, ignore_errors=True)


def _listed(mark: Path) -> list[str]:
    """The files that an earlier report says are its own; none where there is no such report."""
    try:
        listed = json.loads(mark.read_text())
        return list(listed["files"]) if listed["format"] == "bygones report" else []
    except (OSError, ValueError, KeyError, TypeError):
        return []
