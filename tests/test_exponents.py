"""Exponents, and their errors."""

import math

import numpy as np
import pytest

from bygones.exponents import fitted


def test_an_exponent_that_is_known_is_found():
    x = [10, 20, 40, 80]
    exact = np.array([3.0 * value**0.5 for value in x])
    fit = fitted(x, np.tile(exact, (5, 1)))
    assert fit.exponent == pytest.approx(0.5)
    assert fit.se == pytest.approx(0.0, abs=1e-12)
    assert fit.misfit == pytest.approx(0.0, abs=1e-12)
    bent = fitted(x, (exact * [1.1, 1.0, 1.0, 1.0])[np.newaxis])
    assert bent.exponent == pytest.approx(np.polyfit(np.log(x), np.log(exact * [1.1, 1.0, 1.0, 1.0]), 1)[0])
    _, errors = np.polyfit(np.log(x), np.log(exact * [1.1, 1.0, 1.0, 1.0]), 1, cov=True)
    assert bent.se == pytest.approx(math.sqrt(errors[0, 0]))
    assert bent.misfit > 0.01


@pytest.mark.parametrize("shared", [False, True])
def test_the_error_of_an_exponent_is_its_spread(shared):
    """Over 2,000 draws the spread of the exponent is the mean standard error, within 8 %; noise may be shared.

    The spread of 2,000 normal draws is off by more than 8 % with a probability under 1e-6.
    """
    rng = np.random.default_rng(0)
    x = np.array([10.0, 20.0, 40.0, 80.0])
    found, errors = [], []
    for _ in range(2000):
        noise = rng.normal(size=(30, 1 if shared else 4)) * x**0.8 * 0.3
        fit = fitted(x.tolist(), 5 * x**0.5 + noise)
        found.append(fit.exponent)
        errors.append(fit.se)
    assert np.mean(found) == pytest.approx(0.5, abs=0.01)
    assert np.mean(errors) == pytest.approx(np.std(found), rel=0.08)


@pytest.mark.parametrize(
    ("x", "table"),
    [
        ([1, 2], [[1.0, 2.0]]),
        ([0, 1, 2], [[1.0, 2.0, 3.0]]),
        ([2, 2, 2], [[1.0, 2.0, 3.0]]),
        ([1, 2, 2], [[1.0, 2.0, 3.0]]),
        ([1, 2, 3], [[1.0, -1.0, 2.0]]),
        ([1, 2, 3], [[9.0, 9.0, 9.0], [9.0, -1.0, 9.0]]),
    ],
)
def test_there_is_no_exponent_where_there_is_no_logarithm(x, table):
    assert fitted(x, np.array(table)) is None
