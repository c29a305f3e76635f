"""Files that are written whole or not at all."""

import io
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO


def as_bytes(write: Callable[[BinaryIO], object]) -> bytes:
    """The bytes that a writer writes. Writing to a file itself, polars reports a full disk without the path."""
    buffer = io.BytesIO()
    write(buffer)
    return buffer.getvalue()


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A temporary file that replaces `path` if all goes well and is removed otherwise.

    Symbolic links are followed, and an earlier file's mode is kept. Raises ValueError if `path` is not a regular file
    or its folder does not exist.
    """
    place = path.resolve()
    if place.exists() and not place.is_file():
        raise ValueError(f"{path} exists and is not a file: name another place")
    if not place.parent.is_dir():
        raise ValueError(f"{path} cannot be written: there is no folder {place.parent}")
    beside = place.with_name(f".{place.name}.{token_hex(4)}")
    try:
        with beside.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if place.exists():
            beside.chmod(stat.S_IMODE(place.stat().st_mode))
        beside.replace(place)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
