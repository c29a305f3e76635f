import pytest

from bygones.cli import main
from bygones.cli.options import OPTIONS, as_options


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        (
            'leave it out with missing="drop", or missing="carry"',
            "leave it out with --missing drop, or --missing carry",
        ),
        ("missing= is 'skip': give one of 'error'", "--missing is 'skip': give one of 'error'"),
        ("declare cost_range=2.5 or more", "declare --range 2.5 or more"),
        ("declare cost_range=1e-05.", "declare --range 1e-05."),
        ("switch_cost=0.1, learners= and memory='window:7'", "--switch-cost 0.1, --learner and --memory window:7"),
        ("leave prices=True out (rewards=True too)", "leave --prices out (--rewards too)"),
        ("column 'time=3' is \"actions=\"", "column 'time=3' is \"actions=\""),
        (r"column 'O\'Hare time=' and time=", r"column 'O\'Hare time=' and --time"),
        ("the problem's horizon is unknown: give horizon=100", "the problem's horizon is unknown: give --horizon 100"),
        ("/data/time=3/seed=4.csv: there is no such file", "/data/time=3/seed=4.csv: there is no such file"),
        ("ftarl:rate=0.1 has no lifetime=", "ftarl:rate=0.1 has no lifetime="),
    ],
)
def test_keywords_become_options(message, shown):
    assert as_options(message) == shown


def test_every_keyword_is_translated_alone():
    for keyword, option in OPTIONS.items():
        assert as_options(f"give {keyword}=") == f"give {option}"


def test_the_command_line_names_its_options(tmp_path, capsys):
    (tmp_path / "a.csv").write_text("date,rail,road\n2013-01-01,1,2\n2013-01-02,,4\n")
    assert main(["backtest", str(tmp_path / "a.csv"), "--memory", "window:1", "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert (
        "leave such periods out with --missing drop (1 of 2 is lost), or repeat the value before with --missing carry"
        in said
    )
