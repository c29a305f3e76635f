"""Memories: how past decisions make today's state.

Every memory is a family of weights: at round t the state is `x^t = sum_k a_k^(t) v^(t-k)`, where the weights `a_k^(t)`
of the lags there are add up to one. Before the window is full it is the mean of what there is; the other memories
renormalise their weights likewise.
"""

from .base import Memory
from .charges import Take, charged
from .form import Form
from .full_history import FullHistory
from .geometric import Geometric
from .paths import Ledger, start_paths
from .running import RunningState, average, carry, linger
from .state import MemoryState, Running, as_decisions, vertices
from .weights import Weights
from .window import Window

MEMORIES: tuple[type[Memory], ...] = (Window, FullHistory, Geometric, Weights)

__all__ = [
    "MEMORIES",
    "Form",
    "FullHistory",
    "Geometric",
    "Ledger",
    "Memory",
    "MemoryState",
    "Running",
    "RunningState",
    "Take",
    "Weights",
    "Window",
    "as_decisions",
    "average",
    "carry",
    "charged",
    "linger",
    "start_paths",
    "vertices",
]
