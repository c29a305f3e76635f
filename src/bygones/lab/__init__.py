"""The laboratory: what a memory costs at best and at worst, computed and searched.

`values` gives minimax regret by dynamic programming, `sequence_value` by linear programming over all sequences of
costs; `exact_worst_case` the largest regret of a learner over all sequences.
"""

from .cases import WorstCase
from .exact import exact_worst_case
from .sequences import sequence_value
from .values import Value, memoryless, values, values_table

__all__ = [
    "Value",
    "WorstCase",
    "exact_worst_case",
    "memoryless",
    "sequence_value",
    "values",
    "values_table",
]
