"""What the hostile tests try is counted once, in whichever process they run."""

from types import SimpleNamespace

from counting import PROPERTY, summarise


class Reporter:
    """A reporter of a run, with what it printed."""

    def __init__(self, *reports):
        self.stats, self.lines = {"passed": list(reports), "warnings": [object()]}, []
        self.section = self.write_line = self.lines.append


def report(when, **tried):
    return SimpleNamespace(when=when, user_properties=[("other", 7), (PROPERTY, tried)])


def test_cases_are_added_up_over_tests_and_counted_once_per_test():
    phases = [report(when, kills=2000, tables=3) for when in ("setup", "call", "teardown")]
    run = Reporter(*phases, report("call", kills=1), report("call"))
    summarise(run)
    assert run.lines == ["hostile cases tried", "  2,001 kills", "      3 tables"]


def test_nothing_is_said_where_nothing_was_counted():
    run = Reporter(report("call"))
    summarise(run)
    assert run.lines == []


def test_a_test_counts_as_it_goes(counted, request):
    counted("tests of counting")
    counted("tests of counting", 2)
    assert request.node.user_properties == [(PROPERTY, {"tests of counting": 3})]
    request.node.user_properties.clear()  # it is no hostile case
