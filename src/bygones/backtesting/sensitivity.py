"""What if the memory is longer or shorter than assumed."""

import math

from ..memory import FullHistory, Geometric, Memory, Weights, Window

FACTORS, FEWER = (0.0, 1 / 4, 1 / 2, 1, 2, 4), (1 / 2, 1, 2)
LONG = 1_000_000  # periods of a table on which fewer are tried


def varied(memory: Memory, rounds: int) -> list[Memory]:
    """Memories of other lengths, and this one among them, shortest first; none where there is no length to vary.

    >>> varied(Window(6), 365)
    [Window(length=1), Window(length=3), Window(length=6), Window(length=12), Window(length=24)]
    >>> [round(other.rho, 3) for other in varied(Geometric(0.9), 365)]
    [0.692, 0.818, 0.9, 0.947, 0.973]
    """
    factors = FACTORS if rounds <= LONG else FEWER
    if type(memory) is Window:
        lengths = {max(1, int(factor * memory.length)) for factor in factors}
        return [Window(length) for length in sorted(lengths) if length <= rounds]
    if type(memory) is Geometric:
        lags = [factor * memory.mean_lag() for factor in factors if factor > 0]
        others = [memory if lag == memory.mean_lag() else Geometric(lag / (1 + lag)) for lag in lags]
        return [other for other in others if other == memory or other.mean_lag() <= rounds]
    return []


def length(memory: Memory) -> float:
    """A window's length; of another memory the mean lag."""
    return float(memory.length) if isinstance(memory, Window) else memory.mean_lag()


def in_short(memory: Memory) -> str:
    """A memory as command lines have it, but for digits that few would read.

    >>> [in_short(Window(7)), in_short(Geometric(0.9)), in_short(Geometric(1 - 1e-9)), in_short(FullHistory())]
    ['window:7', 'geometric:0.9', 'geometric:0.999999999', 'full']
    """
    if type(memory) is Window:
        return f"window:{memory.length}"
    if type(memory) is Geometric:
        digits = 4 - math.ceil(math.log10(1 - memory.rho))  # so that what is lacking to 1 has four of them
        return f"geometric:{round(memory.rho, digits)}"
    if type(memory) is Weights:
        return f"weights:{','.join(f'{weight:.4g}' for weight in memory.lags)}"
    return "full" if type(memory) is FullHistory else repr(memory)


def in_words(memory: Memory) -> str:
    """A memory as people call it.

    >>> in_words(Window(7)), in_words(Geometric(0.9))
    ('a 7-period window', 'a memory that keeps 0.9 of itself each period')
    """
    if type(memory) is Window:
        return f"a {memory.length:,}-period window"
    if type(memory) is Geometric:
        return f"a memory that keeps {memory.rho:.6g} of itself each period"
    if type(memory) is FullHistory:
        return "a memory of all periods"
    return f"the memory {memory!r}" if memory.support is None else f"a memory of {memory.support:,} periods"
