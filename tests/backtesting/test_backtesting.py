"""Backtests: by hand, against `expected` and `simulate`, and never looking ahead."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import BACKTESTED
from strategies import memories
from tables import costs_of, table

import bygones as by
from bygones import accounting
from bygones.backtesting import sentences
from bygones.engine import feed


def test_five_rows_by_hand():
    """The leader under a window of two; every number can be checked on paper.

    It plays a, b, a, b, b, so that the states are a, then three times half and half, then b.
    """
    frame = pl.DataFrame({"a": [1.0, 0.0, 1.0, 1.0, 0.0], "b": [0.0, 1.0, 0.0, 0.0, 1.0]})
    done = by.backtest(frame, "window:2", [by.FollowTheLeader()], cost_range=1, switch_cost=0.1)
    assert done.accounts.to_dicts() == [
        {
            "learner": "FollowTheLeader",
            "total": 3.5,
            "average": 0.7,
            "regret": 1.5,
            "share": 0.3,
            "gap": 2.0,
            "switches": 3.0,
            "switch_cost": pytest.approx(0.3),
            "total_with_switches": pytest.approx(3.8),
            "low": None,
            "high": None,
            "bound": None,
            "guarantee": None,
        }
    ]
    assert done.clairvoyant == 1.5
    assert done.options.rows() == [("b", 2.0, 0.4, 0.0), ("a", 3.0, 0.6, 1.0)]
    assert done.path["cost"].to_list() == [1.0, 1.5, 2.0, 2.5, 3.5]
    assert done.path["regret"].to_list() == [1.0, 0.5, 1.0, 1.5, 1.5]
    assert done.decisions.filter(option="a")["decision"].to_list() == [1, 0, 1, 0, 0]
    assert done.decisions.filter(option="a")["state"].to_list() == [1, 0.5, 0.5, 0.5, 0]
    assert done.decisions["time"].to_list() == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert done.stretches.rows() == [("FollowTheLeader", 1, 4, 4, 1.5)]
    assert done.next.rows() == [("FollowTheLeader", "a", 0.0, 0.0, 0.0), ("FollowTheLeader", "b", 1.0, 1.0, 1.0)]
    assert done.paths.rows()[:2] == [(0, 2.0, 0.0, [], ["b"]), (1, 1.0, 1.0, [5], ["b", "a"])]
    assert done.costs["value"].to_list() == [1, 0, 0, 1, 1, 0, 1, 0, 0, 1]
    leader = pytest.approx(17 / 12)
    assert done.sensitivity.rows() == [
        ("FollowTheLeader", "window:1", 1.0, 2.0, 2.0),
        ("FollowTheLeader", "window:2", 2.0, 1.5, 1.5),
        ("FollowTheLeader", "window:4", 4.0, leader, leader),
    ]


@pytest.mark.parametrize("memory", [by.Window(7), by.FullHistory(), by.Geometric(0.8), by.Weights([0.5, 0.3, 0.2])])
def test_numbers_are_those_of_expected_and_simulate(memory):
    frame = table()
    problem = by.Problem([f"option {k}" for k in range(3)], 120, memory, 9.0)
    done = by.backtest(frame, memory, BACKTESTED, cost_range=9.0, seed=5, replicates=12)
    exact = by.expected(problem, BACKTESTED, frame, guarantee=True)
    assert done.problem == problem
    assert done.result.rounds.tolist() == exact.rounds.tolist()
    for label in exact.regrets:
        np.testing.assert_allclose(done.result.regrets[label], exact.regrets[label], rtol=1e-12, atol=1e-12)
    assert list(done.result.guarantees) == list(exact.guarantees)
    for label in exact.guarantees:
        np.testing.assert_allclose(done.result.guarantees[label], exact.guarantees[label], rtol=1e-12)
    sampled = by.simulate(problem, BACKTESTED, frame, replicates=12, seed=5)
    best = costs_of(frame).sum(axis=0).min()
    for label in ("FTARL", "LSA"):
        row = done.accounts.filter(learner=label).to_dicts()[0]
        ends = np.quantile(sampled.regrets[label][:, -1] + best, [0.05, 0.95])
        np.testing.assert_allclose([row["low"], row["high"]], ends, rtol=1e-12)
    np.testing.assert_allclose(done.result.summary()["mean"], exact.summary()["mean"], rtol=1e-12)


@given(memories, st.integers(0, 2**32))
@settings(max_examples=20)
def test_the_accounts_are_accounting(memory, seed):
    costs = np.random.default_rng(seed).normal(size=(40, 3))
    if (memory.support or 1) > 40:
        return
    done = by.backtest(pl.DataFrame(costs, schema=["a", "b", "c"]), memory, BACKTESTED, cost_range=20.0)
    weights = done.decisions.partition_by("learner", as_dict=True)
    for row in done.accounts.to_dicts():
        own = weights[row["learner"],]
        decisions, states = (own[name].to_numpy().reshape(-1, 3) for name in ("decision", "state"))
        np.testing.assert_array_equal(states, memory.start(3).extend(decisions))
        assert row["total"] == pytest.approx(accounting.losses(costs, states).sum(), abs=1e-11)
        assert row["regret"] == pytest.approx(accounting.regret(costs, states)[-1], abs=1e-11)
        assert row["gap"] == pytest.approx(row["total"] - accounting.clairvoyant(costs, memory), abs=1e-11)
        if row["low"] is None:
            assert row["switches"] == pytest.approx(accounting.switches(decisions), abs=1e-11)
        assert row["share"] == pytest.approx(row["regret"] / (20 * 40))


@given(memories, st.data())
@settings(max_examples=30)
def test_nothing_looks_ahead(memory, data):
    """Whatever happens after a period, nothing at it or before it changes by a bit; the range declared or estimated."""
    rows, n = data.draw(st.integers(24, 60)), data.draw(st.integers(2, 4))
    declared = data.draw(st.sampled_from([None, 0.7, 50.0]))
    burn_in = 0 if declared else 10
    if (memory.support or 1) > rows - burn_in:
        return
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    costs = rng.normal(size=(rows, n))
    last = data.draw(st.integers(max(burn_in - 1, 0), rows - 2))
    other = costs.copy()
    other[last + 1 :] = data.draw(st.sampled_from([0.1, 1.0, 1e6])) * rng.normal(size=(rows - last - 1, n))
    names = [f"option {k}" for k in range(n)]
    first, second = (
        by.backtest(pl.DataFrame(values, schema=names), memory, BACKTESTED, cost_range=declared)
        for values in (costs, other)
    )
    assert first.about["burn_in"] == burn_in
    assert first.problem == second.problem
    for one, two, after in (
        (first.path, second.path, 1),
        (first.decisions, second.decisions, 2),  # the first period that differs is decided before it is seen
    ):
        assert one.filter(pl.col("time") <= last + after).equals(two.filter(pl.col("time") <= last + after))
    assert not first.path.equals(second.path)


def test_the_decision_of_the_next_period_is_what_one_more_row_would_show():
    frame = table(60)
    longer = by.backtest(frame, "window:5", [by.Steering(), by.AdaHedge(), by.FollowTheLeader()], cost_range=9.0)
    done = by.backtest(frame.head(59), "window:5", [by.Steering(), by.AdaHedge(), by.FollowTheLeader()], cost_range=9.0)
    last = longer.decisions.filter(time=frame["day"][-1])
    np.testing.assert_array_equal(done.next["decision"], last["decision"])
    np.testing.assert_allclose(done.next["state"], last["state"], atol=1e-15)


def test_polars_and_pandas_give_the_same():
    frame = table(80)
    base = by.backtest(frame, "window:7")
    other = by.backtest(pd.DataFrame(frame.to_dict(as_series=False)), "window:7")
    assert base.accounts.equals(other.accounts)
    np.testing.assert_array_equal(base.decisions["decision"], other.decisions["decision"])


@pytest.mark.parametrize("size", [3, 21, 100])
@pytest.mark.parametrize("history", [None, [0, 1, 1, 2]])
def test_the_cut_into_blocks_changes_no_bit(size, history, monkeypatch):
    def frames():
        done = by.backtest(table(), "window:7", BACKTESTED, history=history, cost_range=2.0, switch_cost=1.0)
        kept = (done.accounts, done.options, done.stretches, done.sensitivity, done.next, done.path, done.decisions)
        return (done.facts.cut_entries, done.facts.cut_periods), *kept

    base = frames()
    monkeypatch.setattr(feed, "BLOCK", size)
    again = frames()
    assert base[0] == again[0] != (0, 0)
    for one, two in zip(base[1:], again[1:], strict=True):
        assert one.equals(two)


def test_long_tables_keep_a_thousand_periods():
    frame = table(2500, dated=False)
    done = by.backtest(frame, "window:7", ["steering", "uniform"], cost_range=20.0)
    assert (len(done.result.rounds), done.result.rounds[-1]) == (1000, 2500)
    assert done.path["time"][:2].to_list() == [2, 5]
    exact = by.expected(done.problem, [by.Steering(), by.Uniform()], frame, record="all")
    np.testing.assert_allclose(
        done.result.regrets["Steering"][0], exact.regrets["Steering"][0, done.result.rounds - 1], rtol=1e-12
    )
    assert done.accounts["switches"][0] == pytest.approx(
        accounting.switches(by.Steering().start(done.problem).play(costs_of(frame)))
    )


# The range.


def test_a_range_that_is_estimated_is_that_of_the_first_tenth_which_is_not_played():
    frame = table(250)
    done = by.backtest(frame, "window:7")
    costs = costs_of(frame)
    assert done.problem.cost_range == np.ptp(costs[:25], axis=1).max()
    assert done.problem.horizon == done.result.rounds[-1] == 225
    assert done.path["time"][0] == frame["day"][25]
    np.testing.assert_allclose(done.options.sort("option")["total"], costs[25:].sum(axis=0))
    said = " ".join(sentences.summary(done))
    assert "is the largest in the first 25 periods, which are not played" in said
    assert "was declared: 9" in " ".join(sentences.summary(by.backtest(frame, "window:7", cost_range=9)))


@pytest.mark.parametrize(("rows", "burn_in"), [(20, 10), (99, 10), (300, 30), (10_000, 1000), (12_000, 1000)])
def test_how_long_the_burn_in_is(rows, burn_in):
    assert by.backtest(table(rows), "window:2", ["uniform"]).about["burn_in"] == burn_in


def test_learners_see_costs_cut_off_and_the_accounts_have_them_in_full():
    costs = np.array([[0.0, 1.0, 0.5], [0.0, 9.0, 3.0], [-5.0, 0.0, -4.5], [1.0, 2.0, 1.0]] * 5)
    seen = np.minimum(costs, costs.min(axis=1, keepdims=True) + 2.0)
    done = by.backtest(pl.DataFrame(costs, schema=["a", "b", "c"]), "window:3", [by.Hedge(), by.FTARL()], cost_range=2)
    for label, learner in (("Hedge", by.Hedge()), ("FTARL", by.FTARL(play="mean"))):
        decisions = learner.start(done.problem).play(seen)
        states = by.Window(3).start(3).extend(decisions)
        np.testing.assert_array_equal(
            done.decisions.filter(learner=label)["decision"].to_numpy().reshape(-1, 3), decisions
        )
        paid = done.accounts.filter(learner=label)["total"][0]
        assert paid == pytest.approx(accounting.losses(costs, states).sum(), rel=1e-12)
    drawn = []
    for replicate in range(20):
        actions = by.FTARL().start(done.problem, np.random.SeedSequence(0, spawn_key=(replicate, 1))).play(seen)
        drawn.append(accounting.losses(costs, by.Window(3).start(3).extend(actions)).sum())
    row = done.accounts.row(1, named=True)
    np.testing.assert_allclose([row["low"], row["high"]], np.quantile(drawn, [0.05, 0.95]), rtol=1e-12)
    assert (done.facts.cut_entries, done.facts.cut_periods) == (15, 10)
    said = " ".join(sentences.summary(done))
    assert "In 10 of 20 periods costs differed by more, at most by 9 at 2. Learners saw 15 entries cut off" in said
    assert "guarantees include what exceeded it so far" in said


@given(memories, st.data())
@settings(max_examples=60)
def test_a_guarantee_holds_where_costs_go_past_the_range(memory, data):
    n = data.draw(st.integers(2, 4))
    rows = (memory.support or 1) + data.draw(st.integers(4, 30))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    costs = rng.uniform(0, 1, size=(rows, n)) * rng.choice([1.0, 5.0], size=(rows, 1), p=[0.7, 0.3])
    seen = np.minimum(costs, costs.min(axis=1, keepdims=True) + 1)
    learners = {"Hedge": by.Hedge(), "Steering": by.Steering(by.Hedge())}
    done = by.backtest(pl.DataFrame(costs), memory, list(learners.values()), cost_range=1.0)
    assert "Hedge" in done.result.guarantees
    for label, (held,) in done.result.guarantees.items():
        states = memory.start(n).extend(learners[label].start(done.problem).play(seen))
        for t in range(1, rows + 1):
            paid = accounting.losses(seen[:t], states[:t]).sum()
            more = accounting.losses((costs - seen)[:t], states[:t]).sum() - (costs - seen)[:t].sum(axis=0).min()
            expected = by.guarantee(done.problem, learners[label], paid, seen[:t].sum(axis=0), t) + more
            assert held[t - 1] == pytest.approx(expected, rel=1e-9, abs=1e-9)
        assert held[-1] >= done.result.regrets[label][0, -1] - 1e-9
        assert (np.diff(held)[np.ptp(costs, axis=1)[1:] <= 1] <= 1e-9).all()


def test_a_declared_range_that_rounding_exceeds_cuts_nothing():
    frame = pl.DataFrame({"a": [0.1] * 5, "b": [0.4] * 5})
    assert by.backtest(frame, "window:2", ["hedge"], cost_range=0.3).facts.cut_entries == 0


# Gains, history, switches.


def test_gains_are_negative_costs():
    frame = table(60)
    gains = by.backtest(frame.with_columns(-pl.exclude("day")), "window:5", BACKTESTED, rewards=True)
    costs = by.backtest(frame, "window:5", BACKTESTED)
    assert gains.accounts.equals(costs.accounts)
    assert by.backtest("@wikipedia", "window:5", ["uniform"]).about["gains"]
    assert not by.backtest("@flights", "window:5", ["uniform"]).about["gains"]


def test_what_prices_yield_is_a_gain():
    prices = pl.DataFrame({"up": 1.01 ** np.arange(40), "down": 0.99 ** np.arange(40)})
    done = by.backtest(prices, "window:5", ["followtheleader"], prices=True, cost_range=1)
    assert done.result.rounds[-1] == 39
    assert done.options["option"].to_list() == ["up", "down"]
    assert done.options["average"].to_list() == pytest.approx([-np.log(1.01), -np.log(0.99)])


def test_a_history_counts_and_is_told():
    frame, past = table(30), [2, 2, 0]
    costs = costs_of(frame)
    done = by.backtest(frame, "window:4", [by.Steering(), by.FTARL(), by.Hedge()], history=past, cost_range=9.0, seed=3)
    decisions = by.Steering().start(done.problem, history=past).play(costs)
    states = by.Window(4).start(3, past).extend(decisions)
    assert done.accounts["total"][0] == pytest.approx(accounting.losses(costs, states).sum(), rel=1e-12)
    assert done.accounts["gap"][0] == pytest.approx(
        accounting.losses(costs, states).sum() - accounting.clairvoyant(costs, by.Window(4), past), rel=1e-12
    )
    assert done.facts.policy_regrets["Steering"] == pytest.approx(
        accounting.policy_regret(costs, states, by.Window(4), past), rel=1e-12
    )
    drawn = []
    for replicate in range(20):
        seed = np.random.SeedSequence(3, spawn_key=(replicate, 1))
        actions = by.FTARL().start(done.problem, seed, past).play(costs)
        drawn.append(accounting.losses(costs, by.Window(4).start(3, past).extend(actions)).sum())
    row = done.accounts.filter(learner="FTARL").to_dicts()[0]
    np.testing.assert_allclose([row["low"], row["high"]], np.quantile(drawn, [0.05, 0.95]), rtol=1e-12)
    assert done.result.guarantees == {}
    said = " ".join(sentences.summary(done))
    assert "after a history of 3 decisions, so the paper's equality" in said
    assert f"Steering's regret is {sentences.figure(done.facts.policy_regrets['Steering'])}." in said
    assert sentences.figure(done.facts.policy_regrets["Steering"]) != sentences.figure(done.accounts["regret"][0])
    assert done.accounts["bound"].is_null().all()
    assert done.verdict.endswith(", without the history.")
    assert sentences.promises(done) == [done.verdict]
    for memory, *ends in done.sensitivity.filter(learner="Steering").select("memory", "known", "assumed").rows():
        other = by.Window(int(memory.partition(":")[2]))
        knowing = by.Steering().start(done.problem.replace(memory=other), history=past).play(costs)
        paid = [accounting.losses(costs, other.start(3, past).extend(each)).sum() for each in (knowing, decisions)]
        np.testing.assert_allclose(ends, np.array(paid) - costs.sum(axis=0).min(), atol=1e-9)
    with pytest.raises(ValueError, match="are not played: give cost_range="):
        by.backtest(frame, "window:4", history=past)
    named = by.backtest(
        frame,
        "window:4",
        [by.Steering()],
        cost_range=9.0,
        history=pl.DataFrame(np.eye(3)[past], schema=frame.columns[1:]),
    )
    assert named.accounts["total"][0] == done.accounts["total"][0]
    words = [frame.columns[1:][action] for action in past]
    again = by.backtest(frame, "window:4", [by.Steering()], cost_range=9.0, history=words)
    assert again.accounts["total"][0] == done.accounts["total"][0]
    with pytest.raises(ValueError, match="in history=: there is no action 'nowhere'"):
        by.backtest(frame, "window:4", cost_range=9.0, history=["nowhere"])


def test_switches_cost_what_is_given():
    done = by.backtest(table(), "window:7", BACKTESTED, switch_cost=0.25, cost_range=9.0)
    np.testing.assert_allclose(done.accounts["switch_cost"], 0.25 * done.accounts["switches"])
    np.testing.assert_allclose(
        done.accounts["total_with_switches"], done.accounts["total"] + done.accounts["switch_cost"]
    )
    drawn = [
        accounting.switches(
            by.FTARL().start(done.problem, np.random.SeedSequence(0, spawn_key=(r, 1))).play(costs_of(table()))
        )
        for r in range(20)
    ]
    assert done.accounts.filter(learner="FTARL")["switches"][0] == pytest.approx(np.mean(drawn))


@given(st.integers(2, 25), st.integers(2, 3), st.integers(0, 2**32))
def test_the_worst_stretch_is_the_worst_of_all(rows, n, seed):
    costs = np.random.default_rng(seed).integers(-4, 5, (rows, n)).astype(float)
    done = by.backtest(pl.DataFrame(costs, schema=list("abc")[:n]), "window:1", ["uniform"], cost_range=10)
    excess = costs.mean(axis=1) - costs[:, costs.sum(axis=0).argmin()]
    sums = {(i, j): excess[i : j + 1].sum() for i in range(rows) for j in range(i, rows)}
    worst = max(sums.values())
    if worst <= 1e-12:
        assert done.stretches.height == 0 or done.stretches["excess"][0] < 1e-9
        return
    _, first, last, count, found = done.stretches.row(0)
    assert found == pytest.approx(worst, abs=1e-9)
    assert sums[first - 1, last - 1] == pytest.approx(worst, abs=1e-9)
    assert count == last - first + 1


# What is odd, and what is refused.


class Blind(by.FTARL):
    """Whose mean nobody knows."""

    def mean(self):
        return None


def test_a_learner_without_a_known_mean_plays_its_first_draw_and_pays_the_mean_of_all():
    frame = table(60)
    done = by.backtest(frame, "window:4", [Blind()], cost_range=9.0, seed=2)
    paid = []
    for replicate in range(20):
        actions = (
            by.FTARL().start(done.problem, np.random.SeedSequence(2, spawn_key=(replicate, 1))).play(costs_of(frame))
        )
        paid.append(accounting.losses(costs_of(frame), by.Window(4).start(3).extend(actions)).sum())
    row = done.accounts.row(0, named=True)
    assert [row["total"], row["regret"], row["gap"]] == pytest.approx(
        np.mean(paid) - np.array([0, costs_of(frame).sum(axis=0).min(), done.clairvoyant])
    )
    assert "Blind decides, in one draw: 100 % " in done.recommendation
    seed = np.random.SeedSequence(2, spawn_key=(0, 1))
    actions = by.FTARL().start(done.problem, seed).play(costs_of(frame))
    assert done.decisions.filter(decision=1.0)["option"].to_list() == [f"option {k}" for k in actions]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"memory": 7}, "the memory is 7: give a memory such as Window"),
        ({"memory": "window"}, "memories look like window:100"),
        ({"memory": "window:200"}, "there are 108 periods to play, fewer than the 200 of the memory: give a longer"),
        ({"memory": "window:110"}, "or give cost_range=, so that all periods are played"),
        ({"memory": "window:121", "cost_range": 9}, "there are 120 periods to play, fewer than the 121 of the memory"),
        ({"learners": []}, r"the learners are \[\]: give a list"),
        ({"learners": "hedge"}, "the learners are 'hedge': give a list, such as"),
        ({"learners": by.Hedge()}, r"the learners are Hedge\(\): give a list"),
        ({"learners": ["hedge", by.Hedge()]}, r"Hedge\(\) is given twice"),
        ({"learners": ["hegde"]}, "did you mean hedge"),
        ({"learners": [5]}, r"the learners are \[5\]: give a list"),
        ({"cost_range": 0}, "cost_range is 0: give a number above 0"),
        ({"switch_cost": -1}, "the cost of a switch is -1: give a number of at least 0"),
        ({"switch_cost": "x"}, "the cost of a switch is 'x': give a number"),
        ({"replicates": 1}, "replicates is 1: give a whole number of at least 2"),
        ({"seed": -1}, "the seed is -1"),
        ({"rewards": True, "prices": True}, "rewards=True and prices=True: give only one"),
        ({"history": [5], "cost_range": 9.0}, "in history=: decision 1 is action number 5"),
        ({"data": table(19)}, "the table has 19 periods, .*: declare it with cost_range="),
        ({"data": table(60).with_columns(pl.exclude("day") * 0)}, "in each of the first 10 periods, .* cost_range="),
    ],
)
def test_mistakes_are_told(change, message):
    given = {"data": table(), "memory": "window:7"} | change
    with pytest.raises(ValueError, match=message):
        by.backtest(given.pop("data"), given.pop("memory"), **given)


def test_constant_options_are_legitimate():
    frame = table(60).with_columns(cash=pl.lit(0.0))
    assert "cash" in by.backtest(frame, "window:4").options["option"].to_list()


def test_the_range_is_that_of_the_burn_in_alone():
    costs = np.tile([[0.0, 1.0]], (40, 1))
    costs[10, 1] = 7.0
    assert by.backtest(pl.DataFrame(costs, schema=["a", "b"]), "window:3").problem.cost_range == 1.0


def test_what_rounding_leaves_of_zero_is_zero():
    frame = pl.DataFrame({"cash": np.zeros(60), "shares": np.tile([0.1, 0.2, -0.3], 20)})
    done = by.backtest(frame, "window:2", ["ftarl"], cost_range=1.0)
    assert {0.0} == {value for value in done.accounts.row(0) if isinstance(value, float) and abs(value) < 1e-12}
