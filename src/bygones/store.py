"""Saving and loading players: one file, written whole or not at all, and never pickle.

A file is a `.npz` archive: the arrays of the player's snapshot as `.npy` members, and everything else (the learner, the
problem, the numbers, the version) as one JSON member.
"""

import io
import json
import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from secrets import token_hex
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from .description import from_dict
from .learners import LEARNERS, Learner, Player
from .memory import Memory
from .problem import Problem
from .version import __version__

FORMAT = "bygones player"
VERSION = 1
HEADER = "player.json"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # so that the same player gives the same bytes


def save(player: Player, path: str | PathLike[str]) -> None:
    """Save a player to a file, from which `load` resumes it exactly, to the bit.

    The file is written under a temporary name and then renamed, so an earlier file stays intact if anything fails.

    Args:
        player: what a learner's `start` returned.
        path: the file.

    Raises:
        ValueError: if it is not a player, or the file cannot be put there.

    >>> import bygones as by, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "player.npz"
    >>> player = by.FTARL().start(by.Problem(["rail", "road"], 100, by.Window(5)), seed=7)
    >>> player.observe([0.0, 1.0])
    >>> by.save(player, path)
    >>> by.load(path).rounds
    1
    """
    if not isinstance(player, Player):
        raise ValueError(f"{player!r} is not a player: give what a learner's `start` returned, then the path")
    numbers: dict[str, Any] = {}
    arrays: dict[str, Any] = {}
    for name, value in player.snapshot().items():
        (arrays if isinstance(value, np.ndarray) else numbers)[name] = value
    header = stamped(FORMAT, learner=player.learner.to_dict(), problem=player.problem.to_dict(), numbers=numbers)
    with replacing(Path(path)) as file, zipfile.ZipFile(file, "w") as archive:
        archive.writestr(zipfile.ZipInfo(HEADER, _EPOCH), json.dumps(header, indent=1))
        for name, array in arrays.items():
            with archive.open(zipfile.ZipInfo(f"{name}.npy", _EPOCH), "w") as member:
                np.lib.format.write_array(member, array, allow_pickle=False)


def load(
    path: str | PathLike[str],
    *,
    problem: Problem | None = None,
    learners: Iterable[type[Learner]] = (),
    memories: Iterable[type[Memory]] = (),
) -> Player:
    """Resume a player that was saved.

    Args:
        path: the file.
        problem: the problem that it must have been saved for; None: any.
        learners: your own classes of learners that the file may name.
        memories: your own classes of memories that the file may name.

    Returns:
        The player, ready to continue.

    Raises:
        ValueError: if the file is not a saved player, is damaged, or does not fit the problem.
        FileNotFoundError: if there is no such file.
    """
    header, arrays = _read(Path(path))
    try:
        if problem is None:
            saved_for = Problem.from_dict(header["problem"], memories)
        elif problem.to_dict() == header["problem"]:
            saved_for = problem
        else:
            raise ValueError(f"it was saved for {header['problem']}, not for {problem!r}: start a new player for that")
        learner = from_dict(header["learner"], (*LEARNERS, *learners), "learner", "learners")
        player = learner.start(saved_for)
        player.restore({**header["numbers"], **arrays})
    except ValueError as error:
        raise ValueError(f"{path} cannot be resumed: {error}") from None
    return player


def _read(path: Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Read the header and the arrays of a file; ValueError if it is not a saved player."""
    damaged = f"{path} is not a saved player, or it is damaged: give a file that bygones.save wrote"
    try:
        with zipfile.ZipFile(path) as archive:
            header = json.loads(archive.read(HEADER))
            arrays = {
                name.removesuffix(".npy"): np.lib.format.read_array(io.BytesIO(archive.read(name)), allow_pickle=False)
                for name in archive.namelist()
                if name != HEADER
            }
    except (FileNotFoundError, IsADirectoryError, PermissionError):
        raise
    except (OSError, ValueError, KeyError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error):
        raise ValueError(damaged) from None  # RuntimeError: zipfile cannot unpack it
    check_stamp(header, FORMAT, str(path), damaged, learner=dict, problem=dict, numbers=dict)
    return header, arrays


def stamped(form: str, **parts: object) -> dict[str, Any]:
    """The header of a file: what it is, who wrote it, and its parts.

    Args:
        form: what kind of file it is.
        parts: what else the header holds, by name.

    Returns:
        The header, as `check_stamp` expects it.
    """
    return {"format": form, "version": VERSION, "bygones": __version__, **parts}


def check_stamp(header: Any, form: str, path: str, damaged: str, **kinds: type) -> None:  # noqa: ANN401
    """Check the header of a file.

    Args:
        header: what was read.
        form: what the file must be.
        path: where it is from, for messages.
        damaged: the message if it is something else.
        kinds: the types of its parts.

    Raises:
        ValueError: if it is not what `stamped` made, or a newer bygones made it.
    """
    version = header.get("version") if isinstance(header, dict) and header.get("format") == form else None
    if isinstance(version, int) and version > VERSION:
        raise ValueError(
            f"{path} was written by a newer bygones ({header.get('bygones')}, format {version}; "
            f"this is {__version__}, which reads up to {VERSION}): upgrade bygones to read it"
        )
    kinds |= {"version": int, "bygones": str}
    if version is None or any(not isinstance(header.get(name), kind) for name, kind in kinds.items()) or version < 1:
        raise ValueError(damaged)


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
