"""LSA's law, its redraws, and that its expectation is Hedge's."""

from math import exp, log

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from laws import SEEDS, assert_frequencies, replicates

import bygones as by

T, N, RATE = 60, 4, 0.15
PROBLEM = by.Problem(N, T, by.Window(5))


@pytest.mark.parametrize("family", [by.StocHet(), by.Cyclic(hold=7, vectors=2), by.Blocks(10)], ids=repr)
def test_the_empirical_law_is_the_exact_one(family):
    """20,000 seeds, a chi-square test at six rounds; a correct law fails all together with probability under 1e-5."""
    costs = family.draw(N, T, np.random.default_rng(5))
    player = replicates(by.LSA(rate=RATE), PROBLEM)
    actions = player.advance(player.survey(costs))
    laws, _ = reference.dartboard_law(costs, RATE)
    for t in (0, 1, 5, 10, 30, 59):
        assert_frequencies(actions[:, t], laws[t], 1e-5 / 6)


def test_redraws_are_as_rare_as_the_law_says():
    """The mean number of switches is what the exact law of redraws gives, within 4 standard errors."""
    costs = by.Blocks(10).draw(N, T, np.random.default_rng(6))
    player = replicates(by.LSA(rate=RATE), PROBLEM)
    actions = player.advance(player.survey(costs))
    law, weights, switches = np.full(N, 1 / N), np.ones(N), 0.0
    for g in costs[:-1]:
        keep = np.exp(-RATE * (g - g.min()))
        weights = weights * keep
        board = weights / weights.sum()
        switches += float(law @ ((1 - keep) * (1 - board)))  # a redraw may hit the same action again
        law = law * keep + float(law @ (1 - keep)) * board
    counted = np.count_nonzero(np.diff(actions, axis=1), axis=1)
    assert abs(counted.mean() - switches) < 4 * counted.std() / len(SEEDS) ** 0.5


@given(st.integers(2, 6), st.integers(1, 80), st.floats(0.001, 3), st.integers(0, 2**32))
def test_the_law_is_hedges_and_the_redraws_are_bounded(n, rounds, rate, seed):
    costs = by.StocHet().draw(n, rounds, np.random.default_rng(seed))
    laws, redraws = reference.dartboard_law(costs, rate)
    problem = by.Problem(n, rounds, by.Window(3))
    np.testing.assert_allclose(by.LSA(rate=rate, play="mean").start(problem).play(costs), laws, rtol=0, atol=1e-11)
    np.testing.assert_allclose(by.Hedge(rate=rate).start(problem).play(costs), laws, rtol=0, atol=1e-11)
    shifted = costs - costs.min(axis=1, keepdims=True)
    assert redraws <= log(n) + rate * shifted.sum(axis=0).min() + 1e-9


def test_weights_never_underflow():
    """Linear weights would be 0/0 after a few hundred such rounds."""
    problem = by.Problem(3, 2000, by.Window(5), cost_range=50.0)
    costs = np.tile([0.0, 50.0, 50.0], (1000, 1))
    costs = np.vstack([costs, costs[:, ::-1]])
    actions = by.LSA(rate=1.0).start(problem).play(costs)
    assert set(actions[10:1000]) == {0}
    weights = by.Hedge(rate=1.0).start(problem).play(costs)
    assert np.isfinite(weights).all()
    np.testing.assert_allclose(weights.sum(axis=1), 1.0, rtol=1e-15)


def test_rates():
    problem = by.Problem(10, 10_000, by.Window(100), cost_range=2.0)
    eta = (log(10) / 1e6) ** 0.5
    assert exp(-2 * by.LSA(tuning="geulen").rate_for(problem)) == pytest.approx(1 - eta)
    assert by.LSA().rate_for(problem) == pytest.approx(((1 + log(10_001)) / 1e6) ** 0.5 / 8)
    assert by.LSA(tuning="geulen").rate_for(by.Problem(100, 1, by.Window(1))) == pytest.approx(log(2))
    with pytest.raises(ValueError, match="tuning is 'guelen': give one of 'anava', 'geulen'.*did you mean geulen"):
        by.LSA(tuning="guelen")


def test_knowing_the_range_only_saves_looking():
    costs = by.Blocks(7).draw(5, 3000, np.random.default_rng(3)) + np.linspace(0, 0.5, 5)
    known, unknown = (
        by.simulate(by.Problem(5, 3000, by.Window(20), cost_range), [by.LSA(rate=0.05)], costs, 6)
        for cost_range in (1.5, None)
    )
    assert np.array_equal(known.regrets["LSA"], unknown.regrets["LSA"])
