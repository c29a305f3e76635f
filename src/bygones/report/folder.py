"""Folders that hold a report: replaced whole or not at all, and never over what somebody else put there.

The files are written into a folder beside the report's, and the two folders change places in one step. Some folders
cannot change places: a mount point, the working directory, a folder whose parent is read-only, or any folder where the
system has no such step. There the files are written into a folder inside. Then the mark, `report.json`, is replaced by
one that names this folder under `moving`: from then on the report is the new one, and a file is current where it lies
inside that folder. The files are moved out one by one, and a mark without `moving` ends it. If the run is killed in
between, the next one moves the rest.
"""

import ctypes
import errno
import json
import os
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, BinaryIO

from ..store import TRIES, UNFINISHED, held, replacing, sweep, unfinished

MARK, FORMAT = "report.json", "bygones report"
PAGE, HEAD = b'<meta name="generator" content="bygones">', 200  # what a page has among its first bytes
AT_FDCWD, RENAME_EXCHANGE = -100, 2  # of Linux


@contextmanager
def report_folder(folder: Path, kind: str, keep: bool = True) -> Iterator[Path]:
    """A place to write a report's files in; they become the report when all went well, and vanish when not.

    A folder that is there must be empty, or hold an earlier report of its kind, which is replaced. What cannot be
    written is an OSError that names the folder. What killed runs left is removed.

    Args:
        folder: where the report goes.
        kind: what the report is of, such as `"result"`.
        keep: make the files the report; False only tests that the folder can be written.

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
        place.parent.mkdir(parents=True, exist_ok=True)
        inside = place.exists() and not _exchangeable(place)
        with ExitStack() as stack:
            with _alone(place) if place.exists() else nullcontext():
                _tidy(folder, place, kind)
                beside = stack.enter_context(unfinished(place if inside else place.parent, Path.mkdir))
            stack.callback(_discard, beside)
            if place.exists() and not inside:
                beside.chmod(stat.S_IMODE(place.stat().st_mode))  # what is closed to others stays so
            sweep(place.parent, _discard)
            yield beside
            if keep:
                _mark(beside, beside, kind, {path.name for path in beside.iterdir()})
                _publish(beside, folder, place, kind)
                missing = []
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


@contextmanager
def report_file(path: Path) -> Iterator[BinaryIO]:
    """A place to write a report that is one file; it becomes the report when all went well.

    A file that is there must be empty, or an earlier report, which is replaced.

    Args:
        path: where the report goes.

    Yields:
        A file to write to.

    Raises:
        ValueError: if the path is a folder, is in no folder, or is a file that is not a report.
        OSError: if it cannot be written.
    """
    try:
        if path.is_file():
            with path.open("rb") as earlier:
                head = earlier.read(HEAD)
            if head and PAGE not in head:
                raise ValueError(f"{path} is a file that is not an earlier report: name another file")
        with replacing(path) as file:
            yield file
    except OSError as error:
        raise OSError(f"{path} cannot be written: {error.strerror or error}; name another file") from error


def check_writable(path: Path, kind: str, single_file: bool = False) -> None:
    """Raise the error that writing a report would raise, before the work.

    Args:
        path: a folder, or one file.
        kind: what the report is of, such as `"result"`.
        single_file: the report is one file.

    Raises:
        ValueError: if the path holds something else.
        OSError: if it cannot be written.
    """
    if not single_file:
        with report_folder(path, kind, keep=False):
            return
    with suppress(_Tried), report_file(path):
        raise _Tried


class _Tried(Exception):  # noqa: N818 - nothing went wrong
    """A file could be written, and is not."""


@contextmanager
def _alone(place: Path) -> Iterator[None]:
    """While no other run changes what is in a folder, or the folder itself."""
    for _ in range(TRIES):
        with held(place) as mine:
            if mine:  # otherwise another run has replaced it
                yield
                return
    raise OSError(errno.EBUSY, "other runs keep replacing it")


def _tidy(folder: Path, place: Path, kind: str) -> set[str]:
    """Complete and remove what killed runs left; give the files of an earlier report. An error if there is more."""
    _complete(place, kind)
    here = {path.name: path.is_file() for path in (place.iterdir() if place.is_dir() else ())}
    ours = _listed(place, kind)
    for name, is_file in sorted(here.items()):
        if not (name in ours and is_file) and not name.startswith(UNFINISHED):
            raise ValueError(
                f"{folder} holds {name!r}, which is no part of an earlier {kind}: name an empty or a new folder"
            )
    sweep(place, _discard)
    return ours & here.keys()


def _record(place: Path) -> dict[str, Any]:
    """What the mark of a report says; nothing where there is none."""
    try:
        record = json.loads((place / MARK).read_text())
        ours = record["format"] == FORMAT and all(isinstance(name, str) for name in record["files"])
        return dict(record) if ours else {}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}


def _listed(place: Path, kind: str) -> set[str]:
    """The files that a report of some kind says are its own; none where there is no such report."""
    record = _record(place)
    return set(record["files"]) if record and record.get("kind", kind) == kind else set()


def _mark(written: Path, place: Path, kind: str, names: set[str], **more: str) -> None:
    """Put a mark into a folder, by way of another one on the same disk."""
    record = {"format": FORMAT, "kind": kind, "files": sorted({*names, MARK}), **more}
    new = written / f"{UNFINISHED}mark"
    new.write_text(json.dumps(record, indent=1) + "\n")
    new.replace(place / MARK)


def _publish(beside: Path, folder: Path, place: Path, kind: str) -> None:
    """Make a folder of files that has a mark the report."""
    if not place.exists():
        try:
            beside.rename(place)
        except OSError:  # another run may have been faster
            if not place.exists():
                raise
        else:
            return
    with _alone(place):
        before = _tidy(folder, place, kind)
        if beside.parent == place:
            _move(beside, place, before, kind)
        elif not _exchanged(beside, folder, place, kind, before):
            with unfinished(place, Path.mkdir) as within:
                for path in beside.iterdir():
                    shutil.move(path, within / path.name)
                _move(within, place, before, kind)


def _exchangeable(place: Path) -> bool:
    """Whether another folder may take the place of this one, as far as can be said without trying."""
    real = {"effective_ids": os.access in os.supports_effective_ids}
    here, above = place.stat(), place.parent.stat()
    if sys.platform == "linux" and (here.st_mode & stat.S_ISGID or os.listxattr(place)):
        return False  # its files have its group, or it has attributes that another folder would lack
    return (
        all(os.access(path, os.W_OK | os.X_OK, **real) for path in (place, place.parent))
        and here.st_dev == above.st_dev
        and not place.samefile(os.curdir)
    )


def _exchanged(beside: Path, folder: Path, place: Path, kind: str, before: set[str]) -> bool:
    """Let a folder take the place of another, which becomes `beside`; give whether it could."""
    if sys.platform == "win32" or not _exchangeable(place):
        return False
    if any(place.glob(f"{UNFINISHED}*")):  # another run writes there
        return False
    try:
        now = place.stat()
        os.chown(beside, now.st_uid, now.st_gid)
        beside.chmod(stat.S_IMODE(now.st_mode))
        if not before:
            beside.rename(place)  # which fails if it is no longer empty
            return True
        _exchange(beside, place)
    except OSError:
        return False
    try:
        _tidy(folder, beside, kind)
    except ValueError:  # somebody put a file there in the last moment
        _exchange(beside, place)
        raise
    return True


def _exchange(one: Path, other: Path) -> None:
    """Let two folders change places in one step; an OSError where there is none."""
    libc: Any = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
    if not hasattr(libc, "renameat2"):
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    names = os.fsencode(one), os.fsencode(other)
    if libc.renameat2(AT_FDCWD, names[0], AT_FDCWD, names[1], RENAME_EXCHANGE):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _move(within: Path, place: Path, before: set[str], kind: str) -> None:
    """Move files from a folder within the report's to where they belong."""
    new = _listed(within, kind)
    _mark(within, place, kind, before | new, moving=within.name)
    _complete(place, kind)


def _complete(place: Path, kind: str) -> None:
    """Move what the mark says is still to be moved."""
    record = _record(place)
    within = place / str(record.get("moving", ""))
    new = _listed(within, kind)
    if within.parent != place or not within.name.startswith(UNFINISHED) or within.is_symlink() or not new:
        return
    for path in sorted(within.iterdir()):
        if path.name in new - {MARK}:
            path.replace(place / path.name)
    for path in place.iterdir():
        if path.name in set(record["files"]) - new and path.is_file():
            path.unlink()
    (within / MARK).replace(place / MARK)
    _discard(within)


def _discard(path: Path) -> None:
    """Remove what is unfinished; of a report that was replaced only its own files.

    A folder whose files are to be moved out of it stays.
    """
    if _record(path.parent).get("moving") == path.name:
        return
    if not path.is_dir():
        path.unlink(missing_ok=True)
        return
    ours = _record(path).get("files")
    if ours is None:
        shutil.rmtree(path, ignore_errors=True)
        return
    with suppress(OSError):
        for file in sorted(path.iterdir(), key=lambda file: file.name == MARK):  # the mark last
            if file.name in ours or file.name.startswith(UNFINISHED):
                file.unlink()
        path.rmdir()
