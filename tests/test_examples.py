"""The examples run, and say what they should."""

import re
import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
SAID = {
    "production": [r"week 104: 9\d% bread", r"Paid 11\d\.\d; the best single line, bread, would have cost 110\.9\."],
    "media": [
        "Steering +gain 9,076,933, regret 275,381",
        "Always Gen Hoshino: 9,352,314 views",
        "foreseen: 10,396,481",
    ],
    "advertising": [r"Steering  regret 5\.3", "foresight 318.8", "Next week: .* search, .* radio"],
    "portfolios": [r"Steering +1\.48 for 1, 2\.6%", r"Steering decides: .* bonds", "window .* is vacuous: 145 %"],
}


def test_every_example_is_here():
    assert sorted(path.stem for path in EXAMPLES.glob("*.py")) == sorted(SAID)


@pytest.mark.parametrize("name", SAID)
def test_an_example_says_what_it_should(name, capsys):
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    printed = capsys.readouterr().out
    for said in SAID[name]:
        assert re.search(said, printed), said
