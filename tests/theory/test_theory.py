from math import inf, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import memories

import bygones as by
from bygones import theory
from bygones.accounting import regret

STANDARD = by.Problem(10, 10_000, by.Window(100))


def test_the_table_of_bounds():
    frame = by.bounds(STANDARD)
    assert frame.columns == ["name", "source", "value", "share", "vacuous", "kind"]
    values = dict(zip(frame["name"], frame["value"], strict=True))
    assert values["FTARL"] == pytest.approx(7804.7, abs=0.05)
    assert values["FTARL(memory_bound=100.0)"] == pytest.approx(7769.2, abs=0.05)
    assert values["LSA"] == pytest.approx(2981.8, abs=0.05)
    assert values["LSA(tuning='geulen')"] == pytest.approx(1705.2, abs=0.05)
    assert values["Hedge"] == pytest.approx(1070.3, abs=0.05)
    assert values["FTARL(tuning='sharp')"] == pytest.approx(1976.8, abs=0.05)
    assert values["Hedge(tuning='anytime')"] == pytest.approx(((10**6 + 9_999 / 12) * log(10)) ** 0.5)
    assert by.Hedge(tuning="anytime").bound(STANDARD) == values["Hedge(tuning='anytime')"]
    assert by.Hedge(tuning="anytime").bound(STANDARD.replace(memory=by.FullHistory())) > 10_000  # vacuous
    assert not frame["vacuous"].any()
    np.testing.assert_allclose(frame["share"], frame["value"] / 10_000)


def test_a_vacuous_bound_says_so():
    full = by.bounds(by.Problem(10, 10_000, by.FullHistory()))
    assert full["name"].to_list()[:2] == ["FTARL", "FTARL(memory_bound=10000.0)"]
    assert full["vacuous"].to_list()[:2] == [True, True]
    name, source, value, share, vacuous, kind = by.bounds(by.Problem(10, 365, by.Window(7))).row(0)
    assert (name, source, share, vacuous, kind) == ("FTARL", "Hebbar and Langbort 2024", value / 365, True, "promise")


def test_the_papers_lines_are_there_only_where_they_are_proved():
    assert by.bounds(by.Problem(10, 1000, by.Geometric(0.9)))["name"].to_list() == [
        "FTARL(tuning='sharp')",
        "LSA",
        "LSA(tuning='geulen')",
        "Hedge",
        "Hedge(tuning='anytime')",
        "HedgeAhead",
        "Steering(learner=Hedge())",
        "Guarded",
        "FixedShare",
        "FTPL",
        "the one-shot bound",
    ]


def test_the_lines_of_the_table_are_what_the_learners_promise():
    for memory in (by.Window(100), by.FullHistory(), by.Geometric(0.9), by.Weights([0.5, 0.3, 0.2])):
        problem = STANDARD.replace(memory=memory, cost_range=2.5)
        promised = by.promises.promised(problem)
        assert {line.learner: line.value for line in promised} == {
            line.learner: line.learner.bound(problem) for line in promised
        }
        shown = by.bounds(problem).filter(kind="promise")
        assert shown.select("name", "source", "value").rows() == [
            (line.name, line.learner.source, line.value) for line in promised
        ]
        on_any_memory = {by.LSA(), by.LSA(tuning="geulen"), by.Hedge(), by.FTARL(tuning="sharp"), by.FTPL()}
        assert on_any_memory <= {line.learner for line in promised}
        assert (by.FTARL() in {line.learner for line in promised}) == (memory.window(10_000) is not None)


@pytest.mark.parametrize("T", [2, 3, 50])
def test_from_h_equal_to_t_on_the_theorem_is_the_corollary(T):
    n, R = 3, 2.5
    shorter = by.Problem(n, T, by.Window(T - 1), R)
    paper = 5 * R * (T - 1) + 4 * R * ((T + 1) * (log(n) + 1)) ** 0.5
    assert by.FTARL().bound(shorter) == theory.theorem_bound(shorter) == pytest.approx(paper)
    assert theory.theorem_rate(shorter) == pytest.approx((4 * (log(n) + 1) / (T + 1)) ** 0.5 / R)
    for memory in (by.Window(T), by.Window(T + 1), by.Window(T + 2), by.FullHistory()):
        problem = by.Problem(n, T, memory, R)
        assert theory.theorem_bound(problem) == theory.corollary_bound(problem, T)
        assert theory.theorem_rate(problem) == theory.corollary_rate(problem, T)
        assert by.FTARL().bound(problem) == by.FTARL(memory_bound=T).bound(problem)
        assert by.FTARL().rate_for(problem) == by.FTARL(memory_bound=T).rate_for(problem)


