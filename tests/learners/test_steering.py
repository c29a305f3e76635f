"""AdaHedge and Steering against plain transcriptions, and what is claimed of them."""

import copy
import warnings
from math import log

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from samples import WindowByHand
from strategies import memories

import bygones as by
from bygones.accounting import regret
from bygones.kernels import project, softmin
from bygones.learners.steering import error_growth
from bygones.theory import anytime_rates, hedge_rate, steering_rate

MEMORIES = [by.Window(1), by.Window(7), by.FullHistory(), by.Geometric(0.9), by.Weights([0.5, 0.2, 0.3])]


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60))
def test_the_projection_is_the_nearest_point(entries):
    point, out = np.array(entries), np.empty(len(entries))
    assert project(point, out) <= 64
    np.testing.assert_allclose(out, reference.nearest(point - point.max()), rtol=0, atol=1e-12)
    assert out.sum() == pytest.approx(1, abs=1e-12)
    again = np.empty(len(entries))
    project(out, again)
    np.testing.assert_allclose(again, out, rtol=0, atol=1e-15)


@pytest.mark.parametrize("n", [3, 30, 300, 3000])
def test_the_projection_takes_few_passes_whatever_the_entries(n):
    """Entries as they would be chosen to fall one at a time; rounding never makes it go round in circles."""
    rng, out = np.random.default_rng(n), np.empty(n)
    for shrink in (0.5, 1 / n, 2 / n):
        steps = np.maximum(shrink ** np.arange(n), 1e-300)
        for point in (-steps, steps, -np.cumsum(steps), 1 / n - steps, np.repeat(0.1, n), 100 * rng.random(n)):
            assert project(point, out) <= 64
            assert out.sum() == pytest.approx(1, abs=1e-12)


@given(st.lists(st.floats(-50, 50), min_size=2, max_size=9), st.sampled_from([1e-9, 0.3, 40.0, np.inf]))
def test_the_potential_comes_with_the_weights(entries, rate):
    totals, out = np.array(entries), np.empty(len(entries))
    assert softmin(totals, rate, out) == pytest.approx(reference.potential(totals, rate), rel=1e-9, abs=1e-6)
    np.testing.assert_allclose(out, reference.exponential_weights(totals, rate), rtol=1e-12)


@given(memories, st.integers(2, 5), st.integers(1, 80), st.integers(0, 2**32), st.booleans())
def test_both_equal_their_plain_transcription(memory, n, T, seed, aiming):
    costs = np.random.default_rng(seed).random((T, n))
    decisions, states, deltas, largest = reference.adaptive(costs, memory.weights, aiming)
    player = (by.Steering() if aiming else by.AdaHedge()).start(by.Problem(n, None, memory, None))
    np.testing.assert_allclose(player.play(costs), decisions, rtol=0, atol=1e-7)
    np.testing.assert_allclose(memory.start(n).extend(decisions), states, rtol=0, atol=1e-9)
    assert player.meter[:2] == pytest.approx([deltas.sum(), largest[-1]], abs=1e-9)


@pytest.mark.parametrize("memory", MEMORIES, ids=repr)
def test_steering_at_given_rates_equals_its_transcription(memory):
    costs = by.Blocks(7).draw(4, 150, np.random.default_rng(3))
    problem = by.Problem(4, 150, memory)
    sums = np.cumsum([1 + 2 * memory.mean_lag(t) for t in range(1, 151)])
    fixed = steering_rate(problem)
    for learner, rates in (
        (by.Steering(by.Hedge(tuning="anytime")), anytime_rates(problem, sums)),
        (by.Steering(by.Hedge()), np.full(150, fixed)),
        (by.Steering(by.Hedge(rate=0.7)), np.full(150, 0.7)),
    ):
        decisions = reference.adaptive(costs, memory.weights, True, rates)[0]
        np.testing.assert_allclose(learner.start(problem).play(costs), decisions, rtol=0, atol=1e-9)
    assert fixed == hedge_rate(problem) or isinstance(memory, by.Geometric)


@pytest.mark.parametrize("learner", [by.AdaHedge(), by.Steering(), by.Steering(by.Hedge(tuning="anytime"))], ids=repr)
def test_a_memory_of_somebody_elses_is_asked_round_by_round(learner, tmp_path):
    costs = by.StocHet().draw(3, 60, np.random.default_rng(1))
    problem = by.Problem(3, 60, WindowByHand())
    ours = learner.start(problem.replace(memory=by.Window(3))).play(costs)
    player = learner.start(problem)
    np.testing.assert_allclose(player.play(costs[:30]), ours[:30], rtol=0, atol=1e-9)
    by.save(player, tmp_path / "player.npz")
    again = by.load(tmp_path / "player.npz", memories=[WindowByHand])
    assert np.array_equal(again.play(costs[30:]), player.play(costs[30:]))
    by.checks.check_learner(learner, problem)


