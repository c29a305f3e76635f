"""FTARL against the plain transcription of the paper, and the appendix's statements about it."""

from fractions import Fraction
from math import exp, log

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from laws import SEEDS, assert_frequencies, replicates
from strategies import game, games

import bygones as by
from bygones.accounting import losses, regret
from bygones.kernels import perturbed_mean, quadrature


def relative(costs):
    """Each round's least cost is taken off before anything is added up, so that large constants cost no digits."""
    return costs - costs.min(axis=1, keepdims=True)


@pytest.mark.parametrize("learner", [by.FTARL(rate=0.3), by.FTPL(rate=0.3), by.FollowTheLeader(), by.LSA(rate=0.3)])
@pytest.mark.parametrize("constant", [2.0**36, -(2.0**36), 2.0**20])
def test_large_constants_change_no_decision(learner, constant):
    """Multiples of 1/1024 stay exact beside such a constant, so only the sums could lose digits."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        costs = rng.integers(0, 1025, (400, 5)) / 1024
        problem = by.Problem(5, 400, by.Window(9))
        plain, shifted = (learner.start(problem, seed=seed).play(table) for table in (costs, costs + constant))
        assert (plain == shifted).all()


@given(games)
def test_decisions_and_states_equal_the_paper_exactly(parameters):
    n, T, H, seed, kind = parameters
    costs = relative(game(n, T, seed, kind))
    player = by.FTARL(rate=0.3).start(by.Problem(n, T, by.Window(H)), seed=seed)
    actions, states, paid = reference.ftarl(costs, player.noise[0], H)
    mine = player.play(costs)
    my_states = by.Window(H).start(n).extend(mine)
    assert (mine == actions).all()
    assert (my_states == states).all()
    np.testing.assert_allclose(losses(costs, my_states), paid, rtol=1e-12, atol=0)
    assert regret(costs, my_states)[-1] == pytest.approx(reference.regret(costs, states), abs=1e-9)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("seed", [32, 33, 34, 35])
def test_rounding_hides_no_change_of_leader(seed, sign):
    """Tenths add up to near ties that only rounding decides; without an allowance for it, rounds are missed."""
    rng = np.random.default_rng(seed)
    tables = [sign * rng.integers(0, 10, (400, 3)) / 10 for _ in range(20)]
    tables += [table + sign * 10.0 ** rng.integers(0, 8, (400, 1)) for table in tables]
    for costs in tables:
        problem = by.Problem(3, 400, by.Window(9), cost_range=None)
        totals = np.vstack([np.zeros(3), np.cumsum(relative(costs), axis=0)[:-1]])
        assert (by.FollowTheLeader().start(problem).play(costs) == totals.argmin(axis=1)).all()


@pytest.mark.parametrize("offset", [0.0, 1e6, -1e9])
def test_no_change_of_leader_is_missed_in_a_long_run(offset):
    """Leaders are looked at only when their lead may be used up; here against looking in every round."""
    T, n = 20_000, 5
    costs = np.random.default_rng(7).integers(-10, 1, (T, n)) / 10 + offset
    player = by.FTARL(rate=2.0).start(by.Problem(n, T, by.Window(9)), seed=1)
    totals = np.vstack([np.zeros(n), np.cumsum(relative(costs), axis=0)[:-1]])
    expected = (totals - player.noise[0]).argmin(axis=1)
    assert np.count_nonzero(np.diff(expected)) > 20
    assert (player.play(costs) == expected).all()


@given(st.integers(2, 4), st.integers(1, 8), st.integers(1, 5), st.integers(0, 2**32))
def test_the_regularised_leader_gives_the_same_states(n, T, H, seed):
    """The paper's explicit argmin with its adaptive regularisers, solved exactly, against the short algorithm."""
    rng = np.random.default_rng(seed)
    costs = -rng.integers(0, 64, (T, n)) / 64
    noise = rng.integers(1, 2**20, n) / 2**16
    exact = [[Fraction(c) for c in row] for row in costs]
    delta = Fraction(H, T)
    states = reference.ftarl_by_regularisers(exact, [Fraction(z) for z in noise], H, delta)
    player = by.FTARL(rate=0.3).start(by.Problem(n, T + 1, by.Window(H)), seed=seed)
    player.restore(player.snapshot() | {"noise": noise[np.newaxis], "current": np.array([np.argmax(noise)])})
    actions = [*player.play(costs), player.action]
    mine = by.Window(H).start(n).extend(np.array(actions))
    np.testing.assert_allclose(mine, np.array(states, dtype=float), rtol=0, atol=1e-15)


