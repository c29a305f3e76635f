"""The one engine: costs are fed block by block to seats, whose books keep what their decisions cost.

A `Plan` says what is to be run. A `Feed` turns any source of costs into pieces that are checked and surveyed once. A
`Seat` is a learner with its seeds and its books. `play` is the one loop. Simulations, exact means, backtests, audits
and the reproduction differ only in their feeds, seats and books.
"""

from .books import Account, Guarantee, Options, Paths, Regrets, Switches
from .feed import BLOCK, Feed, Piece, drawn
from .run import Game, Taking, play
from .seat import Seat
from .seeds import costs_generator, learner_seed
from .simulation import expected, simulate, some_replicates
from .tables import Replicates
from .wealth import Benchmarks, Portfolio, Wealth

__all__ = [
    "BLOCK",
    "Account",
    "Benchmarks",
    "Feed",
    "Game",
    "Guarantee",
    "Options",
    "Paths",
    "Piece",
    "Portfolio",
    "Regrets",
    "Replicates",
    "Seat",
    "Switches",
    "Taking",
    "Wealth",
    "costs_generator",
    "drawn",
    "expected",
    "learner_seed",
    "play",
    "simulate",
    "some_replicates",
]
