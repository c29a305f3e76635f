import pytest

import bygones as by
from bygones import paper


def test_the_experiments_are_the_papers():
    assert by.Problem(actions=10, horizon=10_000, memory=by.Window(100)) == paper.PROBLEM
    assert list(paper.FAMILIES) == ["StocHet", "StocId", "Cyc"]
    assert (by.FTARL(), by.LSA()) == paper.LEARNERS


def test_main_prints_a_table_and_writes_the_picture(tmp_path, monkeypatch, capsys):
    small = paper.run(2, problem=by.Problem(4, 300, by.Window(10)))
    monkeypatch.setattr(paper, "run", lambda *_, **__: small)
    assert paper.main(["--out", str(tmp_path / "deep" / "report"), "--replicates", "2"]) == 0
    assert (tmp_path / "deep" / "report" / "figure1.png").read_bytes().startswith(b"\x89PNG")
    assert [path.name for path in (tmp_path / "deep" / "report").iterdir()] == ["figure1.png"]
    printed = capsys.readouterr().out
    mean = small["StocHet"].summary()["mean"][0]
    assert "StocHet" in printed
    assert f"{mean:,.1f} (" in printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--replicates", "1"], "bygones: --replicates is 1: give a whole number of at least 2"),
        (["--seed", "-1"], "bygones: --seed is -1"),
        (["--out", "{file}/below"], "Not a directory"),
        (["--out", "{file}"], "is a file: name a folder"),
    ],
)
def test_mistakes_are_told_in_a_sentence(tmp_path, capsys, arguments, message):
    (tmp_path / "file").write_text("")
    assert paper.main([argument.format(file=tmp_path / "file") for argument in arguments]) == 2
    assert message in capsys.readouterr().err


def test_an_interruption_is_told_in_a_sentence(tmp_path, monkeypatch, capsys):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(paper, "run", interrupted)
    assert paper.main(["--out", str(tmp_path)]) == 130
    assert capsys.readouterr().err == "bygones: interrupted; nothing was written\n"
