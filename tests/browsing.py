"""Pages in a browser: the fixture, and a way to open one."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
import pictures


@pytest.fixture(scope="module")
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


def opened(browser, page, **look):
    """A page, drawn, with the errors it met and the addresses it asked for."""
    context = browser.new_context(**look)
    tab, errors, asked = context.new_page(), [], []
    tab.on("console", lambda message: errors.append(message.text) if message.type in ("error", "warning") else None)
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto(page.as_uri())
    tab.wait_for_function("[...document.querySelectorAll('.chart')].every(place => place.querySelector('.main-svg'))")
    return tab, errors, asked


def check_page(browser, page, charts):
    """So many charts are drawn, nothing outside is asked for, and headings and texts are there for those who listen."""
    tab, errors, asked = opened(browser, page, viewport={"width": 1100, "height": 900})
    assert errors == []
    assert {address.rpartition("/")[2] for address in asked} == {"index.html", "plotly.min.js"}
    assert all(address.startswith("file://") for address in asked)
    shapes = tab.evaluate(
        "[...document.querySelectorAll('.chart')].map(place => [place.querySelectorAll('.scatterlayer path').length,"
        " place.getBoundingClientRect().height])"
    )
    assert len(shapes) == charts
    assert all(paths > 0 and height > 200 for paths, height in shapes)
    assert tab.evaluate("[...document.querySelectorAll('.chart')].every(place => place.ariaLabel.length > 20)")
    headings = tab.eval_on_selector_all("h1, h2", "nodes => nodes.map(node => node.tagName)")
    assert headings[0] == "H1"
    assert headings.count("H1") == 1
    assert tab.eval_on_selector("main h2", "node => node.textContent") == "Summary"


def check_toggle(browser, page, learner):
    """The first learner of the first chart can be hidden and shown."""
    tab, errors, _ = opened(browser, page)
    shown = f"document.querySelector('#chart1').data.find(trace => trace.name === '{learner}').visible !== 'legendonly'"
    assert tab.evaluate(shown)
    toggle = tab.locator("#chart1 .legendtoggle").first
    toggle.scroll_into_view_if_needed()
    toggle.click()
    tab.wait_for_function(f"!({shown})")
    tab.wait_for_timeout(500)  # a second click within this would be a double one
    toggle.click()
    tab.wait_for_function(shown)
    assert errors == []


def check_dark(browser, page):
    """The page is dark where dark is wanted, and follows when that changes."""
    light, _, _ = opened(browser, page, color_scheme="light")
    dark, errors, _ = opened(browser, page, color_scheme="dark")
    assert errors == []
    colour = "getComputedStyle(document.body).backgroundColor"
    assert (light.evaluate(colour), dark.evaluate(colour)) == ("rgb(255, 255, 255)", "rgb(20, 24, 28)")
    first = "document.querySelector('#chart1').data[0].line.color"
    assert light.evaluate(first) != dark.evaluate(first)
    dark.emulate_media(color_scheme="light")
    dark.wait_for_function(f"{first} === '{light.evaluate(first)}'")
