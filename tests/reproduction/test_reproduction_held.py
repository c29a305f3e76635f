"""The tables and the summary of the report, held to the formulas that they stand for."""

import json
import re
from html import unescape
from types import SimpleNamespace

import numpy as np
import pytest

import bygones as by
from bygones import paper
from bygones.auditing import Line
from bygones.reproduction import page, reproduce, runs

pytestmark = pytest.mark.compiled
SEED = 3


@pytest.fixture(scope="module")
def done():
    return reproduce(("figure1", "horizon", "past"), 30, SEED, quick=True)


@pytest.fixture(scope="module")
def html(done):
    return unescape(page(done, "bygones reproduce", 1.0, {}).html())


def said(html, word):
    """What the summary says with a word in it."""
    return " ".join(item for item in re.findall("<li>(.*?)</li>", html) if word in item)


def test_the_verdict_says_on_which_side_ours_is(done):
    apart = done.table.filter(done.table["z"].abs() > 3)
    more = apart["ours"] > apart["published"]
    assert set(more) == {True, False}
    assert apart["verdict"].str.contains(r"\bmore\b").to_list() == more.to_list()
    assert apart["verdict"].str.contains(r"\bless\b").to_list() == (~more).to_list()


def test_under_full_history_the_trap_is_a_quarter_of_the_rounds(done):
    grown = done.growth.filter(setting="full history, trap of T/4")
    for T, regret in grown.filter(learner="FollowTheLeader").select("T", "regret").rows():
        ignorant = T - T // 4 + 1  # rounds that are decided before the good action shows: with luck for nothing
        assert regret == pytest.approx(ignorant / 2 * sum(1 / t for t in range(ignorant, T + 1)))
    for T, regret in grown.filter(learner="FTARL").select("T", "regret").rows():
        ends = []
        for good in (0, 1):
            costs = np.zeros((T, 2))
            costs[-(T // 4) :, good] = -1
            result = by.expected(by.Problem(2, T, by.FullHistory()), [by.FTARL()], costs, record="end")
            ends.append(result.summary()["mean"][0])
        assert regret == pytest.approx(np.mean(ends))


def test_the_growth_on_stochet_is_the_mean_of_its_draws(done):
    for T, regret in done.growth.filter(setting="H = sqrt(T), StocHet").select("T", "regret").rows():
        problem = by.Problem(10, T, by.Window(round(T**0.5)))
        result = by.expected(problem, [by.FTARL()], by.StocHet(), replicates=runs.GROWTH_DRAWS, seed=SEED, record="end")
        assert regret == pytest.approx(result.summary()["mean"][0])


def test_each_bound_on_the_length_has_its_own_regret_error_bound_and_share(done):
    assert done.thetas["Theta"].to_list() == [100, 200, 400, 800] * 3
    for row in done.thetas.to_dicts():
        draws, theta = 1 if row["costs"] == "Cyc" else 2, row["Theta"]
        bound = 5 * theta + 4 * np.sqrt(10_000 * theta * (np.log(10) + 1))
        assert (row["draws"], row["corollary's bound"]) == (draws, pytest.approx(bound))
        assert row["share"] == pytest.approx(bound / 10_000)
        learner, costs = by.FTARL(memory_bound=theta), paper.FAMILIES[row["costs"]]
        result = by.expected(paper.PROBLEM, [learner], costs, replicates=draws, seed=SEED, record="end")
        ends = next(iter(result.regrets.values()))[:, -1]
        assert row["regret"] == pytest.approx(ends.mean())
        assert row["se"] == (None if draws == 1 else pytest.approx(ends.std(ddof=1) / np.sqrt(draws)))


@pytest.mark.parametrize(("replicates", "quick", "draws"), [(100, False, 25), (7, False, 7), (100, True, 3)])
def test_beyond_the_paper_random_costs_are_drawn_often_enough(monkeypatch, replicates, quick, draws):
    monkeypatch.setattr(runs, "_changing", lambda *given: given)
    monkeypatch.setattr(runs, "_bounded", lambda *given: given)
    monkeypatch.setattr(runs, "expected", lambda *given, **named: SimpleNamespace(given=given, **named))
    made = reproduce(("past",), replicates, SEED, quick=quick)
    asked = made.past
    assert {family: each.replicates for family, each in asked.items()} == {"StocHet": draws, "StocId": draws, "Cyc": 1}
    assert all((each.given[0], each.seed) == (paper.PROBLEM, SEED) for each in asked.values())
    assert made.changing == (SEED, draws)


def test_the_summary_has_the_sharper_bound_of_the_papers_own_rate(html):
    eps = np.sqrt(4 * (np.log(10) + 1) / (9_900 * 102))
    lengths = np.minimum(np.arange(1, 10_001), 100)
    bound = sum(1 / k for k in range(2, 11)) / eps + eps / 2 * (1 + lengths).sum()
    assert f"{bound:,.0f}" == "2,351"
    assert "2,351" in said(html, "sharper")


def test_the_summary_says_how_many_random_costs_were_drawn(html):
    assert re.search(r"\b3 draws\b", said(html, "Steering"))


def test_the_table_of_the_audit_has_each_line_under_its_heading():
    lines = [
        Line("one", "a <= b", "every path", 12.5, True, None, "Blocks(length=4)", None),
        Line("two", "E c <= d", "expectation", -0.25, False, 0.125, "StocId()", 60),
    ]
    made = reproduce((), 2, 0)
    made.audit = lines
    html = unescape(page(made, "bygones reproduce", 1.0, {}).html())
    head = re.findall('<th scope="col".*?>(.*?)</th>', html)
    cells = re.findall("<td.*?>(.*?)</td>", html)
    rows = [dict(zip(head, cells[k : k + len(head)], strict=True)) for k in range(0, len(cells), len(head))]
    shown = ("statement", "kind", "margin", "standard error", "nearest on", "draws", "verdict")
    assert [[row[name] for name in shown] for row in rows] == [
        ["a <= b", "every path", "12.5", "", "Blocks(length=4)", "", "pass"],
        ["E c <= d", "expectation", "-0.25", "0.125", "StocId()", "60", "FAIL"],
    ]


def test_exact_curves_of_figure_1_are_the_thin_ones(html):
    made = re.findall(r'aria-label="(.*?)"></div><script type="application/json">(.*?)</script>', html)
    specs = [json.loads(spec) for title, spec in made if "regret of FTARL and LSA" in title]
    assert len(specs) == len(paper.FAMILIES)
    for spec in specs:
        widths = {trace["name"]: trace["line"]["width"] for trace in spec["data"] if "name" in trace}
        for name in ("FTARL", "LSA, Anava"):
            assert widths[f"{name}, exact"] < widths[name]
