"""What the answer claims, and that its sentences agree with each other."""

import re

import numpy as np
import polars as pl

import bygones as by
from bygones.backtesting.answer import answer


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
