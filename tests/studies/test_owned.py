"""What a key covers of the user's own modules."""

import importlib
import shutil
import sys

import pytest
from studying import LEARNER, small

from bygones.studies.cells import Cell, MismatchError, compute, key_of
from bygones.studies.configurations import configurations
from bygones.studies.owned import modules

ONE = next(iter(configurations(small()))).configuration
HEAD = """
import json, numpy as np
import plain_for_keys
from . import near
from .sub.deep import value as renamed
from .near import *
try:
    import not_installed_at_all.more as more
except ImportError:
    more = None

def later():
    import lazy_for_keys
"""
FILES = {
    "pack_for_keys/__init__.py": "",
    "pack_for_keys/mine.py": HEAD + LEARNER.format(fault="pass"),
    "pack_for_keys/near.py": "from pack_for_keys import circle",
    "pack_for_keys/circle.py": "from . import near",
    "pack_for_keys/sub/__init__.py": "__all__ = []",
    "pack_for_keys/sub/deep.py": "from ..above import value",
    "pack_for_keys/above.py": "value = 1",
    "pack_for_keys/unrelated.py": "",
    "pack_for_keys/sub/unrelated.py": "",
    "plain_for_keys.py": "import half_for_keys.part",
    "half_for_keys/part.py": "",  # of a package without a file
    "lazy_for_keys.py": "import worse_for_keys",
    "worse_for_keys.py": "this is no Python",
    "unrelated_for_keys.py": "",
}
UNRELATED = {path for path in FILES if "unrelated" in path}
MINE = ONE._replace(learner="pack_for_keys.mine:Mine:H=9")


def written(folder):
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


@pytest.fixture
def fresh(monkeypatch):
    """Forgets the modules, as another process would not know them."""

    def forget():
        for name in [name for name in sys.modules if "_for_keys" in name]:
            monkeypatch.delitem(sys.modules, name)
        importlib.invalidate_caches()

    forget()
    yield forget
    forget()


@pytest.fixture
def place(tmp_path, monkeypatch, fresh):
    monkeypatch.syspath_prepend(tmp_path)
    return written(tmp_path)


@pytest.mark.parametrize("path", FILES)
def test_a_key_changes_with_the_modules_that_are_imported_and_with_no_other(path, place, fresh):
    before = key_of(MINE)
    assert before == key_of(MINE)
    fresh()
    assert before == key_of(MINE)
    with (place / path).open("a") as file:
        file.write("\n# changed\n")
    fresh()
    assert (before == key_of(MINE)) == (path in UNRELATED)


def test_a_module_that_is_loaded_counts_as_it_was_until_it_is_loaded_again(place):
    before = key_of(MINE)
    for name, loaded in (("above", True), ("lazy", False)):
        path = place / ("lazy_for_keys.py" if name == "lazy" else "pack_for_keys/above.py")
        path.write_text(path.read_text() + "\n# changed\n")
        assert (key_of(MINE) == before) == loaded
        if loaded:
            importlib.reload(importlib.import_module("pack_for_keys.above"))
            assert key_of(MINE) != before
            before = key_of(MINE)


def test_no_module_is_imported_to_be_found(place):
    assert {"lazy_for_keys", "worse_for_keys", "half_for_keys.part"} <= modules("pack_for_keys.mine").keys()
    assert not [name for name in sys.modules if "_for_keys" in name]


def test_a_key_is_the_same_where_the_same_files_lie_in_another_folder(place, tmp_path_factory, monkeypatch, fresh):
    cell = Cell(key_of(MINE), MINE, 0, 1)
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "there"
    shutil.copytree(place, elsewhere)
    fresh()
    monkeypatch.setattr(sys, "path", [str(elsewhere), *sys.path[1:]])
    assert isinstance(compute(cell), bytes)
    assert sys.modules["plain_for_keys"].__file__.startswith(str(elsewhere))
    (elsewhere / "plain_for_keys.py").write_text("changed = 1")
    fresh()
    with pytest.raises(MismatchError, match="or another version of a class or table of yours"):
        compute(cell)


def test_of_installed_packages_only_that_of_the_class_counts(tmp_path, monkeypatch, fresh):
    place = written(tmp_path / "site-packages")
    monkeypatch.syspath_prepend(place)
    found = modules("pack_for_keys.mine")
    assert found.keys() == {name for name in found if name.partition(".")[0] == "pack_for_keys"}
    assert "pack_for_keys.above" in found
    (tmp_path / "own_for_keys.py").write_text("import pack_for_keys.mine, numpy")
    monkeypatch.syspath_prepend(tmp_path)
    assert modules("own_for_keys").keys() == {"own_for_keys"}
