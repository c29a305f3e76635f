"""Names that a terminal would obey or a spreadsheet run: on the terminal and in CSV files they are text."""

import csv
import io

import numpy as np
import polars as pl
import pytest
from names import ESCAPES, FORMULAS

import bygones as by
from bygones.cli import main
from bygones.report import as_csv
from bygones.visible import visible

STARTS = tuple("=+-@\t\r\n＝＋－＠")  # noqa: RUF001
HOSTILE = (*ESCAPES, *FORMULAS)


def safe(text):
    return not [sign for sign in text if not (sign.isprintable() or sign == "\n")]


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A file whose options have those names, as far as a CSV file can have them."""
    path = tmp_path_factory.mktemp("terminal") / "costs.parquet"
    generator = np.random.default_rng(0)
    pl.DataFrame({name: generator.random(30) for name in HOSTILE}).write_parquet(path)
    return path


@pytest.fixture(scope="module")
def report(table):
    by.backtest(table, "window:2", ["uniform", "hedge"]).report(table.parent / "report")
    return table.parent / "report"


def test_names_of_options_on_the_terminal(table, tmp_path, capsys):
    words = ["backtest", str(table), "--memory", "window:2", "--learner", "uniform", "--learner", "hedge"]
    assert main([*words, "--out", str(tmp_path / "report")]) == 0
    shown = capsys.readouterr()
    assert safe(shown.out + shown.err)


@pytest.mark.parametrize("name", [name for name in HOSTILE if "\0" not in name])
def test_names_of_files_folders_and_options_of_the_command(name, tmp_path, capsys, monkeypatch, counted):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "costs.csv").write_text("rail,road\n" + "1,2\n2,1\n" * 6)
    words = ["backtest", "costs.csv", "--memory", "window:2", "--learner", "uniform", "--range", "5"]
    assert main([*words, "--out", f"x{name}"]) == 0
    assert f"x{visible(name)}" in capsys.readouterr().out.replace("\n", "")
    for odd in (
        [f"x{name}"],
        [f"--{name}"],
        ["list", f"--{name}"],
        ["bound", f"x{name}"],
        [*words, "--actions", f"x{name}"],
        [*words, "--time", f"x{name}"],
        [*words[:3], f"x{name}"],
        ["backtest", f"x{name}.csv", *words[2:]],
    ):
        assert main(odd) == 2
        shown = capsys.readouterr()
        assert safe(shown.err)
        assert shown.err.count("\n") == 1
        assert safe(shown.out)
    counted("hostile names on the terminal")


def test_markup_and_emoji_of_a_name_are_shown(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    pl.DataFrame({"[bold]a[/bold]": [1.0, 2.0] * 6, ":boom:": [2.0, 1.0] * 6}).write_csv(tmp_path / "costs.csv")
    out = tmp_path / "[red]:boom:[/]"
    assert main(["backtest", str(tmp_path / "costs.csv"), "--memory", "full", "--range", "5", "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "[bold]a[/bold]" in shown
    assert ":boom:" in shown
    assert f"{out / 'index.html'}" in shown


def test_cells_of_csv_files_are_no_formulas_and_hold_no_escapes(report):
    for path in report.glob("*.csv"):
        text = path.read_bytes().decode()
        assert safe(text)
        for row in list(csv.reader(io.StringIO(text)))[1:]:
            for cell in row:
                assert not cell.lstrip().startswith(STARTS) or float(cell) == float(cell)
    names = [row["option"] for row in csv.DictReader(io.StringIO((report / "options.csv").read_text()))]
    assert len(set(names)) == len(HOSTILE)
    assert "'=cmd()" in names
    assert "\\x1b[31mred" in names


def test_machines_get_the_exact_names(report):
    assert set(pl.read_parquet(report / "decisions.parquet")["option"]) == set(HOSTILE)


def test_numbers_in_csv_files_stay_numbers():
    frame = pl.DataFrame({"option": ["-1.5", "+2", "-1.5e3", "rail", None], "total": [-1.5, -0.0, 1e300, -2.0, None]})
    read = pl.read_csv(io.BytesIO(as_csv(frame)))
    assert read.equals(frame)
    assert as_csv(frame) == frame.write_csv().encode()
    assert as_csv(frame.clear()) == b"option,total\n"


@pytest.mark.filterwarnings("always:Steering")
def test_a_warning_is_one_line_without_the_place_in_the_code(tmp_path, capsys):
    words = ["backtest", "@flights", "--memory", "weights:0.1,0.9", "--learner", "steering", "--out", str(tmp_path)]
    assert main(words) == 0
    lines = [line for line in capsys.readouterr().err.splitlines() if "compiling" not in line]
    assert lines
    assert all(line.startswith("bygones: note: Steering() on Weights") for line in lines)


def test_they_are_many():
    assert len(set(HOSTILE)) >= 30
