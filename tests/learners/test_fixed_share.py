"""FixedShare against its transcription, against paths that change, and on bad input."""

import numpy as np
import pytest
import reference
from games import GAMES, game

import bygones as by
from bygones.accounting import regret

ROOM = 1 + 1e-9


@pytest.mark.parametrize("share", [1e-6, 0.02, 0.6])
def test_it_equals_its_transcription(share):
    costs = by.StocHet().draw(4, 200, np.random.default_rng(2))
    player = by.FixedShare(rate=0.7, share=share).start(by.Problem(4, None, by.Window(9)))
    np.testing.assert_allclose(player.play(costs), reference.fixed_share(costs, 0.7, share), rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    "learner", [by.FixedShare(changes=0), by.FixedShare(share=0), by.FixedShare(rate=0.3, share=0)]
)
def test_without_a_share_it_is_hedge(learner):
    problem = by.Problem(5, 300, by.Window(7))
    costs = by.Blocks(20).draw(5, 300, np.random.default_rng(1))
    rate = learner.rate_for(problem)
    assert np.array_equal(learner.start(problem).play(costs), by.Hedge(rate=rate).start(problem).play(costs))
    assert learner.bound(problem, 0) == pytest.approx(by.Hedge(rate=rate).bound(problem))
    assert learner.bound(problem, 1) is None
    assert learner.as_hedge(problem) == by.Hedge(rate=rate).as_hedge(problem)


@pytest.mark.parametrize("numbers", [range(0, GAMES, 9), pytest.param(range(GAMES), marks=pytest.mark.slow)], ids=len)
def test_no_game_exceeds_the_bound_against_paths(numbers):
    """Every kind of costs and memory; paths with fewer, as many and more changes than were expected."""
    worst = 0.0
    for number in numbers:
        problem, costs = game(number)
        learner = by.FixedShare(changes=number % 6, share=(None, 0.05)[number // 7 % 2])
        states = problem.memory.start(problem.n).extend(learner.start(problem).play(costs))
        for changes in (0, learner.changes, 2 * learner.changes + 1):
            bound = learner.bound(problem, changes)
            if bound is not None:
                worst = max(worst, regret(costs, states, changes)[-1] / bound)
    assert worst <= ROOM
    assert worst > 0.3  # the bound is not far from what happens


def test_a_bound_for_more_changes_is_larger_and_the_tuning_is_near_the_best():
    problem = by.Problem(3, 500, by.Window(8), 2.0)
    learner = by.FixedShare(changes=4)
    bounds = [learner.bound(problem, changes) for changes in range(8)]
    assert bounds == sorted(bounds)
    assert learner.bound(problem) == bounds[4]
    rate, share = learner.tuning_for(problem)
    others = [
        by.FixedShare(rate=rate * up, share=share * more).bound(problem, 4)
        for up in (0.8, 1, 1.25)
        for more in (0.7, 1, 1.4)
    ]
    assert bounds[4] <= 1.02 * min(others)


def test_it_follows_a_best_action_that_changes():
    """Two suppliers: 10 and 12 a week, then 14 and 11; a quarter's contracts."""
    costs = np.array([[10.0, 12.0]] * 130 + [[14.0, 11.0]] * 130) + np.random.default_rng(0).normal(0, 0.5, (260, 2))
    problem = by.Problem(2, 260, by.Window(12), float(np.ptp(costs, axis=1).max()))
    ends = by.expected(problem, [by.FixedShare(), by.Hedge()], costs).summary()["mean"].to_list()
    assert ends[0] < -140
    assert ends[1] > 50


def test_more_changes_than_rounds_are_as_many_as_fit():
    problem = by.Problem(2, 10, by.Window(3))
    assert by.FixedShare(changes=10**9).tuning_for(problem) == by.FixedShare(changes=9).tuning_for(problem)
    assert by.FixedShare(changes=5).bound(problem.replace(horizon=1)) == by.Hedge().bound(problem.replace(horizon=1))


def test_bad_input_is_refused():
    for bad, words in (
        ({"changes": -1}, "changes is -1: give a whole number of at least 0"),
        ({"share": 1.0}, "the share is 1.0: give 0, or a number from 1e-100 to below 1"),
        ({"share": 5e-324}, "the share is 5e-324"),
        ({"share": -0.1}, "the share is -0.1"),
        ({"share": float("nan")}, "the share is nan"),
        ({"rate": 0.0}, "the rate is 0.0"),
    ):
        with pytest.raises(ValueError, match=words):
            by.FixedShare(**bad)
    endless = by.Problem(2, None, by.Window(3))
    with pytest.raises(ValueError, match="FixedShare's tuning needs the problem's horizon"):
        by.FixedShare().start(endless)
    with pytest.raises(ValueError, match="give share= by hand too"):
        by.FixedShare(rate=0.1).start(endless)
    by.FixedShare(rate=0.1, share=0.1).start(endless).observe([0.0, 1.0])
    assert by.FixedShare().bound(endless) is None


def test_weights_that_vanish_are_alike_again():
    costs = [[0.0, 1.0], [1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
    with pytest.warns(UserWarning, match="past the horizon"):
        decisions = by.FixedShare(rate=1000).start(by.Problem(2, 1, by.Window(1))).play(costs)
    assert np.isfinite(decisions).all()
    assert decisions[2].tolist() == [0.5, 0.5]
