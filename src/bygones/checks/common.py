"""What the checks have in common."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

TOLERANCE = 1e-9


class CheckError(AssertionError):
    """A learner, memory or cost family breaks its contract."""


def demand(holds: bool, case: object, fault: str) -> None:
    """Raise a CheckError unless something holds.

    Args:
        holds: what must be true.
        case: what is checked.
        fault: what is wrong otherwise.
    """
    if not holds:
        raise CheckError(f"{case!r}: {fault}")


def refuses(call: Callable[[Any], object], given: object) -> bool:
    """Whether a call raises a ValueError."""
    try:
        call(given)
    except ValueError:
        return True
    return False


def same(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether two arrays are equal to the bit."""
    return np.array_equal(one, other)


def close(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether two arrays are equal but for rounding."""
    return one.shape == other.shape and bool(np.abs(one - other).max(initial=0) <= TOLERANCE)


def equal(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two snapshots are equal."""
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)
