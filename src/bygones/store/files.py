"""Files that are written whole or not at all. What a killed run leaves is removed by the next one.

Whatever is being written has a name that begins with `UNFINISHED`, and its writer holds a lock on it. The lock ends
with the process, however that ends. So an unfinished file whose lock is free belongs to nobody, and a file that another
run is writing is never removed.
"""

import errno
import io
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

if sys.platform != "win32":  # there nothing is locked, and nothing is swept
    import fcntl

UNFINISHED = ".bygones-unfinished-"
TRIES = 100  # to lock something that other runs keep replacing


@contextmanager
def held(path: Path, wait: bool = True) -> Iterator[bool]:
    """Lock a file or folder.

    Args:
        path: what to lock; links are not followed.
        wait: until another run releases its lock; False: do not wait.

    Yields:
        Whether the lock was obtained and the path still leads to what is locked. Where there are no locks, this is
        `wait`: a writer continues, and a sweep removes nothing.
    """
    if sys.platform == "win32":
        yield wait
        return
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        yield False
        return
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
            locked = True
        except OSError:
            locked = wait
        yield locked and _leads_to(path, handle)
    finally:
        os.close(handle)


def _leads_to(path: Path, handle: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False


@contextmanager
def unfinished(folder: Path, make: Callable[[Path], object]) -> Iterator[Path]:
    """A new file or folder that no sweep removes while this run lives.

    Args:
        folder: where to make it.
        make: `Path.touch` or `Path.mkdir`.

    Yields:
        Its path; the caller renames or removes it.

    Raises:
        OSError: if it cannot be made.
    """
    for _ in range(TRIES):
        path = folder / f"{UNFINISHED}{token_hex(8)}"
        make(path)
        with held(path) as mine:
            if mine:  # otherwise a sweep came before the lock
                yield path
                return
    raise OSError(errno.EBUSY, "other runs remove what is being written")


def sweep(folder: Path, remove: Callable[[Path], object] = Path.unlink) -> None:
    """Remove what killed runs left in a folder.

    Args:
        folder: where to look.
        remove: removes one path; what raises an OSError stays.
    """
    for path in folder.glob(f"{UNFINISHED}*"):
        with suppress(OSError), held(path, wait=False) as abandoned:
            if abandoned:
                remove(path)


def as_bytes(write: Callable[[BinaryIO], object]) -> bytes:
    """The bytes that a writer writes. Writing to a file itself, polars reports a full disk without the path."""
    buffer = io.BytesIO()
    write(buffer)
    return buffer.getvalue()


def check_place(path: Path) -> Path:
    """Refuse a place where no file can be, before anything is computed for it.

    Args:
        path: of a file.

    Returns:
        The path, with symbolic links followed.

    Raises:
        ValueError: if `path` is not a regular file or its folder does not exist.
    """
    place = path.resolve()
    if place.exists() and not place.is_file():
        raise ValueError(f"{path} exists and is not a file: name another place")
    if not place.parent.is_dir():
        raise ValueError(f"{path} cannot be written: there is no folder {place.parent}")
    return place


@contextmanager
def replacing(path: Path, swept: bool = False) -> Iterator[BinaryIO]:
    """A temporary file that replaces `path` if all goes well and is removed otherwise.

    Symbolic links are followed, and an earlier file's mode is kept.

    Args:
        path: what is written.
        swept: what killed runs left in its folder was removed before, which takes long where there are many files.

    Yields:
        The temporary file.

    Raises:
        ValueError: if `path` is not a regular file or its folder does not exist.
        OSError: if it cannot be written.
    """
    place = check_place(path)
    if not swept:
        sweep(place.parent)
    with unfinished(place.parent, Path.touch) as beside:
        try:
            with beside.open("r+b") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if place.exists():
                beside.chmod(stat.S_IMODE(place.stat().st_mode))
            beside.replace(place)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
