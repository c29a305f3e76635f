"""The paper, reproduced: run what `paper` declares, and tell it as figures, tables and a page."""

from .figure import figure1
from .folder import FORMATS, SECTIONS, write
from .page import page
from .runs import Reproduction, reproduce

__all__ = ["FORMATS", "SECTIONS", "Reproduction", "figure1", "page", "reproduce", "write"]
