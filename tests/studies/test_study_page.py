"""The page of a study, and its figures."""

import re

import polars as pl
import pytest
from browsing import check_accessible
from small_study import SMALL, ran

import bygones as by
from bygones.studies.figures import growth_figure, ranking_figure, rounds_figure
from bygones.studies.page import study_page

pytestmark = [pytest.mark.compiled, pytest.mark.xdist_group("pages")]


@pytest.fixture(scope="module")
def folder(small, tmp_path_factory):
    place = tmp_path_factory.mktemp("page") / "study"
    small.report(place)
    return place


def test_the_page_answers_first_and_has_every_part(small, folder):
    html = (folder / "index.html").read_text()
    assert html.index("steering(adahedge) has a regret of") < html.index("Learners compared</h2>")
    for heading in (
        "Learners compared",
        "Regret over the rounds",
        "Regret and horizon",
        "Regret and H",
        "Two parameters at once",
        "All configurations",
    ):
        assert re.search(rf"<h2[^>]*>{heading}<", html), heading
    assert pl.read_csv(folder / "summary.csv").height == len(small.study)
    assert (folder / "study.toml").read_text().startswith("[study]\n")
    charts = len(re.findall(r'class="chart"', html))
    assert charts == 1 + 6 + 2 * 2 + 2  # the ranking, problems, parameters on two costs, a map of each costs


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_the_page_is_drawn_without_errors_and_fits(folder, tabs, colours, narrow):
    tab = tabs(folder, colours, narrow)
    assert tab.errors == []
    assert all(address.startswith(("file:", "data:")) for address in tab.asked)
    assert tab.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    check_accessible(tab)


def test_texts_of_the_user_are_text(tmp_path):
    (tmp_path / "<b>.csv").write_text("x,y\n" + "0.1,0.2\n0.4,0.3\n" * 5)
    given = {"learners": ["hedge", "ftarl"], "costs": [str(tmp_path / "<b>.csv")], "memory": "window:2"}
    html = study_page(ran(tmp_path / "study", **given, replicates=1, name="<script>alert(1)</script>")).html()
    assert "<script>alert" not in html
    assert "<b>.csv" not in html


def test_a_study_without_results_has_no_page(tmp_path, small):
    empty = type(small)(small.study, type(small.folder)(tmp_path / "empty"))
    with pytest.raises(ValueError, match="has no results yet: run the study first"):
        empty.report(tmp_path / "page")
    empty.export(tmp_path / "rows.csv")
    with pytest.raises(ValueError, match="has no results yet: run the study first"):
        empty.export(tmp_path / "table.tex")
    other = type(small)(by.Study(**SMALL | {"seed": 1}), small.folder)
    with pytest.raises(ValueError, match="has no results yet, but those of another study, or of another version"):
        other.report(tmp_path / "page")
    with pytest.raises(ValueError, match="there is nothing to draw yet"):
        empty.plot()


def test_one_replicate_shows_nobody_to_be_worse(tmp_path):
    alone = study_page(ran(tmp_path / "one", **SMALL | {"horizon": 60, "replicates": 1})).html()
    assert "<td>not shown</td>" in alone
    assert "<td>yes</td>" not in alone


def test_figures_draw_what_they_are_about(small, tmp_path):
    panels = growth_figure(small, "H").axes
    assert [axes.get_title() for axes in panels] == ["stochet", "cyclic:hold=5,vectors=2"]
    assert panels[0].get_xscale() == "log"
    assert len(rounds_figure(small).axes) == 6
    (axes,) = ranking_figure(small).axes
    assert [text.get_text() for text in axes.get_yticklabels()][-1] == "steering(adahedge)"
    assert small.plot().get_xlabel() == "horizon"
    assert small.plot(against="H", costs="cyclic:hold=5,vectors=2").get_xlabel() == "H"
    with pytest.raises(ValueError, match="against is 'h': give one of 'horizon', 'H'"):
        small.plot(against="h")
    with pytest.raises(ValueError, match="costs is 'stocht'.*did you mean stochet"):
        small.plot(costs="stocht")
    alone = ran(tmp_path / "one", **SMALL | {"horizon": 60, "memory": "window:3", "grid": {}})
    assert "more regret than" in alone.plot().get_xlabel()
