import numpy as np
import pytest
from numpy.random import SeedSequence, default_rng

import bygones as by
from bygones import paper
from bygones.accounting import regret

SMALL = by.Problem(4, 300, by.Window(10))


def test_the_experiments_are_the_papers():
    assert by.Problem(actions=10, horizon=10_000, memory=by.Window(100)) == paper.PROBLEM
    assert list(paper.FAMILIES) == ["StocHet", "StocId", "Cyc"]
    assert list(paper.LEARNERS) == ["FTARL", "LSA"]


def test_any_single_replicate_can_be_replayed_by_hand():
    curves = paper.run(3, seed=5, problem=SMALL)
    costs = by.StocHet().draw(4, 300, default_rng(SeedSequence(5, spawn_key=(2, 0))))
    actions = by.FTARL().start(SMALL, SeedSequence(5, spawn_key=(2, 1))).play(costs)
    by_hand = regret(costs, by.Window(10).start(4).extend(actions))
    assert (curves["StocHet", "FTARL"][2] == by_hand).all()


def test_another_replicate_changes_no_number():
    few, many = paper.run(2, problem=SMALL), paper.run(3, problem=SMALL)
    assert all((many[panel][:2] == few[panel]).all() for panel in few)


def test_main_prints_a_table_and_writes_the_picture(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(
        paper,
        "run",
        lambda *_, **__: {
            (family, learner): np.cumsum(np.ones((2, 50)), axis=1)
            for family in paper.FAMILIES
            for learner in paper.LEARNERS
        },
    )
    assert paper.main(["--out", str(tmp_path / "deep" / "report"), "--replicates", "2"]) == 0
    assert (tmp_path / "deep" / "report" / "figure1.png").read_bytes().startswith(b"\x89PNG")
    assert [path.name for path in (tmp_path / "deep" / "report").iterdir()] == ["figure1.png"]
    printed = capsys.readouterr().out
    assert "StocHet" in printed
    assert "50.0 (0.0)" in printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--replicates", "1"], "bygones: --replicates is 1: give a whole number of at least 2"),
        (["--seed", "-1"], "bygones: --seed is -1"),
        (["--out", "{file}/below"], "Not a directory"),
    ],
)
def test_mistakes_are_told_in_a_sentence(tmp_path, capsys, arguments, message):
    (tmp_path / "file").write_text("")
    assert paper.main([argument.format(file=tmp_path / "file") for argument in arguments]) == 2
    assert message in capsys.readouterr().err
