"""Driving a journal at random: overrides, undos and restarts in between, and what the player itself makes of it."""

import numpy as np

import bygones as by
from bygones.live.entries import Request, enter
from bygones.live.events import OBSERVED, OVERRIDDEN, UNDONE


def table(rounds, n=3, seed=11):
    """Costs within a range of one."""
    return np.random.default_rng(seed).random((rounds, n)).round(3)


def drive(journal, costs, seed=5, often=0.05, batch=40):
    """Observe all costs, with overrides and undos in between, many entries in one transaction.

    Returns what was advised and what was really done, round by round.
    """
    draws = np.random.default_rng(seed)
    n, advised, done = costs.shape[1], [], []

    def some(connection):
        ledger = journal.ledger
        for row in costs[len(done) : len(done) + int(draws.integers(1, batch))]:
            if draws.random() < often:
                enter(ledger, connection, Request(OVERRIDDEN, str(ledger.game.names[int(draws.integers(n))])))
                if draws.random() < 0.5:
                    enter(ledger, connection, Request(UNDONE))
            if draws.random() < often / 5:  # entered wrongly, and taken back
                before = ledger.game.real is not None
                enter(ledger, connection, Request(OBSERVED, row[::-1]))
                enter(ledger, connection, Request(UNDONE))
                assert (ledger.game.real is not None) == before
            advised.append(ledger.game.advice())
            done.append(ledger.game.decision())
            enter(ledger, connection, Request(OBSERVED, row))

    while len(done) < len(costs):
        journal.writing(some)
        if draws.random() < 0.1:
            journal.ledger.forget()  # as a new process begins: snapshot and replay
    return np.array(advised), np.array(done)


def advice_of(learner, problem, costs, done, seed=0):
    """What the player itself advises, all at once, when these decisions are really taken."""
    found = learner.start(problem, seed).play(costs, decisions=done)
    if found.ndim == 1:
        found = np.eye(problem.n)[found]
    return found


def made(url, learner, problem, name="parts", seed=0):
    """A new journal."""
    return by.Journal.create(url, name, problem, learner, seed, author="ann")
