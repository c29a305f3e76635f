"""Cost families as words, for files and calls."""

from ..words import Words
from .base import Costs


def cost_words() -> Words[Costs]:
    """How cost families are written and read; a table goes by its path, not by words."""
    from . import FAMILIES, Table  # which is made once all families are there

    kinds = {kind.__name__.lower(): kind for kind in FAMILIES if kind is not Table}
    forms = "stochet, cyclic:hold=50,vectors=2 or package.module:Class"
    return Words("cost family", "cost families", Costs, kinds, forms)
