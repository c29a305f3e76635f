"""What a study found: frames, summaries and exports."""

import shutil

import numpy as np
import polars as pl
import pytest
from small_study import SMALL, ran

import bygones as by
from bygones.studies import results
from bygones.studies.results import Found, load

KEYS = ["learner", "costs", "memory", "actions", "horizon", "cost_range", "H"]


def problem(row):
    return by.Problem(row["actions"], row["horizon"], by.Memory.parse(row["memory"]), row["cost_range"])


@pytest.mark.parametrize("method", ["simulate", "expected"])
def test_regrets_are_those_of_the_library_to_the_bit(tmp_path, method):
    given = SMALL | {"method": method, "horizon": 120, "guarantees": True, "replicates": 5}
    found = ran(tmp_path / "study", **given)
    frame, summary = found.frame().collect(), found.summary()
    assert summary.height == 24
    for row in summary.iter_rows(named=True):
        learner, costs = by.Learner.parse(row["learner"]), by.Costs.parse(row["costs"])
        run = getattr(by, method)
        result = run(problem(row), [learner], costs, replicates=5, seed=0, record=[10, 60], guarantee=True)
        own = frame.filter(*(pl.col(name).eq_missing(row[name]) for name in KEYS))
        (label,) = result.regrets
        assert own["regret"].to_numpy().reshape(5, -1).tolist() == result.regrets[label].tolist()
        assert own["round"].to_list() == [10, 60, 120] * 5
        held = result.guarantees.get(label)
        kept = own["guarantee"].to_numpy().reshape(5, -1)
        assert np.isnan(kept).all() if held is None else kept.tolist() == held.tolist()
        (means,) = result.summary().iter_rows(named=True)
        assert {name: row[name] for name in ("mean", "sd", "se", "q05", "q50", "q95")} == {
            name: value for name, value in means.items() if name not in ("learner", "guarantee")
        }
        assert row["bound"] == learner.bound(problem(row))


def test_rows_of_a_summary_keep_their_bounds_when_a_study_is_half_done(small, tmp_path):
    whole = small.summary()
    shutil.copytree(small.folder.path, tmp_path / "half")
    files = sorted((tmp_path / "half" / "cells").rglob("*.parquet"))
    for path in files[::2]:
        path.unlink()
    half = load(tmp_path / "half")
    made = half.summary()
    assert 0 < made.height < whole.height
    assert half.missing() > 0
    assert made.join(whole, on=made.columns, how="anti", nulls_equal=True).is_empty()


def test_replicates_beyond_those_asked_for_are_left_out(small):
    fewer = Found(by.Study(**SMALL | {"replicates": 2}), small.folder)
    assert fewer.summary()["replicates"].unique().to_list() == [2]
    assert fewer.missing() == 0
    assert fewer.frame().collect().equals(small.frame().filter(pl.col("replicate") < 2).collect())


def test_a_folder_is_scanned_lazily(small, monkeypatch):
    frame = by.Study.load(small.folder.path)
    assert isinstance(frame, pl.LazyFrame)
    assert frame.collect().equals(small.frame().collect())
    read = []
    own = type(small)._parts
    monkeypatch.setattr(results, "MANY", 1)
    monkeypatch.setattr(type(small), "_parts", lambda self, *given: read.append(given) or own(self, *given))
    first = small.frame().head(3).collect()
    assert first.height == 3
    assert len(read) == 1
    picked = small.frame().filter(pl.col("H") == 4, learner="hedge").select("regret", "horizon").collect()
    assert picked.columns == ["regret", "horizon"]
    assert picked.height == 2 * 6 * (2 + 3 + 3)  # costs, replicates, rounds of the three horizons


@pytest.mark.parametrize("guarantees", [False, True])
def test_no_parameter_can_have_the_name_of_a_column(guarantees, tmp_path):
    found = ran(tmp_path, **SMALL | {"guarantees": guarantees, "switches": True, "replicates": 2, "horizon": 60})
    for name in {*found.schema, *found.summary().columns, *found.curves().columns} - {"H"}:
        with pytest.raises(ValueError, match=f"{name} cannot be the name of a parameter"):
            by.Study(learners=["hedge"], costs=["stochet"], memory=f"window:{{{name}}}", grid={name: [2, 3]})


@pytest.mark.parametrize(("bound", "value"), [("MANY", 1), ("MANY", 5), ("TOGETHER", 1), ("TOGETHER", 20_000)])
def test_however_many_cells_are_read_at_once_the_results_are_the_same(bound, value, small, monkeypatch):
    frame, ends = small.frame().collect(), small.ends
    monkeypatch.setattr(results, bound, value)
    again = Found(small.study, small.folder)
    assert again.frame().collect().equals(frame)
    for one, other in zip(again.ends, ends, strict=True):
        assert one.named == other.named
        assert one.replicates.tolist() == other.replicates.tolist()
        assert one.regrets.tolist() == other.regrets.tolist()


@pytest.mark.parametrize("ending", ["parquet", "csv", "tex"])
def test_the_same_results_are_exported_to_the_same_bytes_however_they_were_cut(small, tmp_path, ending):
    small.export(tmp_path / f"one.{ending}")
    other = ran(tmp_path / "again", size=2, **SMALL)
    assert len(list(other.pieces())) == 3 * len(list(small.pieces()))
    other.export(tmp_path / f"two.{ending}")
    assert (tmp_path / f"one.{ending}").read_bytes() == (tmp_path / f"two.{ending}").read_bytes()


def test_a_latex_table_has_one_column_for_whatever_is_swept(small, tmp_path):
    small.export(tmp_path / "table.tex")
    lines = (tmp_path / "table.tex").read_text().splitlines()
    assert lines[:3] == [r"\begin{tabular}{llllr}", r"\toprule", r"Learner & Costs & Horizon & H & Regret \\"]
    assert lines[4].startswith(r"ftarl & stochet & 60 & 2 & $")
    assert len(lines) == 6 + len(small.study)


def test_exports_refuse_what_they_cannot_write(small, tmp_path):
    with pytest.raises(ValueError, match=r"give a file that ends in \.parquet, \.csv, \.tex"):
        small.export(tmp_path / "table.xlsx")
    with pytest.raises(ValueError, match="is not the folder of a study"):
        load(tmp_path)


def test_tables_are_shown_by_the_names_of_their_files(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "costs.csv").write_text("x,y\n" + "0.1,0.2\n0.4,0.3\n" * 5)
    (tmp_path / "own.csv").write_text("x,y,z\n" + "0.1,0.2,0.5\n" * 7)
    paths = [str(tmp_path / name) for name in ("own.csv", "a/costs.csv", "b/costs.csv")]
    found = ran(tmp_path / "study", learners=["hedge"], costs=paths, memory="window:2", replicates=1)
    made = found.summary()
    assert made["costs"].to_list() == ["own.csv", *paths[1:]]  # two have the same name
    assert made["actions"].to_list() == [3, 2, 2]
    assert made["horizon"].to_list() == [7, 10, 10]
    assert load(tmp_path / "study").summary().equals(made)


def test_results_show_themselves(small):
    assert repr(small).startswith("<Study: steering(adahedge) has a regret of ")
    assert "lowest in" in repr(small)
    assert "<table>" in small._repr_html_()


def test_regret_over_the_rounds(small):
    made = small.curves()
    own = made.filter(learner="hedge", costs="stochet", horizon=60, H=2)
    assert own["round"].to_list() == [10, 60]
    ends = small.summary().filter(learner="hedge", costs="stochet", horizon=60, H=2)
    assert own["mean"][-1] == pytest.approx(ends["mean"].item())
