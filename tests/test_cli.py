import subprocess
import sys

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


def test_help_has_examples(capsys):
    for arguments in (["--help"], ["list", "--help"]):
        assert main(arguments) == 0
        assert "Examples: bygones list" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["list", "--actions", "1"], "bygones: the number of actions is 1: give a whole number of at least 2"),
        (["list", "--window", "0"], "bygones: the window's length is 0"),
        (["list", "--horizon", "soon"], "Invalid value for '--horizon'"),
        (["lst"], "No such command 'lst'"),
        (["--colour"], "No such option: --colour"),
    ],
)
def test_mistakes_are_told_without_a_traceback(arguments, message, capsys):
    assert main(arguments) == 2
    told = capsys.readouterr().err
    assert message in told
    assert "Traceback" not in told


def test_an_interruption_is_told_in_a_sentence(capsys, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("bygones.problem.Problem", interrupted)
    assert main(["list"]) == 130
    assert capsys.readouterr().err.endswith("bygones: interrupted\n")


def test_the_command_is_installed():
    done = subprocess.run([sys.executable, "-m", "bygones", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"bygones {by.__version__}\n"
