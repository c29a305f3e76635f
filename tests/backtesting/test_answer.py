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
    assert "the average you pay for, (on average over the draws) " in told.arrives
    laws = done.decisions.filter(learner="LSA")["decision"].to_numpy().reshape(-1, 3)
    anew = sum(1 - now @ then for now, then in zip(laws[1:], laws, strict=False))
    assert anew > 10 * account["switches"]
    assert f"one drawn anew in every period would have changed some {sentences.rough(anew)} times" in told.arrives
    hedge = by.backtest(frame, "window:4", ["hedge"], cost_range=2.0).answer
    assert "draw" not in hedge.headline + hedge.arrives


# Learners that forget, and learners that hold back.


def test_that_one_which_forgets_did_better_is_said_only_where_it_is_clear():
    first = (np.arange(200) < 100)[:, np.newaxis]
    costs = np.where(first, [10.0, 12.0], [14.0, 11.0]) + 0.5 * np.random.default_rng(0).standard_normal((200, 2))
    done = by.backtest(costs, "window:4", cost_range=8.0)
    assert done.facts.change is not None
    assert done.rivals["learner"][0] == "Steering(learner=FixedShare())"
    assert not done.rivals["distinguishable"][1:].all()
    assert ", which forgets, " not in " ".join(done.answer.rests_on)
    told = [False] + [True] * (done.rivals.height - 1)
    limits = {"low": 0.5 * done.rivals["difference"], "high": 2 * done.rivals["difference"]}
    done.rivals = done.rivals.with_columns(distinguishable=pl.Series(told), **limits)
    nearest = done.rivals["difference"][1]
    by_, low, high = (sentences.rough(nearest * factor) for factor in (1, 0.5, 2))
    said = f"which forgets, did clearly better than all learners that do not: by {by_} per period ({low} to {high}, "
    assert said in answer(done).rests_on[2]
    done.rivals = done.rivals.with_columns(distinguishable=pl.Series([*told[:-1], False]))
    assert ", which forgets, " not in " ".join(answer(done).rests_on)


def test_captions_say_what_intervals_hold_for(tmp_path, capsys):
    words = ["backtest", "@flights", "--memory", "window:7", "--out", str(tmp_path / "r"), "--verbose"]
    assert main(words) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "at 95 % for all learners together" in shown
    assert "at 95 % for all options together" in shown
    page = (tmp_path / "r" / "index.html").read_text()
    assert "As they hold for all learners at once, these limits are wider than those of one saving." in page


def test_a_target_that_is_not_the_best_option_is_explained():
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(rng.standard_normal((100, 3)) + np.array([0, 0.6, 1.0]), schema=["a", "b", "c"])
    held = rng.integers(0, 3, 100)
    told = by.backtest(frame, "window:4", held=held, cost_range=8.0)
    (share,) = told.next.filter(learner=told.adviser, option="a")["target"]
    assert share < 0.9
    why = (
        f"It aims at only {sentences.percent(share)} in a, although others were clearly worse: it goes by its own rule"
    )
    assert why in told.answer.arrives
    assert told.answer.arrives.endswith("; past decisions that were yours, not its own, may make it more careful.")
    alone = by.backtest(frame, "window:4", ["uniform"], cost_range=8.0).answer
    assert alone.arrives.endswith(
        "It aims at only 33 % in a, although others were clearly worse: it goes by its own "
        "rule, not by this comparison."
    )
    leader = by.backtest(frame, "window:4", ["followtheleader"], cost_range=8.0, held=held).answer
    assert "aims" not in leader.arrives
    assert "aims" not in by.backtest(noise(1), "window:4", ["uniform"]).answer.arrives


def test_no_bound_and_no_promise_where_the_range_was_exceeded():
    frame = noise(0).with_columns(pl.col("Rossi") - 3)
    within, beyond = (by.backtest(frame, "window:4", ["hedge"], cost_range=width).answer for width in (20.0, 3.0))
    assert within.caveats[-1].startswith("Hedge promises to be at most ")
    assert beyond.caveats[-2].endswith("so no bound applies to this run.")
    assert beyond.caveats[-1].startswith(
        "Had all costs been within the range, Hedge would have promised to be at most "
    )


# Small things.


def test_nothing_held_and_files_that_are_not_there(tmp_path):
    with pytest.raises(ValueError, match="held= has 0 decisions, and those before them still have 100 % of the weight"):
        by.backtest(noise(0), "window:8", held=[])
    with pytest.raises(ValueError, match="held= has 1 decision, .* under an 8-period window: give at least the last 8"):
        by.backtest(noise(0), "window:8", held=[0])
    missing = tmp_path / "none.csv"
    for keywords in ({"data": missing}, {"held": missing}, {"history": missing, "cost_range": 9.0}):
        with pytest.raises(ValueError, match="there is no such file"):
            by.backtest(**({"data": noise(0), "memory": "window:2"} | keywords))


def test_the_article_of_a_window_is_as_it_is_spoken():
    for length, said in ((8, "an 8"), (11, "an 11"), (18, "an 18"), (80, "an 80"), (11_000, "an 11,000")):
        assert by.Window(length).phrase == f"{said}-period window"
    for length, said in ((1, "a 1"), (7, "a 7"), (12, "a 12"), (110, "a 110"), (1_100, "a 1,100"), (1_800, "a 1,800")):
        assert by.Window(length).phrase == f"{said}-period window"
