"""`bygones backtest`, from the command to the page in a browser."""

import json
import re
from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest
from browsing import check_accessible, check_dark, check_narrow, check_page, check_toggle

import bygones as by
from bygones.backtesting.page import page as page_of
from bygones.backtesting.sentences import shortened, spoken, summary
from bygones.cli import main

pytestmark = pytest.mark.xdist_group("pages")  # one worker: one browser, and one report
FLIGHTS = ["backtest", "@flights", "--memory", "window:7"]
ODD = ['<b>&"', "<script>alert(1)</script>", "x" * 3000, "x" * 3001, "two\nlines", "plain", "[bold]"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The report of the flights."""
    folder = tmp_path_factory.mktemp("backtest") / "report"
    assert main([*FLIGHTS, "--out", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """The report of a table whose options have odd names."""
    folder = tmp_path_factory.mktemp("backtest") / "odd"
    rng = np.random.default_rng(0)
    days = [date(2020, 1, 1) + timedelta(days=k) for k in range(100)]
    frame = pl.DataFrame({"day": days} | {name: rng.normal(size=100) for name in ODD})
    by.backtest(
        frame, "window:7", [by.Fixed(ODD[0]), by.Fixed(ODD[2]), by.Steering(), by.Hedge()], cost_range=20
    ).report(folder)
    return folder


def test_the_folder_holds_page_and_data(made):
    tables = {f"{name}.csv" for name in ("learners", "options", "stretches", "sensitivity", "next")}
    data = tables | {"results.parquet", "decisions.parquet"}
    html = (made / "index.html").read_text()
    assert f"Command: bygones backtest @flights --memory window:7 --out {made}<" in html
    assert {path.name for path in made.iterdir()} == data | {"index.html", "plotly.min.js", "report.json"}
    assert all(f'href="{name}"' in html for name in data)
    done = by.backtest("@flights", "window:7")
    assert pl.read_parquet(made / "results.parquet").equals(done.path)
    assert pl.read_parquet(made / "decisions.parquet").equals(done.decisions)
    assert (
        pl.read_csv(made / "learners.csv").select("learner", "total").equals(done.accounts.select("learner", "total"))
    )
    assert pl.read_csv(made / "next.csv").equals(done.next)


def test_again_gives_the_same_bytes(made, tmp_path):
    assert main([*FLIGHTS, "--out", str(tmp_path / "again")]) == 0
    for path in made.iterdir():
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes() or path.name == "index.html", (
            path.name
        )


@pytest.mark.parametrize("columns", ["40", "80", "200"])
def test_the_terminal_shows_tables_and_sentences(columns, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    assert main([*FLIGHTS, "--switch-cost", "2", "--out", str(tmp_path / "r"), "--verbose"]) == 0
    shown = capsys.readouterr().out
    lines = shown.splitlines()
    assert max(map(len, lines[:-1])) <= int(columns)
    done = by.backtest("@flights", "window:7", switch_cost=2)
    text = " ".join(shown.split())
    for sentence in (*summary(done), done.verdict, done.answer.headline):
        assert sentence in text
    assert lines[-1].startswith(f"The report: {tmp_path / 'r' / 'index.html'} (")
    for said in ("Steering", "-3,439.5", "277.5", "-3,375.4", "Alaska", "2013-03-16", "window:28"):
        assert said in shown
    assert "…" not in "".join(line for line in lines if "│" in line)
    for said in ("1,288.9", "-10.45", "3,512.1"):
        assert (said in "".join(line for line in lines if "│" in line)) == (columns != "40")


def test_every_option_reaches_the_backtest(tmp_path, capsys):
    path = str(tmp_path / "flights.csv")
    by.datasets.load("flights").write_csv(path)
    options = ["--learner", "hedge:rate=0.1", "--learner", "ftarl:tuning=sharp", "--rewards", "--range", "50"]
    options += ["--actions", "Delta Air Lines, Envoy Air", "--time", "date", "--missing", "drop"]
    assert main(["backtest", path, "--memory", "window:7", *options, "--out", str(tmp_path / "r")]) == 0
    done = by.backtest(
        path,
        "window:7",
        [by.Hedge(rate=0.1), by.FTARL(tuning="sharp")],
        rewards=True,
        cost_range=50,
        actions=["Delta Air Lines", "Envoy Air"],
    )
    assert pl.read_csv(tmp_path / "r" / "next.csv").equals(done.next)
    assert pl.read_csv(tmp_path / "r" / "learners.csv")["total"].to_list() == done.accounts["total"].to_list()
    page = (tmp_path / "r" / "index.html").read_text()
    assert "--learner hedge:rate=0.1 --learner ftarl:tuning=sharp --rewards --time date" in page
    assert "--range 50.0 --missing drop --out" in page


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["@flights"], "Missing option '--memory'"),
        (["@fights", "--memory", "full"], "the data set is 'fights': give one of 'flights', 'wikipedia'"),
        ([*FLIGHTS[1:], "--learner", "hegde"], "the learner is 'hegde': give one of"),
        ([*FLIGHTS[1:], "--range", "-1"], "--range is -1.0: give a number above 0"),
        ([*FLIGHTS[1:], "--range", "wide"], "Invalid value for '--range'"),
        ([*FLIGHTS[1:], "--missing", "guess"], "--missing is 'guess': give one of 'error', 'drop', 'carry'"),
        ([*FLIGHTS[1:], "--switch-cost", "-1"], "the cost of a switch is -1.0"),
        ([*FLIGHTS[1:], "--rewards", "--prices"], "--rewards and --prices: give only one"),
        ([*FLIGHTS[1:], "--rewards"], "@flights holds costs, not gains (Mean arrival delay"),
        (["@flights", "--memory", "window:400"], "there are 329 periods to play, fewer than the 400"),
        ([*FLIGHTS[1:], "--out", "{tmp}/file"], "is a file: name a folder"),
        ([*FLIGHTS[1:], "--out", "{tmp}"], "holds 'file', which is no part of an earlier backtest"),
    ],
)
def test_mistakes_are_named_and_leave_nothing_behind(arguments, said, tmp_path, capsys):
    (tmp_path / "file").write_text("mine")
    given = [argument.format(tmp=tmp_path) for argument in arguments]
    assert main(["backtest", *([] if "--out" in given else ["--out", str(tmp_path / "new")]), *given]) == 2
    captured = capsys.readouterr()
    assert said in " ".join(captured.err.replace("│", " ").split())
    assert "Traceback" not in captured.err
    assert captured.out == ""
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_help_has_examples(capsys):
    assert main(["backtest", "--help"]) == 0
    assert "Examples: bygones backtest @flights --memory window:7" in " ".join(capsys.readouterr().out.split())


def test_names_are_short_and_all_differ():
    short = shortened(ODD)
    assert len(set(short)) == len(ODD)
    assert max(map(len, short)) <= 40
    assert short[4] == "two lines"
    assert shortened(["", " ", "\x1b[31mred"]) == ["(no name)", "(no name) (2)", "[31mred"]
    assert shortened(["a (3)", "a", "a"]) == ["a (3)", "a", "a (3)'"]


# In a browser. A page looks the same, however its numbers were computed.

in_browser = pytest.mark.compiled
pages = pytest.mark.parametrize("report", ["made", "odd"])


@in_browser
@pages
def test_the_page_draws_everything_and_asks_for_nothing_outside(report, request, tabs):
    check_page(tabs(request.getfixturevalue(report)), charts=8)


@in_browser
@pages
def test_the_page_fits_a_narrow_screen(report, request, tabs):
    check_narrow(tabs(request.getfixturevalue(report), narrow=True))


@in_browser
@pages
def test_the_page_is_dark_where_dark_is_wanted(report, request, tabs):
    folder = request.getfixturevalue(report)
    check_dark(tabs(folder), tabs(folder, "dark"))


@in_browser
def test_a_learner_can_be_hidden_and_shown(made, tabs):
    check_toggle(tabs(made), "Guarded", "#chart2")


@in_browser
def test_charts_have_the_real_dates_and_numbers(made, tabs):
    page = tabs(made).page
    assert page.evaluate("document.querySelector('#chart2').layout.xaxis.type") == "date"
    costs, compared, decided, states = (spec(page, number)["data"] for number in range(1, 5))
    table = by.datasets.load("flights")["Alaska Airlines"].to_list()
    assert (costs[0]["name"], len(costs)) == ("Alaska Airlines", 9)
    assert costs[0]["y"] == pytest.approx(table[-329:], abs=1e-3)
    first = compared[0]
    assert (first["name"], first["x"][0], first["x"][-1]) == ("Guarded", "2013-02-06", "2013-12-31")
    assert first["y"][-1] == pytest.approx(277.5, abs=0.05)
    for lanes in (decided, states):
        assert sum(lane["y"][100] for lane in lanes) == pytest.approx(1, abs=1e-5)
        assert {lane["x"][0] for lane in lanes} == {"2013-02-06"}
        assert lanes[0]["name"] == "Alaska Airlines"


def spec(page, number):
    return json.loads(page.eval_on_selector(f"#chart{number} + script", "node => node.textContent"))


@in_browser
def test_changes_of_the_largest_share_are_marked(made, tabs):
    page, done = tabs(made).page, by.backtest("@flights", "window:7")
    for number, column in ((3, "decision"), (4, "state")):
        weights = done.decisions.filter(learner=done.adviser)[column].to_numpy().reshape(-1, 12)
        changes = np.flatnonzero(np.diff(weights.argmax(axis=1))) + 1
        times = [str(done.decisions["time"][int(k) * 12]) for k in changes]
        marks = [shape["x0"] for shape in spec(page, number)["layout"]["shapes"]]
        assert marks == (times if len(times) <= 12 else times[-1:])
        assert f"The largest share changes {len(times)} times" in page.get_attribute(f"#chart{number}", "aria-label")


@in_browser
@pytest.mark.parametrize("report", ["made", "held"])
@pytest.mark.parametrize("size", [(1280, 800), (768, 1024), (400, 860)])
def test_the_decision_is_in_the_first_screen(report, request, browser, size):
    page = browser.new_context(viewport={"width": size[0], "height": size[1]}).new_page()
    page.goto((request.getfixturevalue(report) / "index.html").as_uri())
    for place in (
        ".headline",
        ".track >> nth=0",
        "dt:text('How sure') + dd",
        "dt:text('What it would have saved') + dd",
    ):
        box = page.locator(place).first.bounding_box()
        assert box["y"] + box["height"] <= size[1], place


@pytest.fixture(scope="module")
def held(tmp_path_factory):
    """The report of a table whose best option changes, with what was really done."""
    folder, rng = tmp_path_factory.mktemp("backtest") / "held", np.random.default_rng(1)
    weeks = [date(2020, 1, 6) + timedelta(days=7 * k) for k in range(200)]
    means = {"Rossi": np.where(np.arange(200) < 120, 90, 110), "Weber": 100, "Costa": 104}
    frame = pl.DataFrame({"week": weeks} | {name: mean + rng.normal(0, 5, 200) for name, mean in means.items()})
    done = pl.DataFrame({"week": weeks[-60:], "choice": ["Rossi"] * 45 + ["Weber"] * 15})
    by.backtest(frame, "window:8", held=done).report(folder)
    return folder


def drawn(done, number):
    """The traces of a chart of a page, and its caption."""
    html = page_of(done).html()
    (place,) = re.findall(rf'id="chart{number}".*?</figure>', html, re.DOTALL)
    (written,) = re.findall(r'<script type="application/json">(.*?)</script>', place, re.DOTALL)
    return json.loads(written)["data"], place


@pytest.mark.parametrize("prices", [False, True])
def test_you_and_the_learners_are_compared_over_the_same_periods(prices):
    rng, held = np.random.default_rng(0), ["b"] * 30
    values = rng.normal(10, 1, (80, 3)) if not prices else np.exp(rng.normal(0, 0.05, (81, 3)).cumsum(axis=0))
    done = by.backtest(pl.DataFrame(values, schema=["a", "b", "c"]), "window:2", held=held, prices=prices)
    costs = -np.diff(np.log(values), axis=0) if prices else values
    traces, said = drawn(done, 2)
    count = 29  # the state of the first needs the decision before
    since, begin = costs[-count:].cumsum(axis=0).min(axis=1), done.periods - count
    assert [trace["name"] for trace in traces] == [*spoken(done).values()]
    for trace, label in zip(traces, [*done.learners, "you"], strict=True):
        paid = done.path.filter(learner=label)["cost"].to_numpy()
        own = paid if label == "you" else (paid - paid[begin - 1])[begin:]
        assert trace["y"] == pytest.approx(own - since, rel=1e-4, abs=1e-4), label
    assert f"over the {count} periods in which your state is known" in said
    colours = [trace["line"]["color"] for trace in traces]
    assert colours.count(colours[-1]) == 1, "yours is your own"


@in_browser
def test_the_card_shows_what_is_decided_and_held(held, tabs):
    page = tabs(held).page
    bars = page.eval_on_selector_all(".bar h3", "nodes => nodes.map(node => node.textContent)")
    assert bars == ["The next period", "What you hold now", "What you hold then"]
    assert page.locator(".bar").nth(1).locator("li").all_text_contents() == ["Weber 100 %"]
    widths = page.eval_on_selector_all(
        ".bar:first-of-type .track span", "nodes => nodes.map(node => node.getBoundingClientRect().width)"
    )
    shares = [float(text.split()[-2]) for text in page.locator(".bar").nth(0).locator("li").all_text_contents()]
    assert np.array(widths) / sum(widths) == pytest.approx(np.array(shares) / 100, abs=0.01)
    assert "Your decisions" in page.get_attribute("#chart5", "aria-label")
    learners = page.locator("figure:has(figcaption:text('Costs of the learners')) tbody tr").all_text_contents()
    assert learners[-1].strip().startswith("you")
    assert not learners[0].strip().startswith("you")


@in_browser
@pytest.mark.parametrize("report", ["made", "odd", "held"])
@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_the_page_is_accessible(report, request, tabs, colours, narrow):
    check_accessible(tabs(request.getfixturevalue(report), colours, narrow))


def test_one_file_holds_everything(tmp_path, capsys):
    assert main([*FLIGHTS, "--single-file", "--out", str(tmp_path / "flights")]) == 0
    (path,) = tmp_path.iterdir()
    assert path.name == "flights.html"
    assert f"The report: {path} (" in capsys.readouterr().out.replace("\n", "")
    html = path.read_text()
    assert "plotly.js v" in html
    assert "<script src=" not in html
    assert 'download="next.csv"' in html
    assert "--single-file" in html


def test_a_place_for_one_file_that_cannot_be_written_is_named_before_the_work(tmp_path, capsys):
    (tmp_path / "taken.html").mkdir()
    for out, said in (("taken.html", "exists and is not a file"), ("no/where", "there is no folder")):
        assert main([*FLIGHTS, "--single-file", "--out", str(tmp_path / out)]) == 2
        assert said in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["taken.html"]


@in_browser
def test_odd_names_are_shown_as_they_are(odd, tabs):
    page = tabs(odd).page
    shown = page.eval_on_selector_all("#chart1 .annotation-text", "nodes => nodes.map(node => node.textContent)")
    assert sorted(shown) == sorted(shortened(ODD))
    cells = page.eval_on_selector_all("td", "nodes => nodes.map(node => node.textContent)")
    assert set(shortened(ODD)) <= set(cells)
    assert page.evaluate("document.querySelectorAll('main b, main script:not([type])').length") == 0
    assert "Fixed(action='<b>&\"')" in page.text_content("main")
