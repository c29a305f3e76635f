"""How sure a difference is: a stationary block bootstrap of the rows of a table.

Rows are drawn in blocks of random length, so that what one period has to do with the next is kept (Politis and Romano
1994, *The Stationary Bootstrap*). The mean length of the blocks comes from the data. Seeds are fixed: the same table
gives the same intervals.
"""

from .blocks import block_length, resample
from .changes import Change, change
from .comparison import Comparison, compare

__all__ = ["Change", "Comparison", "block_length", "change", "compare", "resample"]
