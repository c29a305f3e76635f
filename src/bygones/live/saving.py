"""Snapshots of a game, so that opening a journal need not replay everything."""

import json
from typing import Any

import numpy as np

from ..kernels import Array
from ..memory import MemoryState
from ..store import Form, array_bytes, array_from, check_stamp, from_zip, stamped, to_zip
from .game import Game, Waiting

FORM = Form("snapshot of a journal", "a journal")
HEADER = "game.json"
PLAIN = ("ids", "names", "rounds", "paid", "period", "foreign", "ended")
ARRAYS = ("open", "totals", "beside")


def to_bytes(game: Game) -> bytes:
    """A game as sealed bytes.

    Raises:
        TypeError: if its player keeps state that cannot be saved.
    """
    numbers: dict[str, Any] = {}
    arrays: dict[str, Any] = {f"game.{name}": getattr(game, name) for name in ARRAYS}
    parts = {f"player.{name}": value for name, value in game.player.snapshot().items()}
    parts |= {f"memory.{name}": value for name, value in _parts(game.memory).items()}
    for name, value in parts.items():
        (arrays if isinstance(value, np.ndarray) else numbers)[name] = value
    waiting = [(each.period, _listed(each.decision), _listed(each.proposal)) for each in game.waiting]
    own = {name: getattr(game, name) for name in PLAIN}
    own |= {"waiting": waiting, "last": _listed(game.last)}
    own |= {"proposal": _listed(game.proposal), "real": _listed(game.real)}
    members = {HEADER: json.dumps(stamped(FORM, game=own, numbers=numbers)).encode()}
    return to_zip(members | {f"{name}.npy": array_bytes(array) for name, array in arrays.items()})


def from_bytes(content: bytes, game: Game) -> Game:
    """The game that `to_bytes` was given.

    Args:
        content: the bytes.
        game: the same before its first round.

    Returns:
        The game.

    Raises:
        ValueError: if the bytes are damaged, or of something else.
    """
    where = "a snapshot"
    FORM.check(content, where)
    with FORM.reading(where):
        members = from_zip(content)
        header = json.loads(members.pop(HEADER))
        check_stamp(header, FORM, where, game=dict, numbers=dict)
        values = header["numbers"] | {name.removesuffix(".npy"): array_from(each) for name, each in members.items()}
        own = header["game"]
        for name in PLAIN:
            setattr(game, name, own[name])
        for name in ARRAYS:
            setattr(game, name, values[f"game.{name}"])
        names = [name for name, is_open in zip(game.ids, game.open, strict=True) if is_open]
        if names != list(game.problem.names):
            game.player = game.learner.start(game.problem.replace(actions=names), game.seed)
        game.player.restore(_under("player.", values))
        game.memory = game.problem.memory.start(game.n)
        for name, value in _under("memory.", values).items():
            setattr(game.memory, name, value)
        game.waiting = [Waiting(period, _vector(made), _array(asked)) for period, made, asked in own["waiting"]]
        game.proposal, game.real, game.last = (_array(own[name]) for name in ("proposal", "real", "last"))
        game.resume()
    return game


def _parts(memory: MemoryState) -> dict[str, Any]:
    """All that makes up the state of a memory: arrays and numbers."""
    return {name: value for name, value in vars(memory).items() if name not in ("memory", "n") and name[0] != "_"}


def _under(prefix: str, values: dict[str, Any]) -> dict[str, Any]:
    return {name.removeprefix(prefix): value for name, value in values.items() if name.startswith(prefix)}


def _listed(array: Array | None) -> list[float] | None:
    return None if array is None else array.tolist()


def _array(written: list[float] | None) -> Array | None:
    return None if written is None else _vector(written)


def _vector(written: list[float]) -> Array:
    array = np.array(written, dtype=np.float64)
    array.setflags(write=False)
    return array
