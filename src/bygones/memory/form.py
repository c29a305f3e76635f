"""How the library's compiled kernels average."""

from typing import NamedTuple

WINDOW, FULL, FADING, WEIGHTED = range(4)


class Form(NamedTuple):
    """What a compiled kernel needs to know of a memory.

    Args:
        kind: `WINDOW`, `FULL`, `FADING` or `WEIGHTED`.
        length: of a window, or the number of weights.
        fade: the factor of fading weights.
        lags: the weights of lags 0, 1, 2, ...
    """

    kind: int
    length: int = 0
    fade: float = 1.0
    lags: tuple[float, ...] = ()
