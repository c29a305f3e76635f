"""Anything in any order: what a journal says of itself is what its log gives, and what is refused changes nothing."""

import warnings

import numpy as np
import pytest
from driving import made

import bygones as by

LEARNERS = (
    *(by.Guarded(), by.Steering(by.Hedge(rate=1.0)), by.AdaHedge(), by.FollowTheLeader(), by.FTARL(rate=0.3)),
    *(by.LSA(rate=0.3), by.Pure(by.Steering()), by.Discounted(rate=0.3)),
)
MEMORIES = (by.Window(4), by.Window(1), by.Geometric(0.7), by.Weights([0.5, 0.3, 0.2]))
ENTRIES = ("observe", "observe", "observe", "override", "propose", "commit", "undo", "retire", "join", "rename")


def enter(journal, entry, draws, status):
    """Enter something at random."""
    there = [option.name for option in status.options if option.open]
    one = str(draws.choice(there))
    if entry == "observe":
        journal.observe({option.name: draws.random() for option in status.options if option.needed})
    elif entry in ("override", "propose"):
        getattr(journal, entry)(one if draws.random() < 0.5 else draws.dirichlet(np.ones(len(there))))
    elif entry == "commit":
        journal.commit() if len(status.waiting) < 4 else journal.undo()
    elif entry == "undo":
        journal.undo()
    elif entry == "retire":
        journal.retire(one)
    elif entry == "join":
        journal.join(journal.retired[0] if journal.retired and draws.random() < 0.5 else f"option {status.events}")
    else:
        journal.rename(one, f"option {status.events}")


def play(seed, path, monkeypatch):
    """One journal, with 80 entries."""
    draws = np.random.default_rng(seed)
    learner, memory = (each[int(draws.integers(len(each)))] for each in (LEARNERS, MEMORIES))
    monkeypatch.setattr("bygones.live.ledger.EVERY", int(draws.integers(3, 20)))
    problem = by.Problem(["rail", "road", "sea"], None, memory, 1.0)
    refused = 0
    with made(path, learner, problem, seed=seed) as journal, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for k in range(80):
            before = journal.status()
            try:
                enter(journal, str(draws.choice(ENTRIES)), draws, before)
            except ValueError:
                refused += 1
                assert journal.status() == before
            if k % 3 == 0:
                after = journal.status()
                journal.ledger.forget()
                assert journal.status() == after
            for weights in (journal.decide(), journal.state):
                assert weights.min() >= 0
                assert weights.sum() == pytest.approx(1)
        verdict = journal.verify()
        assert (verdict.sound, verdict.notes) == (True, [])
    return refused


def test_some_journals(tmp_path, monkeypatch):
    assert sum(play(seed, tmp_path / f"{seed}.db", monkeypatch) for seed in range(4)) > 10


@pytest.mark.slow
def test_many_journals(tmp_path, monkeypatch):
    assert sum(play(seed, tmp_path / f"{seed}.db", monkeypatch) for seed in range(4, 60)) > 150
