"""Make the pictures of the docs from a report: `make pictures`, after `make reproduce`.

The figure is copied; the page is opened in chromium, as a reader would, and photographed.
"""

import shutil
import sys
from pathlib import Path
from typing import Any

WIDTH = 1280


def browser_path() -> str | None:
    """Where chromium is; None: nowhere."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if (path := shutil.which(name))), None)


def photograph(browser: Any, report: Path, to: Path) -> list[Path]:  # noqa: ANN401
    """Photograph the top of a report's page in light and dark, and on a narrow screen."""
    taken = []
    looks: dict[str, dict[str, Any]] = {
        "report": {"viewport": {"width": WIDTH, "height": 1500}},
        "report-dark": {"viewport": {"width": WIDTH, "height": 1500}, "color_scheme": "dark"},
        "report-narrow": {"viewport": {"width": 390, "height": 1500}},
    }
    for name, look in looks.items():
        page = browser.new_context(**look).new_page()
        page.goto((report / "index.html").resolve().as_uri())
        page.wait_for_function("document.querySelector('#chart1 .main-svg') !== null")
        page.screenshot(path=to / f"{name}.png")
        taken.append(to / f"{name}.png")
    return taken


def main(report: Path, to: Path) -> int:
    """Make them all."""
    from playwright.sync_api import sync_playwright

    found = browser_path()
    if found is None or not (report / "index.html").exists():
        print("bygones: this needs chromium, and a report: call make reproduce first", file=sys.stderr)
        return 2
    shutil.copyfile(report / "figure1.png", to / "figure1.png")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        photograph(browser, report, to)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(Path("bygones-report"), Path("docs")))
