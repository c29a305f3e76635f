"""Prices: wealth of learners, assets and benchmarks, and who is called best."""

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from money import worth
from samples import BACKTESTED
from strategies import memories

import bygones as by
from bygones.backtesting import sentences
from bygones.cli import main
from bygones.engine import feed
from bygones.io import Rows

COLUMNS = ["wealth", "growth", "volatility", "drawdown", "turnover", "cost"]


def walk(periods, n, seed, volatility=0.05, days=0):
    """Prices, one row more than periods, and the same as a frame, with a date every so many days."""
    prices = 50 * np.exp(np.random.default_rng(seed).normal(0, volatility, (periods + 1, n)).cumsum(axis=0))
    when = {"day": [date(2020, 1, 1) + timedelta(days * k) for k in range(periods + 1)]} if days else {}
    return prices, pl.DataFrame(when | {f"asset {k}": prices[:, k] for k in range(n)})


def states_of(done, label):
    return done.decisions.filter(learner=label)["state"].to_numpy().reshape(-1, done.problem.n)


def agrees(done, prices, trade_cost, yearly=1.0):
    """Every row of the frame, recomputed from the prices that were played and the states that are shown."""
    count, n = len(prices) - 1, prices.shape[1]
    drifted = prices[:-1] / prices[0]
    held = {("learner", label): states_of(done, label) for label in done.learners}
    held |= {("asset", f"asset {k}"): np.tile(np.eye(n)[k], (count, 1)) for k in range(n)}
    held["benchmark", "uniform, rebalanced"] = np.full((count, n), 1 / n)
    held["benchmark", "uniform, bought and held"] = drifted / drifted.sum(axis=1, keepdims=True)
    assert sorted(held) == sorted(done.wealth.select("kind", "name").rows())
    for row in done.wealth.iter_rows(named=True):
        plain = worth(prices, held[row["kind"], row["name"]], trade_cost, yearly)
        for name in COLUMNS:
            assert row[name] == pytest.approx(plain[name], rel=1e-9, abs=1e-9), (row["name"], name)
    assert done.wealth["wealth"].is_sorted(descending=True)


def test_three_periods_by_hand():
    """One asset doubles, then the other, then both halve; equal parts, with 0.3 of what is traded as cost.

    Equal parts make 1.5, drift to 2/3 and 1/3, and trading 1/3 leaves 0.9 of it: 1.5 x 0.9 x 1.5 x 0.9 x 0.5 = 0.91125.
    """
    frame = pl.DataFrame({"a": [1.0, 2.0, 2.0, 1.0], "b": [1.0, 1.0, 2.0, 1.0]})
    done = by.backtest(frame, "window:2", ["uniform"], prices=True, cost_range=1, trade_cost=0.3)
    assert done.wealth.columns == ["name", "kind", *COLUMNS]
    found = {(kind, name): figures for name, kind, *figures in done.wealth.rows()}
    third = np.cbrt(0.91125) - 1
    sd = np.std(np.log([1.5, 1.35, 0.45]), ddof=1)
    figures = pytest.approx([0.91125, third, sd, 0.55, 2 / 3, 0.19], rel=1e-12)
    assert found["learner", "Uniform"] == figures
    assert found["benchmark", "uniform, rebalanced"] == figures
    sd = np.std(np.log([1.5, 2 / 1.5, 0.5]), ddof=1)
    assert found["benchmark", "uniform, bought and held"] == pytest.approx([1, 0, sd, 0.5, 0, 0])
    assert found["asset", "a"] == pytest.approx([1, 0, np.std(np.log([2, 1, 0.5]), ddof=1), 0.5, 0, 0])
    assert done.wealth["kind"].to_list()[-2:] == ["learner", "benchmark"], "the least wealth comes last"
    assert done.accounts["total"][0] == pytest.approx(0, abs=1e-12), "the log relatives of each asset add up to 0"


