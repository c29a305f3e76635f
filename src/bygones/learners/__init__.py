"""Learners, one a file: description, tuning, player, kernel. This is their list."""

from .ada_hedge import AdaHedge
from .base import HedgeTwin, Learner, RandomisedLearner, RatedLearner, labels
from .discounted import Discounted
from .fixed import Fixed
from .fixed_share import FixedShare
from .follow_the_leader import FollowTheLeader
from .ftarl import FTARL
from .ftpl import FTPL
from .hedge import Hedge
from .lsa import LSA
from .player import BlockPlayer, Player, RowPlayer
from .pure import Pure
from .seeds import Seed, as_entropy, as_seed
from .tracking import Tracking
from .uniform import Uniform
from .words import as_learners

LEARNERS: tuple[type[Learner], ...] = (
    FTARL,
    LSA,
    Hedge,
    AdaHedge,
    Tracking,
    FixedShare,
    Discounted,
    FollowTheLeader,
    FTPL,
    Pure,
    Fixed,
    Uniform,
)

__all__ = [
    "FTARL",
    "FTPL",
    "LEARNERS",
    "LSA",
    "AdaHedge",
    "BlockPlayer",
    "Discounted",
    "Fixed",
    "FixedShare",
    "FollowTheLeader",
    "Hedge",
    "HedgeTwin",
    "Learner",
    "Player",
    "Pure",
    "RandomisedLearner",
    "RatedLearner",
    "RowPlayer",
    "Seed",
    "Tracking",
    "Uniform",
    "as_entropy",
    "as_learners",
    "as_seed",
    "labels",
]
