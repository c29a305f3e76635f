"""The one reader: every source of a table becomes checked rows, or blocks of numbers.

Rows are counted from 1, without the header, as they stand in the file or frame; messages give the time too, and of a
text file the line. Signs are left as they are in rows, which say whether they are gains; blocks are always costs.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from .blocks import as_values, open_blocks
from .reading import Reading
from .rows import Rows, Tabular, numbered

if TYPE_CHECKING:
    from .held import read_held as read_held
    from .history import read_decisions as read_decisions
    from .history import read_history as read_history
    from .table import read_table as read_table

# Their modules import polars, which arrays do without.
_LATER = {"read_decisions": "history", "read_held": "held", "read_history": "history", "read_table": "table"}

__all__ = ["Reading", "Rows", "Tabular", "as_values", "numbered", "open_blocks", *_LATER]


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_LATER[name]}", __name__), name)
