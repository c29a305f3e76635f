"""The laboratory: what a memory costs at best and at worst, computed and searched.

`minimax` gives minimax regret by dynamic programming, `sequence_value` by linear programming over all sequences of
costs; `exact_worst_case` the largest regret of a learner over all sequences, and `worst_case` searches for it.
`growth` shows how it grows.
"""

from .cases import WorstCase
from .exact import exact_worst_case
from .growing import exponents, growth
from .searching import worst_case
from .sequences import sequence_value
from .values import Value, memoryless, minimax, values_table

__all__ = [
    "Value",
    "WorstCase",
    "exact_worst_case",
    "exponents",
    "growth",
    "memoryless",
    "minimax",
    "sequence_value",
    "values_table",
    "worst_case",
]
