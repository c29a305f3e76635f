"""`bygones reproduce`, from the command to the page in a browser."""

import hashlib
import io
import json
import re
import sys

import matplotlib.backends.backend_agg  # noqa: F401 first: what it keeps on disk is not the report's
import numpy as np
import polars as pl
import pytest
from browsing import check_accessible, check_dark, check_narrow, check_page, check_toggle, pictures
from disks import room

import bygones as by
from bygones import paper
from bygones.cli import main
from bygones.reproduction import reproduce

pytestmark = [pytest.mark.compiled, pytest.mark.xdist_group("pages")]  # one worker: one browser, and one report
QUICK = ["reproduce", "--quick", "--replicates", "6", "--format", "png,pdf,svg"]
SMALL = ["reproduce", "--quick", "--replicates", "2", "--only", "figure1"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A quick report."""
    folder = tmp_path_factory.mktemp("reproduce") / "report"
    assert main([*QUICK, "--out", str(folder)]) == 0
    return folder


def test_the_folder_holds_page_figures_and_data(made):
    names = {"figure1.png", "figure1.pdf", "figure1.svg", "index.html", "plotly.min.js", "report.json"}
    tables = {
        f"{name}.csv" for name in ("table", "fits", "trap", "growth", "theta", "audit", "past", "changing", "bounds")
    }
    assert {path.name for path in made.iterdir()} == names | tables | {"results.parquet"}
    assert (made / "figure1.png").read_bytes().startswith(b"\x89PNG")
    assert (made / "figure1.pdf").read_bytes().startswith(b"%PDF")
    assert b"<svg" in (made / "figure1.svg").read_bytes()
    table = pl.read_csv(made / "table.csv")
    assert table.columns == [
        *("costs", "learner", "published", "ours", "se"),
        *("exact", "exact_se", "z", "bound", "verdict"),
    ]
    assert table.height == len(paper.FAMILIES) * len(paper.LEARNERS)
    curves = pl.read_parquet(made / "results.parquet")
    assert curves["section"].unique(maintain_order=True).to_list() == ["sampled", "exact", "past"]
    assert curves.filter(section="past", learner="Hedge")["guarantee"].is_not_null().all()


def test_the_numbers_are_those_of_simulate_and_expected(made):
    table = pl.read_csv(made / "table.csv")
    learners = list(paper.LEARNERS.values())
    sampled = by.simulate(paper.PROBLEM, learners, by.StocHet(), 6, 0, record="end").summary()
    exact = by.expected(paper.PROBLEM, learners, by.StocHet(), replicates=6, record="end").summary()
    own = table.filter(costs="StocHet")
    np.testing.assert_allclose(own["ours"], sampled["mean"], rtol=1e-12)
    np.testing.assert_allclose(own["exact"], exact["mean"], rtol=1e-12)
    cyc = table.filter(costs="Cyc", learner="FTARL").to_dicts()[0]
    assert cyc["exact"] == pytest.approx(415.7, abs=0.05)
    assert cyc["bound"] == pytest.approx(7804.7, abs=0.05)


def test_again_gives_the_same_bytes(made, tmp_path):
    assert main([*QUICK, "--out", str(tmp_path / "again")]) == 0
    for path in made.iterdir():
        same = (
            hashlib.sha256(path.read_bytes()).digest()
            == hashlib.sha256((tmp_path / "again" / path.name).read_bytes()).digest()
        )
        assert same or path.name == "index.html", path.name  # the page tells how long it took


def test_the_horizons_length_is_felt_as_claimed():
    done = reproduce(("horizon",), 2, 0, quick=True)
    assert done.sampled == done.past == {}
    floors = done.trap.filter(learner="floor: 7H/64 + 1/16").select("H", floor="regret")
    rest = done.trap.filter(~pl.col("learner").str.starts_with("floor")).join(floors, on="H")
    assert (rest["regret"] >= rest["floor"] - 1e-9).all()
    leader = rest.filter(learner="FollowTheLeader")
    np.testing.assert_allclose(leader["regret"], leader["floor"])
    slopes = {setting: part["exponent"][0] for (setting,), part in done.growth.group_by("setting")}
    assert slopes["full history, trap of T/4"] == pytest.approx(1, abs=0.01)
    assert slopes["H = sqrt(T), StocHet"] < 0.9
    assert (done.thetas["regret"] <= done.thetas["corollary's bound"]).all()


def test_the_terminal_shows_a_table_and_the_place(tmp_path, capsys):
    assert main([*SMALL, "--format", "svg", "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    for said in ("StocHet", "LSA, half of Geulen", "471", "416", "▁", "index.html"):
        assert said in printed
    assert {path.suffix for path in tmp_path.iterdir()} == {".svg", ".html", ".js", ".json", ".parquet", ".csv"}
    html = (tmp_path / "index.html").read_text()
    assert "Beyond the paper" not in html
    command = f"--out {tmp_path} --replicates 2 --seed 0 --format svg --quick --only figure1"
    assert f"Command: bygones reproduce {command}" in html
    assert {link for link in re.findall('href="([^"]*)"', html) if not link.startswith(("data:", "#"))} == {
        path.name for path in tmp_path.iterdir() if path.suffix in (".svg", ".parquet", ".csv")
    }


@pytest.mark.parametrize(("columns", "encoding"), [("40", "utf-8"), ("80", "ascii")])
def test_a_small_or_plain_terminal_still_shows_who_and_how_much(tmp_path, columns, encoding, monkeypatch):
    terminal = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("COLUMNS", columns)
    assert main([*SMALL, "--out", str(tmp_path)]) == 0
    terminal.flush()
    printed = terminal.buffer.getvalue().decode(encoding)
    for said in ("StocHet", "Cyc", "FTARL", "Anava", "471"):
        assert said in printed
    assert "FTA…" not in printed
    assert "?" not in printed, "a sign that the terminal does not know"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--replicates", "0"], "--replicates is 0: give a whole number of at least 2"),
        (["--seed", "-1"], "--seed is -1"),
        (["--only", "figure2"], "--only is 'figure2': give one of 'figure1', 'horizon', 'audit'"),
        (["--format", ""], "--format is ''"),
        (["--format", "png,gif"], "--format is 'gif': give one of 'png', 'pdf', 'svg'"),
        (["--out", "{tmp}/file"], "is a file: name a folder"),
        (["--out", "{tmp}/file/below"], "a file is in the way of its folder"),
        (["--out", "{tmp}"], "holds 'file', which is no part of an earlier reproduction"),
    ],
)
def test_mistakes_are_named_before_any_work(tmp_path, capsys, arguments, said):
    (tmp_path / "file").write_text("mine")
    assert main(["reproduce", *(argument.format(tmp=tmp_path) for argument in arguments)]) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("size", [10_000, 300_000, 3_000_000])
def test_a_full_disk_is_an_error_that_leaves_nothing_behind(tmp_path, size, capsys):
    """Real writes that fail for want of room, at the figure, the curves and plotly's script."""
    out = tmp_path / "deep" / "report"
    with room(size):
        assert main([*SMALL, "--out", str(out)]) == 2
    assert capsys.readouterr().err.endswith(f"bygones: {out} cannot be written: File too large; name another folder\n")
    assert list(tmp_path.iterdir()) == []


def test_a_line_of_the_audit_that_fails_makes_the_command_fail(tmp_path, capsys, monkeypatch):
    broken = [each._replace(passed=each.name != "Theorem", margin=-1.0) for each in by.audit(draws=2)]
    monkeypatch.setattr("bygones.reproduction.runs.audit", lambda **_: broken)
    assert main(["reproduce", "--quick", "--only", "audit", "--out", str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    assert f"{len(broken) - 1} of {len(broken)} statements hold" in printed
    assert "FAILED on" in printed
    assert "FAIL</td>" in (tmp_path / "index.html").read_text()


def test_one_file_holds_everything_but_what_is_too_large_to_mail(tmp_path, capsys):
    assert main([*SMALL, "--single-file", "--out", str(tmp_path / "paper.html")]) == 0
    (path,) = tmp_path.iterdir()
    html = path.read_text()
    assert path.name == "paper.html"
    assert "--only figure1 --single-file" in html
    assert 'download="table.csv"' in html
    assert "results.parquet: every curve of regret over the rounds; too large for this file" in html
    assert path.stat().st_size < 9_000_000
    assert main([*SMALL, "--single-file", "--out", str(tmp_path / "none" / "paper")]) == 2
    assert "there is no folder" in capsys.readouterr().err


# In a browser.

SECOND = "#chart2"  # the first chart with curves


def test_the_page_draws_all_panels_and_asks_for_nothing_outside(made, tabs):
    check_page(tabs(made), charts=20)


def test_a_learner_can_be_hidden_and_shown(made, tabs):
    check_toggle(tabs(made), "FTARL", SECOND)


def test_the_page_fits_a_narrow_screen(made, tabs):
    check_narrow(tabs(made, narrow=True))


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_the_page_is_accessible(made, tabs, colours, narrow):
    check_accessible(tabs(made, colours, narrow))


def test_the_page_is_dark_where_dark_is_wanted(made, tabs):
    check_dark(tabs(made), tabs(made, "dark"), SECOND)


def test_the_page_prints_in_light_colours_wherever_it_is_read(made, tabs):
    page, errors, _ = tabs(made, "dark")
    looks = (
        "[getComputedStyle(document.body).color, document.querySelector('#chart2').data[0].line.color,"
        " document.querySelector('#chart2 .main-svg').getBoundingClientRect().width]"
    )
    ink, colour, width = page.evaluate(looks)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.wait_for_function("document.querySelector('#chart2 .main-svg').getBoundingClientRect().width === 660")
    assert page.evaluate(looks) == ["rgb(27, 31, 36)", "#0b5fa5", 660]
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.wait_for_function(f"document.querySelector('#chart2 .main-svg').getBoundingClientRect().width === {width}")
    assert page.evaluate(looks) == [ink, colour, width]
    assert (ink, colour) == ("rgb(230, 233, 236)", "#62aef2")
    assert errors == []


def test_the_docs_pictures_can_be_taken(browser, tmp_path):
    assert main([*SMALL[:-1], "horizon", "--out", str(tmp_path / "report")]) == 0
    taken = pictures.photograph(browser, tmp_path / "report", tmp_path)
    assert [path.name for path in taken] == ["report.png", "report-dark.png", "report-narrow.png"]
    assert all(path.stat().st_size > 20_000 for path in taken)


def test_what_was_computed_is_on_the_page(made, tabs):
    page = tabs(made).page
    spec = json.loads(page.eval_on_selector("#chart2 + script", "node => node.textContent"))
    exact = next(trace for trace in spec["data"] if trace.get("name") == "FTARL, exact")
    curve = pl.read_parquet(made / "results.parquet").filter(section="exact", family="StocHet", learner="FTARL")
    assert exact["y"][-1] == pytest.approx(curve["mean"][-1], rel=1e-5)
    assert page.eval_on_selector_all("table", "nodes => nodes.length") >= 4
