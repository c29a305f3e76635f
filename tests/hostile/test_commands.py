"""Odd command lines: each ends with 0 or with one sentence and 2, and writes nothing outside its folder."""

import shutil
import subprocess
import sys

import pytest
from commands import COMMANDS, FILES, PROCESSES

from bygones.cli import main

HANGS = 20  # seconds; a watchdog, no measure


def snapshot(folder):
    return {path.relative_to(folder): path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def inside(tmp_path, monkeypatch):
    """A working directory with some files; in the end it is checked that nothing else was touched."""
    folder, other = tmp_path / "between" / "inside", tmp_path / "thesis.tex"
    other.write_text("years of work")
    for name, content in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "80")
    before = snapshot(tmp_path)
    yield folder
    after = snapshot(tmp_path)
    shutil.rmtree(tmp_path)  # a report is five megabytes
    assert {path: after.get(path) for path in before} == before
    assert all(path.parts[:2] == ("between", "inside") for path in after.keys() - before.keys())


def check(code, out, err):
    assert code in (0, 2)
    assert "Traceback" not in err
    assert not [sign for sign in out + err if not (sign.isprintable() or sign == "\n")]
    if code == 2:
        assert err.startswith("bygones: ")
        assert err.count("\n") == 1
        assert len(err) < 2_000


@pytest.mark.parametrize("words", [words for _, words in COMMANDS], ids=[about for about, _ in COMMANDS])
def test_an_odd_command_line_ends_in_a_sentence(words, inside, capsys, counted):
    code = main(list(words))
    shown = capsys.readouterr()
    check(code, shown.out, shown.err)
    counted("odd command lines")


@pytest.mark.parametrize("words", [words for _, words in PROCESSES], ids=[about for about, _ in PROCESSES])
def test_and_so_it_does_as_a_process(words, inside, counted):
    command = [sys.executable, "-m", "bygones", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANGS, check=False)
    check(done.returncode, done.stdout, done.stderr)
    counted("odd command lines, as processes")


def test_they_are_many():
    assert len(COMMANDS) >= 500
    assert len(PROCESSES) >= 36
    assert len(dict(COMMANDS)) == len(COMMANDS)
