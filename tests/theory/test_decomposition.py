"""Theorem 2 on runs of FTARL, against the paper's regularisers in exact arithmetic; and the potential."""

from fractions import Fraction

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from strategies import game, games

import bygones as by
from bygones.theory.decomposition import Run, decompose, mean_bounds, path_bounds
from bygones.theory.potential import deltas, potential


def play(costs, seed, H, cost_range, rate=0.3, draws=6):
    """Some draws of FTARL, one round past the end."""
    T, n = costs.shape
    problem = by.Problem(n, T, by.Window(H))
    player = by.FTARL().player_type(by.FTARL(rate=rate), problem, range(seed, seed + draws))
    actions = np.hstack([player.advance(player.survey(costs)), player.current[:, np.newaxis]])
    states = np.stack([problem.memory.start(n).extend(own) for own in actions])
    return Run(costs, player.noise, actions, states, H, cost_range)


@given(st.integers(2, 4), st.integers(1, 9), st.integers(1, 6), st.integers(0, 2**32))
def test_the_terms_are_those_of_the_regularisers(n, T, H, seed):
    costs = -np.random.default_rng(seed).integers(0, 64, (T, n)) / 64
    run = play(costs, seed, H, 1.0)
    terms, slack = decompose(run)
    for draw, noise in enumerate(run.noise):
        exact = [[Fraction(c) for c in row] for row in costs]
        *expected, regret = reference.theorem_2(exact, [Fraction(z) for z in noise], H, 1)
        assert [term[draw] for term in terms] == pytest.approx([float(term) for term in expected], abs=1e-12)
        assert slack[draw] == pytest.approx(float(sum(expected) - regret), abs=1e-12)


@given(games, st.sampled_from([0.05, 0.3, 3.0]))
def test_on_every_path_the_terms_are_bounded_and_leave_something_over(parameters, rate):
    n, T, H, seed, kind = parameters
    H = min(H, T)
    run = play(game(n, T, seed, kind), seed, H, 1.0, rate)
    terms, slack = decompose(run)
    lost = np.einsum("ti,rti->r", run.costs, run.states[:, :-1]) - run.totals[-1].min()
    np.testing.assert_allclose(terms.total - lost, slack, rtol=0, atol=1e-10)
    assert (slack >= -1e-12).all()
    for term, bound in zip(terms, path_bounds(run), strict=True):
        assert (term <= bound + 1e-10).all()


def test_constants_change_no_term():
    costs = np.random.default_rng(0).random((50, 3))
    run = play(costs, 1, 5, 1.0)
    moved = Run(costs + np.linspace(-9, 9, 50)[:, np.newaxis], *(run.noise, run.actions, run.states, 5, 1.0))
    for one, other in zip(decompose(run)[0], decompose(moved)[0], strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-10)


def test_the_bounds_of_the_means_add_up_to_the_papers_line_before_tuning():
    T, H, R, rate = 40, 5, 2.0, 0.1
    run = play(np.random.default_rng(0).random((T, 3)), 1, H, R)
    x, d = run.states, R * H / T
    rest = np.einsum("ri,ri->r", run.noise, x[:, H] - run.best + x[:, 0] - x[:, 1])
    expected = 4 * R * H + d * T + rate * R**2 * (2 + H) * (T - H) + rest
    np.testing.assert_allclose(mean_bounds(run, rate).total, expected, rtol=1e-12)


def test_each_bound_of_a_term_is_the_formula_that_is_written():
    T, H, R, rate = 6, 3, 2.0, 0.75
    costs = np.array([[2.0, 0.0], [2.0, 0.0], [0.0, 2.0], [0.0, 2.0], [0.0, 1.5], [2.0, 0.0]])
    noise = np.array([[1.0, 0.25], [5.0, 0.25]])
    actions = np.array([[0, 1, 1, 1, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0]])
    states = np.stack([[reference.average(np.eye(2)[own], t, H) for t in range(1, T + 2)] for own in actions])
    run = Run(costs, noise, actions, states, H, R)
    np.testing.assert_array_equal(run.leaders, actions)
    N = np.array([3, 0])  # i_4, i_5 and i_6 are not i_1, i_2 and i_3, in the first run
    moved = np.array([(0.25 - 1.0) + (1.0 - 0.25) / 2, 0.0])  # <Z, x^4 - x^7 + x^1 - x^2>
    final = np.array([1.0 - 0.25, 5.0 - 0.25])  # <Z, x^7 - x*>: the first action against the second
    d = 1.0
    path, mean = path_bounds(run), mean_bounds(run, rate)
    np.testing.assert_allclose(path.A, 12 + 4 / 3 * N)
    np.testing.assert_allclose(path.B, d * 5 + 4 + 4 / 3 * N + moved)
    np.testing.assert_allclose(path.C, d + 6 + final)
    np.testing.assert_allclose(mean.A, [12 + 2 * rate * 4 * 3] * 2)
    np.testing.assert_allclose(mean.B, d * 5 + 6 + rate * 4 * 3 * 3 + moved)
    np.testing.assert_allclose(mean.C, d + 6 + final)


def test_potential_and_deltas_equal_their_definitions():
    rng = np.random.default_rng(1)
    costs, states, rates = rng.random((30, 4)), rng.dirichlet(np.ones(4), 30), np.linspace(3, 0.1, 30)
    totals = np.vstack([np.zeros(4), np.cumsum(costs, axis=0)])
    at = [reference.potential(row, rate) for row, rate in zip(totals[1:], rates, strict=True)]
    before = [reference.potential(row, rate) for row, rate in zip(totals[:-1], rates, strict=True)]
    np.testing.assert_allclose(potential(totals[1:], rates), at, rtol=1e-12)
    expected = (costs * states).sum(axis=1) - np.array(at) + np.array(before)
    np.testing.assert_allclose(deltas(costs, states, rates), expected, rtol=0, atol=1e-12)