@given(memories, st.integers(2, 4), st.integers(1, 30), st.integers(0, 5), st.integers(0, 2**32), st.booleans())
def test_what_is_really_done_makes_states_and_meters(memory, n, T, past, seed, aiming):
    """The states, deltas and rates are those of another's decisions, by the transcription; in blocks too."""
    rng = np.random.default_rng(seed)
    costs, history = rng.random((T, n)), rng.dirichlet(np.full(n, 0.4), past)
    others = rng.dirichlet(np.full(n, 0.4), T)
    real = [row if told else None for row, told in zip(others, rng.random(T) < 0.7, strict=True)]
    if error_growth(memory) > 2:
        real = others  # for steering by itself the two would part
    twin = reference.adaptive(costs, memory.weights, aiming, real=real, past=history)
    learner, problem = by.Steering() if aiming else by.AdaHedge(), by.Problem(n, None, memory, None)
    player, taken = learner.start(problem, history=history), []
    for t, row in enumerate(costs):
        np.testing.assert_allclose(player.advice, twin[0][t], rtol=0, atol=1e-7)
        if real[t] is not None:
            player.override(real[t])
        taken.append(player.decide())
        np.testing.assert_allclose(player.state, twin[1][t], rtol=0, atol=1e-9)
        player.observe(row)
        assert player.meter[:2] == pytest.approx([twin[2][: t + 1].sum(), twin[3][t]], abs=1e-9)
        assert player.guarantee == pytest.approx(player.meter[:2].sum())
    block = learner.start(problem, history=history)
    block.play(costs, decisions=taken)
    assert np.array_equal(block.meter, player.meter)
    assert np.array_equal(block.advice, player.advice)


@pytest.mark.parametrize("memory", [*MEMORIES, WindowByHand()], ids=repr)
def test_the_state_follows_others_too_whatever_was_really_done(memory):
    """Those inside that look at costs alone propose the same, and the aim is from where the state really is."""
    rng = np.random.default_rng(8)
    costs, real = by.Blocks(5).draw(3, 60, rng), list(rng.dirichlet(np.full(3, 0.4), 60))
    real[::3] = [None] * 20
    problem, more = by.Problem(3, 60, memory), np.vstack([costs, np.zeros(3)])
    for inner, weights in (
        (by.FixedShare(rate=0.4, share=0.1), reference.fixed_share(more, 0.4, 0.1)),
        (by.Discounted(rate=0.5, half_life=4), reference.discounted(more, 0.5, 4)),
        (by.Uniform(), np.full((61, 3), 1 / 3)),
    ):
        player, taken = by.Steering(inner).start(problem), []
        for t, row in enumerate(costs):
            twin = reference.steer(weights[t], memory.weights, taken)
            np.testing.assert_allclose(player.advice, twin, rtol=0, atol=1e-9)
            if real[t] is not None:
                player.override(real[t])
            taken.append(player.decide())
            np.testing.assert_allclose(player.state, reference.state(memory.weights, taken), rtol=0, atol=1e-12)
            player.observe(row)


@pytest.mark.parametrize("memory", MEMORIES, ids=repr)
def test_a_history_counts(memory):
    """The state is that of all decisions, the given ones too, and Steering makes up for what they did."""
    past = [0, 0, 0, 1, 0, 0]
    problem, costs = by.Problem(2, 40, memory), np.tile([0.0, 1.0], (40, 1))
    for learner in (by.AdaHedge(), by.Steering()):
        player = learner.start(problem, history=past)
        state = memory.start(2, past)
        for row in costs:
            decision = player.decide()
            np.testing.assert_array_equal(player.state, state.push(decision))
            player.observe(row)
    first = by.Steering().start(problem, history=past)
    y, beta = memory.start(2, past).carried()
    np.testing.assert_allclose(first.decide(), reference.nearest((0.5 - y) / beta), atol=1e-12)


def test_under_geometric_memory_the_state_is_what_memoryless_hedge_plays():
    T, rho = 3000, 0.98
    problem = by.Problem(6, T, by.Geometric(rho))
    for family in (by.StocHet(), by.Cyclic(20, 2), by.Blocks(30), by.SquareWave(1), by.Trap(100)):
        costs = family.draw(6, T, np.random.default_rng(0))
        for rate in (None, -log(rho), 0.001):
            steering = by.Steering(by.Hedge()) if rate is None else by.Steering(by.Hedge(rate=rate))
            states = problem.memory.start(6).extend(steering.start(problem).play(costs))
            hedge = by.Hedge(rate=steering.as_hedge(problem).rate).start(problem.replace(memory=by.Window(1)))
            np.testing.assert_allclose(states, hedge.play(costs), rtol=0, atol=1e-12)
            assert regret(costs, states)[-1] <= steering.bound(problem)
    fast = by.Steering(by.Hedge(rate=1.01 * -log(rho)))
    assert fast.bound(problem) is None
    assert steering_rate(problem) == pytest.approx(min((8 * log(6) / T) ** 0.5, -log(rho)))
    slow = by.Problem(6, 50, by.Geometric(0.999))
    assert steering_rate(slow) == pytest.approx(-log(0.999))
    assert by.Steering(by.Hedge()).bound(slow) <= (50 * log(6) / 2) ** 0.5 + log(6) / -log(0.999)


