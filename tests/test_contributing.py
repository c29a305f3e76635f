"""What CONTRIBUTING and the README show is what there is."""

import re
import tomllib
from pathlib import Path

from bygones.cli import main

ROOT = Path(__file__).parent.parent
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
SUPPLIERS = ROOT / "examples" / "suppliers.csv"


def rows(heading):
    """The cells of the table under a heading, without its head."""
    section = CONTRIBUTING.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[1:]]


def test_the_layers_shown_are_those_checked():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    shown = [row[0].replace("`", "").replace(", ", " | ") for row in rows("Layers")]
    assert shown == [layer for layer in layers if layer != "__main__"]
    assert len(shown) <= 12


def test_the_places_to_add_something_exist():
    table = rows("I want to add ...")
    assert len(table) == 12
    for what, where in table:
        places = re.findall(r"`((?:\w+/)+(?:[\w.]+)?)`", where)
        assert places, what
        for place in places:
            assert (ROOT / place).exists() or (ROOT / "src" / "bygones" / place).exists(), f"{what}: {place}"


def test_every_folder_of_tests_is_a_room():
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/test_*.py")}
    assert folders
    rooms = {path.parent.name for path in (ROOT / "src" / "bygones").glob("*/__init__.py")}
    assert folders <= rooms | {"hostile"}  # attacks, by topic


def test_the_make_targets_exist():
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), flags=re.M)
    for target in re.findall(r"`make ([\w-]+)`", CONTRIBUTING + README):
        assert target in targets


def test_the_readme_shows_rows_of_its_table():
    shown = re.search(r"```\n(week,.*?)```", README, flags=re.S)[1].splitlines()
    rows = SUPPLIERS.read_text().splitlines()
    assert [row for row in rows if row in shown] == [row for row in shown if row != "..."]
    assert len(rows) == 53


def test_the_readme_shows_the_answer_as_it_is_printed(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "66")
    monkeypatch.chdir(ROOT)
    command, shown = re.search(r"```\n\$ bygones (backtest .*?signed.csv)\n(.*?)```", README, flags=re.S).groups()
    assert main([*command.replace("\\", "").split(), "--out", str(tmp_path / "report")]) == 0
    printed = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    *lines, last = shown.splitlines()
    assert printed[:-1] == lines
    assert re.fullmatch(r"The report: bygones-backtest/index.html \(\d+\.\d s; all tables with --verbose\)", last)
