"""Discounted against its transcription, and what its rate needs."""

import numpy as np
import pytest
import reference

import bygones as by


@pytest.mark.parametrize("half_life", [0.5, 7, 1e6])
def test_it_equals_its_transcription(half_life):
    costs = by.StocHet().draw(4, 150, np.random.default_rng(3)) + np.arange(150)[:, np.newaxis]
    player = by.Discounted(rate=0.9, half_life=half_life).start(by.Problem(4, None, by.Window(9)))
    expected = reference.discounted(costs - costs.min(axis=1, keepdims=True), 0.9, half_life)
    np.testing.assert_allclose(player.play(costs), expected, rtol=0, atol=1e-9)


def test_its_rate_is_hedges_for_the_rounds_that_count():
    problem = by.Problem(3, 10_000, by.Window(5), 2.0)
    rounds = round(1 / (1 - 0.5 ** (1 / 40)))
    assert by.Discounted(half_life=40).rate_for(problem) == by.theory.hedge_rate(problem.replace(horizon=rounds))
    assert by.Discounted(half_life=40).rate_for(problem.replace(horizon=None)) > 0
    assert by.Discounted(half_life=1e9).rate_for(problem) == by.theory.hedge_rate(problem)
    assert by.Discounted().bound(problem) is None


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="the half-life is 0: give a number above 0"):
        by.Discounted(half_life=0)
    with pytest.raises(ValueError, match="Hedge's rate needs the problem's cost_range"):
        by.Discounted().start(by.Problem(2, None, by.Window(3), None))
