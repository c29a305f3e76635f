import bygones as by
from bygones import paper


def test_the_experiments_are_the_papers():
    assert by.Problem(actions=10, horizon=10_000, memory=by.Window(100)) == paper.PROBLEM
    assert paper.REPLICATES == 100
    assert paper.FAMILIES["Cyc"] == by.Cyclic(hold=50, vectors=2)
    assert set(paper.PANELS) < set(paper.FAMILIES)
    assert paper.LEARNERS["FTARL"] == by.FTARL()


def test_the_published_curves_are_there_with_their_reading_error():
    frame = paper.published()
    assert frame.columns == ["family", "learner", "round", "mean_regret", "pixel"]
    assert frame.height == 60
    assert sorted(frame["family"].unique()) == sorted(paper.PANELS)
    assert frame.filter(family="StocHet", learner="FTARL", round=10_000)["mean_regret"].to_list() == [471.0]
    assert (frame["pixel"] > 0).all()
