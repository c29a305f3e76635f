"""How many cases the hostile tests have tried, printed at the end of a run, whichever processes ran them."""

from collections import Counter
from collections.abc import Callable

import pytest

PROPERTY = "tried"


@pytest.fixture
def counted(record_property: Callable[[str, object], None]) -> Callable[..., None]:
    """Count cases of a kind, once they are tried: `counted("odd tables", 3)`."""
    tried: dict[str, int] = {}  # a plain one goes with the test's report from a worker to the controller
    record_property(PROPERTY, tried)

    def count(kind: str, cases: int = 1) -> None:
        tried[kind] = tried.get(kind, 0) + cases

    return count


def summarise(terminalreporter: pytest.TerminalReporter) -> None:
    """Print one line for each kind."""
    total: Counter[str] = Counter()
    for report in (report for reports in terminalreporter.stats.values() for report in reports):
        if getattr(report, "when", None) == "call":  # setup and teardown have the same properties
            for name, tried in report.user_properties:
                total.update(tried if name == PROPERTY else {})
    if total:
        terminalreporter.section("hostile cases tried")
    for kind, cases in sorted(total.items()):
        terminalreporter.write_line(f"{cases:7,} {kind}")
