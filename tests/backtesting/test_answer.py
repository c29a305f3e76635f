"""What the answer claims, and that its sentences agree with each other."""

import re

import numpy as np
import polars as pl
import pytest

import bygones as by
from bygones.backtesting import sentences
from bygones.backtesting.answer import answer
from bygones.cli import main


def turns(offset=0.05, seed=0):
    """Two options that take turns, and one that is always a little dearer."""
    costs = np.tile([[0.0, 1.0], [1.0, 0.0]], (100, 1)) + 0.1 * np.random.default_rng(seed).standard_normal((200, 2))
    return pl.DataFrame(np.column_stack([costs, costs[:, 0] + offset]), schema=["a", "b", "c"])


# An adviser that an even split beats.


def test_the_even_split_advises_where_it_clearly_beats_all_advisers():
    done = by.backtest(turns(), "window:1", cost_range=2.0, switch_cost=3.0)
    assert done.answer.clear
    assert done.adviser == "Uniform"
    assert len(done.facts.passed_over) == 4
    even = done.accounts.filter(learner="Uniform")["total_with_switches"][0]
    for label in done.facts.passed_over:
        assert done.accounts.filter(learner=label)["total_with_switches"][0] > even
    assert re.fullmatch(
        r"Uniform, the even split, advises, as .* and 2 more did worse \(at 95 % each\)\.", done.answer.rests_on[1]
    )
    assert done.answer.saves == ["Uniform is an even split, and saves nothing against one."]


def test_no_default_adviser_is_clearly_worse_than_an_even_split():
    for switch_cost in (0.0, 0.5, 3.0):
        for memory in ("window:1", "window:2", "window:4"):
            done = by.backtest(turns(), memory, cost_range=2.0, switch_cost=switch_cost)
            assert done.facts.savings[-1].high >= 0


def test_one_that_is_passed_over_is_named():
    frame = turns(offset=0.6)
    done = by.backtest(frame, "window:4", cost_range=2.0, switch_cost=0.5)
    done.facts = done.facts._replace(passed_over=["Guarded"])
    assert "; Guarded did worse than an even split (at 95 %)" in answer(done).rests_on[1]


def test_that_you_did_better_than_the_adviser_is_the_first_caveat():
    rng = np.random.default_rng(3)
    cheap = rng.integers(0, 2, 120)
    costs = 1.0 - np.eye(2)[cheap] + 0.01 * rng.standard_normal((120, 2))
    frame = pl.DataFrame(costs, schema=["a", "b"]).with_columns(c=pl.lit(3.0))
    done = by.backtest(frame, "window:1", held=np.eye(3)[cheap], cost_range=4.0)
    assert done.facts.savings[0].total < 0
    who = done.adviser.replace("learner=", "").replace("()", "")
    assert done.answer.caveats[0] == f"What you really did in the last 120 periods was better than {who}."
    worst = by.backtest(frame, "window:1", held=np.eye(3)[[2] * 120], cost_range=4.0)
    assert not any("really did" in text for text in worst.answer.caveats)


# Where nothing is clear, nobody is followed.


def noise(seed, rows=200):
    names = ["Rossi", "Bianchi", "Verdi", "Neri"]
    return pl.DataFrame(10 + np.random.default_rng(seed).standard_normal((rows, 4)), schema=names)


