"""What learners promise in advance, what no learner can beat, and what follows from both."""

from .advice import advise, amount, longest_window, speaks_from
from .table import Floor, Promise, bounds, floors, promised

__all__ = ["Floor", "Promise", "advise", "amount", "bounds", "floors", "longest_window", "promised", "speaks_from"]
