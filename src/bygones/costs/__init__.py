"""Cost families, one per file, and the list of them."""

from .base import Costs, Source
from .blocks import Blocks
from .cyclic import Cyclic
from .square_wave import SquareWave
from .stoc_het import StocHet
from .stoc_id import StocId
from .table import Table
from .trap import Trap

FAMILIES: tuple[type[Costs], ...] = (StocId, StocHet, Cyclic, Trap, Blocks, SquareWave, Table)

__all__ = [
    "FAMILIES",
    "Blocks",
    "Costs",
    "Cyclic",
    "Source",
    "SquareWave",
    "StocHet",
    "StocId",
    "Table",
    "Trap",
]
