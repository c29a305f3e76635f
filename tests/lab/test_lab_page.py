"""The laboratory's page is made from what is kept, and what is kept is what the laboratory computes."""

import sys
from pathlib import Path

import polars as pl
import pytest

import bygones as by

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import lab as script


def test_the_page_is_made_from_what_is_kept():
    assert script.page() == script.PAGE.read_text(), "`python tools/lab.py --page` writes it anew"


def test_kept_values_are_computed():
    kept = pl.read_csv(script.VALUES)
    for length, horizon in ((2, 16), (2, 32), (3, 16)):
        (value,) = by.lab.minimax([horizon], length)
        row = kept.filter(length=length, horizon=horizon).row(0, named=True)
        assert value.value == pytest.approx(row["value"], abs=2 * (value.error + row["error"]))


def test_kept_values_are_those_known():
    """What a window costs is known to three digits, and is at most 0.18 (H - 1) in every game computed."""
    kept = {(row["length"], row["horizon"]): row for row in pl.read_csv(script.VALUES).iter_rows(named=True)}
    known = {2: (0.144, 0.129, 0.114, 0.0985), 3: (0.274, 0.268, 0.253), 4: (0.419, 0.432)}
    for length, values in known.items():
        for horizon, value in zip((16, 32, 64, 128), values, strict=False):
            assert kept[length, horizon]["excess"] == pytest.approx(value, abs=0.004)
    assert set(kept) == {(H, T) for H in range(2, 7) for T in (16, 32, 64, 128, 256, 512) if T <= 128 or H <= 3}
    assert all(row["excess"] <= 0.18 * (length - 1) for (length, _), row in kept.items())


@pytest.mark.slow
@pytest.mark.compiled
def test_kept_worst_cases_are_found_again():
    """The search is determined by its seed; processors may round it onto another path."""
    kept = pl.read_csv(script.WORST)
    for learner, words in (("Hedge", "hedge"), ("HedgeAhead", "hedgeahead")):
        problem = by.Problem(2, 1000, by.Window(16))
        found = by.lab.worst_case(words, problem, script.EFFORT)
        row = kept.filter(learner=learner, horizon=1000, length=16).row(0, named=True)
        assert found.regret == pytest.approx(row["regret"], rel=0.05)
        assert row["regret"] <= row["bound"]


@pytest.mark.slow
@pytest.mark.compiled
def test_long_searches_find_what_is_bad_for_hedge_and_nothing_above_a_bound():
    problem = script.RESONANT
    hedge, ahead = (by.lab.worst_case(learner, problem) for learner in (by.Hedge(), by.HedgeAhead()))
    assert 380 < hedge.regret <= hedge.bound == pytest.approx(470.8, abs=0.1)
    assert 130 < ahead.regret <= ahead.bound < 197


def test_nothing_that_is_kept_is_above_a_bound():
    for path in (script.WORST, script.EXACT):
        kept = pl.read_csv(path).filter(pl.col("bound").is_not_null())
        assert (kept["regret"] <= kept["bound"]).all()
    least = pl.read_csv(script.EXACT).filter(learner="any")
    for row in least.iter_rows(named=True):
        others = pl.read_csv(script.EXACT).filter((pl.col("length") == row["length"]) & (pl.col("learner") != "any"))
        assert (others["regret"] > row["regret"]).all()
