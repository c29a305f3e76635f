"""The one reader: every source of a table becomes checked rows, or blocks of numbers.

Rows are counted from 1, without the header, as they stand in the file or frame; messages give the time too, and of a
text file the line. Signs are left as they are in rows, which say whether they are gains; blocks are always costs.
"""

from .blocks import as_values, open_blocks
from .history import read_history
from .rows import Rows, Tabular, numbered
from .table import read_table

__all__ = ["Rows", "Tabular", "as_values", "numbered", "open_blocks", "read_history", "read_table"]
