"""Pure play: the law of every round is the decision inside, and changes are as rare as said."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import assert_frequencies, replicates
from numpy.random import SeedSequence

import bygones as by
from bygones.accounting import switches
from bygones.description import from_dict
from bygones.learners import LEARNERS
from bygones.learners.pure import COUPLING, DARTBOARD, INDEPENDENT, couple

T, N = 40, 4
PROBLEM = by.Problem(N, T, by.Window(5))
INNER = [by.Hedge(rate=0.3), by.Steering(), by.AdaHedge(), by.FTARL(rate=0.3, play="mean")]


def laws(learner, costs):
    """The decisions of all rounds, and of the one after the last."""
    player = learner.start(PROBLEM)
    return np.vstack([player.play(costs), player.decide()])


@pytest.mark.parametrize("how", ["lazy", "independent"])
@pytest.mark.parametrize("inner", INNER, ids=repr)
def test_every_round_has_the_law_inside_and_changes_are_as_many_as_said(inner, how):
    """20,000 seeds; the chance of a false alarm is 1e-5 for the laws together, and 4 standard errors for changes."""
    costs = by.Blocks(6).draw(N, T, np.random.default_rng(5))
    player = replicates(by.Pure(inner, how), PROBLEM)
    actions = np.hstack([player.advance(player.survey(costs)), player.current[:, np.newaxis]])
    law = laws(inner, costs)
    for t in range(0, T + 1, 5):
        assert_frequencies(actions[:, t], law[t], 1e-5 / 9)
    counted = (np.diff(actions) != 0).sum(axis=1)
    assert abs(counted.mean() - player.expected_switches) <= 4 * counted.std() / len(counted) ** 0.5
    if how == "independent":
        assert player.expected_switches == pytest.approx((1 - (law[:-1] * law[1:]).sum(axis=1)).sum())
    elif not isinstance(inner, by.Hedge):  # by a maximal coupling, of which none is lazier
        assert player.expected_switches == pytest.approx(switches(law))


def test_of_hedge_it_is_the_low_switch_algorithm():
    """The same chance of a change in every round, which beside the law of a round makes the law of the whole path."""
    rate, costs = 0.3, by.StocHet().draw(N, T, np.random.default_rng(5))
    law, shifted = laws(by.Hedge(rate=rate), costs), costs - costs.min(axis=1, keepdims=True)
    leaving = law[:-1] * -np.expm1(-rate * shifted)
    expected = (leaving * (1 - law[1:])).sum()
    player = by.Pure(by.Hedge(rate=rate)).start(PROBLEM)
    player.play(costs)
    assert player.expected_switches == pytest.approx(expected, rel=1e-9)
    assert player.expected_switches >= switches(law)


@given(st.integers(2, 5), st.integers(0, 2**32), st.sampled_from(["lazy", "independent"]))
def test_it_plays_on_where_weights_vanish_and_come_back(n, seed, how):
    rng = np.random.default_rng(seed)
    costs = np.repeat(rng.integers(0, 2, (6, n)) * 1.0, 5, axis=0)
    inner = by.Hedge(rate=800.0)
    problem = by.Problem(n, None, by.Window(3))
    player, other = by.Pure(inner, how).start(problem, seed=seed), inner.start(problem)
    for row in costs:
        assert other.decide()[player.action] > 0
        player.observe(row)
        other.observe(row)
    assert 0 <= player.expected_switches <= len(costs)


def test_the_player_inside_sees_its_own_mean_state():
    costs = by.Cyclic(7, 2).draw(N, T, np.random.default_rng(0))
    player, plain = by.Pure(by.Steering()).start(PROBLEM, seed=3), by.Steering().start(PROBLEM)
    player.play(costs)
    plain.play(costs)
    assert np.array_equal(player.inner.state, plain.state)
    past = by.Pure(by.Steering()).start(PROBLEM, seed=3, history=[0, 0, 1])
    assert np.array_equal(past.inner.decide(), by.Steering().start(PROBLEM, history=[0, 0, 1]).decide())


def test_what_it_promises_is_what_is_promised_inside():
    assert by.Pure(by.Hedge()).bound(PROBLEM) == by.Hedge().bound(PROBLEM)
    assert by.Pure(by.Steering()).bound(PROBLEM) is None
    assert by.Pure(by.Steering()).mean() == by.Steering()
    assert by.guarantee(PROBLEM, by.Pure(by.Hedge()), 0.0, np.zeros(N), 0) == by.Hedge().bound(PROBLEM)


@pytest.mark.parametrize("given", [by.FTARL(), by.FollowTheLeader(), by.Pure(), "ftarl", None], ids=repr)
def test_only_mixtures_can_be_drawn_from(given):
    with pytest.raises(ValueError, match=r"give one that plays mixtures and draws nothing itself, such as Hedge\(\)"):
        by.Pure(given)


class Restless(by.Learner):
    """A mixture that is drawn, and treats actions by their number."""

    symmetric = False
    drawing: bool = True

    @property
    def randomised(self):
        return self.drawing

    @property
    def player_type(self):
        return by.Hedge().player_type


def test_a_mixture_that_is_drawn_is_refused_and_symmetry_is_that_of_the_learner_inside():
    with pytest.raises(ValueError, match="draws nothing itself"):
        by.Pure(Restless())
    assert not by.Pure(Restless(drawing=False)).symmetric
    assert by.Pure(by.Steering()).symmetric


def test_an_action_whose_weight_comes_back_from_nothing_has_its_law():
    laws, uniforms = np.array([[1.0, 0.0], [0.5, 0.5]]), (np.arange(1000)[:, np.newaxis] + 0.5) / 1000
    for how in (DARTBOARD, COUPLING, INDEPENDENT):
        current, actions = np.zeros(1000, dtype=np.int64), np.empty((1000, 1), dtype=np.int64)
        couple(laws, how, uniforms, np.zeros(1), current, actions)
        assert current.sum() == 500


def test_a_result_tells_how_many_switches_are_expected():
    learners = [by.Pure(by.Hedge()), by.Pure(by.Hedge(), how="independent"), by.FTARL()]
    for costs_per in ("replicate", "shared"):
        result = by.simulate(PROBLEM, learners, by.StocHet(), 5, costs_per=costs_per, workers=2)
        lazy, restless = result.about["expected_switches"].values()
        assert list(result.about["expected_switches"]) == list(result.regrets)[:2]
        assert 0 < lazy < restless
        assert f"switches expected: {lazy:,.1f}" in repr(result)
    player = by.Pure(by.Hedge()).start(PROBLEM)
    costs = by.StocHet().draw(N, T, np.random.default_rng(0))
    player.play(costs)
    known = by.simulate(PROBLEM, [by.Pure(by.Hedge())], costs, 3).about["expected_switches"]["Pure"]
    assert known == pytest.approx(player.expected_switches)


def test_it_has_a_plain_form_with_the_learner_in_it():
    learner = by.Pure(by.Steering(by.Hedge(tuning="anytime")), how="independent")
    plain = {
        "type": "Pure",
        "learner": {"type": "Steering", "learner": {"type": "Hedge", "tuning": "anytime"}},
        "how": "independent",
    }
    assert learner.to_dict() == plain
    assert from_dict(plain, LEARNERS, "learner") == learner
    with pytest.raises(ValueError, match="names no learner"):
        from_dict({"type": "Pure", "learner": {"type": "Nobody"}}, LEARNERS, "learner")
    with pytest.raises(ValueError, match="how is 'lazily'"):
        by.Pure(by.Hedge(), how="lazily")


def test_a_player_inside_that_is_out_of_step_is_noticed():
    player = by.Pure(by.Hedge()).start(PROBLEM)
    player.play(np.zeros((9, N)))
    with pytest.raises(ValueError, match="the player inside has seen another number of rounds"):
        player.restore(player.snapshot() | {"inner.rounds": 8})


def test_damage_inside_is_noticed():
    player = by.Pure(by.Steering()).start(PROBLEM, SeedSequence(4))
    player.play(np.random.default_rng(0).random((9, N)))
    taken = player.snapshot()
    for name, value in (
        ("inner.rounds", 8),
        ("inner.current", np.full(N, 0.5)),
        ("inner.memory.count", 2),
        ("inner.memory.sums", np.zeros((2, 1))),
        ("current", np.array([N])),
    ):
        with pytest.raises(ValueError, match="snapshot|decision"):
            player.restore(taken | {name: value})
        assert all(np.array_equal(taken[key], value) for key, value in player.snapshot().items())
