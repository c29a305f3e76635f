"""Pages in a browser: one browser, and each page opened once for all tests that look at it."""

import os
import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
import pictures


class Tab(NamedTuple):
    """A page, drawn, with the errors it met and the addresses it asked for."""

    page: Any
    errors: list[str]
    asked: list[str]


@pytest.fixture(scope="session")
def browser():
    found = pictures.browser_path()
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("there is no browser, and in CI these tests must run")
        pytest.skip("THE PAGES WERE NOT LOOKED AT: there is no chromium; install Debian's package of that name")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def tabs(browser):
    """Open the page of a report, on a wide or a narrow screen, where light or dark colours are wanted.

    Drawing takes seconds, so that each is opened once: a test that changes a tab puts it back.
    """

    @cache
    def opened(folder, colours="light", narrow=False):
        size = {"width": 360, "height": 740} if narrow else {"width": 1100, "height": 900}
        page, errors, asked = browser.new_context(color_scheme=colours, viewport=size).new_page(), [], []
        page.on("console", lambda message: errors.append(message.text) if message.type in ("error", "warning") else 0)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto((folder / "index.html").as_uri())
        page.wait_for_function(
            "[...document.querySelectorAll('.chart')].every(place => place.querySelector('.main-svg'))"
        )
        return Tab(page, errors, asked)

    return opened


def check_page(tab, charts):
    """So many charts are drawn, nothing outside is asked for, and headings and texts are there for those who listen."""
    page, errors, asked = tab
    assert errors == []
    assert {address.rpartition("/")[2] for address in asked} == {"index.html", "plotly.min.js"}
    assert all(address.startswith("file://") for address in asked)
    shapes = page.evaluate(
        "[...document.querySelectorAll('.chart')].map(place => [place.querySelectorAll('.scatterlayer path').length,"
        " place.getBoundingClientRect().height])"
    )
    assert len(shapes) == charts
    assert all(paths > 0 and height > 90 for paths, height in shapes)
    assert page.evaluate("[...document.querySelectorAll('.chart')].every(place => place.ariaLabel.length > 20)")
    headings = page.eval_on_selector_all("h1, h2", "nodes => nodes.map(node => node.tagName)")
    assert headings[0] == "H1"
    assert headings.count("H1") == 1
    to = "nodes => nodes.map(node => document.querySelector(node.hash)?.tagName)"
    linked = page.eval_on_selector_all("nav a", to)
    assert linked == ["H2"] * headings.count("H2")


def check_accessible(tab):
    """Axe, which knows the rules for accessible pages, finds nothing against them; contrast of colours included."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(tab.page)
    assert "color-contrast" in {rule["id"] for rule in found.response["passes"]}
    assert found.violations_count == 0, found.generate_report()


def check_narrow(tab):
    """Nothing is wider than the screen."""
    page, errors, _ = tab
    assert errors == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    charts = "[...document.querySelectorAll('.chart')].map(place => place.getBoundingClientRect().right)"
    assert max(page.evaluate(charts)) <= 360


def check_toggle(tab, learner, chart="#chart1"):
    """A learner of a chart can be hidden and shown, by keyboard and by mouse."""
    page, errors, _ = tab
    shown = f"document.querySelector('{chart}').data.find(trace => trace.name === '{learner}').visible !== 'legendonly'"
    assert page.evaluate(shown)
    toggle = page.locator(f"figure:has({chart}) .legend button").get_by_text(learner, exact=True)
    toggle.press("Enter")
    page.wait_for_function(f"!({shown})")
    assert toggle.get_attribute("aria-pressed") == "false"
    toggle.click()
    page.wait_for_function(shown)
    assert toggle.get_attribute("aria-pressed") == "true"
    assert errors == []


def check_dark(light, dark, chart="#chart1"):
    """The page is dark where dark is wanted, and follows when that changes."""
    colour = "getComputedStyle(document.body).backgroundColor"
    first = f"document.querySelector('{chart}').data[0].line.color"
    assert (light.page.evaluate(colour), dark.page.evaluate(colour)) == ("rgb(255, 255, 255)", "rgb(20, 24, 28)")
    inks = {"light": light.page.evaluate(first), "dark": dark.page.evaluate(first)}
    assert inks["light"] != inks["dark"]
    for scheme in ("light", "dark"):
        dark.page.emulate_media(color_scheme=scheme)
        dark.page.wait_for_function(f"{first} === '{inks[scheme]}'")
    assert dark.errors == []
