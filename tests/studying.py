"""A small study, how it is run, and what is left of it."""

import json
import os
import subprocess
import sys
import textwrap
import time
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import tomli_w

import bygones as by
from bygones.studies.declaration import SECTIONS
from bygones.studies.results import Found
from bygones.studies.running import Session

SMALL = {
    "learners": ["hedge", "ftarl"],
    "costs": ["stochet"],
    "memory": "window:{H}",
    "grid": {"H": [2, 3]},
    "actions": 3,
    "horizon": [20, 30],
    "replicates": 6,
}
CLOSED = ("--dashboard-address", "127.0.0.1:0")  # without it, their pages are open to all
LEARNER = """
import os
import bygones as by
from bygones.learners.uniform import UniformPlayer

class Mine(by.Uniform):
    '''Does something else where the window is H.'''
    H: int = 0

    @property
    def player_type(self):
        return Player

class Player(UniformPlayer):
    def begin(self):
        if self.problem.memory == by.Window(self.learner.H):
            {fault}
        super().begin()
"""


def small(**changes):
    return by.Study(**(SMALL | changes))


def run(study, folder, **how):
    """Run a study, and give what was done."""
    return Session(study, Path(folder)).run(progress=False, **how)


def exported(study, folder):
    """The table of a study, as bytes."""
    path = Path(folder).with_suffix(".csv")
    Found(study, Session(study, Path(folder)).found.folder).export(path)
    return path.read_bytes()


def cells(folder):
    """The files of cells, by what changes if they are written again."""
    return {path.name: (path.stat().st_mtime_ns, path.stat().st_ino) for path in folder.glob("cells/*/*.parquet")}


def computed(folder):
    """How many cells the runs in a folder have computed, each."""
    return [json.loads(path.read_bytes())["computed"] for path in sorted(folder.glob("runs/*.json"))]


def module(folder, name, fault="raise RuntimeError('on purpose')"):
    """A module with a learner of one's own, and its words for a window that is not the faulty one."""
    (folder / f"{name}.py").write_text(LEARNER.format(fault=fault))
    return f"{name}:Mine:H=3"


def toml(folder, **changes):
    """A study in a file."""
    fields = SMALL | changes
    sections = {"grid": fields.pop("grid"), "study": {}, "problem": {}}
    for name, value in fields.items():
        sections[SECTIONS[name]][name] = value
    path = folder / "study.toml"
    path.write_text(tomli_w.dumps(sections))
    return path


def command(*words, cwd, **options):
    """The command line in a process of its own."""
    code = "import sys; from bygones.cli import main; sys.exit(main())"
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, words)],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | options.pop("env", {}),
        **options,
    )


def said(child, seconds=120):
    """The exit code of a process, and what it printed."""
    out, err = child.communicate(timeout=seconds)
    assert "Traceback" not in err, err
    return child.returncode, out, err


class Cluster(NamedTuple):
    """A scheduler and its workers, as processes."""

    address: str
    scheduler: subprocess.Popen
    workers: list


@contextmanager
def cluster(folder, workers=2, port=0):
    """A real Dask cluster on this machine, whose workers share nothing but it."""
    from distributed import Client

    def dask(place, *words):
        place.mkdir(parents=True, exist_ok=True)
        with (place / "log").open("w") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", *words],
                cwd=place,
                stdout=log,
                stderr=log,
            )

    begun = []
    try:
        noted = folder / "scheduler.json"
        noted.unlink(missing_ok=True)
        words = ["--host", "127.0.0.1", "--port", str(port), *CLOSED, "--scheduler-file", str(noted)]
        begun.append(dask(folder / "scheduler", "scheduler", *words))
        end = time.monotonic() + 60
        while not (noted.exists() and noted.read_text().endswith("}")) and time.monotonic() < end:
            time.sleep(0.1)
        address = json.loads(noted.read_text())["address"]
        for number in range(workers):
            words = [address, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", *CLOSED, "--local-directory", "."]
            begun.append(dask(folder / f"worker {number}", "worker", *words))
        if workers:
            with Client(address, timeout=60) as client:
                client.wait_for_workers(workers, timeout=60)
        yield Cluster(address, begun[0], begun[1:])
    finally:
        for process in reversed(begun):
            process.kill()
            process.wait()
