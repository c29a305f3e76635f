"""`bygones study`: what its commands print and write."""

import json

import pytest

from bygones.cli import main

STUDY = """\
[study]
learners = ["ftarl", "hedge", "lsa", "steering", "adahedge", "uniform", "ftpl", "discounted:half_life=20",
  "hedge:rate={rate}"]
costs = ["stochet", "cyclic:hold=5,vectors=2"]
replicates = 4
[problem]
memory = "window:{H}"
horizon = [50, 100, 200]
[grid]
H = [2, 4, 8]
rate = [0.1, 0.2, 0.3, 0.4]
"""


@pytest.fixture
def study(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "one.toml").write_text(STUDY)
    return tmp_path


def test_a_new_study_runs_and_is_not_overwritten(study, capsys):
    assert main(["study", "new", "new.toml"]) == 0
    assert main(["study", "new", "new.toml"]) == 2
    assert "is there already" in capsys.readouterr().err
    assert main(["study", "run", "new.toml", "--dry-run"]) == 0
    assert "0 of 1,600 replicates of 80 configurations are there" in capsys.readouterr().out
    assert not (study / "new").exists()


@pytest.mark.compiled
def test_a_run_prints_the_answer_first_and_shortly(study, capsys):
    assert main(["study", "run", "one.toml"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 25
    assert lines[0].startswith("0 of 864 replicates of 216 configurations are there")
    assert any("has a regret of" in line for line in lines[:4])
    assert any("and 4 more learners" in line for line in lines)
    assert main(["study", "status", "one", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"replicates": 864, "missing": 0, "failed": []}
    assert main(["study", "report", "one", "--single-file"]) == 0
    assert "has a regret of" in capsys.readouterr().out
    assert (study / "one-report.html").stat().st_size > 1_000_000
    assert main(["study", "export", "one", "--out", "one.csv"]) == 0
    assert len((study / "one.csv").read_text().splitlines()) == 865
    capsys.readouterr()
    for command in (["report", "one", "--out", "one"], ["report", "nowhere"], ["export", "one", "--out", "one.txt"]):
        assert main(["study", *command]) == 2
        assert capsys.readouterr().err.startswith("bygones: ")


def test_what_is_asked_for_wrongly_is_a_sentence(study, capsys):
    for words, said in {
        "gone.toml": "gone.toml cannot be read: No such file or directory; give a TOML file, such as",
        ".": ". cannot be read: Is a directory; give a TOML file",
        "one.toml --workers=-3": "--workers is -3: give a whole number of at least 1",
    }.items():
        assert main(["study", "run", *words.split()]) == 2
        out, err = capsys.readouterr()
        assert not out
        assert err.startswith(f"bygones: {said}")
    assert not (study / "one").exists()
    assert main(["study", "run", "one.toml", "--dry-run", "--cluster", "tcp://10.0.0.1:8786"]) == 0
    assert " of one core." in " ".join(capsys.readouterr().out.split())


def test_a_status_says_what_is_missing_and_what_to_do(study, capsys):
    assert main(["study", "run", "one.toml"]) == 0
    place = next((study / "one" / "cells").glob("*/*.parquet"))
    place.unlink()
    capsys.readouterr()
    assert main(["study", "status", "one"]) == 0
    assert "4 are missing: run the study again to compute them." in capsys.readouterr().out


def test_mistakes_are_all_printed_and_nothing_is_made(study, capsys):
    (study / "one.toml").write_text(STUDY.replace("hedge", "hegde").replace("[2, 4, 8]", "[2, -4, 8]"))
    assert main(["study", "run", "one.toml"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert [line.partition(": ")[2].partition(": ")[0] for line in said] == [
        "one.toml, line 2",
        "one.toml, line 2",
        "one.toml, line 3",
        "one.toml, line 10",
    ]
    assert "grid.H[1]: the memory is 'window:-4'" in said[-1]
    assert not (study / "one").exists()
