import ast
import importlib
import shutil
from pathlib import Path

import numpy as np
import pytest
from studying import module, small

import bygones as by
from bygones.kernels import cache as kernel_cache
from bygones.studies import cells
from bygones.studies.cells import Cell, MismatchError, compute, key_of
from bygones.studies.configurations import configurations

ONE = next(iter(configurations(small()))).configuration
APART = {"parallel", "result", "version", "visible", "bootstrap", "store"}  # rooms that make no number of a cell


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """A copy of the package, whose sources are digested anew."""
    place = tmp_path / "bygones"
    shutil.copytree(kernel_cache.PACKAGE, place, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(kernel_cache, "PACKAGE", place)
    cells.sources.cache_clear()
    yield place
    cells.sources.cache_clear()


def changed(path):
    """The key before and after a change of a file."""
    before = key_of(ONE)
    path.write_bytes(path.read_bytes() + b"\n# changed\n")
    cells.sources.cache_clear()
    return before != key_of(ONE)


@pytest.mark.parametrize("room", cells.ROOMS)
def test_a_key_changes_with_any_source_that_computes(room, copied):
    place = copied / room
    for path in sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]:
        assert changed(path), path


def test_a_key_changes_with_no_other_source(copied):
    for room in ("report", "cli", "result.py", "studies/results.py", "parallel.py"):
        place = copied / room
        for path in place.rglob("*.py") if place.is_dir() else [place]:
            assert not changed(path), path


def test_the_rooms_are_all_that_computing_a_cell_imports():
    package, seen, left = kernel_cache.PACKAGE, set(), ["engine"]
    while left:
        room = left.pop()
        if room in seen or room in APART:
            continue
        seen.add(room)
        place = package / room
        for path in place.rglob("*.py") if place.is_dir() else [place.with_suffix(".py")]:
            up = len(path.relative_to(package).parts)
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.ImportFrom) and node.level == up:
                    left += [node.module.split(".")[0]] if node.module else [name.name for name in node.names]
    assert seen == {room for room in cells.ROOMS if room != "studies/cells"}


@pytest.mark.parametrize("field", ONE._fields)
def test_a_key_changes_with_every_part_of_a_configuration(field):
    others = {"learner": "lsa", "costs": "trap:final=5", "memory": "window:9", "method": "expected", "record": "all"}
    others |= {"switches": True, "guarantees": True, "cost_range": 2.0}
    other = ONE._replace(**{field: others.get(field, 99)})
    assert key_of(other) != key_of(ONE) == key_of(ONE._replace())


def test_a_key_follows_the_content_of_a_table_and_not_its_place(tmp_path):
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    for path in (first, second):
        path.write_text("x,y\n1,2\n3,4\n")
    there, elsewhere = (ONE._replace(costs=str(path), actions=None, horizon=None) for path in (first, second))
    assert key_of(there) == key_of(elsewhere)
    assert cells.costs_of(str(first)).data[0, 0] == 1
    first.write_text("x,y\n9,2\n3,4\n")
    assert key_of(there) != key_of(elsewhere)
    assert cells.costs_of(str(first)).data[0, 0] == 9  # not what was read before


def test_a_key_follows_the_users_module_and_what_it_is_built_on(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    mine = ONE._replace(learner=module(tmp_path, "mine_for_keys"))
    (tmp_path / "based.py").write_text("from mine_for_keys import Mine\nclass More(Mine): pass\n")
    based = ONE._replace(learner="based:More", memory="window:2")
    wrapped = ONE._replace(learner="pure(mine_for_keys:Mine)")
    before = [key_of(each) for each in (mine, based, wrapped)]
    assert before == [key_of(each) for each in (mine, based, wrapped)]
    assert len({*before, key_of(ONE)}) == 4
    path = tmp_path / "mine_for_keys.py"
    path.write_text(path.read_text() + "\nchanged = 1\n")
    assert before == [key_of(each) for each in (mine, based, wrapped)]  # what is loaded is still what it was
    importlib.reload(importlib.import_module("mine_for_keys"))
    importlib.reload(importlib.import_module("based"))
    assert not {*before} & {key_of(each) for each in (mine, based, wrapped)}
    assert key_of(ONE._replace(memory="window:4")) != before[1]


def test_a_class_without_a_source_is_refused(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "sourceless.py").write_text(
        "import bygones as by\nexec('class Mine(by.Uniform): pass', globals())\nMine.__module__ = 'nowhere'\n"
    )
    with pytest.raises(ValueError, match="the source of nowhere:Mine cannot be found.*put the class into a module"):
        key_of(ONE._replace(learner="sourceless:Mine"))


def test_a_worker_with_another_version_says_so():
    with pytest.raises(MismatchError, match="has another bygones, numpy or numba.*install the same everywhere"):
        compute(Cell("0" * 40, ONE, 0, 1))


def test_a_worker_without_the_users_module_says_so():
    with pytest.raises(MismatchError, match="lacks something.*no learner or module 'not_there'"):
        compute(Cell("0" * 40, ONE._replace(learner="not_there:Mine"), 0, 1))


@pytest.mark.parametrize("fault", ["raise RuntimeError('on purpose')", "raise SystemExit(3)", "raise MemoryError"])
def test_whatever_a_learner_raises_is_told_in_words(fault, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    name = f"faulty{abs(hash(fault))}"
    here = ONE._replace(learner=module(tmp_path, name, fault), memory="window:3")
    told = compute(Cell(key_of(here), here, 0, 1))
    assert isinstance(told, str)
    assert told.startswith(fault.removeprefix("raise ").partition("(")[0])


def test_a_cell_holds_what_simulate_gives():
    from bygones.store import frame_from

    found = frame_from(compute(Cell(key_of(ONE), ONE, 2, 5)))[1]
    problem = by.Problem(ONE.actions, ONE.horizon, by.Window(2))
    whole = by.simulate(problem, [ONE.learner], by.StocHet(), 5, record="end")
    (regrets,) = whole.regrets.values()
    assert found["replicate"].to_list() == [2, 3, 4]
    np.testing.assert_array_equal(found["regret"].to_numpy(), regrets[2:, -1])


def test_a_table_may_lie_elsewhere_on_a_worker(tmp_path):
    there, here = tmp_path / "there.csv", tmp_path / "here.csv"
    there.write_text("x,y\n1,2\n3,4\n")
    planned = ONE._replace(costs=str(there), actions=None, horizon=None)
    cell = Cell(key_of(planned), planned, 0, 1)
    there.rename(here)
    with pytest.raises(MismatchError, match="lacks something.*cannot be read here: No such file"):
        compute(cell)
    assert isinstance(compute(cell, here), bytes)
    Path(here).write_text("x,y\n1,2\n3,5\n")
    with pytest.raises(MismatchError, match="or another version of a class or table of yours"):
        compute(cell, here)


@pytest.mark.compiled
def test_kernels_are_compiled_or_loaded_once_and_not_for_every_cell():
    from numba.core import event

    made = [Cell(key_of(ONE), ONE, first, first + 1) for first in range(4)]
    assert isinstance(compute(made[0]), bytes)
    with event.install_recorder("numba:compile") as compiled, event.install_recorder("numba:llvm_lock") as loaded:
        for cell in made[1:]:
            assert isinstance(compute(cell), bytes)
    assert not compiled.buffer
    assert not loaded.buffer