@given(
    seed=st.integers(0, 2**32),
    n=st.integers(2, 4),
    periods=st.integers(25, 45),
    memory=memories,
    trade_cost=st.sampled_from([0.0, 0.002, 0.3]),
    declared=st.booleans(),
    block=st.sampled_from([8, 2**17]),
)
@settings(max_examples=25)
def test_every_figure_agrees_with_a_plain_recomputation(seed, n, periods, memory, trade_cost, declared, block):
    if (memory.support or 0) > 15:
        memory = by.Window(15)
    prices, frame = walk(periods, n, seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(feed, "BLOCK", block)
        keywords = {"cost_range": 2.0} if declared else {}
        done = by.backtest(frame, memory, BACKTESTED, prices=True, trade_cost=trade_cost, **keywords)
    assert (done.about["burn_in"] > 0) == (not declared)
    agrees(done, prices[done.about["burn_in"] :], trade_cost)


def test_states_are_those_of_the_learner_on_log_relatives():
    prices, frame = walk(60, 3, seed=4)
    done = by.backtest(frame, "window:6", [by.Steering(), by.Hedge()], prices=True, cost_range=2.0, trade_cost=0.01)
    costs = -np.diff(np.log(prices), axis=0)
    for learner in (by.Steering(), by.Hedge()):
        states = by.Window(6).start(3).extend(learner.start(done.problem).play(costs))
        plain, label = worth(prices, states, 0.01), type(learner).__name__
        row = done.wealth.filter(kind="learner", name=label).row(0, named=True)
        assert [row[name] for name in COLUMNS] == pytest.approx([plain[name] for name in COLUMNS], rel=1e-9)
        assert done.accounts.filter(learner=label)["total"][0] == pytest.approx((costs * states).sum(), rel=1e-9)


@pytest.mark.parametrize(("days", "yearly"), [(1, 365.25), (7, 365.25 / 7), (0, 1.0)])
def test_growth_and_volatility_are_per_year_where_there_are_dates(days, yearly):
    prices, frame = walk(60, 3, seed=2, volatility=0.01, days=days)
    done = by.backtest(frame, "geometric:0.8", BACKTESTED, prices=True, cost_range=1.0, trade_cost=0.001)
    agrees(done, prices, 0.001, yearly)
    assert sentences.per(done) == ("per year" if days else "per period")


@pytest.mark.parametrize("cost_range", [1.0, None])
def test_the_first_return_counts_with_all_its_time(cost_range, tmp_path):
    """One return over a year, then weekly ones: growth is that of the whole span, and so is the variance per year."""
    prices = walk(60, 2, seed=3)[0]
    days = [date(2019, 1, 1), *(date(2020, 1, 1) + timedelta(7 * k) for k in range(60))]
    frame = pl.DataFrame({"day": days, "a": prices[:, 0], "b": prices[:, 1]})
    frame.write_csv(tmp_path / "prices.csv")
    rows = by.read_table(frame, prices=True)
    for source in (frame, tmp_path / "prices.csv", frame.reverse(), rows, by.read_table(rows)):
        done = by.backtest(source, "window:2", ["uniform"], prices=not isinstance(source, Rows), cost_range=cost_range)
        first = done.about["burn_in"]
        played, years = prices[first:], (days[-1] - days[first]).days / 365.25
        asset = done.wealth.filter(name="a").row(0, named=True)
        assert asset["growth"] == pytest.approx((played[-1, 0] / played[0, 0]) ** (1 / years) - 1, rel=1e-9)
        logs = np.diff(np.log(played[:, 0]))
        assert asset["volatility"] == pytest.approx(np.sqrt(logs.var(ddof=1) * len(logs) / years), rel=1e-9)


def test_your_growth_is_that_of_your_own_span():
    prices, frame = walk(40, 2, seed=4, days=7)
    late = frame.with_columns(
        pl.when(pl.int_range(pl.len()) < 20).then(pl.col("day") - timedelta(400)).otherwise("day")
    )
    done = by.backtest(late, "window:2", ["uniform"], prices=True, cost_range=1.0, held=[0] * 11)
    mine = done.wealth.filter(kind="you").row(0, named=True)
    assert mine["growth"] == pytest.approx((prices[-1, 0] / prices[-11, 0]) ** (365.25 / 70) - 1, rel=1e-9)


def test_what_is_cut_off_for_learners_counts_in_wealth():
    prices, frame = walk(60, 3, seed=5)
    done = by.backtest(frame, "window:5", ["hedge", "steering"], prices=True, cost_range=0.01)
    assert done.facts.cut_entries > 0
    agrees(done, prices, 0.0)


@given(seed=st.integers(0, 2**32), memory=memories, volatility=st.sampled_from([0.01, 0.3, 2.0]))
@settings(max_examples=20)
def test_wealth_is_at_least_what_is_counted_and_bounds_hold_for_it(seed, memory, volatility):
    if (memory.support or 0) > 15:
        memory = by.Window(15)
    _, frame = walk(40, 3, seed, volatility)
    done = by.backtest(frame, memory, BACKTESTED, prices=True, cost_range=100.0)
    best = done.wealth.filter(kind="asset")["wealth"][0]
    assert -done.options["total"][0] == pytest.approx(np.log(best), rel=1e-9, abs=1e-9)
    for row in done.accounts.iter_rows(named=True):
        wealth = done.wealth.filter(kind="learner", name=row["learner"])["wealth"][0]
        assert np.log(wealth) >= -row["total"] - 1e-9
        if row["bound"] is not None:
            assert np.log(wealth) >= np.log(best) - row["bound"]


def test_a_wild_asset_does_not_make_a_learner_look_rich():
    """An asset that doubles and halves in turn ends where it began, though its returns add up to 0.25 per period."""
    wild, steady = np.tile([1.0, 2.0], 40), 1.01 ** np.arange(80)
    frame = pl.DataFrame({"wild": wild, "steady": steady})
    done = by.backtest(frame, "window:1", ["fixed:action=wild", "fixed:action=steady"], prices=True, cost_range=1.0)
    returns = {name: (frame[name] / frame[name].shift(1) - 1).sum() for name in frame.columns}
    assert returns["wild"] > 10 * returns["steady"]
    first, second = sentences.ranked(done)["learner"]
    assert (first, second) == ("Fixed(action='steady')", "Fixed(action='wild')")
    ends = dict(done.wealth.filter(kind="learner").select("name", "wealth").rows())
    assert ends[first] == pytest.approx(1.01**79)
    assert ends[second] == pytest.approx(2.0)


@given(seed=st.integers(0, 2**32), trade_cost=st.sampled_from([0.0, 0.05]))
@settings(max_examples=15)
def test_learners_are_ranked_by_wealth_everywhere(seed, trade_cost):
    _, frame = walk(40, 3, seed, volatility=0.5)
    done = by.backtest(frame, "window:3", BACKTESTED, prices=True, cost_range=5.0, trade_cost=trade_cost)
    order = done.wealth.filter(kind="learner").sort("wealth", descending=True)["name"].to_list()
    assert sentences.ranked(done)["learner"].to_list() == order
    assert f"{order[0]} would have ended with the most wealth of the learners" in sentences.summary(done)[0]


def test_trading_may_turn_the_ranking():
    frame = pl.DataFrame({"a": [1.0, 2.0] * 15, "b": [2.0, 1.0] * 15})
    learners = [by.Advice(np.eye(2)[np.arange(29) % 2]), by.Fixed("a")]
    best = [
        sentences.ranked(by.backtest(frame, "window:1", learners, prices=True, cost_range=2.0, trade_cost=cost))
        for cost in (0.0, 0.4)
    ]
    assert [ranking["learner"][0].partition("(")[0] for ranking in best] == ["Advice", "Fixed"]


def test_wealth_of_what_you_did_is_of_fewer_periods(tmp_path, capsys):
    prices = walk(60, 3, 0, days=7)[1]
    prices.write_csv(tmp_path / "prices.csv")
    pl.DataFrame({"day": prices["day"][-20:], "choice": "asset 2"}).write_csv(tmp_path / "held.csv")
    done = by.backtest(prices, "window:3", prices=True, held=str(tmp_path / "held.csv"))
    assert done.wealth.columns == ["name", "kind", *COLUMNS, "periods"]
    assert done.wealth["periods"].to_list() == [done.periods] * (done.wealth.height - 1) + [18]
    assert "periods" not in by.backtest(prices, "window:3", prices=True).wealth.columns
    command = ["backtest", str(tmp_path / "prices.csv"), "--prices", "--memory", "window:3", "--verbose"]
    for more, held in (([], False), (["--held", str(tmp_path / "held.csv")], True)):
        assert main([*command, "--out", str(tmp_path / f"r{held}"), *more]) == 0
        shown, page = capsys.readouterr().out, (tmp_path / f"r{held}" / "index.html").read_text()
        assert ("gains you: in log wealth" in shown) == ("gains you" in shown) == held
        assert "saves you" not in shown
        assert ("would have gained you is in log wealth" in page) == ("your row is about fewer periods" in page) == held
        assert "the average you gain by" in " ".join(shown.split()) or not done.answer.arrives
        assert "What it would have gained" in page


def test_there_is_no_wealth_without_prices(tmp_path):
    done = by.backtest("@flights", "window:7", ["uniform"])
    assert done.wealth is None
    done.report(tmp_path / "r")
    assert not (tmp_path / "r" / "wealth.csv").exists()
    done.save(tmp_path / "done.zip")
    assert by.Backtest.load(tmp_path / "done.zip").wealth is None


def test_rows_remember_that_they_were_prices():
    _, frame = walk(40, 3, seed=1)
    rows = by.read_table(frame, prices=True)
    whole = by.backtest(frame, "window:3", ["hedge"], prices=True, cost_range=1.0, trade_cost=0.01)
    again = by.backtest(rows, "window:3", ["hedge"], cost_range=1.0, trade_cost=0.01)
    assert again.wealth.equals(whole.wealth)
    some = by.read_table(rows, actions=["asset 2", "asset 0"])
    assert by.backtest(some, "window:3", ["hedge"], cost_range=1.0).wealth.height == 5


def test_prices_that_explode_still_have_a_ranking():
    explosive = np.exp(np.linspace(-700, 200, 60))
    swings = np.where(np.arange(60) % 2, 1e60, 1e-20)
    frame = pl.DataFrame({"up": explosive, "swing": swings, "even": np.ones(60)})
    done = by.backtest(frame, "window:2", ["uniform"], prices=True, cost_range=1000.0)
    assert done.wealth["name"][:4].to_list() == ["Uniform", "uniform, rebalanced", "up", "uniform, bought and held"]
    assert done.wealth["wealth"].is_null().to_list() == [True] * 4 + [False] * 2, "more than a float can hold"
    assert "ended with the most wealth of the learners: more than 1e308 for 1" in sentences.summary(done)[0]


@pytest.mark.parametrize(
    ("keywords", "said"),
    [
        ({"prices": True, "trade_cost": 0.5}, "trade_cost is 0.5: give a number of at least 0 and below 0.5"),
        ({"prices": True, "trade_cost": -0.1}, "trade_cost is -0.1: give"),
        ({"prices": True, "trade_cost": float("nan")}, "trade_cost is nan: give"),
        ({"prices": True, "trade_cost": "1 %"}, "trade_cost is '1 %': give a number"),
        ({"trade_cost": 0.01}, "trade_cost= is charged on prices: give prices=True, or switch_cost= for costs"),
        ({"prices": True, "switch_cost": 1.0}, "switch_cost= is charged on costs and rewards: give trade_cost="),
    ],
)
def test_costs_of_trading_that_make_no_sense_are_refused(keywords, said):
    with pytest.raises(ValueError, match=f"^{said}"):
        by.backtest(walk(40, 3, 0)[1], "window:3", ["hedge"], **keywords)


@pytest.mark.parametrize("columns", ["40", "80", "200"])
def test_terminal_page_and_files_show_wealth(columns, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    _, frame = walk(60, 14, seed=3, days=7)
    frame.write_csv(tmp_path / "prices.csv")
    words = ["backtest", str(tmp_path / "prices.csv"), "--prices", "--memory", "window:4", "--trade-cost", "0.01"]
    assert main([*words, "--out", str(tmp_path / "r"), "--verbose"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines[:-1])) <= int(columns)
    done = by.backtest(tmp_path / "prices.csv", "window:4", prices=True, trade_cost=0.01)
    shown = " ".join(" ".join(lines).split())
    for sentence in sentences.summary(done):
        assert sentence in shown
    best, worst = (done.wealth.filter(kind="asset").row(k, named=True) for k in (0, -1))
    assert "Wealth, from 1" in shown
    assert "growth and volatility per year" in shown
    assert f" {sentences.figure(best['wealth'])} " in shown
    assert worst["name"] not in "".join(lines[: [line.strip() for line in lines].index("Learners")])
    assert pl.read_csv(tmp_path / "r" / "wealth.csv").equals(done.wealth)
    page = (tmp_path / "r" / "index.html").read_text()
    for said in ('href="wealth.csv"', "growth per year", "lost to trading", worst["name"], "uniform, bought and held"):
        assert said in page
    done.save(tmp_path / "done.zip")
    loaded = by.Backtest.load(tmp_path / "done.zip")
    assert loaded.wealth.equals(done.wealth)
    assert sentences.summary(loaded) == sentences.summary(done)


def test_the_command_line_names_its_own_options(tmp_path, capsys):
    for words, said in (
        (["--trade-cost", "0.1"], "--trade-cost is charged on prices: give --prices, or --switch-cost for costs"),
        (["--prices", "--trade-cost", "2"], "--trade-cost is 2.0: give a number of at least 0 and below 0.5"),
        (["--prices", "--switch-cost", "2"], "--switch-cost is charged on costs and rewards: give --trade-cost for"),
    ):
        assert main(["backtest", "@flights", "--memory", "window:7", *words, "--out", str(tmp_path / "r")]) == 2
        assert said in " ".join(capsys.readouterr().err.split())
