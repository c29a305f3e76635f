import io
import json

import numpy as np
import polars as pl
import pytest

import bygones as by

PROBLEM = by.Problem(3, 200, by.Window(10))


@pytest.fixture(scope="module")
def result():
    return by.simulate(PROBLEM, [by.FTARL(), by.LSA(), by.LSA(tuning="geulen")], by.StocHet(), replicates=20, seed=3)


def test_frames(result):
    columns = ["mean", "sd", "se", "q05", "q50", "q95"]
    summary, curves = result.summary(), result.curves()
    assert summary.columns == ["learner", *columns]
    assert curves.columns == ["learner", "round", *columns]
    assert summary["learner"].to_list() == ["FTARL", "LSA", "LSA(tuning='geulen')"]
    assert len(curves) == 3 * 200
    for label, row in zip(result.regrets, summary.iter_rows(named=True), strict=True):
        ends = result.regrets[label][:, -1]
        assert row["mean"] == pytest.approx(ends.mean())
        assert row["sd"] == pytest.approx(ends.std(ddof=1))
        assert row["se"] == pytest.approx(ends.std(ddof=1) / 20**0.5)
        assert [row["q05"], row["q50"], row["q95"]] == pytest.approx(np.quantile(ends, [0.05, 0.5, 0.95]))
    assert curves.filter(round=200).drop("round").equals(summary)


def test_one_replicate_has_no_deviation():
    single = by.simulate(PROBLEM, [by.FTARL()], by.StocHet(), replicates=1)
    assert single.summary().select("sd", "se").row(0) == (None, None)
    assert "regret" in repr(single)
    assert single.plot() is not None


def test_everything_in_one_frame(result):
    frame = result.to_frame()
    assert frame.columns == ["learner", "replicate", "round", "regret"]
    assert len(frame) == 3 * 20 * 200
    one = frame.filter(learner="LSA", replicate=7)
    assert (one["regret"].to_numpy() == result.regrets["LSA"][7]).all()
    with pytest.raises(ValueError, match="kind is 'csv': give one of 'polars', 'pandas'"):
        result.to_frame("csv")
    pandas = result.to_frame("pandas")
    assert list(pandas.columns) == frame.columns
    assert pl.DataFrame(pandas.to_dict("list")).equals(frame)


def test_paired_comparison(result):
    row = result.compare("LSA", "FTARL").row(0, named=True)
    ends = result.regrets["LSA"][:, -1] - result.regrets["FTARL"][:, -1]
    assert (row["first"], row["second"]) == ("LSA", "FTARL")
    assert row["difference"] == pytest.approx(ends.mean())
    assert row["se"] == pytest.approx(ends.std(ddof=1) / 20**0.5)
    with pytest.raises(ValueError, match="there is no learner 'Hedge': the learners are FTARL, LSA"):
        result.compare("Hedge", "LSA")


def test_saving_and_loading(result, tmp_path):
    path = tmp_path / "run.parquet"
    result.save(path)
    again = by.Result.load(path)
    assert again.problem == result.problem
    assert again.learners == result.learners
    assert again.about == result.about
    assert again.about["seed"] == 3
    assert (again.rounds == result.rounds).all()
    assert all((again.regrets[label] == result.regrets[label]).all() for label in result.regrets)
    assert pl.read_parquet(path).equals(result.to_frame())
    first = path.read_bytes()
    result.save(path)
    assert path.read_bytes() == first


def test_damage_and_newer_versions_are_refused(result, tmp_path):
    path = tmp_path / "run.parquet"
    result.save(path)
    whole = path.read_bytes()
    for place in range(8, len(whole), len(whole) // 60):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        try:
            again = by.Result.load(path)
        except ValueError:
            continue
        assert all((again.regrets[label] == result.regrets[label]).all() for label in result.regrets)
    frame = pl.read_parquet(io.BytesIO(whole))
    header = json.loads(pl.read_parquet_metadata(io.BytesIO(whole))["bygones"])
    for change, message in (
        ({"version": 2}, "by a newer bygones"),
        ({"format": "x"}, "no result"),
        ({"digest": ""}, "no result"),
    ):
        frame.write_parquet(path, metadata={"bygones": json.dumps(header | change)})
        with pytest.raises(ValueError, match=message):
            by.Result.load(path)
    for header in ({}, [], 5):
        frame.write_parquet(path, metadata={"bygones": json.dumps(header)})
        with pytest.raises(ValueError, match="no result that bygones saved"):
            by.Result.load(path)


def test_foreign_files_are_refused(tmp_path):
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "other.parquet")
    (tmp_path / "text.parquet").write_text("nothing")
    for name in ("other.parquet", "text.parquet"):
        with pytest.raises(ValueError, match="no result that bygones saved"):
            by.Result.load(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        by.Result.load(tmp_path / "missing.parquet")


def test_the_figure_shows_every_learner_and_bounds_on_request(result):
    labels = [text.get_text() for text in result.plot().axes[0].get_legend().get_texts()]
    assert labels == list(result.regrets)
    bounded = [text.get_text() for text in result.plot(bounds=True).axes[0].get_legend().get_texts()]
    assert "FTARL, bound" in bounded


def test_repr_tells_the_essentials(result):
    shown = repr(result)
    assert shown.startswith("<Result: 20 replicates, 200 rounds of StocHet()")
    assert shown.count("regret") == 3
