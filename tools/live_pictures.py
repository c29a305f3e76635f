"""Make the docs' pictures of the live page: `make live-pictures`.

The service is started with a journal that begins with a bundled table; people propose, override and enter costs.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pictures import browser_path

import bygones as by

LOOKS: dict[str, dict[str, Any]] = {
    "live-1280": {"viewport": {"width": 1280, "height": 1700}},
    "live-1280-dark": {"viewport": {"width": 1280, "height": 1700}, "color_scheme": "dark"},
    "live-400": {"viewport": {"width": 400, "height": 1900}},
    "live-400-dark": {"viewport": {"width": 400, "height": 1900}, "color_scheme": "dark"},
}
MOST = 200_000  # bytes of a picture


@contextmanager
def serving(database: Path) -> Iterator[str]:
    """The address of a service on this machine, for a while."""
    command = [sys.executable, "-m", "bygones", "serve", "--db", str(database), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None  # noqa: S101 - it is a pipe
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()


def begin(database: Path) -> None:
    """A journal with a past, and what some people have entered since."""
    views = by.datasets.load("wikipedia")
    names = views.columns[1:]
    past, later = views.head(500), views.tail(50).iter_rows(named=True)
    journal = by.Journal.from_backtest(
        database, "front-page", past, "geometric:0.9", horizon=730, gains=True, author="ann", progress=False
    )
    with journal:
        for k, row in enumerate(later):
            journal.author = ("ann", "ben", "night job")[k % 3]
            if k in (20, 21, 36):
                journal.propose(names[k % 3])
            if 28 < k < 32 or k > 40:
                journal.override({names[1]: 0.4, names[3]: 0.4, names[5]: 0.2})
            journal.observe({name: row[name] for name in names}, row["date"])


def smaller(path: Path) -> None:
    """Write a picture with fewer colours, which on a page nobody sees."""
    from PIL import Image

    with Image.open(path) as image:
        few = image.convert("RGB").quantize(128, dither=Image.Dither.NONE)
    few.save(path, optimize=True)
    if path.stat().st_size > MOST:
        raise ValueError(f"{path} has {path.stat().st_size:,} bytes, more than {MOST:,}: photograph less")


def main(to: Path) -> int:
    """Make them all."""
    from playwright.sync_api import sync_playwright

    found = browser_path()
    if found is None:
        print("bygones: this needs chromium", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        database = Path(folder, "journals.db")
        begin(database)
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        with serving(database) as where:
            for name, look in LOOKS.items():
                page = browser.new_context(**look).new_page()
                page.goto(f"{where}journals/front-page")
                page.wait_for_selector("#decision")
                page.screenshot(path=to / f"{name}.png")
                smaller(to / f"{name}.png")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(Path("docs")))