@pytest.mark.parametrize("rho", [0.05, 0.5, 0.9, 0.99, 0.999])
@pytest.mark.parametrize("costs", [by.StocHet(), by.SquareWave(20), by.Trap(100)], ids=repr)
def test_on_geometric_memory_the_state_can_follow_memoryless_hedge(rho, costs, rng):
    """The decisions that do it lie on the simplex, and the regret is what the bound says."""
    problem = by.Problem(4, 400, by.Geometric(rho), 3.0)
    rate = theory.steering_rate(problem)
    table = 3.0 * costs.draw(4, 400, rng)
    wanted = by.Hedge(rate=rate).start(problem).play(table)
    state = problem.memory.start(4)
    reached = []
    for weights in wanted:
        y, beta = state.carried()
        decision = (weights - y) / beta
        assert decision.min() > -1e-9
        reached.append(state.push(np.maximum(decision, 0) / np.maximum(decision, 0).sum()))
    np.testing.assert_allclose(reached, wanted, atol=1e-9)
    assert regret(table, np.array(reached))[-1] <= theory.steering_bound(problem, rate)


@given(st.integers(2, 50), st.integers(1, 10**6), st.floats(0.01, 0.999), st.floats(0.01, 100))
def test_what_steering_promises(n, horizon, rho, R):
    problem = by.Problem(n, horizon, by.Geometric(rho), R)
    rate = theory.steering_rate(problem)
    bound = theory.steering_bound(problem, rate)
    assert bound <= (R * (horizon * log(n) / 2) ** 0.5 + R * log(n) / log(1 / rho)) * (1 + 1e-12)
    fastest = log(1 / rho) / R
    assert rate <= fastest * (1 + 1e-12)
    assert theory.steering_bound(problem, 1.001 * fastest) is None
    for other in (rate / 2, min(2 * rate, 0.999 * fastest)):  # no feasible rate is better
        assert theory.steering_bound(problem, other) >= bound * (1 - 1e-12)
    for memory in (by.Window(5), by.FullHistory(), by.Weights([1.0])):
        elsewhere = problem.replace(memory=memory)
        assert theory.steering_rate(elsewhere) == theory.hedge_rate(elsewhere)
        assert theory.steering_bound(elsewhere, rate) is None


@given(memories, st.integers(1, 500))
def test_mean_lags_add_up(memory, horizon):
    problem = by.Problem(3, horizon, memory)
    lags = [1 + 2 * memory.mean_lag(t) for t in range(1, horizon + 1)]
    assert theory.lag_sum(problem) == pytest.approx(sum(lags), rel=1e-9)
    assert max(lags) <= 1 + 2 * memory.mean_lag() + 1e-9
    assert theory.effective_length(problem) <= horizon
    if memory.mean_lag() == inf:
        assert theory.effective_length(problem) == horizon


def test_the_sum_of_lags_of_a_very_long_game_is_quick():
    for memory in (by.Window(10**9), by.FullHistory(), by.Geometric(0.999), by.Weights([0.5, 0.5])):
        assert theory.lag_sum(by.Problem(2, 10**15, memory)) >= 10**15


@given(st.integers(2, 50), st.integers(1, 10**6), memories, st.floats(0.01, 100))
def test_rates_make_their_bounds_least(n, horizon, memory, cost_range):
    problem = by.Problem(n, horizon, memory, cost_range)
    best = theory.hedge_bound(problem, theory.hedge_rate(problem))
    assert best == pytest.approx(cost_range * (theory.lag_sum(problem) * log(n) / 2) ** 0.5)
    for factor in (0.5, 0.9, 1.1, 2.0):
        assert theory.hedge_bound(problem, factor * theory.hedge_rate(problem)) > best


def test_the_harmonic_number_of_very_many_actions_is_quick():
    few, many = (by.FTPL(rate=1.0).bound(by.Problem(n, 1, by.Window(1))) for n in (1000, 1001))
    assert many - few == pytest.approx(1 / 1001, abs=1e-12)
    assert by.FTPL().bound(by.Problem(2**53, 100, by.Window(5))) > 0


