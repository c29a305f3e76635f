import re
import subprocess
import sys
from pathlib import Path

import pytest

import bygones as by
from bygones.cli import main


def test_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"bygones {by.__version__}\n"


def test_list_shows_everything_with_bounds(capsys):
    assert main(["list"]) == 0
    shown = capsys.readouterr().out
    for name in ("FTARL", "Hedge", "Uniform", "Window", "Weights", "StocHet", "Table"):
        assert name in shown
    assert "7,804.7" in shown
    assert "1,070.3" in shown
    assert main(["list", "--actions", "4", "--horizon", "500", "--window", "10"]) == 0
    assert f"{by.Hedge().bound(by.Problem(4, 500, by.Window(10))):,.1f}" in capsys.readouterr().out


def test_help_has_examples_one_per_line(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for arguments, example in (
        (["--help"], "bygones reproduce"),
        (["reproduce", "--help"], "bygones reproduce"),
        (["list", "--help"], "bygones list"),
        (["bound", "--help"], "bygones bound --actions 10 --horizon 10000 --memory window:100"),
        (["backtest", "--help"], "bygones backtest prices.csv --prices --memory geometric:0.9 --learner hedge"),
    ):
        assert main(arguments) == 0
        examples = capsys.readouterr().out.partition("Examples:")[2]
        assert example in [line.strip() for line in examples.splitlines()]


BOUND = ["bound", "--actions", "10", "--horizon", "10000", "--memory"]


@pytest.mark.parametrize("columns", ["30", "40", "80", "200"])
def test_bound_shows_every_line_of_the_table_and_the_advice(columns, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    assert main([*BOUND, "window:100"]) == 0
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= int(columns)
    order = ["1,070.3", "1,518.1", "1,705.2", "1,976.8", "2,981.8", "7,769.2", "7,804.7", "3.125", "19.8", "45.45"]
    places = [shown.index(f" {value} ") for value in order]
    assert places == sorted(places)
    problem = by.Problem(10, 10_000, by.Window(100))
    assert " ".join(by.promises.advise(problem)) in " ".join(shown.split())
    assert (" source " in shown) == (columns in ("80", "200"))


def test_the_readme_shows_what_bound_prints(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    command, shown = re.search(r"```\n\$ bygones (bound .*?)\n(.*?)```", readme, flags=re.S).groups()
    assert main(command.split()) == 0
    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == shown.splitlines()


def test_bound_marks_what_is_vacuous_and_takes_a_range(capsys):
    assert main([*BOUND, "full", "--range", "2.5"]) == 0
    shown = capsys.readouterr().out
    problem = by.Problem(10, 10_000, by.FullHistory(), 2.5)
    assert f"{by.Hedge().bound(problem):,.1f}" in shown
    assert shown.count(" vacuous ") == by.bounds(problem)["vacuous"].sum() > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["list", "--actions", "1"], "bygones: the number of actions is 1: give a whole number of at least 2"),
        (["list", "--window", "0"], "bygones: the window's length is 0"),
        (["list", "--horizon", "soon"], "Invalid value for '--horizon'"),
        (
            [*BOUND, "window"],
            "bygones: the memory is 'window', and length is missing: Window needs length; memories look like window:",
        ),
        ([*BOUND, "12"], "bygones: the memory is '12' (did you mean window:12?): give one that looks like window:100"),
        ([*BOUND, "full", "--actions", "1"], "bygones: the number of actions is 1: give a whole number of at least 2"),
        ([*BOUND, "full", "--horizon", "0"], "bygones: the horizon is 0: give a whole number of at least 1"),
        ([*BOUND, "full", "--range", "nan"], "bygones: the cost range is nan: give a number above 0"),
        (["bound"], "Missing option"),
        (["lst"], "No such command 'lst'"),
        (["--colour"], "No such option: --colour"),
    ],
)
def test_mistakes_are_told_without_a_traceback(arguments, message, capsys):
    assert main(arguments) == 2
    shown = capsys.readouterr().err
    assert message in shown
    assert "Traceback" not in shown


def test_an_interruption_is_told_in_a_sentence(capsys, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("bygones.problem.Problem", interrupted)
    assert main(["list"]) == 130
    assert capsys.readouterr().err.endswith("bygones: interrupted\n")


def test_the_command_is_installed():
    done = subprocess.run([sys.executable, "-m", "bygones", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"bygones {by.__version__}\n"
