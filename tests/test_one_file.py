"""A learner, a memory and a cost family are one file and one line each: the rest of the library finds them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import bygones as by

LEARNER = '''
from .base import Learner
from .player import RowPlayer


class Obstinate(Learner):
    """Play the first action for ever."""

    @property
    def symmetric(self):
        return False

    @property
    def source(self):
        return "folklore"

    def bound(self, problem):
        return problem.cost_range * problem.horizon

    @property
    def player_type(self):
        return ObstinatePlayer


class ObstinatePlayer(RowPlayer):
    pure = True

    def begin(self):
        pass

    def decide(self):
        return self.vertex(0)

    def observe(self, costs):
        self.accept(costs)
'''
MEMORY = '''
from typing import ClassVar

import numpy as np

from bygones.memory import Memory


class Tapered(Memory):
    """The mean of the last decisions, and half as much of one more."""

    example: ClassVar[str] = "tapered:3"
    length: int

    def weights(self, t):
        shares = np.append(np.ones(self.length), 0.5)[:t]
        return shares / shares.sum()
'''
FAMILY = '''
import numpy as np

from .base import Costs, Source


class Stairs(Costs):
    """Each action costs a step more than the one before."""

    def source(self, n, rounds, generator):
        return StairsSource(n, rounds)


class StairsSource(Source):
    def _fill(self, costs):
        costs[:] = np.linspace(0, 1, self.n)
'''
ADDED = (
    ("learners", "obstinate", LEARNER, "from .obstinate import Obstinate; LEARNERS = (*LEARNERS, Obstinate)"),
    ("memory", "tapered", MEMORY, "from .tapered import Tapered; MEMORIES = (*MEMORIES, Tapered)"),
    ("costs", "stairs", FAMILY, "from .stairs import Stairs; FAMILIES = (*FAMILIES, Stairs)"),
)
BOUND = "from bygones.cli import main; main('bound --actions 3 --horizon 100 --memory {}'.split())"


def python(program, path):
    environment = {**os.environ, "PYTHONPATH": str(path), "NUMBA_DISABLE_JIT": "1", "COLUMNS": "120"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The library, with three files and three lines more."""
    folder = tmp_path_factory.mktemp("library")
    shutil.copytree(Path(by.__file__).parent, folder / "bygones", ignore=shutil.ignore_patterns("__pycache__"))
    for room, name, text, line in ADDED:
        (folder / "bygones" / room / f"{name}.py").write_text(text)
        with (folder / "bygones" / room / "__init__.py").open("a") as file:
            file.write(f"\n{line}\n")
    return folder


def test_what_is_added_is_listed(library):
    shown = python("from bygones.cli import main; main(['list'])", library)
    for line in ("Play the first action for ever.", "and half as much of one more.", "Each action costs a step more"):
        assert line in shown
    assert "10,000.0" in shown


def test_what_is_added_is_checked(library):
    python(
        "import bygones as by\n"
        "from bygones.costs import Stairs\n"
        "from bygones.learners import Obstinate\n"
        "from bygones.memory import Tapered\n"
        "assert Tapered(3) in [problem.memory for problem in by.checks.problems()]\n"
        "by.checks.check_learner(Obstinate())\n"
        "by.checks.check_learner(by.Steering(), by.Problem(3, 40, Tapered(3)))\n"
        "by.checks.check_memory(Tapered(3))\n"
        "by.checks.check_costs(Stairs())\n",
        library,
    )


def test_what_is_added_is_in_the_table_of_bounds_and_has_words(library):
    shown = python(
        f"{BOUND.format('tapered:4')}\n"
        "import bygones as by\n"
        "print('Now in Python')\n"
        "problem = by.Problem(3, 100, 'tapered:4')\n"
        "print(problem.memory.words, by.bounds(problem).filter(name='Obstinate').row(0))\n"
        "try:\n"
        "    by.Memory.parse('tapred:4')\n"
        "except ValueError as error:\n"
        "    print(error)\n",
        library,
    )
    table, _, shown = shown.partition("Now in Python")
    for said in ("Obstinate", "folklore", "Hedge"):
        assert said in table
    assert "tapered:4 ('Obstinate', 'folklore', 100.0, 1.0, True, 'promise')" in shown
    assert "weights:0.5,0.3,0.2 or tapered:3" in shown


def test_a_memory_of_ones_own_needs_no_list(tmp_path):
    (tmp_path / "mine.py").write_text(MEMORY)
    path = os.pathsep.join([str(tmp_path), str(Path(by.__file__).parent.parent)])
    program = (
        "from bygones.cli import main; main('bound --actions 3 --horizon 100 --memory mine:Tapered:length=4'.split())"
    )
    shown = python(program, path)
    assert "mine:Tapered:length=4" in shown
    assert "Use Guarded()" in shown
