"""The page that compares the learners is what is measured."""

import sys
from pathlib import Path

import numpy as np
import pytest

import bygones as by
from bygones.learners import LEARNERS

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
import comparison
import learners_table

PAGE = learners_table.PAGE.read_text()


@pytest.mark.compiled
def test_the_page_is_what_is_measured():
    assert learners_table.page() == PAGE, "`make tables` writes the page anew"


def test_the_page_names_every_learner():
    for kind in LEARNERS:
        assert kind.__name__ in PAGE


def test_a_learner_is_ahead_by_two_standard_errors_of_the_paired_difference():
    noise = np.array([5.0, -5.0, 5.0, -5.0])
    apart = np.array([1.0, 3.0, 1.0, 3.0])  # 2, with a standard error of 0.58
    assert comparison.ahead(noise, noise + apart)
    assert not comparison.ahead(noise + apart, noise)
    assert not comparison.ahead(noise, noise + apart - 1)
    assert comparison.ahead(np.array([1.0]), np.array([1.1]))
    assert not comparison.ahead(np.array([1.0]), np.array([1.0 + 1e-9]))


def test_numbers_have_few_digits_and_no_minus_zero():
    assert [comparison.amount(value) for value in (-1e-12, 4.94, 9.96, -26.7, 1234.5678)] == [
        "0.0",
        "4.9",
        "10",
        "-27",
        "1,235",
    ]
    assert comparison.amount(-0.001, 2) == "0.00"
    assert comparison.entry(np.array([4.0, 6.0])) == "5.0 (1.0)"
    assert comparison.entry(np.array([400.0, 600.0])) == "500 (100)"
    assert comparison.entry(np.array([39.6, 40.4])) == "40 (0.4)"


def test_costs_are_those_that_expected_draws():
    for column in ("random walk", "mid-turn"):
        table = comparison.drawn(column, 0)
        (one,) = comparison.ends(comparison.PROBLEM, [by.Uniform()], comparison.COSTS[column])
        (other,) = comparison.ends(comparison.PROBLEM, [by.Uniform()], table)
        assert one == pytest.approx(other)
    assert not np.array_equal(comparison.drawn("random walk", 0), comparison.drawn("random walk", 1))


def test_figures_of_the_rivals_that_are_of_other_costs_are_refused(tmp_path, monkeypatch):
    lines = comparison.RIVALS.read_text().splitlines()
    place = next(k for k, line in enumerate(lines) if line.startswith("hold 50,"))
    lines[place] = lines[place].replace(",4000.", ",4000.1", 1)
    (tmp_path / "rivals.csv").write_text("\n".join(lines))
    monkeypatch.setattr(comparison, "RIVALS", tmp_path / "rivals.csv")
    monkeypatch.setattr(comparison, "COSTS", {"hold 50": comparison.COSTS["hold 50"]})
    with pytest.raises(ValueError, match="'hold 50': run `make rivals` first"):
        comparison.measured()


def test_the_trust_is_that_of_the_players(monkeypatch):
    monkeypatch.setattr(comparison, "COSTS", {"mid-turn": comparison.COSTS["mid-turn"]})
    player = by.Guarded(by.FollowTheLeader()).start(comparison.PROBLEM)
    seen = []
    for row in comparison.MID_TURN[:2_000]:
        player.decide()
        seen.append(player.trust)
        player.observe(row)
    assert (player.mean_trust, player.least_trust) == (pytest.approx(np.mean(seen)), min(seen))
    player.play(comparison.MID_TURN[2_000:])
    found = comparison.trusts()
    assert found["Guarded (FollowTheLeader)"]["mid-turn"] == (player.mean_trust, player.least_trust)
    assert found["Guarded (Steering)"]["mid-turn"] == (1.0, 1.0)


def test_attacks_have_a_table_when_there_are_any(monkeypatch):
    assert "| promise | games | largest ratio |" in PAGE or not learners_table.ATTACKS
    monkeypatch.setattr(learners_table, "ATTACKS", {"Guarded": (12_345, 0.98765)})
    assert "| Guarded | 12,345 | 0.988 |" in learners_table.attacked()
