"""Rankings, exponents and maps."""

import math

import polars as pl
import pytest
from small_study import SMALL, ran

import bygones as by
from bygones.studies.comparing import curves, numeric, pairs, ranking
from bygones.studies.sentences import answer, growth, standings


def test_a_ranking_is_that_of_paired_differences_on_common_costs(small):
    ranked = ranking(small.ends)
    assert (ranked.problems, ranked.replicates) == (18, 6)
    ends = small.frame().filter(pl.col("round") == pl.col("horizon")).collect()
    wide = ends.pivot("learner", index=["costs", "memory", "horizon", "replicate"], values="regret")
    means = {each.learner: each.mean for each in ranked.standings}
    assert list(means) == sorted(means, key=means.get)
    first = ranked.standings[0].learner
    for each in ranked.standings:
        assert each.mean == pytest.approx(wide[each.learner].mean())
        apart = wide.select("replicate", apart=pl.col(each.learner) - pl.col(first))
        apart = apart.group_by("replicate").mean()["apart"]
        assert each.more == pytest.approx(apart.mean())
        assert each.se == pytest.approx(apart.std() / math.sqrt(6))
    per = wide.group_by("costs", "memory", "horizon").agg(pl.col(list(means)).mean())
    lowest = per.select(pl.min_horizontal(list(means))).to_series()
    assert {each.learner: each.best for each in ranked.standings} == {
        name: int((per[name] == lowest).sum()) for name in means
    }


def test_only_problems_that_all_learners_played_are_compared(small):
    left = [end for end in small.ends if not (end.named["learner"] == "lsa" and end.named["horizon"] > 60)]
    assert ranking(left).problems == 6
    without = [end for end in small.ends if (end.named["learner"] == "lsa") == (end.named["horizon"] > 60)]
    assert ranking(without).standings == []
    assert ranking([]).standings == []


def test_what_is_numeric_and_crossed():
    given = SMALL | {"actions": [2, 3, 4], "cost_range": [1.0, "unknown"], "zipped": [["H", "actions"]]}
    study = by.Study(**given)
    assert numeric(study) == ["actions", "horizon", "H"]
    assert pairs(study) == [("actions", "horizon"), ("horizon", "H")]
    windows = SMALL | {"memory": ["window:3", "window:5"], "grid": {}}
    assert numeric(by.Study(**windows)) == ["memory", "horizon"]
    assert numeric(by.Study(**windows | {"memory": ["window:3", "full"]})) == ["horizon"]


def test_curves_are_means_over_everything_else(small):
    made = {(curve.learner, curve.costs): curve for curve in curves(small.study, small.ends, ["H"])}
    assert len(made) == 8
    frame = small.summary().filter(learner="hedge", costs="stochet")
    curve = made["hedge", "stochet"]
    assert curve.values == [(2,), (4,), (8,)]
    assert curve.table.shape == (6, 3)
    grouped = frame.group_by("H", maintain_order=True).agg(pl.col("mean", "bound").mean())
    assert curve.means == pytest.approx(grouped["mean"].to_numpy())
    assert curve.bounds == pytest.approx(grouped["bound"].to_numpy())


def test_a_value_with_fewer_problems_does_not_look_better(small):
    """Where H = 8 lacks the long horizon, no other value has it either."""
    left = [end for end in small.ends if not (end.named["H"] == 8 and end.named["horizon"] == 240)]
    curve = next(iter(curves(small.study, left, ["H"])))
    frame = small.summary().filter(pl.col("horizon") < 240, learner=curve.learner, costs=curve.costs)
    grouped = frame.group_by("H", maintain_order=True).agg(pl.col("mean").mean())
    assert curve.means == pytest.approx(grouped["mean"].to_numpy())


def test_a_parameter_of_a_learner_is_a_curve_of_that_learner(tmp_path):
    given = SMALL | {"learners": ["hedge:rate={rate}", "ftarl"], "memory": "window:3", "horizon": 60}
    found = ran(tmp_path / "study", **given | {"grid": {"rate": [0.1, 0.2, 0.4]}})
    made = list(curves(found.study, found.ends, ["rate"]))
    assert [(curve.learner, curve.costs) for curve in made] == [
        ("hedge:rate={rate}", "stochet"),
        ("hedge:rate={rate}", "cyclic:hold=5,vectors=2"),
    ]
    assert made[0].values == [(0.1,), (0.2,), (0.4,)]


def test_a_parameter_of_costs_is_averaged_over_where_another_one_is_drawn(tmp_path):
    given = SMALL | {"costs": ["cyclic:hold={hold},vectors=2"], "horizon": 60, "learners": ["hedge"]}
    found = ran(tmp_path / "study", **given | {"grid": {"H": [2, 4], "hold": [5, 10]}})
    (curve,) = curves(found.study, found.ends, ["H"])
    assert curve.costs == "cyclic:hold={hold},vectors=2"
    grouped = found.summary().group_by("H", maintain_order=True).agg(pl.col("mean").mean())
    assert curve.means == pytest.approx(grouped["mean"].to_numpy())


def test_two_parameters_at_once(small):
    curve = next(iter(curves(small.study, small.ends, ["horizon", "H"])))
    assert len(curve.values) == 9
    row = small.summary().filter(learner=curve.learner, costs=curve.costs, horizon=120, H=4)
    assert curve.means[curve.values.index((120, 4))] == pytest.approx(row["mean"].item())


def test_the_answer_says_who_is_best_and_whether_that_is_shown(small, tmp_path):
    assert answer(small).startswith("steering(adahedge) has a regret of ")
    assert "in the mean over 18 problems and 6 replicates, the lowest; " in answer(small)
    head, rows = standings(small, most=3)
    assert [len(row) for row in rows] == [len(head)] * 3
    assert all("Its regret grows like " in sentence for sentence in growth(small))
    twins = SMALL | {"learners": ["ftarl", "ftarl:rate=0.0357"], "horizon": 60, "replicates": 2}
    assert "worse is not shown" in answer(ran(tmp_path / "twins", **twins))
    alone = ran(tmp_path / "alone", **SMALL | {"learners": ["hedge"], "horizon": 60, "replicates": 1})
    assert answer(alone).endswith("in the mean over 6 problems and 1 replicate.")
