"""Memories as words, for command lines and files."""

from .base import Memory
from .full_history import FullHistory
from .geometric import Geometric
from .weights import Weights
from .window import Window

FORMS = "window:100, full, geometric:0.9 or weights:0.5,0.3,0.2"


def read_memory(text: str) -> Memory:
    """A memory from its words: `window:100`, `full`, `geometric:0.9`, or `weights:0.5,0.3,0.2`, the newest first.

    >>> [read_memory(text) for text in ("window:100", "full", "geometric:0.9", "weights:0.5,0.3,0.2")]
    [Window(length=100), FullHistory(), Geometric(rho=0.9), Weights(lags=(0.5, 0.3, 0.2))]
    """
    kind, colon, rest = str(text).strip().partition(":")
    try:
        if kind == "window":
            return Window(_whole(rest))
        if kind == "full" and not colon:
            return FullHistory()
        if kind == "geometric":
            return Geometric(_number(rest))
        if kind == "weights":
            return Weights([_number(part) for part in rest.split(",")])
    except ValueError as error:
        raise ValueError(f"the memory is {text!r}, and {error}; memories look like {FORMS}") from None
    raise ValueError(f"the memory is {text!r}: give one that looks like {FORMS}")


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{text!r} is no whole number") from None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{text!r} is no number") from None
