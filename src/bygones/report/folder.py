"""Folders that hold a report: written whole or not at all, and never over what somebody else put there."""

import json
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp

MARK, FORMAT = "report.json", "bygones report"
UNFINISHED = ".bygones-unfinished-"  # how the names of folders begin in which files wait until all are written
LEFT = 3_600  # seconds after which one that nothing came into was left by a run that was killed


@contextmanager
def report_folder(folder: Path, kind: str, keep: bool = True) -> Iterator[Path]:
    """A place to write a report's files in; they move into the folder when all went well, and vanish when not.

    A folder that is there must be empty, or hold an earlier report of its kind, which is replaced; the folder itself
    stays, so it may be one that cannot be renamed. What cannot be written is an OSError that names the folder.

    Args:
        folder: where the report goes.
        kind: what the report is of, such as `"result"`.
        keep: move the files; False only tests that the folder can be written.

    Yields:
        An empty folder to write the files in.

    Raises:
        ValueError: if the folder is a file, holds anything but an earlier report of its kind, or cannot be made
            because a file or a circular link is in the way.
        OSError: if the folder cannot be written.
    """
    missing: list[Path] = []
    try:
        place = folder.resolve()
        if place.exists() and not place.is_dir():
            raise ValueError(f"{folder} is a file: name a folder")
        missing = [path for path in (place, *place.parents) if not path.exists()]
        before = _earlier(folder, place, kind)
        place.mkdir(parents=True, exist_ok=True)
        beside = Path(mkdtemp(prefix=UNFINISHED, dir=place))
        try:
            yield beside
            if keep:
                _move(beside, place, before, kind)
                missing = []
        finally:
            shutil.rmtree(beside, ignore_errors=True)
    except (FileExistsError, NotADirectoryError):
        raise ValueError(f"{folder} cannot be made: a file is in the way of its folder; name another") from None
    except RuntimeError as error:
        if "Symlink loop" not in str(error):
            raise
        raise ValueError(f"{folder} is a link that leads back to itself: name another folder") from None
    except OSError as error:
        raise OSError(f"{folder} cannot be written: {error.strerror or error}; name another folder") from error
    finally:
        for path in missing:
            with suppress(OSError):
                path.rmdir()


def _earlier(folder: Path, place: Path, kind: str) -> set[str]:
    """The files of an earlier report; an error if there is anything else."""
    here = {path.name: path.is_file() for path in (place.iterdir() if place.is_dir() else ())}
    ours = _listed(place / MARK, kind)
    for name, is_file in sorted(here.items()):
        if not (name in ours and is_file) and not name.startswith(UNFINISHED):
            raise ValueError(
                f"{folder} holds {name!r}, which is no part of an earlier {kind}: name an empty or a new folder"
            )
    return ours & here.keys()


def _listed(mark: Path, kind: str) -> set[str]:
    """The files that an earlier report says are its own; none where there is no such report."""
    try:
        listed = json.loads(mark.read_text())
        return set(listed["files"]) if (listed["format"], listed.get("kind", kind)) == (FORMAT, kind) else set()
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def _move(beside: Path, place: Path, before: set[str], kind: str) -> None:
    """Move the files to where they belong; while that lasts, the mark names those of before too."""
    new = {path.name for path in beside.iterdir()}
    _mark(beside, place, before | new, kind)
    for name in new:
        (beside / name).replace(place / name)
    for name in before - new - {MARK}:
        (place / name).unlink()
    with suppress(OSError):  # then the mark names files that are gone, which does no harm
        _mark(beside, place, new, kind)
    for other in place.glob(f"{UNFINISHED}*"):
        with suppress(OSError):
            if time.time() - other.stat().st_mtime > LEFT:
                shutil.rmtree(other)


def _mark(beside: Path, place: Path, names: set[str], kind: str) -> None:
    written = beside / MARK
    record = {"format": FORMAT, "kind": kind, "files": sorted({*names, MARK})}
    written.write_text(json.dumps(record, indent=1) + "\n")
    written.replace(place / MARK)
