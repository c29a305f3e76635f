"""The values of a swept parameter: a list, or a range in equal steps or in equal ratios."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..validation import real, shown, whole

Value = int | float | str | bool
SCALES = ("linear", "log")
MOST = 1_000_000  # values of one parameter


def values_of(what: str, given: Any, repeated: bool = False) -> tuple[Value, ...]:  # noqa: ANN401
    """The values that are swept.

    A range is `{log = [8, 512], steps = 7}`, in equal ratios, or `{linear = [0, 1], steps = 5}`. If both ends are whole
    numbers, so are all values: rounded, each once.

    Args:
        what: the parameter, for messages.
        given: one value, a list, or a range.
        repeated: a value may stand twice in a list, as where lists go together value by value.

    Returns:
        The values, in order.

    Raises:
        ValueError: if there are none, one stands twice, or a range is not one.

    >>> values_of("H", {"log": [8, 512], "steps": 4}), values_of("rate", {"linear": [0.0, 1.0], "steps": 3})
    ((8, 32, 128, 512), (0.0, 0.5, 1.0))
    >>> values_of("memory", "window:7")
    ('window:7',)
    """
    if isinstance(given, Mapping):
        return _range(what, given)
    if isinstance(given, Value):
        return (given,)
    several = list(given) if isinstance(given, Sequence) else []
    if not several or not all(isinstance(each, Value) for each in several):
        raise ValueError(
            f"{what} is {shown(given)}: give a value, a list, or a range such as {{log = [8, 512], steps = 7}}"
        )
    twice = [each for k, each in enumerate(several) if each in several[:k]] if len(set(several)) < len(several) else []
    if twice and not repeated:
        raise ValueError(f"{what} has {shown(twice[0])} twice: give it once")
    return tuple(several)


def _range(what: str, given: Mapping[str, Any]) -> tuple[Value, ...]:
    """The values of a range."""
    form = "{log = [8, 512], steps = 7} or {linear = [0, 1], steps = 5}"
    scale = next((name for name in SCALES if name in given), "")
    if set(given) != {scale, "steps"} or not isinstance(given[scale], Sequence) or len(given[scale]) != 2:
        raise ValueError(f"{what} is {shown(dict(given))}: give a range such as {form}")
    low, high = (real(f"an end of {what}", end) for end in given[scale])
    steps = whole(f"the steps of {what}", given["steps"], 2, MOST)
    if low == high or (scale == "log" and min(low, high) <= 0):
        above = ", both above 0" if scale == "log" else ""
        raise ValueError(f"{what} goes from {low:g} to {high:g}: give two different ends{above}")
    numbers = np.geomspace(low, high, steps) if scale == "log" else np.linspace(low, high, steps)
    numbers[[0, -1]] = low, high  # which a power of ten may miss by a digit
    if all(isinstance(end, int) for end in given[scale]):
        return tuple(dict.fromkeys(numbers.round().astype(np.int64).tolist()))
    return tuple(numbers.tolist())
