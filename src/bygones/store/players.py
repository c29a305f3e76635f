"""Saving and loading players.

A file is a `.npz` archive: the arrays of the player's snapshot as `.npy` members, and everything else (the learner, the
problem, the numbers, the version) as one JSON member.
"""

import json
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from ..description import from_dict
from ..learners import LEARNERS, Learner, Player
from ..memory import Memory
from ..problem import Problem
from .files import replacing
from .sealed import Form, array_bytes, array_from, check_stamp, from_zip, stamped, to_zip

FORM = Form("player", "bygones.save")
HEADER = "player.json"
FEW = 2**16  # actions that any file may have; a file with more must be large enough to hold something for each


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
    header = stamped(FORM, learner=player.learner.to_dict(), problem=player.problem.to_dict(), numbers=numbers)
    members = {HEADER: json.dumps(header, indent=1).encode()}
    members |= {f"{name}.npy": array_bytes(array) for name, array in arrays.items()}
    with replacing(Path(path)) as file:
        file.write(to_zip(members))


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
    content = FORM.read(Path(path))
    with FORM.reading(str(path)):
        members = from_zip(content)
        header = json.loads(members.pop(HEADER))
        arrays = {name.removesuffix(".npy"): array_from(member) for name, member in members.items()}
    check_stamp(header, FORM, str(path), learner=dict, problem=dict, numbers=dict)
    try:
        if problem is None:
            saved_for = _bounded(Problem.from_dict(header["problem"], memories), len(content))
        elif problem.to_dict() == header["problem"]:
            saved_for = problem
        else:
            raise ValueError(f"it was saved for {header['problem']}, not for {problem!r}: start a new player for that")
        learner = from_dict(header["learner"], (*LEARNERS, *learners), "learner", "learners")
        player = learner.start(saved_for)
        player.restore({**header["numbers"], **arrays})
    except (ValueError, ArithmeticError) as error:  # a changed number may overflow where a rate is tuned
        raise ValueError(f"{path} cannot be resumed: {error}") from None
    return player


def _bounded(problem: Problem, size: int) -> Problem:
    """A problem that a file of some size may be for: starting a player takes memory for every action."""
    if problem.n > max(FEW, size):
        raise ValueError(f"it names {problem.n} actions and has {size} bytes; if that is right, pass problem=")
    return problem
