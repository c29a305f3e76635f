"""Runs that are killed: what was there before stays or is replaced whole, and the next run removes what is left."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from samples import PROBLEM

import bygones as by
from bygones.report import report_folder
from bygones.store import UNFINISHED, replacing

SCRIPT = Path(__file__).with_name("killing.py")
LEAST = {  # kills of each operation
    "player.save": 6,
    "player.save, new": 6,
    "result.save": 6,
    "backtest.save": 6,
    "result.report": 20,
    "result.report, new": 13,
    "result.report, working directory": 20,
    "backtest.report": 25,
    "backtest.report, working directory": 25,
}
ALONE = {"OPENBLAS_NUM_THREADS": "1", "NUMBA_DISABLE_JIT": "1"}  # no threads before a fork, and no compiling after it


def shown(folder):
    """The files that a reader of a folder sees, by the rule of the mark: where it names a folder, that comes first."""
    here = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} if folder.is_dir() else {}
    moving = folder / str(json.loads(here.get("report.json", b"{}")).get("moving", ""))
    if moving != folder:
        there = {path.name: path.read_bytes() for path in moving.iterdir()}
        here = {name: (here | there)[name] for name in json.loads(there["report.json"])["files"]}
    return {name: content for name, content in here.items() if not name.startswith(UNFINISHED)}


def everything(home):
    """Every file and folder, whatever its name."""
    return sorted(str(path.relative_to(home)) for path in home.rglob("*"))


def sweep(kind, home):
    """What the next run begins with."""
    if "report" in kind:
        with report_folder(home / "report", kind.partition(".")[0], keep=False):
            pass
    else:
        by.save(by.Hedge().start(PROBLEM), home / "other")
        (home / "other").unlink()


@pytest.mark.slow
@pytest.mark.parametrize("kind", LEAST)
def test_a_killed_run_leaves_the_old_or_the_new(kind, tmp_path, counted):
    environment = os.environ | ALONE
    ran = subprocess.run(
        [sys.executable, SCRIPT, kind, tmp_path], env=environment, capture_output=True, text=True, timeout=500
    )
    assert ran.returncode == 0, ran.stderr
    kills = [json.loads(line) for line in ran.stdout.splitlines()]
    assert len(kills) >= LEAST[kind], kills
    counted("kills at a change of a file", len(kills))
    place = "report" if "report" in kind else ""
    old, new = (shown(tmp_path / name / place) for name in ("old", "new"))
    assert old != new
    plain = {name: everything(tmp_path / name) for name in ("old", "new")}
    seen = []
    for home in sorted(tmp_path.iterdir()):
        found = shown(home / place)
        assert found in (old, new), home.name
        seen.append(found == new)
        sweep(kind, home)
        assert shown(home / place) == found
        assert everything(home) == plain["new" if found == new else "old"]
    assert {True, False} == set(seen)
    if "report" in kind:  # which is the new one before its last change
        assert seen.count(True) > 1 or "new" in kind


def test_so_many_runs_were_killed():
    assert sum(LEAST.values()) >= 60


def test_a_run_does_not_remove_what_another_one_writes(tmp_path):
    place = tmp_path / "report"
    for _ in range(2):
        with report_folder(place, "report") as first:
            (first / "index.html").write_text("first")
            with report_folder(place, "report") as second:
                (second / "index.html").write_text("second")
            assert shown(place)["index.html"] == b"second"
            assert (first / "index.html").read_text() == "first"
        assert shown(place)["index.html"] == b"first"
    assert everything(tmp_path) == ["report", "report/index.html", "report/report.json"]
    with replacing(tmp_path / "save") as one:
        one.write(b"one")
        with replacing(tmp_path / "save") as two:
            two.write(b"two")
        assert (tmp_path / "save").read_bytes() == b"two"
    assert (tmp_path / "save").read_bytes() == b"one"
    assert len(everything(tmp_path)) == 4


HAMMER = """
import os, sys
from pathlib import Path
from bygones.report import report_folder
from bygones.store import replacing
text, place, files = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
for _ in range(60):
    if text == "inside":
        os.chdir(place)  # so that its reports are moved file by file
    with report_folder(place, "report") as folder:
        for number in range(files):
            (folder / f"{number}.txt").write_text(text)
    with replacing(place.parent / "save") as file:
        file.write(text.encode())
"""


def test_many_runs_at_once_leave_one_whole_report(tmp_path):
    place = tmp_path / "report"
    with report_folder(place, "report") as folder:
        (folder / "0.txt").write_text("first")
    sizes = {"one": 3, "two": 7, "inside": 5}
    runs = [
        subprocess.Popen([sys.executable, "-c", HAMMER, text, place, str(count)], stderr=subprocess.PIPE, text=True)
        for text, count in sizes.items()
    ]
    for run in runs:
        _, said = run.communicate(timeout=300)
        assert run.returncode == 0, said
    sweep("report", tmp_path)
    found = shown(place)
    del found["report.json"]
    (text,) = {content.decode() for content in found.values()}
    assert sorted(found) == [f"{number}.txt" for number in range(sizes[text])]
    assert sorted(path.name for path in place.iterdir()) == [*sorted(found), "report.json"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report", "save"]
    assert (tmp_path / "save").read_text() in sizes
