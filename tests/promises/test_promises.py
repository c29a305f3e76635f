"""What is promised holds, in many games: bounds, the potential inequality, the adaptive bound, the guarantee."""

import numpy as np
import pytest
import reference
from games import GAMES, game
from sweeping import swept

import bygones as by
from bygones.accounting import regret

SHARES = 8


def games(test):
    """Some of the games in every run, all of them in the slow sweep; in shares, so that workers can divide them."""
    return pytest.mark.parametrize("share", range(SHARES))(swept(GAMES // 4, GAMES)(test))


BOUNDED = [
    by.FTARL(),
    by.FTARL(tuning="sharp"),
    by.FTARL(rate=0.3),
    by.LSA(),
    by.LSA(tuning="geulen"),
    by.Hedge(),
    by.Hedge(rate=0.3),
    by.Hedge(tuning="anytime"),
    by.Steering(by.Hedge()),
    by.Steering(by.Hedge(rate=0.01)),
    by.FTPL(),
]


def tolerance(costs):
    shifted = costs - costs.min(axis=1, keepdims=True)
    return 1e-12 * len(costs) * max(1, shifted.sum(axis=0).max())


def states_of(learner, problem, costs):
    return problem.memory.start(problem.n).extend(learner.mean().start(problem).play(costs))


@games
def test_no_regret_exceeds_its_bound(share, examples):
    held = 0
    for number in range(share, examples, SHARES):
        problem, costs = game(number)
        for learner in BOUNDED:
            bound = learner.bound(problem)
            if bound is not None:
                held += 1
                assert regret(costs, states_of(learner, problem, costs))[-1] <= bound + tolerance(costs), number
    assert held > 7 * examples / SHARES


def deltas(costs, states, rates):
    totals = np.vstack([np.zeros(costs.shape[1]), np.cumsum(costs, axis=0)])
    growth = [
        reference.potential(totals[t + 1], rates[t]) - reference.potential(totals[t], rates[t])
        for t in range(len(costs))
    ]
    return (costs * states).sum(axis=1) - growth


@games
def test_the_potential_inequality_holds_for_any_decisions_and_any_rate_that_does_not_rise(share, examples):
    for number in range(share, examples, SHARES):
        problem, costs = game(number)
        rng, (T, n) = np.random.default_rng(number), costs.shape
        costs = costs - costs.min(axis=1, keepdims=True)
        states = problem.memory.start(n).extend(rng.dirichlet(np.full(n, 0.3), T))
        rates = 10.0 ** -np.sort(rng.uniform(-2, 3, T))
        rates[: rng.integers(0, T + 1)] = np.inf
        final = np.log(n) / rates[-1]
        assert regret(costs, states)[-1] <= deltas(costs, states, rates).sum() + final + tolerance(costs), number


def test_a_rate_that_rises_breaks_the_potential_inequality():
    """So the test above can fail: its assumption is needed."""
    costs = np.tile([[0.0, 1.0], [1.0, 0.0]], (50, 1))
    states = np.tile([0.5, 0.5], (100, 1))
    for rates, holds in ((np.full(100, 0.1), True), (np.where(np.arange(100) % 2, 10.0, 0.1), False)):
        over = regret(costs, states)[-1] - deltas(costs, states, rates).sum() - np.log(2) / rates[-1]
        assert (over <= 1e-9) == holds


@games
def test_the_adaptive_bound_holds_on_every_path(share, examples):
    for number in range(share, examples, SHARES):
        problem, costs = game(number)
        for learner in (by.AdaHedge(), by.Steering()):
            player = learner.start(problem)
            decisions = player.play(costs[:-1])
            before = player.meter[1]
            decisions = np.vstack([decisions, player.play(costs[-1:])])
            lost = regret(costs, problem.memory.start(problem.n).extend(decisions))[-1]
            total, largest = player.meter[:2]
            assert lost <= total + before + tolerance(costs), number
            assert total + before <= 2 * largest + tolerance(costs), number


@games
def test_the_guarantee_holds_and_never_rises(share, examples):
    watched = 0
    for number in range(share, examples, SHARES):
        problem, costs = game(number)
        learners = [by.Hedge(), by.Hedge(rate=0.2 / problem.cost_range), by.LSA(tuning="geulen")]
        if isinstance(problem.memory, by.Geometric):
            learners.append(by.Steering(by.Hedge()))
        result = by.expected(problem, learners, costs, guarantee=True, record="all", workers=1)
        for learner, (label, (said,)) in zip(learners, result.guarantees.items(), strict=True):
            watched += 1
            said = np.append(learner.bound(problem), said)
            assert (np.diff(said) <= tolerance(costs)).all(), number
            assert result.regrets[label][0, -1] <= said.min() + tolerance(costs), number
    assert watched >= 3 * examples / SHARES


def test_the_guarantee_is_the_same_by_hand_and_in_a_result():
    problem, costs = by.Problem(3, 50, by.Window(7), 2.0), 1e6 + 2 * np.random.default_rng(0).random((50, 3))
    learners = [by.Hedge(), by.LSA(), by.FTARL(), by.Steering()]
    result = by.expected(problem, learners, costs, guarantee=True)
    assert list(result.guarantees) == ["Hedge", "LSA"]
    losses = (costs * states_of(by.Hedge(), problem, costs)).sum(axis=1)
    for t in (1, 20, 50):
        said = by.guarantee(problem, by.Hedge(), losses[:t].sum(), costs[:t].sum(axis=0), t)
        assert result.guarantees["Hedge"][0, t - 1] == pytest.approx(said, abs=1e-6)
    assert by.guarantee(problem, by.FTARL(), 0.0, [0, 0, 0], 0) is None
    assert by.guarantee(problem, by.Hedge(tuning="anytime"), 0.0, [0, 0, 0], 0) is None
    assert by.guarantee(problem.replace(horizon=None), by.Hedge(rate=0.1), 0.0, [0, 0, 0], 7) is None
    assert by.guarantee(problem.replace(cost_range=None), by.Hedge(rate=0.1), 0.0, [0, 0, 0], 7) is None
    for learner in (by.LSA(), by.Pure(by.LSA(play="mean")), by.Hedge(), by.Steering(by.Hedge())):
        assert by.guarantee(problem.replace(horizon=None), learner, 0.0, [0, 0, 0], 7) is None


def test_guarantees_on_request_only_and_for_those_who_draw_nothing(tmp_path):
    problem = by.Problem(3, 60, by.Window(5))
    learners = [by.LSA(), by.Hedge(), by.LSA(play="mean")]
    plain = by.simulate(problem, learners, by.StocHet(), 4)
    asked = by.simulate(problem, learners, by.StocHet(), 4, guarantee=True, workers=2)
    assert plain.guarantees == {}
    assert "guarantee" not in plain.curves().columns
    assert list(asked.guarantees) == ["Hedge", "LSA(play='mean')"]
    assert all(np.array_equal(plain.regrets[label], asked.regrets[label]) for label in plain.regrets)
    curves = asked.curves()
    assert curves.filter(learner="LSA")["guarantee"].is_null().all()
    assert curves.filter(learner="Hedge")["guarantee"].to_list() == asked.guarantees["Hedge"].mean(axis=0).tolist()
    asked.save(tmp_path / "result.parquet")
    again = by.Result.load(tmp_path / "result.parquet")
    assert list(again.guarantees) == list(asked.guarantees)
    assert all(np.array_equal(again.guarantees[label], kept) for label, kept in asked.guarantees.items())
    labels = {text.get_text() for text in asked.plot().get_legend().get_texts()}
    assert {"Hedge, guarantee", "LSA(play='mean'), guarantee"} <= labels
    assert "LSA, guarantee" not in labels


def test_guarantees_of_costs_that_end_early_or_late():
    problem, costs = by.Problem(3, 50, by.Window(5)), np.random.default_rng(0).random((40, 3))
    whole = by.simulate(problem, [by.Hedge()], costs, 2, guarantee=True)
    early = by.simulate(problem, [by.Hedge()], iter([costs[:10], costs[10:]]), 2, guarantee=True, record=3)
    assert early.rounds.tolist() == [16, 33, 40]
    assert np.array_equal(early.guarantees["Hedge"], whole.guarantees["Hedge"][:, [15, 32, 39]])
    with pytest.warns(UserWarning, match="past the horizon"):
        late = by.simulate(problem.replace(horizon=30), [by.Hedge()], costs, 1, guarantee=True)
    assert np.isnan(late.guarantees["Hedge"][0, 30:]).all()
    assert np.isfinite(late.guarantees["Hedge"][0, :30]).all()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((by.Problem(2, 9, by.Window(2)), by.Hedge(), 0.0, [0.0], 1), "give 2 numbers, one for each action"),
        ((by.Problem(2, 9, by.Window(2)), by.Hedge(), 0.0, [0.0, np.nan], 1), "give 2 numbers, one for each action"),
        ((by.Problem(2, 9, by.Window(2)), by.Hedge(), np.inf, [0.0, 1.0], 1), "the loss is inf: give a finite number"),
        ((by.Problem(2, 9, by.Window(2)), by.Hedge(), "much", [0.0, 1.0], 1), "the loss is 'much': give a number"),
        ((by.Problem(2, 9, by.Window(2)), by.Hedge(), 0.0, [0.0, 1.0], 10), "the round is 10: .* at most 9"),
        (
            (by.Problem(2, 9, by.Window(2)), by.Hedge(), 0.0, [0.0, 3.1], 3),
            "the totals spread over 3.1: in 3 rounds of",
        ),
        ((by.Problem(2, 9, by.Window(2)), by.Hedge(), 9.0, [1.0, 3.0], 3), "off the least total by 8: in 3 rounds of"),
        (
            (by.Problem(2, 9, by.Window(2)), by.Hedge(), 0.1, [0.0, 0.0], 0),
            "off the least total by 0.1: in 0 rounds of",
        ),
        ((by.Hedge(), by.Problem(2, 9, by.Window(2)), 0.0, [0.0, 1.0], 1), "give a Problem, then a learner"),
    ],
)
def test_what_a_guarantee_is_asked_with_is_checked(arguments, said):
    with pytest.raises(ValueError, match=said):
        by.guarantee(*arguments)
