"""How often a property is tried: a few times in every run, and many times in the slow sweep."""

import pytest


def swept(few, many):
    """The number of `examples`; each number is a test of its own."""
    return pytest.mark.parametrize("examples", [few, pytest.param(many, marks=pytest.mark.slow)])
