"""Why the costs of a round are refused, in sentences that name the remedy."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..validation import listed, shown


def check_there(given: Mapping[Any, Any], names: Sequence[str], current: Sequence[str]) -> None:
    """Refuse costs that lack one.

    Args:
        given: costs by name.
        names: the options whose costs are needed.
        current: those of them that are open.

    Raises:
        ValueError: if one is missing.
    """
    for name in names:
        if name not in given:
            why = "" if name in current else ", which was retired and still counts in the state,"
            raise ValueError(f"the cost of {shown(name)}{why} is missing: give those of {listed(names)}")


def too_wide(number: int, given: Mapping[str, float], most: float | None) -> ValueError:
    """What is said of costs that differ by more than the range.

    Args:
        number: of the round.
        given: its costs, or gains.
        most: the range.

    Returns:
        The error.
    """
    low, high = min(given, key=given.__getitem__), max(given, key=given.__getitem__)
    return ValueError(
        f"what round {number} has differs by {given[high] - given[low]:.10g}, from {given[low]:.10g} ({low}) to "
        f"{given[high]:.10g} ({high}), and the range of the journal is {most:.10g}: correct it, or let the learner see "
        "it as cut off there, with clip=True; promises end then"
    )
