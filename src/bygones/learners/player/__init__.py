"""Players: learners at work.

`Player` is the protocol. `RowPlayer` is for plain Python, `BlockPlayer` for kernels, and `StatePlayer` for those that
look at the state their decisions lead to.
"""

from .block import BlockPlayer
from .player import Player, Snapshot
from .row import RowPlayer
from .state import OWN, StatePlayer, aim, reweigh

__all__ = ["OWN", "BlockPlayer", "Player", "RowPlayer", "Snapshot", "StatePlayer", "aim", "reweigh"]
