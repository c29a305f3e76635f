import numpy as np
import pytest
from browsing import browser, tabs  # noqa: F401 fixtures
from counting import counted, pytest_terminal_summary  # noqa: F401 a fixture, and a hook
from hypothesis import settings

# The same examples in every run: a test here fails always or never.
settings.register_profile("bygones", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("bygones")


@pytest.fixture
def rng():
    return np.random.default_rng(20240507)


def pytest_terminal_summary(terminalreporter):
    """What the sweeps found: how many games were played against each promise, and how near the worst came to it."""
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.getreports(kind)]
    found = [value for report in reports for name, value in report.user_properties if name == "attack"]
    if found:
        terminalreporter.section("games against promises")
        for name, games, largest in found:
            terminalreporter.write_line(f"{name}: {games:,} games, largest share {largest:.4f}")
        terminalreporter.write_line(f"in all: {sum(games for _, games, _ in found):,} games")
