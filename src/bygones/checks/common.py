"""What the checks have in common."""

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, ParamSpec, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..description import Description

TOLERANCE = 1e-9
P = ParamSpec("P")
Demands: TypeAlias = Iterator[tuple[object, str]]  # what must hold, and what is wrong otherwise


class CheckError(AssertionError):
    """A learner, memory or cost family breaks its contract."""


def check(look: Callable[P, Demands]) -> Callable[P, None]:
    """Turn a function that yields what must hold into one that raises a CheckError at the first that does not."""

    @wraps(look)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        for holds, fault in look(*args, **kwargs):
            if not holds:
                case = " on ".join(repr(one) for one in (*args, *kwargs.values()) if isinstance(one, Description))
                raise CheckError(f"{case}: {fault}")

    return run


def refuses(call: Callable[[Any], object], given: object) -> bool:
    """Whether a call raises a ValueError.

    Args:
        call: a function of one argument.
        given: the argument.

    Returns:
        True if it raises a ValueError; any other exception is passed on.
    """
    try:
        call(given)
    except ValueError:
        return True
    return False


def same(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether two arrays are equal to the bit.

    Args:
        one: an array of any shape.
        other: the array to compare it with.

    Returns:
        True if the shapes and all entries are equal.
    """
    return np.array_equal(one, other)


def close(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether two arrays are equal but for rounding.

    Args:
        one: an array of any shape.
        other: the array to compare it with.

    Returns:
        True if the shapes are equal and no entry differs by more than `TOLERANCE`.
    """
    return one.shape == other.shape and bool(np.abs(one - other).max(initial=0) <= TOLERANCE)


def equal(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two snapshots are equal.

    Args:
        one: a snapshot: names with arrays or numbers.
        other: the snapshot to compare it with.

    Returns:
        True if the names and all values are equal.
    """
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)
