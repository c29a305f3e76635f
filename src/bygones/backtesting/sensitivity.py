"""What if the memory is longer or shorter than assumed."""

from ..memory import Memory

FACTORS = (0.0, 1 / 4, 1 / 2, 1, 2, 4)


def varied(memory: Memory, rounds: int) -> list[Memory]:
    """Memories of other lengths, and this one among them, shortest first; none where there is no length to vary.

    Args:
        memory: the one to vary.
        rounds: the longest span that is tried, besides the memory's own.

    Returns:
        The memories, without duplicates.

    >>> import bygones as by
    >>> varied(by.Window(6), 365)
    [Window(length=1), Window(length=3), Window(length=6), Window(length=12), Window(length=24)]
    >>> [round(other.rho, 3) for other in varied(by.Geometric(0.9), 365)]
    [0.692, 0.818, 0.9, 0.947, 0.973]
    """
    scaled = [memory.scaled(factor) for factor in FACTORS]
    kept = {other for other in scaled if other is not None and (other == memory or other.span <= rounds)}
    return sorted(kept, key=lambda other: other.span)
