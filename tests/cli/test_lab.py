"""`bygones lab`: what it prints, what it writes, and what it refuses."""

import json

import numpy as np
import polars as pl
import pytest

import bygones as by
from bygones.accounting import regret
from bygones.cli import main

SHORT = ["--horizon", "60", "--memory", "window:4"]


def test_values_are_a_table_and_a_sentence(capsys):
    assert main(["lab", "values", "--window", "2", "--horizon", "16"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "2 │ 16 │ 1.71" in shown
    assert "In these games a window of H raises the least regret by at most 0.1" in shown


def test_values_as_json(capsys):
    assert main(["lab", "values", "--window", "1", "--window", "2", "--horizon", "16", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["length"] for row in rows] == [1, 2]
    assert rows[1]["excess"] == pytest.approx(0.144, abs=0.004)


def test_an_error_is_rounded_up(capsys):
    assert main(["lab", "values", "--window", "2", "--horizon", "4", "--horizon", "5"]) == 0
    shown = capsys.readouterr().out
    assert "0.917 │ 0.000 │" in shown
    assert "1.011 │ 0.001 │" in shown


def test_where_a_window_costs_nothing_that_is_said(capsys):
    assert main(["lab", "values", "--window", "2", "--horizon", "1"]) == 0
    assert "by at most 0.000 (H - 1), proved" in " ".join(capsys.readouterr().out.split())


def test_without_memory_nothing_is_said_of_windows(capsys):
    assert main(["lab", "values", "--window", "1", "--horizon", "16"]) == 0
    assert "raises" not in capsys.readouterr().out


def test_the_worst_costs_can_be_checked(tmp_path, capsys):
    out = tmp_path / "worst.csv"
    assert main(["lab", "worst", "hedge", *SHORT, "--effort", "0.05", "--out", str(out)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    costs = pl.read_csv(out).to_numpy()
    problem = by.Problem(2, 60, by.Window(4))
    found = regret(costs, problem.memory.start(2).extend(by.Hedge().start(problem).play(costs)))[-1]
    assert f"sequences of costs give hedge a regret of {found:.4g} over 60 rounds, window:4." in shown
    assert f"% of what it promises, {by.Hedge().bound(problem):.4g}." in shown
    assert main(["lab", "worst", "hedge", *SHORT, "--out", str(out)]) == 2
    assert "is there already: name a new file with --out" in capsys.readouterr().err
    assert np.array_equal(costs, pl.read_csv(out).to_numpy())


def test_a_place_without_a_folder_is_refused_before_the_search(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(by.lab, "worst_case", None)
    assert main(["lab", "worst", "hedge", *SHORT, "--out", str(tmp_path / "none" / "worst.csv")]) == 2
    assert "worst.csv cannot be written: there is no folder" in capsys.readouterr().err


def test_exact_worst_cases_are_no_less_than_what_a_search_finds(capsys):
    words = ["lab", "worst", "steering(hedge)", "--horizon", "12", "--memory", "window:3", "--json"]
    assert main(words) == 0
    searched = json.loads(capsys.readouterr().out)
    assert main([*words, "--exact"]) == 0
    exact = json.loads(capsys.readouterr().out)
    assert exact["regret"] >= searched["regret"] - 1e-12
    assert searched["bound"] is None
    assert searched["costs"] is None


def test_growth_fits_exponents(capsys):
    few = ["--horizon", "100", "--horizon", "200", "--window", "4", "--effort", "0.02"]
    assert main(["lab", "growth", "hedge", *few]) == 0
    assert "give three or more of --horizon or --window" in " ".join(capsys.readouterr().out.split())
    assert main(["lab", "growth", "hedge", *few, "--horizon", "400"]) == 0
    assert "With a window of 4 the worst regret found for Hedge grows like T^0." in " ".join(
        capsys.readouterr().out.split()
    )
    assert main(["lab", "growth", "hedge", *few, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["worst"]) == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["worst", "nobody", *SHORT], "the learner is 'nobody': give one of"),
        (
            ["worst", "hedgeahead", "--horizon", "60", "--memory", "full"],
            "HedgeAhead needs a memory whose",
        ),
        (["worst", "hedge", *SHORT, "--effort", "0"], "the effort is 0"),
        (
            ["worst", "hedge", "--horizon", "9000", "--memory", "window:3", "--exact"],
            "or leave --exact out",
        ),
        (["worst", "hedge", *SHORT, "--actions", "3", "--exact"], "exact worst cases are for two"),
        (["values", "--window", "40", "--horizon", "100"], "give a shorter window or horizon"),
        (["values", "--window", "2", "--window", "7", "--horizon", "100"], "windows of up to 6 can be computed"),
        (["worst", "hedge", *SHORT, "--actions", "5000"], "give fewer actions"),
        (["values", "--window", "0"], "the window's length is 0"),
        ([], "no command is given: name one, as in bygones lab --help"),
    ],
)
def test_mistakes_are_sentences(words, said, capsys):
    assert main(["lab", *words]) == 2
    assert said in capsys.readouterr().err