@given(games)
def test_state_identities(parameters):
    """I.1, I.2 and I.3 of the appendix; v^(t+1) is the vertex of i_t."""
    n, T, H, seed, kind = parameters
    costs = game(n, T, seed, kind)
    player = by.FTARL(rate=0.3).start(by.Problem(n, T + 1, by.Window(H)), seed=seed)
    vertices = np.eye(n)[[*player.play(costs), player.action]]
    x = by.Window(H).start(n).extend(vertices)
    for t in range(1, T + 1):
        step = x[t] - x[t - 1]
        expected = (vertices[t] - vertices[t - H]) / H if t >= H else (vertices[t] - x[t - 1]) / (t + 1)
        np.testing.assert_allclose(step, expected, rtol=0, atol=1e-14)
        assert np.abs(step).sum() <= 2 / min(t, H) + 1e-14


@given(games, st.integers(1, 20))
def test_leaders_of_a_window_are_close_in_value(parameters, theta):
    """The proposition on the difference in value of leaders, over windows [t - theta, t]."""
    n, T, _, seed, kind = parameters
    costs = game(n, T, seed, kind)
    player = by.FTARL(rate=0.3).start(by.Problem(n, T + 1, by.Window(1)), seed=seed)
    noise = player.noise[0]
    leaders = np.array([*player.play(costs), player.action])  # leaders[t] is i_t, of G^t - Z
    scores = np.vstack([np.zeros(n), np.cumsum(costs, axis=0)]) - noise
    M = (costs.max(axis=1) - costs.min(axis=1)).max()
    for t in range(theta, T + 1):
        window = slice(t - theta, t + 1)
        values = scores[window][:, np.unique(leaders[window])]
        assert (values.max(axis=1) - values.min(axis=1)).max() <= M * theta + 1e-9


@pytest.mark.parametrize("half_period", [1, 4, 16])
def test_leader_changes_are_as_rare_as_claimed(half_period):
    """P(x^t != x^(t+1)) <= 1 - exp(-eps R H) for H <= t <= T, on costs that keep pulling the leader to and fro."""
    H, T, rate = 8, 64, 0.04
    problem = by.Problem(3, T + 1, by.Window(H))
    costs = by.SquareWave(half_period).draw(3, T, np.random.default_rng(0))
    player = replicates(by.FTARL(rate=rate), problem)
    actions = np.hstack([player.advance(player.survey(costs)), player.current[:, np.newaxis]])  # column t is i_t
    changed = (actions[:, H:] != actions[:, :-H]).mean(axis=0)
    claim = 1 - exp(-rate * H)
    assert (changed <= claim + 3.5 * np.sqrt(claim * (1 - claim) / len(SEEDS))).all()
    if half_period >= H:
        assert changed.max() > claim / 4  # the claim says something here


@pytest.mark.parametrize("n", [2, 3, 10])
def test_the_mean_is_the_frequency_of_the_pure_play(n):
    """A chi-square test at six rounds; a correct mean fails all of them together with probability under 1e-5."""
    T = 60
    problem = by.Problem(n, T, by.Window(5))
    costs = by.StocHet().draw(n, T, np.random.default_rng(n))
    player = replicates(by.FTARL(rate=0.2), problem)
    actions = player.advance(player.survey(costs))
    means = by.FTARL(rate=0.2, play="mean").start(problem).play(costs)
    for t in (0, 1, 5, 10, 20, 59):
        assert_frequencies(actions[:, t], means[t], 1e-5 / 6)


@given(st.integers(2, 6), st.integers(0, 2**32), st.sampled_from([0.1, 1.0, 30.0]))
def test_the_mean_equals_exact_arithmetic(n, seed, spread):
    rng = np.random.default_rng(seed)
    totals = rng.uniform(0, spread, n)
    totals[rng.integers(n)] = totals.min()
    out = np.empty(n)
    perturbed_mean(totals, 0.7, *quadrature(n), np.empty(n), out)
    exact = reference.leader_law([Fraction(exp(-0.7 * (g - totals.min()))) for g in totals])
    np.testing.assert_allclose(out, np.array(exact, dtype=float), rtol=1e-12, atol=0)


