"""Kernels say the same compiled and uncompiled, and an edited one is never served from a stale cache."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bygones as by
from bygones.kernels import Kernel, compiled, first_fault, first_off_simplex
from bygones.kernels.cache import MARKER, cache_directory

PACKAGE = Path(by.__file__).parent


def all_kernels():
    """Every kernel of the package, by the name it is assigned to."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.stem == "__main__":
            continue
        module = ".".join(["bygones", *path.relative_to(PACKAGE).with_suffix("").parts]).removesuffix(".__init__")
        names = vars(__import__(module, fromlist=["*"]))
        found |= {name: value for name, value in names.items() if isinstance(value, Kernel)}
    return found


def test_kernels_are_plain_functions_compiled_by_assignment():
    kernels = all_kernels()
    assert len(kernels) >= 12
    assert all(kernel.function.__name__ == f"_{name}" for name, kernel in kernels.items())


DIGEST = """
import hashlib
import numpy as np
import bygones as by

digest = hashlib.sha256()
rng = np.random.default_rng(0)
memories = [by.Window(7), by.FullHistory(), by.Geometric(0.8), by.Weights([0.2, 0.5, 0.3])]
learners = [by.FTARL(), by.FTARL(play="mean"), by.LSA(rate=0.3), by.LSA(play="mean"), by.Hedge(), by.FTPL(),
            by.FollowTheLeader(), by.Fixed(1), by.Uniform()]
for n in (2, 5):
    costs = by.StocHet().draw(n, 300, rng)
    for memory in memories:
        for learner in learners:
            decisions = learner.start(by.Problem(n, 300, memory), seed=1).play(costs)
            digest.update(decisions.tobytes() + memory.start(n).extend(decisions).tobytes())
print(digest.hexdigest())
"""


def run(program, **environment):
    done = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_compiled_and_interpreted_runs_are_equal_to_the_bit(capsys):
    exec(DIGEST, {})  # noqa: S102
    assert capsys.readouterr().out.strip() == run(DIGEST, NUMBA_DISABLE_JIT="1")


# Compiles one small kernel.
SMALL = "import numpy as np; from bygones.kernels import first_off_simplex as k; print(k(np.eye(2), 1e-9))"


@pytest.mark.compiled
def test_an_edited_kernel_is_never_served_from_a_stale_cache(tmp_path):
    """Edit a callee in another file than the kernel that calls it: what numba's own cache misses."""
    shutil.copytree(PACKAGE, tmp_path / "bygones", ignore=shutil.ignore_patterns("__pycache__"))
    program = (
        "import bygones as by; print(by.__file__);"
        "player = by.Hedge(rate=1.0).start(by.Problem(3, 9, by.Window(2)));"
        "player.observe([0.0, 0.5, 1.0]); print(player.decide())"
    )
    environment = {"PYTHONPATH": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    before = run(program, **environment)
    assert str(tmp_path) in before
    assert run(program, **environment) == before
    callee = tmp_path / "bygones" / "kernels" / "softmin.py"
    source = callee.read_text()
    assert source.count("math.exp(-rate *") == 1
    callee.write_text(source.replace("math.exp(-rate *", "math.exp(-2.0 * rate *"))
    assert run(program, **environment) != before


@pytest.mark.compiled
def test_a_cache_in_use_is_kept_however_old(tmp_path):
    program = SMALL
    run(program, XDG_CACHE_HOME=str(tmp_path))
    (current,) = (tmp_path / "bygones").iterdir()
    other = tmp_path / "bygones" / "0123456789abcdef"
    other.mkdir()
    (other / MARKER).touch()
    for directory in (current, other):
        os.utime(directory, (0, 0))
    run(program, XDG_CACHE_HOME=str(tmp_path))
    assert list((tmp_path / "bygones").iterdir()) == [current]
    assert list(current.iterdir())


def test_a_home_that_cannot_be_written_only_means_no_cache(tmp_path):
    (tmp_path / "file").write_text("")
    assert (
        run(
            "from bygones.kernels.cache import cache_directory as d; print(d())",
            XDG_CACHE_HOME=str(tmp_path / "file"),
        )
        == "None"
    )
    assert run(SMALL, XDG_CACHE_HOME=str(tmp_path / "file")) == "-1"


@pytest.mark.compiled
def test_a_full_disk_only_means_no_cache(tmp_path):
    program = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)); {SMALL}"
    assert run(program, XDG_CACHE_HOME=str(tmp_path)) == "-1"
    (directory,) = (tmp_path / "bygones").iterdir()
    assert [path.name for path in directory.iterdir()] == [MARKER]


def test_the_cache_is_named_by_the_package_and_lies_under_the_users_own():
    directory = cache_directory()
    assert directory is not None
    assert directory.parent.name == "bygones"


def _addend():
    return 1.0


def _caller(x):
    return x + addend()


addend = compiled(_addend)
caller = compiled(_caller)


def test_kernels_call_kernels():
    assert caller(2.0) == 3.0
    assert caller.function(2.0) == 3.0


@pytest.mark.parametrize("call", [first_fault, first_fault.function], ids=["compiled", "plain"])
def test_first_fault(call):
    costs = np.zeros((3, 2))
    assert call(costs, 1e100, 1.0) == (-1, -1)
    costs[2] = [0.0, 1.5]
    assert call(costs, 1e100, 1.0) == (2, -1)
    costs[1, 1] = np.nan
    assert call(costs, 1e100, 1.0) == (1, 1)
    assert call(np.zeros((0, 2)), 1e100, 1.0) == (-1, -1)


@pytest.mark.parametrize("call", [first_off_simplex, first_off_simplex.function], ids=["compiled", "plain"])
def test_first_off_simplex(call):
    rows = np.array([[0.5, 0.5], [1.0, 0.0], [1.0, np.nan], [1.5, -0.5], [0.5, 0.6]])
    assert call(rows[:2], 1e-9) == -1
    for bad in (2, 3, 4):
        assert call(rows[[0, bad]], 1e-9) == 1
