from math import log, sqrt

import pytest

import bygones as by
from bygones import paper


def test_the_experiments_are_the_papers():
    assert by.Problem(actions=10, horizon=10_000, memory=by.Window(100)) == paper.PROBLEM
    assert paper.REPLICATES == 100
    assert paper.FAMILIES["Cyc"] == by.Cyclic(hold=50, vectors=2)
    assert set(paper.PANELS) < set(paper.FAMILIES)
    assert paper.LEARNERS["FTARL"] == by.FTARL()


def test_the_candidates_for_the_rate_of_lsa_are_those_that_their_names_say():
    T, H, n = 10_000, 100, 10
    anava, geulen = sqrt((1 + log(T + 1)) / (H * T)) / 4, -log(1 - sqrt(log(n) / (H * T)))
    rates = {name: learner.rate_for(paper.PROBLEM) for name, learner in paper.LEARNERS.items() if name != "FTARL"}
    assert rates == pytest.approx(
        {
            "LSA, Anava": anava,
            "LSA, Geulen": geulen,
            "LSA, half of Geulen": geulen / 2,
            "LSA, Anava with nM": anava / n,
        }
    )


def test_the_published_curves_are_there_with_their_reading_error():
    frame = paper.published()
    assert frame.columns == ["family", "learner", "round", "mean_regret", "pixel"]
    assert frame.height == 60
    assert sorted(frame["family"].unique()) == sorted(paper.PANELS)
    assert frame.filter(family="StocHet", learner="FTARL", round=10_000)["mean_regret"].to_list() == [471.0]
    assert (frame["pixel"] > 0).all()
