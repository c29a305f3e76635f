"""Hostile names in a real browser: nothing runs, nothing is asked for, and nothing complains."""

import numpy as np
import polars as pl
import pytest
from names import ESCAPES, FORMULAS, MARK, SCRIPTS

import bygones as by
from bygones.report import COLOURS

NAMES = (COLOURS[0], *SCRIPTS, *ESCAPES, *FORMULAS)  # first a colour of lines, which are others on dark paper


@pytest.fixture(scope="module", params=["backtest", "result"])
def folder(request, tmp_path_factory):
    """The folder of a report that has all of the names."""
    place = tmp_path_factory.mktemp("pages") / f"{request.param}{SCRIPTS[3].replace('/', '')}"
    costs = np.random.default_rng(0).random((60, len(NAMES)))
    if request.param == "result":
        problem = by.Problem(list(NAMES), 60, by.Window(3))
        result = by.simulate(problem, ["uniform", "hedge"], costs, 1, guarantee=True)
        labels = [*NAMES[:9], *SCRIPTS[18:22]]
        result.about |= {name: name for name in NAMES}
        for label in labels:
            result.regrets[label] = result.regrets["Uniform"]
        result.learners = (*result.learners, *[by.Uniform()] * len(labels))
        result.report(place)
        return place
    frame = pl.DataFrame({name: costs[:, k] for k, name in enumerate(NAMES)})
    done = by.backtest(frame, "window:3", ["uniform", "hedge", "ftarl"])
    done.about |= {"command": SCRIPTS[0], "costs": SCRIPTS[1], "notes": [*NAMES]}
    done.report(place)
    return place


def test_nothing_runs_and_nothing_is_asked_for(folder, tabs, counted):
    for colours in ("light", "dark"):
        page, errors, asked = tabs(folder, colours)
        for chart in page.locator(".chart").all():  # what plotly shows of a point comes when a mouse is above it
            chart.scroll_into_view_if_needed()
            box = chart.bounding_box()
            page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert page.evaluate(f"window.{MARK}") is None
        assert errors == []
        assert all(address.startswith("file://") for address in asked)
        assert {address.rpartition("/")[2] for address in asked} == {"index.html", "plotly.min.js"}
        assert page.url.endswith("index.html")
    counted("hostile names on pages in a browser", len(NAMES))


def test_no_element_comes_from_a_name(folder, tabs):
    page = tabs(folder).page
    found = "main script:not([type='application/json']), main img, main iframe, main link, main style, main meta, base"
    assert page.locator(found).count() == 0
    assert (
        page.locator("main b, main sup, main [onclick], main [onerror], main [onmouseover], main [onload]").count() == 0
    )
    links = page.eval_on_selector_all("a", "nodes => nodes.map(node => node.getAttribute('href') || '')")
    assert not [link for link in links if ":" in link and not link.startswith("data:text/csv;base64,")]
    svg_links = page.eval_on_selector_all("svg a", "nodes => nodes.map(node => node.outerHTML)")
    assert not [link for link in svg_links if "localhost" in link or "script" in link]
    assert page.locator("main").count() == 1


def test_names_are_shown_as_they_are(folder, tabs):
    page = tabs(folder).page
    text = page.evaluate("document.body.textContent")
    for name in ("<b>bold</b><br><sup>1</sup>", "{{ 7 * 7 }}", "&lt;b&gt;", "{# gone #}"):
        assert name in text


def test_colours_are_for_lines_not_for_names(folder, tabs):
    names = "[...document.querySelectorAll('.chart')].flatMap(place => place.data.map(trace => trace.name || ''))"
    assert tabs(folder, "dark").page.evaluate(names) == tabs(folder).page.evaluate(names)


def test_they_are_many():
    assert len(set(NAMES)) == len(NAMES) >= 60
