"""Learners as words."""

import pytest

import bygones as by
from bygones.learners import LEARNERS, read_learner


@pytest.mark.parametrize("kind", LEARNERS, ids=lambda kind: kind.__name__)
def test_every_learner_has_its_word(kind):
    name = kind.__name__
    for word in (name, name.lower(), name.upper(), f" {name} "):
        assert read_learner(word) == kind()


@pytest.mark.parametrize(
    ("text", "learner"),
    [
        ("follow-the-leader", by.FollowTheLeader()),
        ("Ada_Hedge", by.AdaHedge()),
        ("ftarl:tuning=sharp", by.FTARL(tuning="sharp")),
        ("FTARL: play = mean , memory_bound=12", by.FTARL(play="mean", memory_bound=12)),
        ("hedge:rate=1e-3", by.Hedge(rate=1e-3)),
        ("fixed:action=2", by.Fixed("2")),
        ("fixed:action=Delta Air Lines", by.Fixed("Delta Air Lines")),
        ("pure:learner=tracking,how=independent", by.Pure(by.Tracking(), how="independent")),
        ("pure:learner=ftarl:play=mean", by.Pure(by.FTARL(play="mean"))),
    ],
)
def test_parameters(text, learner):
    assert read_learner(text) == learner


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the learner is '': give one of 'ftarl', 'lsa'"),
        ("hegde", r"the learner is 'hegde': give one of .* \(did you mean hedge\?\)"),
        ("ftarl:tunning=sharp", r"a parameter of FTARL is 'tunning': give one of .* \(did you mean tuning\?\)"),
        ("ftarl:tuning=shrap", r"tuning is 'shrap': give one of 'paper', 'sharp' \(did you mean sharp\?\)"),
        ("hedge:rate=fast", "the learner is 'hedge:rate=fast', and the rate is 'fast': give a number"),
        ("hedge:rate", "'rate' is no name=value; learners look like tracking, ftarl:tuning=sharp"),
        ("hedge:", "'' is no name=value"),
        ("hedge:rate=1,rate=2", "rate is given twice: give it once"),
        ("uniform:a=1", "Uniform has no parameters: leave 'a=1' out"),
        ("pure:learner=ftarl", "give one that plays mixtures"),
        ("pure:learner=hegde", "did you mean hedge"),
    ],
)
def test_mistakes(text, message):
    with pytest.raises(ValueError, match=message):
        read_learner(text)
