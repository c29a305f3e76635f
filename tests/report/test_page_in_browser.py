"""What a page's own scripts do: tables that are sorted and downloaded, lines that are named at their ends."""

import csv
import io
from base64 import b64decode

import numpy as np
import polars as pl
import pytest
from browsing import check_accessible

from bygones.report import File, Lane, Page, Share, Verdict, lanes, line

pytestmark = [pytest.mark.compiled, pytest.mark.xdist_group("pages")]
TABLE = pl.DataFrame(
    {
        "name": ["b", "=cmd()", "c", "a"],
        "value": [1_234.567, -2.0, None, 99.5],
        "share": [0.5, 0.05, 0.25, 0.125],
        "a text that is long enough to make the table wide": ["long " * 12] * 4,
        "another": ["long " * 12] * 4,
    }
)
CURVES = {"high": 10.0, "alike": 1.0, "alike too": 1.02, "and this": 0.98}


def sample():
    page = Page("A page", {"data.csv": File("numbers", b"a,b\n1,2\n"), "huge.bin": File("much", bytes(3_000_000))})
    page.card("Next", "Choose a.", {"Now": [Share("a", 0.75, 0), Share("b", 0.25, None)]}, {"Sure": ["Yes."], "No": []})
    page.heading("Tables")
    page.verdicts([Verdict("one", "1", "good", "", True), Verdict("two", "2", "bad", "", False), Verdict("3", "3", "")])
    page.table(TABLE, "Some values.", {"share": "{:.0%}".format})
    page.heading("Charts")
    t = np.arange(100)
    page.chart([line(name, t, t * slope, k) for k, (name, slope) in enumerate(CURVES.items())], "Four lines over time.")
    traces, layout = lanes(
        {"a": Lane(t / 99, 0), "the others": Lane(1 - t / 99, None)}, t, span=(0, 1), shares=True, marks=[50]
    )
    page.chart(traces, "Two lanes over time.", **layout)
    page.heading("Files")
    page.links()
    return page


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("page")
    sample().write(place)
    return place


def column(page, k):
    return page.eval_on_selector_all(f"tbody td:nth-child({k})", "cells => cells.map(cell => cell.textContent)")


def test_a_click_on_a_heading_sorts_and_empty_cells_come_last(folder, tabs):
    page = tabs(folder).page
    value = page.locator("th button").nth(1)
    sorts = page.locator("th").nth(1)
    for way, order in (
        ("ascending", ["-2.0", "99.5", "1,234.6", ""]),
        ("descending", ["1,234.6", "99.5", "-2.0", ""]),
        ("none", ["1,234.6", "-2.0", "", "99.5"]),
    ):
        value.press("Enter")
        assert column(page, 2) == order
        assert sorts.get_attribute("aria-sort") == way
    page.locator("th").nth(0).click()
    assert column(page, 1) == ["=cmd()", "a", "b", "c"]
    page.locator("th button").nth(2).press(" ")
    assert column(page, 3) == ["5%", "12%", "25%", "50%"]
    assert [each.get_attribute("aria-sort") for each in page.locator("th").all()][:3] == ["none", "none", "ascending"]
    for _ in range(2):
        page.locator("th button").nth(2).click()
    assert column(page, 1) == TABLE["name"].to_list()


def test_a_table_is_downloaded_with_all_digits_and_without_formulas(folder, tabs):
    page = tabs(folder).page
    with page.expect_download() as begun:
        page.locator(".download").click()
    rows = list(csv.reader(io.StringIO(begun.value.path().read_text())))
    assert begun.value.suggested_filename == "table1.csv"
    assert rows[0] == TABLE.columns
    assert [row[:3] for row in rows[1:3]] == [["b", "1234.567", "0.5"], ["'=cmd()", "-2.0", "0.05"]]


