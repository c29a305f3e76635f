"""Learners, one a file: description, tuning, player, kernel. This is their list."""

from .ada_hedge import AdaHedge
from .advice import Advice
from .base import HedgeTwin, Learner, RandomisedLearner, RatedLearner, labels
from .discounted import Discounted
from .fixed import Fixed
from .fixed_share import FixedShare
from .follow_the_leader import FollowTheLeader
from .ftarl import FTARL
from .ftpl import FTPL
from .guarded import Guarded
from .hedge import Hedge
from .hedge_ahead import HedgeAhead
from .lsa import LSA
from .player import BlockPlayer, Player, RowPlayer
from .pure import Pure
from .seeds import Seed, as_entropy, as_seed
from .steering import Steering
from .uniform import Uniform
from .words import as_learners

LEARNERS: tuple[type[Learner], ...] = (
    FTARL,
    LSA,
    Hedge,
    HedgeAhead,
    AdaHedge,
    Steering,
    Guarded,
    FixedShare,
    Discounted,
    FollowTheLeader,
    FTPL,
    Pure,
    Fixed,
    Uniform,
    Advice,
)


def one_of_each() -> list[Learner]:
    """A learner of each kind, with its default parameters; but Advice, which plays nothing without a table."""
    return [kind() for kind in LEARNERS if kind is not Advice]


__all__ = [
    "FTARL",
    "FTPL",
    "LEARNERS",
    "LSA",
    "AdaHedge",
    "Advice",
    "BlockPlayer",
    "Discounted",
    "Fixed",
    "FixedShare",
    "FollowTheLeader",
    "Guarded",
    "Hedge",
    "HedgeAhead",
    "HedgeTwin",
    "Learner",
    "Player",
    "Pure",
    "RandomisedLearner",
    "RatedLearner",
    "RowPlayer",
    "Seed",
    "Steering",
    "Uniform",
    "as_entropy",
    "as_learners",
    "as_seed",
    "labels",
    "one_of_each",
]
