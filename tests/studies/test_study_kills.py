"""Studies that are killed at random moments: nothing is lost, torn, doubled, or computed again."""

import os
import signal
import time
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
from studying import cells, cluster, command, computed, exported, run, said, small, toml

from bygones.studies.running import Session

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.xdist_group("kills")]
STUDY = {"horizon": 120_000, "replicates": 4, "grid": {"H": [2, 3, 5, 7, 11, 13]}}
BLOCK = 2  # replicates of a cell
COUNT = 24  # cells
LONGER = STUDY | {"replicates": 60}  # for what must not end before it is interrupted
KILLS = {"command, threads": 3, "command, processes": 3, "command, Dask": 2, "process": 4, "worker": 4, "scheduler": 4}
INTERRUPTED = 30  # seconds; a watchdog, no measure


def test_so_many_runs_are_killed():
    assert sum(KILLS.values()) == 20


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """What an undisturbed run gives."""
    folder = tmp_path_factory.mktemp("whole") / "out"
    run(small(**STUDY), folder, workers=1)
    return exported(small(**STUDY), folder)


def prepared(folder, study=STUDY):
    """A study in a file, and a folder in which its cells are cut small: the pace is there before the run."""
    session = Session(small(**study), folder / "out")
    session.folder.declare((toml(folder, **study)).read_text())
    for point in session._configurations():
        session.pace.seconds(point)
    for path in (folder / "out" / "pace").iterdir():
        path.write_text(repr(1 / (BLOCK * STUDY["horizon"])))
    return folder / "study.toml"


def reached(folder, child, count):
    """Wait until a run has computed so many cells, or has ended."""
    end = time.monotonic() + 120
    while len(cells(folder)) < count and child.poll() is None and time.monotonic() < end:
        time.sleep(0.005)


def spawned(child):
    """The processes that compute for a command."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = path.read_text().rpartition(")")[2].split()[1]
            words = (path.parent / "cmdline").read_text()
        except OSError:
            continue
        if parent == str(child.pid) and "spawn_main" in words:
            found.append(int(path.parent.name))
    return found


@pytest.mark.parametrize(
    ("what", "number"), [(what, number) for what, times in KILLS.items() for number in range(times)]
)
def test_a_study_survives_a_kill(what, number, whole, tmp_path, counted):
    generator = np.random.default_rng([number, len(what)])
    path, folder = prepared(tmp_path), tmp_path / "out"
    with ExitStack() as stack:
        way = ["--workers", "2"]
        if what in ("command, processes", "process"):
            way += ["--processes"]
        elif what != "command, threads":
            found = stack.enter_context(cluster(tmp_path / "cluster"))
            way = ["--cluster", found.address]
        child = command("study", "run", path, "--out", folder, *way, cwd=tmp_path, start_new_session=True)
        reached(folder, child, int(generator.integers(0, COUNT)))
        time.sleep(generator.uniform(0, 0.2))
        if what.startswith("command"):
            child.kill()
        elif what == "process":
            for process in spawned(child)[:1]:
                os.kill(process, signal.SIGKILL)
        else:
            (found.scheduler if what == "scheduler" else found.workers[number % 2]).kill()
        code, _, err = said(child)
    expected = {"command": -signal.SIGKILL, "process": 0, "worker": 0, "scheduler": 2}[what.partition(",")[0]]
    assert code == expected or len(cells(folder)) == COUNT, err  # which may have come before the kill
    if what == "scheduler" and code:
        assert "has gone; what was computed is kept: start it, and run it again" in err
    before, told = cells(folder), sum(computed(folder))
    assert told in (0, len(before)) if what.startswith("command") else told == len(before)
    code, _, err = said(command("study", "run", path, "--out", folder, cwd=tmp_path))
    assert code == 0, err
    after = cells(folder)
    assert {name: after[name] for name in before} == before
    assert len(after) == COUNT
    assert computed(folder)[-1] == COUNT - len(before)
    assert not list(folder.rglob(".bygones-unfinished-*"))
    assert exported(small(**STUDY), folder) == whole
    counted("kills of a study")


@pytest.mark.parametrize("way", [["--workers", "2"], ["--processes"], ["--cluster", "local:2"]])
def test_an_interrupted_study_ends_and_keeps_what_was_done(way, tmp_path):
    path, folder = prepared(tmp_path, LONGER), tmp_path / "out"
    child = command("study", "run", path, "--out", folder, *way, cwd=tmp_path, start_new_session=True)
    reached(folder, child, 3)
    os.killpg(child.pid, signal.SIGINT)  # as a terminal does
    code, _, err = said(child, INTERRUPTED)
    assert code == 130
    assert err.splitlines()[0] == "bygones: what was computed is kept: run it again to go on"
    before = cells(folder)
    assert 3 <= len(before) < COUNT * LONGER["replicates"] // STUDY["replicates"]
    assert said(command("study", "run", path, "--out", folder, cwd=tmp_path))[0] == 0
    assert {name: cells(folder)[name] for name in before} == before
    assert Session(small(**LONGER), folder).plan().cells == 0


def test_killed_commands_leave_no_processes(tmp_path):
    path, folder = prepared(tmp_path, LONGER), tmp_path / "out"
    child = command("study", "run", path, "--out", folder, "--processes", cwd=tmp_path)
    reached(folder, child, 1)
    left = spawned(child)
    assert left
    child.kill()
    child.communicate()
    end = time.monotonic() + INTERRUPTED
    while any(Path(f"/proc/{each}").exists() for each in left) and time.monotonic() < end:
        time.sleep(0.1)
    assert not [each for each in left if Path(f"/proc/{each}").exists()]


@pytest.mark.parametrize("begun", [False, True])
def test_two_runs_at_once_share_the_work(begun, whole, tmp_path):
    path, folder = prepared(tmp_path) if begun else toml(tmp_path, **STUDY), tmp_path / "out"
    words = ["study", "run", path, "--out", folder, "--workers", "1"]
    children = [command(*words, cwd=tmp_path) for _ in range(2)]
    for child in children:
        code, _, err = said(child)
        assert code == 0, err
    count = len(cells(folder))
    assert count == COUNT or not begun
    assert count <= sum(computed(folder)) <= count + 2 * 4  # those in flight when the other one is done
    assert not list((folder / "claims").iterdir())
    assert exported(small(**STUDY), folder) == whole
    assert not list(folder.rglob(".bygones-unfinished-*"))