def test_a_rate_that_is_not_feasible_leaves_the_weights_behind():
    """So that the test above can fail."""
    problem = by.Problem(2, 60, by.Geometric(0.98))
    costs = by.SquareWave(30).draw(2, 60, np.random.default_rng(0))
    states = problem.memory.start(2).extend(by.Steering(by.Hedge(rate=0.2)).start(problem).play(costs))
    hedge = by.Hedge(rate=0.2).start(problem.replace(memory=by.Window(1)))
    assert np.abs(states - hedge.play(costs)).max() > 0.1


@pytest.mark.parametrize("scale", [2.0**-300, 2.0**-20, 2.0**20, 2.0**300])
def test_the_adaptive_rate_has_no_scale(scale):
    costs = by.StocHet().draw(3, 300, np.random.default_rng(5))
    for learner in (by.AdaHedge(), by.Steering()):
        problem = by.Problem(3, None, by.Window(20), None)
        plain, scaled = (learner.start(problem).play(table) for table in (costs, scale * costs))
        assert np.array_equal(plain, scaled)


def test_neither_needs_a_horizon_or_a_range():
    problem = by.Problem(4, None, by.Window(10), None)
    result = by.simulate(problem, [by.AdaHedge(), by.Steering()], 1000 * np.random.default_rng(0).random((500, 4)), 2)
    assert result.summary()["mean"].is_finite().all()
    assert by.AdaHedge().bound(problem) is None
    assert by.Steering().bound(problem) is None


@pytest.mark.compiled
def test_at_the_papers_setting_steering_has_a_fraction_of_ftarls_regret():
    """25 seeds each; on StocId all are equal in expectation, and the paired difference is within 3 standard errors."""
    problem = by.Problem(10, 10_000, by.Window(100))
    pair = [by.FTARL(), by.Steering()]
    for family, share in ((by.StocHet(), 1 / 20), (by.Cyclic(hold=50, vectors=2), 1 / 50), (by.Blocks(100), 1 / 2)):
        ftarl, steering = by.expected(problem, pair, family, replicates=25, record="end").summary()["mean"]
        assert steering <= share * ftarl
    everyone = [by.FTARL(), by.LSA(), by.Hedge(), by.Hedge(tuning="anytime"), by.AdaHedge(), by.Steering()]
    result = by.expected(problem, everyone, by.StocId(), replicates=25, record="end")
    first, *others = [values[:, -1] for values in result.regrets.values()]
    for values in others:
        difference = values - first
        assert abs(difference.mean()) <= 3 * difference.std(ddof=1) / 5


def test_damaged_memories_are_refused():
    player = by.Steering().start(by.Problem(3, 50, by.Window(4)))
    player.play(np.random.default_rng(0).random((9, 3)))
    taken = player.snapshot()
    assert taken["memory.ring"].shape == (4, 3)
    before = player.decide()
    for name, value in (
        ("memory.count", 3),
        ("memory.ring", np.zeros((4, 2))),
        ("memory.ring", np.zeros(4)),
        ("memory.ring", np.zeros((3, 3))),
        ("memory.sums", np.zeros((1, 3))),
        ("memory.sums", np.full((2, 3), np.nan)),
        ("weights", np.zeros(2)),
    ):
        with pytest.raises(ValueError, match="snapshot"):
            player.restore(taken | {name: value})
        assert np.array_equal(player.decide(), before)


ILL = by.Weights([0.03, 0.27, 0.25, 0.2, 0.1, 0.1, 0.05])


def test_a_memory_that_lets_rounding_errors_grow_is_warned_of():
    """Costs that differ by 1e-15 change the regret: no form of the computation can help, so it says so."""
    problem = by.Problem(4, 400, ILL)
    assert error_growth(ILL) == pytest.approx(8.06, abs=0.01)
    with pytest.warns(UserWarning, match=r"Steering\(\) on Weights.* may grow 8.06-fold every round"):
        player = by.Steering().start(problem)
    copies = copy.deepcopy(player), copy.deepcopy(player)
    costs = by.StocHet().draw(4, 400, np.random.default_rng(1))
    nearly = costs + np.random.default_rng(9).uniform(-1e-15, 1e-15, costs.shape)
    ends = [
        regret(table, ILL.start(4).extend(copied.play(table)))[-1]
        for copied, table in zip(copies, (costs, nearly), strict=True)
    ]
    assert abs(ends[0] - ends[1]) > 1e-6
    by.AdaHedge().start(problem)  # which aims at nothing, and does not warn


@pytest.mark.parametrize(
    "memory", [*MEMORIES, by.Window(10**9), by.Weights([0.2, 0.5, 0.3]), by.Weights([1.0])], ids=repr
)
def test_other_memories_are_not_warned_of(memory):
    assert error_growth(memory) <= 2
    with warnings.catch_warnings(action="error"):
        by.Steering().start(by.Problem(3, 100, memory))
