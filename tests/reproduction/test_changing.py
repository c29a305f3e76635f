"""Costs whose best action changes, and the paths that learners are compared with on them."""

import numpy as np
import pytest

import bygones as by
from bygones import paper
from bygones.reproduction.changing import CHANGES, CHANGING, Break, Walk, saved
from bygones.reproduction.promised import against, changes, holds, needs

ROUNDS = 10_000


@pytest.mark.parametrize("name", CHANGING)
def test_they_are_families_of_costs_within_a_range_of_one(name):
    by.checks.check_costs(CHANGING[name])
    costs = CHANGING[name].draw(10, 2_000, np.random.default_rng(1))
    assert np.ptp(costs) <= 1


def test_one_break_is_in_the_middle():
    costs = Break().draw(4, ROUNDS, np.random.default_rng(2))
    for half, means in ((costs[: ROUNDS // 2], [0.3, 0.5, 0.5, 0.5]), (costs[ROUNDS // 2 :], [0.7, 0.4, 0.5, 0.5])):
        np.testing.assert_allclose(half.min(axis=0), np.array(means) - 0.3, atol=0.002)
        np.testing.assert_allclose(half.max(axis=0), np.array(means) + 0.3, atol=0.002)
        np.testing.assert_allclose(half.mean(axis=0), means, atol=0.01)  # four standard errors


def test_a_random_walk_of_the_means_moves_a_little_and_turns_back():
    rounds, n = 50_000, 3
    costs = Walk().draw(n, rounds, np.random.default_rng(3))
    draws = 2 * np.random.default_rng(3).random((rounds, 2, n)) - 1
    means = costs - 0.25 * draws[:, 1]
    free = 0.5 + np.cumsum(0.01 * draws[:, 0], axis=0)
    inside = np.logical_and.accumulate(np.abs(free - 0.5) < 0.25, axis=0)  # until it turns back for the first time
    np.testing.assert_allclose(means[inside], free[inside], atol=1e-9)
    assert (inside.sum(axis=0) > 100).all()
    assert np.abs(np.diff(means, axis=0)).max() <= 0.01 + 1e-9
    assert (means.min(axis=0) < 0.26).all()
    assert (means.max(axis=0) > 0.74).all()
    assert means.min() >= 0.25 - 1e-9
    assert means.max() <= 0.75 + 1e-9


def test_what_paths_save_is_what_the_regret_against_them_has_more(rng):
    costs, states = rng.random((60, 3)), rng.dirichlet(np.ones(3), 60)
    fixed = by.accounting.regret(costs, states)[-1]
    paths = [by.accounting.regret(costs, states, changes=K)[-1] for K in CHANGES]
    np.testing.assert_allclose(fixed + saved(costs), paths)


def test_on_one_break_a_path_with_one_change_saves_a_thousand_and_more_changes_hardly_more():
    one, three, ten = saved(Break().draw(10, ROUNDS, np.random.default_rng(4)))
    assert one == pytest.approx(1_000, abs=40)
    assert 0 <= three - one <= ten - one < 40
    turns = CHANGING["turns of 500"].draw(10, ROUNDS, np.random.default_rng(0))
    np.testing.assert_allclose(saved(turns), [500, 1_500, 4_500])


def test_who_promises_what():
    shared = by.Guarded(by.Steering(by.FixedShare()), shadow=by.FixedShare(changes=10))
    assert [changes(one) for one in (by.Hedge(), by.FixedShare(), by.FixedShare(changes=0), by.Guarded(), shared)] == [
        *(0, 3, 0, 0, 10)
    ]
    assert against(shared) == "any path with 10 changes"
    assert (holds(by.FTARL()), holds(by.FTARL(play="mean")), holds(shared)) == (
        *("in expectation", "on every path of costs", "on every path of costs"),
    )
    known = {
        by.FTARL(): "horizon, range",
        by.AdaHedge(): "nothing",
        by.Discounted(): "range",
        by.Hedge(tuning="anytime"): "range",
        by.Guarded(by.AdaHedge()): "horizon, range",
        by.Guarded(by.AdaHedge(), shadow=by.Hedge(tuning="anytime")): "range",
        by.Guarded(by.FixedShare(), shadow=by.Hedge(tuning="anytime")): "horizon, range",
    }
    assert {learner: needs(learner, paper.PROBLEM) for learner in known} == known
