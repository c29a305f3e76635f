"""Runs an operation again and again, killed before each change of a file in turn; a script for `test_kills.py`.

    python killing.py OPERATION HOME

Each run finds a copy of HOME/old in HOME/<number>, prints where it was killed, and gets one change further than the run
before. The last one is not killed.
"""

import json
import os
import resource
import shutil
import signal
import sys
from pathlib import Path

import numpy as np

import bygones as by

SIZES = (1, 700, 30_000, 2_000_000)  # bytes of a file at which a run is killed while it writes
CHANGES = ("os.", "shutil.")  # how the audit events of what changes files begin
READS = ("os.listdir", "os.scandir")
PROBLEM = by.Problem(["rail", "road"], 6, by.Window(2))


def player(age):
    made = by.Hedge().start(PROBLEM, seed=age)
    made.play(np.full((2 + age, 2), 0.25 * age))
    return made


def result(age):
    regrets = np.arange(12.0).reshape(2, 6) * age
    return by.Result(PROBLEM, [by.Hedge(), by.Uniform()], np.arange(1, 7), [regrets, regrets + 1], {"costs": f"{age}"})


def backtest(age):
    costs = np.random.default_rng(age).random((9, 2))
    return by.backtest(costs, "window:2", [by.Hedge()], cost_range=1.0)


def in_folder(made, place):
    place.mkdir(exist_ok=True)
    os.chdir(place)
    made.report("")


RUNS = {
    "player.save": (player, lambda made, home: by.save(made, home / "save")),
    "result.save": (result, lambda made, home: made.save(home / "save")),
    "backtest.save": (backtest, lambda made, home: made.save(home / "save")),
    "result.report": (result, lambda made, home: made.report(home / "report")),
    "result.report, working directory": (result, lambda made, home: in_folder(made, home / "report")),
    "backtest.report": (backtest, lambda made, home: made.report(home / "report")),
    "backtest.report, working directory": (backtest, lambda made, home: in_folder(made, home / "report")),
}


def die(*said):
    os.write(1, (json.dumps(said) + "\n").encode())
    os.kill(os.getpid(), signal.SIGKILL)


def killed_at(number, home):
    """Be killed before the operation of this number that changes files under the folder."""
    left = [number]

    def hook(event, args):
        writes = event == "open" and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        changes = event.startswith(CHANGES) and event not in READS
        if not (writes or changes) or not any(str(home) in str(arg) for arg in args[:2]):
            return
        left[0] -= 1
        if left[0] == 0:
            die(event, *(str(arg).replace(str(home), "") for arg in args[:2]))

    sys.addaudithook(hook)


def run(operation, age, home, prepare=lambda: None):
    """Run in a child, which is made before anything has started a thread; give how it ended."""
    child = os.fork()
    if child == 0:
        try:
            make, do = RUNS[operation]
            made = make(age)
            prepare()
            do(made, home)
            os._exit(0)
        finally:
            os._exit(1)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status not in (0, -signal.SIGKILL, -signal.SIGXFSZ):
        raise SystemExit(f"{operation} in {home.name} ended with {status}")
    return status


def limited(size):
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def main(operation, base):
    assert len(os.listdir("/proc/self/task")) == 1, "a fork with threads could hang"  # noqa: PTH208
    old = base / "old"
    old.mkdir()
    if not operation.endswith(", new"):
        run(operation, 1, old)
    operation = operation.removesuffix(", new")
    for size in SIZES:
        home = base / f"size {size}"
        shutil.copytree(old, home)
        if run(operation, 2, home, lambda size=size: limited(size)):
            os.write(1, (json.dumps(["a write", f"of {size} bytes", home.name]) + "\n").encode())
    number, status = 0, -1
    while status:
        number += 1
        home = base / f"{number:03}"
        shutil.copytree(old, home)
        status = run(operation, 2, home, lambda number=number, home=home: killed_at(number, home))
    home.rename(base / "new")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