@pytest.mark.parametrize("n", [50, 1000, pytest.param(5000, marks=pytest.mark.compiled)])
@pytest.mark.parametrize("near", [0.0, 0.3, 3.0, 1000.0])
def test_the_mean_of_many_actions_equals_a_finer_quadrature(n, near):
    """`near` spreads the totals: from all tied to one far ahead."""
    totals = near * np.random.default_rng(n).random(n)
    out, fine = np.empty(n), np.empty(n)
    nodes, weights = np.polynomial.legendre.leggauss(min((n + 1) // 2, 4 * len(quadrature(n)[0])))
    perturbed_mean(totals, 1.0, *quadrature(n), np.empty(n), out)
    perturbed_mean(totals, 1.0, (nodes + 1) / 2, weights / 2, np.empty(n), fine)
    np.testing.assert_allclose(out, fine, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("learner", "published"),
    [(by.FTARL(play="mean"), 415.7), (by.LSA(play="mean", tuning="geulen"), 1078.6), (by.LSA(play="mean"), 1944.0)],
)
def test_expected_end_regret_on_the_cyclic_costs(learner, published):
    """Without any sampling: the regret of the mean decision, at the paper's size."""
    problem = by.Problem(10, 10_000, by.Window(100))
    costs = by.Cyclic(hold=50, vectors=2).draw(10, 10_000, np.random.default_rng(0))
    states = problem.memory.start(10).extend(learner.start(problem).play(costs))
    assert regret(costs, states)[-1] == pytest.approx(published, abs=0.1)


def test_rates_and_bounds():
    window = by.Problem(10, 10_000, by.Window(100), cost_range=2.0)
    assert by.FTARL().rate_for(window) == pytest.approx((4 * (log(10) + 1) / (4 * 9900 * 102)) ** 0.5)
    assert by.FTARL(memory_bound=200).rate_for(window) == pytest.approx((4 * (log(10) + 1) / (4 * 10_000 * 200)) ** 0.5)
    assert by.FTARL().bound(window) == pytest.approx(2 * 7804.7387)
    assert by.FTARL(memory_bound=200).bound(window) == pytest.approx(
        2 * (1000 + 4 * (10_000 * 200 * (log(10) + 1)) ** 0.5)
    )
    # A memory bound below the window's length is no bound: the corollary is silent, the bound for any rate is not.
    assert by.FTARL(memory_bound=50).bound(window) == by.FTARL(rate=by.FTARL(memory_bound=50).rate_for(window)).bound(
        window
    )


def test_the_sharper_tuning():
    window = by.Problem(10, 10_000, by.Window(100))
    sharp = by.FTARL(tuning="sharp")
    assert sharp.bound(window) == by.bounds(window).filter(name="FTARL(tuning='sharp')")["value"][0]
    assert sharp.bound(window) <= 2156.7
    assert sharp.rate_for(window) == pytest.approx((2 * log(10) / (10_000 + 995_050)) ** 0.5)


@pytest.mark.parametrize("memory", [by.FullHistory(), by.Window(1000), by.Window(5000), by.Geometric(0.9999)])
def test_a_memory_as_long_as_the_game_takes_the_corollary_with_theta_t(memory):
    problem = by.Problem(5, 1000, memory)
    assert by.FTARL().rate_for(problem) == by.FTARL(memory_bound=1000).rate_for(problem)
    assert by.FTARL().bound(problem) > 1000 or isinstance(memory, by.Geometric)
    assert by.bounds(problem).filter(name="FTARL")["vacuous"].to_list() in ([True], [])


def test_rates_off_the_window_take_twice_the_mean_lag_for_the_length():
    for memory, length in [(by.Geometric(0.8), 9.0), (by.Weights([0.2, 0.5, 0.3]), 3.2)]:
        expected = (4 * (log(4) + 1) / ((500 - length) * (2 + length))) ** 0.5
        assert by.FTARL().rate_for(by.Problem(4, 500, memory)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"rate": 0}, r"the rate is 0: give a number above 0"),
        ({"rate": float("nan")}, r"the rate is nan"),
        ({"rate": "fast"}, r"the rate is 'fast': give a number"),
        ({"play": "mixed"}, r"play is 'mixed': give one of 'pure', 'mean'"),
        ({"tuning": "sharpe"}, r"tuning is 'sharpe': give one of 'paper', 'sharp' \(did you mean sharp"),
        ({"tuning": "sharp", "memory_bound": 5}, r"tuning='sharp' and memory_bound=5.0 are given"),
        ({"memory_bound": -1}, r"the memory bound is -1"),
        (
            {"rate": 1, "memory_bound": 5},
            r"rate=1.0 and memory_bound=5.0 are given, and each of them finds the rate: give one",
        ),
    ],
)
def test_bad_parameters(given, message):
    with pytest.raises(ValueError, match=message):
        by.FTARL(**given)