def test_where_nothing_is_clear_nobody_advises_in_terminal_json_and_page(tmp_path, capsys):
    noise(39).write_csv(tmp_path / "costs.csv")
    assert main(["backtest", str(tmp_path / "costs.csv"), "--memory", "window:4", "--out", str(tmp_path / "r")]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    done = by.backtest(tmp_path / "costs.csv", "window:4")
    told, plain = done.answer, done.to_dict()["answer"]
    assert not told.clear
    assert told.adviser is plain["adviser"] is None
    page = (tmp_path / "r" / "index.html").read_text()
    card = page[page.index("What to do next") : page.index("</section>", page.index("What to do next"))]
    for text in (shown, " ".join([*plain["rests_on"], *plain["saves"]]), card):
        assert "clearly" not in text
        assert " advises" not in text
        assert "Had you followed " in text
    assert "What it saves" not in shown
    assert not any("promise" in text for text in told.caveats)


def test_what_was_decided_last_may_go_on_where_nothing_is_clear():
    held = np.array([[1.0, 0.0, 0.0, 0.0]] * 9 + [[0.5, 0.5, 0.0, 0.0]])
    told = by.backtest(noise(1), "window:4", held=held).answer
    assert not told.clear
    assert "decide as before, or as you like: the 4 options cannot be told apart." in told.headline
    assert told.decision[:2] == [("Rossi", 0.5), ("Bianchi", 0.5)]
    assert told.held[:2] == [("Rossi", 0.875), ("Bianchi", 0.125)]


def test_the_level_that_decides_is_said_where_it_decides():
    done = by.backtest(noise(1), "window:4")
    saving = done.facts.savings[-1]
    unclear = " That is not clear: at 99 %, the level for such a claim, it may be nothing."
    for low, clear, said in ((0.5, False, True), (-0.5, False, False), (0.5, True, False)):
        done.facts = done.facts._replace(savings=[saving._replace(total=1.0, low=low, high=2.0, clear=clear)])
        assert answer(done).saves[0].endswith(f" to 2 at 95 %).{unclear * said}")
        assert answer(done).clear == clear
    chosen = by.backtest(noise(1), "window:4", ["hedge"])
    chosen.facts = chosen.facts._replace(savings=[saving._replace(total=1.0, low=0.5, high=2.0, clear=False)])
    assert answer(chosen).saves[0].endswith(unclear)


def test_the_only_option_that_is_left_is_chosen():
    frame = noise(1)
    gone = frame.with_columns(pl.when(pl.int_range(pl.len()) < 190).then(pl.col(frame.columns[1:])).name.keep())
    told = by.backtest(gone, "window:4", missing="carry", actions=["Rossi", "Verdi"]).answer
    assert not told.clear
    assert told.headline.startswith("For the period after 200, choose Rossi, the only option that is left. ")
    assert told.decision == [("Rossi", 1.0)]


# Wealth.


def test_limits_of_wealth_with_two_signs_are_said_as_more_and_less():
    prices = np.exp(0.1 * np.random.default_rng(0).standard_normal((100, 2)).cumsum(axis=0))
    done = by.backtest(prices, "window:3", ["hedge"], prices=True, cost_range=1.0)
    saving = done.facts.savings[-1]
    for total, low, high, said in (
        (-0.6, -3.0, 0.5, "ended with 45 % less wealth (from 65 % more to 95 % less at 95 %)"),
        (0.5, -3.0, 1.0, "ended with 65 % more wealth (from 95 % less to 172 % more at 95 %)"),
        (0.5, 0.1, 1.0, "ended with 65 % more wealth (11 % to 172 % at 95 %)"),
    ):
        done.facts = done.facts._replace(savings=[saving._replace(total=total, low=low, high=high)])
        assert said in answer(done).saves[0]


def test_a_share_of_wealth_is_of_the_wealth_that_the_other_ended_with():
    prices = np.exp(0.1 * np.random.default_rng(0).standard_normal((100, 2)).cumsum(axis=0))
    done = by.backtest(prices, "window:3", ["followtheleader"], prices=True, cost_range=1.0)
    (saving,), wealth = done.facts.savings, dict(done.wealth.select("name", "wealth").rows())
    ratio = wealth["FollowTheLeader"] / wealth["uniform, rebalanced"]
    assert saving.total == pytest.approx(np.log(ratio))
    assert saving.share == pytest.approx(ratio - 1)
    assert done.to_dict()["facts"]["savings"][0]["share"] == saving.share


# Draws.


def test_a_draw_is_kept_as_the_accounts_count_it():
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(rng.random((200, 3)) + np.array([0, 0.5, 1.0]), schema=["a", "b", "c"])
    done = by.backtest(frame, "window:4", ["lsa"], cost_range=2.0, switch_cost=1.0, held=["b"] * 10)
    account = done.accounts.filter(learner="LSA").row(0, named=True)
    told = done.answer
    assert "LSA draws one option by these weights, once, and keeps it as long as it can: " in told.headline
    changes = sentences.rough(account["switches"])
    assert f"Its draws would have changed {changes} times in 200 periods on average" in told.arrives
    assert "If b, your last choice, was such a draw, LSA as a rule keeps it." in told.arrives
    assert "on average over the draws, " in told.arrives
    laws = done.decisions.filter(learner="LSA")["decision"].to_numpy().reshape(-1, 3)
    anew = sum(1 - now @ then for now, then in zip(laws[1:], laws, strict=False))
    assert anew > 10 * account["switches"]
    assert f"one drawn anew in every period would have changed some {sentences.rough(anew)} times" in told.arrives
    hedge = by.backtest(frame, "window:4", ["hedge"], cost_range=2.0).answer
    assert "draw" not in hedge.headline + hedge.arrives