def test_a_wide_table_scrolls_beside_its_first_column_and_says_so(folder, tabs):
    page = tabs(folder, narrow=True).page
    wide, first = page.locator(".wide"), page.locator("tbody td").first
    assert page.locator(".cue").is_visible()
    assert "more" in wide.get_attribute("class")
    left = first.bounding_box()["x"]
    wide.evaluate("node => { node.scrollLeft = 5000; }")
    page.wait_for_function("document.querySelector('.wide').classList.contains('moved')")
    assert "more" not in wide.get_attribute("class").split()
    assert first.bounding_box()["x"] == left
    wide.evaluate("node => { node.scrollLeft = 0; }")
    page.wait_for_function("document.querySelector('.wide').classList.contains('more')")


def test_lines_are_named_at_their_ends_and_the_names_do_not_overlap(folder, tabs):
    page = tabs(folder).page
    boxes = "nodes => nodes.map(node => [node.textContent, node.getBoundingClientRect().y])"
    page.wait_for_function("document.querySelectorAll('#chart1 .annotation-text').length === 4")
    named = page.eval_on_selector_all("#chart1 .annotation-text", boxes)
    assert [name for name, _ in sorted(named, key=lambda pair: pair[1])] == ["high", "alike too", "alike", "and this"]
    places = sorted(y for _, y in named)
    assert min(np.diff(places)) >= 13
    right = "nodes => Math.max(...nodes.map(node => node.getBoundingClientRect().right))"
    assert page.eval_on_selector_all("#chart1 .annotation-text", right) <= page.evaluate("innerWidth")
    assert tabs(folder, narrow=True).page.locator("#chart1 .annotation-text").count() == 0
    hide = page.locator(".legend button").get_by_text("high", exact=True)
    hide.click()
    page.wait_for_function("document.querySelectorAll('#chart1 .annotation-text').length === 3")
    hide.click()
    page.wait_for_function("document.querySelectorAll('#chart1 .annotation-text').length === 4")


def test_lanes_are_named_inside_and_marked(folder, tabs):
    page = tabs(folder).page
    names = page.eval_on_selector_all("#chart2 .annotation-text", "nodes => nodes.map(node => node.textContent)")
    assert names == ["a", "the others"]
    assert page.locator("#chart2 .shapelayer path").count() == 1
    assert page.locator("figure:has(#chart2) .legend").count() == 0


def test_the_contents_stand_open_where_there_is_room(folder, tabs):
    wide, narrow = tabs(folder).page, tabs(folder, narrow=True).page
    wide.set_viewport_size({"width": 1280, "height": 800})
    wide.wait_for_function("document.querySelector('.contents').open")
    links = wide.eval_on_selector_all("nav a", "nodes => nodes.map(node => node.textContent)")
    assert links == ["Next", "Tables", "Charts", "Files"]
    assert not narrow.evaluate("document.querySelector('.contents').open")
    narrow.locator("summary").press("Enter")
    narrow.locator("nav a").last.click()
    assert narrow.evaluate("location.hash") == "#files"
    assert not narrow.evaluate("document.querySelector('.contents').open")
    wide.set_viewport_size({"width": 1100, "height": 900})


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_it_is_accessible(folder, tabs, colours, narrow):
    check_accessible(tabs(folder, colours, narrow))


def test_one_file_has_script_and_data_inside(tmp_path, browser):
    sample().report(tmp_path / "page.html", "report", single_file=True)
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
    page, asked = browser.new_context().new_page(), []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / "page.html").as_uri())
    page.wait_for_function("document.querySelector('#chart2 .main-svg') !== null")
    assert [address.rpartition("/")[2] for address in asked] == ["page.html"]
    address = page.get_by_role("link", name="data.csv").get_attribute("href")
    assert b64decode(address.partition(",")[2]) == b"a,b\n1,2\n"
    assert page.get_by_role("link", name="huge.bin").count() == 0
    assert "huge.bin: much; too large for this file" in page.content()


def test_one_file_appears_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "page.html"
    sample().report(path, "report", single_file=True)
    earlier = path.read_text()
    monkeypatch.setattr(Page, "html", lambda self, single_file: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        sample().report(path, "report", single_file=True)
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("page.html", earlier)]
