"""The tutorials show what their commands print, and tables that their script makes; doctests run the Python."""

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from bygones.cli import main

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
import tutorial_data
import tutorials

ROOT = tutorials.ROOT
PAGES = sorted(path for path in tutorials.PAGES.glob("*.md") if path.stem != "README")
BLOCKS = [(page.stem, *found) for page in PAGES for found in tutorials.SHOWN.findall(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize(("page", "command", "shown"), BLOCKS, ids=[f"{page}-{command}" for page, command, _ in BLOCKS])
def test_a_command_prints_what_is_shown(page, command, shown, capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    Path("examples").symlink_to(ROOT / "examples")
    program, *words = shlex.split(command.replace("\\\n", ""))
    if program == "bygones":
        assert main(words) == (2 if shown.startswith("bygones: ") else 0)
        printed = "".join(capsys.readouterr())
    else:
        assert program == "head"
        printed = subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout
    got = "\n".join(line.rstrip() for line in printed.splitlines()) + "\n"
    want, got = (tutorials.SECONDS.sub("(0.0 s", text) for text in (shown, got))
    same = doctest.OutputChecker().check_output(want, got, doctest.ELLIPSIS)
    assert same, f"`make tutorials` writes what {page}.md shows anew:\n{got}"


def test_every_page_has_commands_a_picture_and_its_words():
    assert len(PAGES) == 5
    index = (tutorials.PAGES / "README.md").read_text(encoding="utf-8")
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert f"({page.name})" in index
        assert "\n$ bygones " in text
        assert f"({page.stem}.png)" in text
        assert (tutorials.PAGES / f"{page.stem}.png").read_bytes().startswith(b"\x89PNG")
        assert 60 <= len(text.splitlines()) <= 145
        for word in ("memory", "state", "learner", "regret"):
            assert re.search(rf"(?i)\*\*{word}\b", text), f"{page.name} does not define {word}"


def test_the_script_makes_the_tables_of_the_examples():
    for name, table in tutorial_data.tables().items():
        path = ROOT / "examples" / f"{name}.csv"
        assert path.stat().st_size < 8_000
        assert_frame_equal(pl.read_csv(path, try_parse_dates=True), table, check_exact=False, abs_tol=1e-9)
