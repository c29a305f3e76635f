"""The values of a swept parameter."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bygones.studies.ranges import MOST, values_of


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.integers(2, 40), st.sampled_from(["log", "linear"]))
def test_a_range_of_whole_numbers_keeps_its_ends_and_its_order(low, high, steps, scale):
    if low == high:
        return
    values = values_of("H", {scale: [low, high], "steps": steps})
    assert (values[0], values[-1]) == (low, high)
    assert all(isinstance(value, int) for value in values)
    assert len(set(values)) == len(values) <= steps
    assert list(values) == sorted(values, reverse=low > high)


@given(st.floats(1e-6, 1e6), st.floats(1e-6, 1e6), st.integers(2, 40))
def test_a_log_range_has_equal_ratios(low, high, steps):
    if low == high:
        return
    values = values_of("rate", {"log": [low, high], "steps": steps})
    ratio = (high / low) ** (1 / (steps - 1))
    assert len(values) == steps
    assert (values[0], values[-1]) == (low, high)
    assert [b / a for a, b in pairwise(values)] == pytest.approx([ratio] * (steps - 1))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "H is []: give a value, a list, or a range"),
        ([[1]], "give a value, a list, or a range"),
        (None, "H is None"),
        ([1, 2, 1], "H has 1 twice: give it once"),
        ({"log": [8, 512]}, "give a range such as"),
        ({"log": [8, 512], "steps": 3, "more": 1}, "give a range such as"),
        ({"log": [8], "steps": 3}, "give a range such as"),
        ({"log": [0, 8], "steps": 3}, "goes from 0 to 8: give two different ends, both above 0"),
        ({"linear": [1, 1], "steps": 3}, "give two different ends"),
        ({"linear": ["a", 1], "steps": 3}, "an end of H is 'a'"),
        ({"linear": [0, 1], "steps": 1}, "the steps of H is 1: give a whole number"),
        ({"linear": [0, 1], "steps": MOST + 1}, "give a whole number"),
    ],
)
def test_what_is_no_range_is_named(given, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        values_of("H", given)
