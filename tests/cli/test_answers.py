"""The answer on the terminal: short, first, and the same as everywhere else."""

import json
from datetime import date, timedelta
from html import unescape

import numpy as np
import polars as pl
import pytest

import bygones as by
from bygones.cli import main

FLIGHTS = ["backtest", "@flights", "--memory", "window:7"]


@pytest.fixture
def wordy(tmp_path):
    """A table that has much to say: long names, a change, values beyond the range, notes."""
    rng = np.random.default_rng(0)
    names = [f"a supplier with a rather long name, number {k}, which goes on and on" for k in range(12)]
    costs = 10 + rng.standard_normal((200, 12)) + np.arange(12)
    costs[100:, 0] += 5
    costs[150] *= 3
    frame = pl.DataFrame(costs, schema=names).with_columns(
        day=pl.date_range(pl.date(2024, 1, 1), pl.date(2024, 7, 18), eager=True)
    )
    frame = frame.filter(pl.col("day") != pl.date(2024, 3, 3))
    frame.write_csv(tmp_path / "costs.csv")
    frame.tail(40).select("day", choice=pl.lit(names[3])).write_csv(tmp_path / "held.csv")
    return [str(tmp_path / "costs.csv"), "--held", str(tmp_path / "held.csv")]


@pytest.mark.parametrize("columns", ["40", "80", "200"])
def test_an_answer_is_short_and_begins_with_what_to_do(columns, wordy, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    for words in (FLIGHTS, ["backtest", *wordy, "--memory", "window:12"]):
        assert main([*words, "--out", str(tmp_path / "r")]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert len(lines) <= 25
        assert max(map(len, lines[:-1])) <= int(columns)
        assert lines[0].startswith("For the period after")
        assert lines[-1].startswith(f"The report: {tmp_path / 'r' / 'index.html'} (")
        assert lines[-1].endswith("; all tables with --verbose)")
        text = " ".join(" ".join(lines).split())
        for said in ("How sure: ", *(("Why: ", "What it saves: ", "Mind: ") if columns == "200" else ())):
            assert said in text
        assert "█" in text


def test_what_you_did_is_told(wordy, tmp_path, capsys):
    assert main(["backtest", *wordy, "--memory", "window:12", "--out", str(tmp_path / "r"), "--verbose"]) == 0
    shown = capsys.readouterr().out
    assert "│ you" in shown
    assert shown.count("saves you") == 1, "of the learners alone"
    assert "better by" in shown
    assert "share: regret" not in shown
    assert "Against what you did in the last 29 periods, " in " ".join(shown.split())
    for table in ("Options, compared with the best", "Learners, compared with the best", "Best paths"):
        assert table in shown


def test_json_is_everything_and_quiet_is_the_path(tmp_path, capsys):
    assert main([*FLIGHTS, "--out", str(tmp_path / "r"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    done = by.backtest("@flights", "window:7")
    told["about"].pop("command")
    assert told.pop("report") == str(tmp_path / "r" / "index.html")
    assert told == done.to_dict()
    assert main([*FLIGHTS, "--out", str(tmp_path / "r"), "--quiet"]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'r' / 'index.html'}\n"
    assert main([*FLIGHTS, "--out", str(tmp_path / "r"), "--quiet", "--json"]) == 2
    assert capsys.readouterr().err == "bygones: --verbose, --json and --quiet: give only one of them\n"


def test_held_that_does_not_fit_is_a_sentence(tmp_path, capsys):
    (tmp_path / "held.csv").write_text("date,choice\n2013-12-31,Alaska Airlines\n")
    assert main([*FLIGHTS, "--held", str(tmp_path / "held.csv"), "--out", str(tmp_path / "r")]) == 2
    assert capsys.readouterr().err.startswith("bygones: --held has 1 decision, and those before them still have 86 %")
    assert main([*FLIGHTS, "--held", str(tmp_path / "none.csv"), "--out", str(tmp_path / "r")]) == 2
    assert "none.csv" in capsys.readouterr().err
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize("columns", ["80", "120"])
def test_how_a_table_was_read_is_in_the_answer(columns, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    costs = 1000 + 50 * np.random.default_rng(0).standard_normal((150, 2)) + np.array([0, 40])
    first = date(2023, 1, 1)
    rows = [
        f"{first + timedelta(k):%d.%m.%Y};" + ";".join(f"{value:.2f}".replace(".", ",") + " €" for value in row)
        for k, row in enumerate(costs)
    ]
    (tmp_path / "costs.csv").write_text("\n".join(["Datum;Rossi;Verdi", *rows]))
    assert main(["backtest", str(tmp_path / "costs.csv"), "--memory", "window:12", "--out", str(tmp_path / "r")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 25
    told = by.backtest(tmp_path / "costs.csv", "window:12")
    notes, page = told.answer.read_as, (tmp_path / "r" / "index.html").read_text()
    assert len(notes) >= 3
    assert notes == told.to_dict()["answer"]["read_as"]
    assert f"Read as: {notes[0]}" in " ".join(" ".join(lines).split())
    for note in notes:
        assert note in " ".join(" ".join(lines).split())
        assert note in unescape(page)
