"""Saving and loading players: one file, written whole or not at all, and never pickle.

A file is a `.npz` archive: the arrays of the player's snapshot as `.npy` members, and everything else (the learner, the
problem, the numbers, the version) as one JSON member.
"""

import io
import json
import os
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from .describing import from_dict
from .learners import LEARNERS, Learner, Player
from .problem import Problem
from .version import __version__

FORMAT = "bygones player"
VERSION = 1
HEADER = "player.json"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # so that the same player gives the same bytes


def save(player: Player, path: str | PathLike[str]) -> None:
    """Write a player to a file that `load` goes on from, bit for bit.

    The file is written beside its place and then renamed, so that an earlier one stays whole if anything fails.

    >>> import bygones as by, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "player.npz"
    >>> player = by.FTARL().start(by.Problem(["rail", "road"], 100, by.Window(5)), seed=7)
    >>> player.observe([0.0, 1.0])
    >>> by.save(player, path)
    >>> by.load(path).rounds
    1
    """
    numbers: dict[str, Any] = {}
    arrays: dict[str, Any] = {}
    for name, value in player.snapshot().items():
        (arrays if isinstance(value, np.ndarray) else numbers)[name] = value
    header = {
        "format": FORMAT,
        "version": VERSION,
        "bygones": __version__,
        "learner": player.learner.to_dict(),
        "problem": player.problem.to_dict(),
        "numbers": numbers,
    }
    with replacing(Path(path)) as file, zipfile.ZipFile(file, "w") as archive:
        archive.writestr(zipfile.ZipInfo(HEADER, _EPOCH), json.dumps(header, indent=1))
        for name, array in arrays.items():
            with archive.open(zipfile.ZipInfo(f"{name}.npy", _EPOCH), "w") as member:
                np.lib.format.write_array(member, array, allow_pickle=False)


def load(
    path: str | PathLike[str], *, problem: Problem | None = None, learners: Iterable[type[Learner]] = ()
) -> Player:
    """Go on with a player that was saved.

    Args:
        path: the file.
        problem: the problem that it must have been saved for; None: whichever it was.
        learners: classes of learners of your own that the file may name.
    """
    path = Path(path)
    try:
        with zipfile.ZipFile(path) as archive:
            header = json.loads(archive.read(HEADER))
            if header["format"] != FORMAT:
                raise KeyError(HEADER)
            if header["version"] > VERSION:
                raise ValueError(
                    f"{path} was written by a newer bygones ({header['bygones']}, format {header['version']}; "
                    f"this one, {__version__}, reads up to {VERSION}): upgrade bygones to read it"
                )
            arrays = {
                name.removesuffix(".npy"): _array(archive.read(name)) for name in archive.namelist() if name != HEADER
            }
            described = header["learner"], header["problem"], header["numbers"]
    except (zipfile.BadZipFile, EOFError, KeyError, TypeError, json.JSONDecodeError, UnicodeDecodeError):
        raise ValueError(
            f"{path} is no player that bygones saved, or only a part of one: give a file that bygones.save wrote"
        ) from None
    saved_for = Problem.from_dict(described[1])
    if problem is not None and problem != saved_for:
        raise ValueError(
            f"{path} was saved for {saved_for!r}, not for {problem!r}: start a new player for this problem"
        )
    learner = from_dict(described[0], (*LEARNERS, *learners), "learner")
    player = learner.start(saved_for)
    snapshot: dict[str, Any] = {**described[2], **arrays}
    player.restore(snapshot)
    return player


def _array(member: bytes) -> NDArray[Any]:
    return np.lib.format.read_array(io.BytesIO(member), allow_pickle=False)


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to write beside its place, moved there when all went well and removed when not."""
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(beside).chmod(0o666 & ~_umask())  # mkstemp's files are for their owner only
        Path(beside).replace(path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
