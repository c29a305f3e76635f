"""Words that strangers send import nothing, however deep the name of a module is in them."""

import sys

import pytest

import bygones as by
from bygones.live.service.words import library_learner, library_memory

MODULE = """
import bygones as by
class Mine(by.Hedge):
    pass
class Kept(by.Window):
    pass
"""


@pytest.mark.parametrize(
    "words",
    [
        *("strangers:Mine", "strangers:Mine:rate=0.1", "guarded(strangers:Mine)", "guarded(learner=strangers:Mine)"),
        *("guarded:learner=(strangers:Mine)", "pure(guarded(steering(strangers:Mine)))", " strangers : Mine"),
        *("guarded:learner=strangers:Mine", 'guarded:learner="strangers:Mine"', "pure(strangers:Mine:rate=1)"),
    ],
)
def test_no_module_is_imported(words, tmp_path, monkeypatch):
    (tmp_path / "strangers.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    for parse, text in ((library_learner, words), (library_memory, words.replace("Mine", "Kept"))):
        with pytest.raises(ValueError, match="the (learner|memory) is"):
            parse(text)
    assert "strangers" not in sys.modules
    by.Learner.parse("strangers:Mine")  # which the user may
    assert sys.modules.pop("strangers")


def test_all_that_the_library_has_is_read():
    for kind in by.learners.LEARNERS:
        learner = kind() if kind.__name__ not in ("Fixed", "Advice") else by.Fixed(0)
        assert library_learner(learner.words) == learner
    for memory in (by.Window(4), by.FullHistory(), by.Geometric(0.9), by.Weights([0.5, 0.5])):
        assert library_memory(memory.words) == memory
