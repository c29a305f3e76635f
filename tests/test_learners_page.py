"""The page that compares the learners is what is measured."""

import runpy
from pathlib import Path

import numpy as np
import pytest

from bygones.learners import LEARNERS

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/learners.md").read_text()


@pytest.fixture(scope="module")
def tool():
    return runpy.run_path(str(ROOT / "tools/learners_table.py"))


@pytest.mark.compiled
def test_the_page_is_what_is_measured(tool):
    assert tool["page"]() == PAGE, "`make tables` writes the page anew"


def test_the_page_names_every_learner():
    for kind in LEARNERS:
        assert kind.__name__ in PAGE


def test_a_learner_is_ahead_by_two_standard_errors_of_the_paired_difference(tool):
    noise = np.array([5.0, -5.0, 5.0, -5.0])
    apart = np.array([1.0, 3.0, 1.0, 3.0])  # 2, with a standard error of 0.58
    assert tool["ahead"](noise, noise + apart)
    assert not tool["ahead"](noise + apart, noise)
    assert not tool["ahead"](noise, noise + apart - 1)
    assert tool["ahead"](np.array([1.0]), np.array([1.1]))
    assert not tool["ahead"](np.array([1.0]), np.array([1.0 + 1e-9]))


def test_numbers_have_few_digits_and_no_minus_zero(tool):
    assert [tool["amount"](value) for value in (-1e-12, 4.94, 9.96, -26.7, 1234.5678)] == [
        "0.0",
        "4.9",
        "10",
        "-27",
        "1,235",
    ]
    assert tool["amount"](-0.001, 2) == "0.00"
    assert tool["entry"](np.array([4.0, 6.0])) == "5.0 (1.0)"
    assert tool["entry"](np.array([400.0, 600.0])) == "500 (100)"
