"""Learners, one a file: description, tuning, player, kernel. This is their list."""

from .ada_hedge import AdaHedge
from .base import Learner, RandomisedLearner, RatedLearner, labels
from .fixed import Fixed
from .follow_the_leader import FollowTheLeader
from .ftarl import FTARL
from .ftpl import FTPL
from .hedge import Hedge
from .lsa import LSA
from .player import BlockPlayer, Player, RowPlayer
from .pure import Pure
from .tracking import Tracking
from .uniform import Uniform
from .words import read_learner

LEARNERS: tuple[type[Learner], ...] = (
    FTARL,
    LSA,
    Hedge,
    AdaHedge,
    Tracking,
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
    "Fixed",
    "FollowTheLeader",
    "Hedge",
    "Learner",
    "Player",
    "Pure",
    "RandomisedLearner",
    "RatedLearner",
    "RowPlayer",
    "Tracking",
    "Uniform",
    "labels",
    "read_learner",
]
