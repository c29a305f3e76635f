"""Which memory fits: from past decisions and what was really paid or sold."""

from .fit import fit_memory
from .fitted import MemoryFit

__all__ = ["MemoryFit", "fit_memory"]