def test_bounds_and_rates_scale_with_the_range():
    wide = STANDARD.replace(cost_range=7.0)
    for learner in (by.FTARL(), by.FTARL(memory_bound=200), by.LSA(), by.LSA(tuning="geulen"), by.Hedge(), by.FTPL()):
        assert learner.bound(wide) == pytest.approx(7 * learner.bound(STANDARD))
        assert learner.rate_for(wide) == pytest.approx(learner.rate_for(STANDARD) / 7)


@pytest.mark.parametrize("memory", [by.Geometric(0.99), by.Geometric(0.999), by.Weights([1 / 199] * 199)], ids=repr)
def test_rates_stay_sane_where_the_length_comes_near_the_horizon(memory):
    for horizon in (197, 198, 199, 200, 201, 1998, 1999, 2000):
        rate = by.FTARL().rate_for(by.Problem(10, horizon, memory))
        assert rate < 2 * (log(10) + 1) ** 0.5
        assert rate * 10 * horizon > 1


@pytest.mark.parametrize("cost_range", [1e-100, 1e100])
def test_bounds_scale_to_the_ends_of_the_range(cost_range):
    extreme = STANDARD.replace(cost_range=cost_range)
    for learner in (by.FTARL(), by.Hedge(), by.LSA(), by.FTPL()):
        assert learner.bound(extreme) / cost_range == pytest.approx(learner.bound(STANDARD))
        decisions = learner.mean().start(extreme).play(cost_range * by.StocId().draw(10, 50, np.random.default_rng(0)))
        assert np.isfinite(decisions).all()


@pytest.mark.parametrize(
    "memory",
    [by.Window(1), by.Window(9), by.Geometric(0.8), by.Weights([0.2, 0.5, 0.3]), by.Weights([0.1, *[0.0] * 30, 0.9])],
    ids=repr,
)
@pytest.mark.parametrize("T", [1, 2, 8, 9, 40, 700])
def test_the_closed_anytime_bound_covers_the_sum_it_comes_from(memory, T):
    """Against the sum, term by term: what each decision weighs, and what earlier ones still weigh."""
    problem, R, n = by.Problem(6, T, memory, 2.5), 2.5, 6
    weighs = np.zeros(T + 1)  # of decision t, from 1
    for s in range(1, T + 1):
        for k, weight in enumerate(memory.weights(s)):
            weighs[s - k] += weight
    kernel = memory.weights(5000)
    lags = np.arange(len(kernel))
    m1, c = lags @ kernel, (lags @ kernel) ** 2 + 2 * (lags @ kernel) + (lags * (lags - 1)) @ kernel
    assert memory.mean_lag() == pytest.approx(m1)
    lag_sum, carried, total = c, 0.0, 0.0
    for t in range(1, T + 1):
        lag_sum += 1 + 2 * memory.mean_lag(t)
        rate = 2 * (log(n) / lag_sum) ** 0.5 / R
        total += min(R * weighs[t], rate * R**2 / 8 * (weighs[t] ** 2 + 2 * weighs[t] * carried))
        carried += weighs[t] - 1
    bound = by.theory.anytime_bound(problem)
    assert bound == pytest.approx(R * (lag_sum * log(n)) ** 0.5)
    assert total + log(n) / rate <= bound * (1 + 1e-12)


class Echo(by.Memory):
    """A window whose weights say nothing of themselves."""

    def weights(self, t):
        return np.full(min(t, 3), 1 / min(t, 3))


def test_memories_without_a_closed_form_have_the_sum():
    """Of a stranger's window the rates have no c, and the bound is the sum at those rates; long ones give more."""
    n, T = 4, 200
    problem = by.Problem(n, T, Echo())
    own, known = by.Hedge(tuning="anytime").bound(problem), problem.replace(memory=by.Window(3))
    assert (theory.lag_sum(problem) * log(n)) ** 0.5 < own < 1.1 * by.theory.anytime_bound(known)
    forever = problem.replace(memory=by.FullHistory())
    most = T + (theory.lag_sum(forever) * log(n)) ** 0.5 / 2
    assert T < by.theory.anytime_bound(forever) <= most
    long = by.Problem(n, 10**12, by.FullHistory())
    assert 10**12 < by.theory.anytime_bound(long) < 10**13
