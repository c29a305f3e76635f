"""Tables of the user's, from files and data frames: checked, one row a period, one column an option.

Rows are counted from 1, without the header, as they stand in the file or frame; messages say the time too, and of a
text file the line. The signs are left as they are: whoever plays a table of rewards flips them.
"""

from .history import read_history
from .rows import Rows
from .table import read

__all__ = ["Rows", "read", "read_history"]
