"""What a newcomer meets first: the import, the names, the pages."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import bygones as by
from bygones.costs import FAMILIES
from bygones.learners import LEARNERS
from bygones.memory import MEMORIES

ROOT = Path(__file__).parent.parent
HEAVY = ("numpy", "numba", "polars", "matplotlib", "plotly", "narwhals", "msgspec")


def python(program):
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)


def test_the_import_is_silent_and_light():
    done = python(
        "import sys; import bygones; "
        "print({name.split('.')[0] for name in sys.modules} - set(sys.stdlib_module_names) - {'__main__', 'site'})"
    )
    loaded = ast.literal_eval(done.stdout)
    assert not loaded & set(HEAVY)
    assert {name for name in loaded if not name.startswith(("_", "sitecustomize"))} == {"bygones"}
    assert done.stderr == ""


def test_descriptions_and_theory_do_not_import_numba():
    program = (
        "import sys, bygones as by; p = by.Problem(10, 10_000, by.Window(100)); by.FTARL().bound(p); "
        "print('numpy' in sys.modules, 'numba' in sys.modules, 'polars' in sys.modules, 'matplotlib' in sys.modules)"
    )
    assert python(program).stdout.strip() == "True False False False"


def test_every_public_name_resolves():
    for name in by.__all__:
        assert getattr(by, name) is not None
    assert set(by.__all__) <= set(dir(by))
    with pytest.raises(AttributeError, match="module 'bygones' has no attribute 'FTRAL'"):
        _ = by.FTRAL


def test_public_names_follow_from_the_lists(monkeypatch):
    for kind in (*LEARNERS, *MEMORIES, *FAMILIES):
        assert getattr(by, kind.__name__) is kind

    class Novel(by.Learner):
        player_type = by.Uniform().player_type

    monkeypatch.setattr("bygones.learners.LEARNERS", (*LEARNERS, Novel))
    assert "Novel" in dir(by)
    assert by.Novel is Novel
    del by.Novel
    scope = {}
    exec("from bygones import *", scope)  # noqa: S102
    assert {"FTARL", "Novel", "Window", "StocHet", "simulate"} <= scope.keys()
    del by.Novel


def test_type_checkers_see_the_names_that_users_get():
    tree = ast.parse((ROOT / "src/bygones/__init__.py").read_text())
    seen = {
        alias.asname
        for node in ast.walk(tree)
        if isinstance(node, ast.If)
        for line in node.body
        if isinstance(line, ast.ImportFrom)
        for alias in line.names
    }
    assert seen == set(by.__all__) - {"__version__"}


def test_the_stranger_s_learner_is_short():
    """The page's example runs as a doctest; here its length is counted, imports and blank lines included."""
    page = (ROOT / "docs/adding-a-learner.md").read_text()
    example = re.search(r"```python\n(>>> .*?)```", page, flags=re.S)
    lines = [line for line in example[1].splitlines() if line.startswith((">>>", "..."))]
    assert len(lines) <= 25
    assert any("check_learner" in line for line in lines)


def test_the_citation_names_both_works():
    citation = (ROOT / "CITATION.cff").read_text()
    assert "bygones" in citation
    assert "Hebbar" in citation
    assert by.__version__.removesuffix(".dev0") in citation


def test_links_between_the_pages_lead_somewhere():
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_locks_are_hashed_and_name_no_host():
    for lock in (ROOT / "requirements").glob("*.txt"):
        text = lock.read_text()
        assert "://" not in text
        assert text.count("==") <= text.count("--hash=sha256:")
        assert {"hatchling", "editables"} <= set(re.findall(r"^([a-z-]+)==", text, flags=re.M))


def test_json_forms_are_json():
    assert json.loads(json.dumps(by.Weights([0.5, 0.5]).to_dict())) == {"type": "Weights", "lags": [0.5, 0.5]}
