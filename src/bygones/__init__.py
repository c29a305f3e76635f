"""bygones: online decisions, when what you pay depends on the average of what you chose before.

>>> import bygones as by
>>> problem = by.Problem(actions=10, horizon=10_000, memory=by.Window(100))
>>> player = by.FTARL().start(problem, seed=7)
>>> v = player.decide()
"""

from importlib import import_module
from typing import TYPE_CHECKING

from .version import __version__ as __version__

if TYPE_CHECKING:
    from . import accounting as accounting
    from . import bootstrap as bootstrap
    from . import checks as checks
    from . import datasets as datasets
    from . import lab as lab
    from . import paper as paper
    from . import promises as promises
    from . import theory as theory
    from .auditing import audit as audit
    from .backtesting import Backtest as Backtest
    from .backtesting import backtest as backtest
    from .costs import Blocks as Blocks
    from .costs import Costs as Costs
    from .costs import Cyclic as Cyclic
    from .costs import Source as Source
    from .costs import SquareWave as SquareWave
    from .costs import StocHet as StocHet
    from .costs import StocId as StocId
    from .costs import Table as Table
    from .costs import Trap as Trap
    from .engine import expected as expected
    from .engine import simulate as simulate
    from .fitting import MemoryFit as MemoryFit
    from .fitting import fit_memory as fit_memory
    from .guarantees import guarantee as guarantee
    from .io import Rows as Rows
    from .io import read_table as read_table
    from .learners import FTARL as FTARL
    from .learners import FTPL as FTPL
    from .learners import LSA as LSA
    from .learners import AdaHedge as AdaHedge
    from .learners import Advice as Advice
    from .learners import Discounted as Discounted
    from .learners import Fixed as Fixed
    from .learners import FixedShare as FixedShare
    from .learners import FollowTheLeader as FollowTheLeader
    from .learners import Guarded as Guarded
    from .learners import Hedge as Hedge
    from .learners import HedgeAhead as HedgeAhead
    from .learners import Learner as Learner
    from .learners import Player as Player
    from .learners import Pure as Pure
    from .learners import RowPlayer as RowPlayer
    from .learners import Steering as Steering
    from .learners import Uniform as Uniform
    from .live import Journal as Journal
    from .memory import FullHistory as FullHistory
    from .memory import Geometric as Geometric
    from .memory import Memory as Memory
    from .memory import MemoryState as MemoryState
    from .memory import Weights as Weights
    from .memory import Window as Window
    from .problem import Problem as Problem
    from .promises import bounds as bounds
    from .result import Result as Result
    from .store import load as load
    from .store import save as save
    from .studies import Study as Study
    from .studies import sweep as sweep

# The public names and the rooms they live in. A room is entered, and numpy imported, when a name is first used.
_ROOMS = {
    "auditing": ("audit",),
    "backtesting": ("Backtest", "backtest"),
    "costs": ("Costs", "Source"),
    "fitting": ("MemoryFit", "fit_memory"),
    "guarantees": ("guarantee",),
    "io": ("Rows", "read_table"),
    "learners": ("Learner", "Player", "RowPlayer"),
    "live": ("Journal",),
    "memory": ("Memory", "MemoryState"),
    "problem": ("Problem",),
    "promises": ("bounds",),
    "result": ("Result",),
    "engine": ("expected", "simulate"),
    "store": ("load", "save"),
    "studies": ("Study", "sweep"),
}
_ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names}
_OPEN_ROOMS = ("accounting", "bootstrap", "checks", "datasets", "lab", "paper", "promises", "theory")
_LISTS = {"memory": "MEMORIES", "learners": "LEARNERS", "costs": "FAMILIES"}  # whose classes are public too


def _listed() -> dict[str, object]:
    """The classes of the lists, by their names."""
    lists = (getattr(import_module(f".{room}", __name__), name) for room, name in _LISTS.items())
    return {kind.__name__: kind for kinds in lists for kind in kinds}


def __getattr__(name: str) -> object:
    if name == "__all__":
        return __dir__()
    if name in _OPEN_ROOMS:
        return import_module(f".{name}", __name__)
    if name in _ROOM_OF:
        value = getattr(import_module(f".{_ROOM_OF[name]}", __name__), name)
    elif name.startswith("_") or name not in _listed():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    else:
        value = _listed()[name]
    globals()[name] = value  # the next look-up is an ordinary one
    return value


def __dir__() -> list[str]:
    return sorted(["__version__", *_OPEN_ROOMS, *_ROOM_OF, *_listed()])
