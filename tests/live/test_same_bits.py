"""Live, resumed and batch are the same bits: journals against the players themselves."""

import numpy as np
import pytest
from driving import advice_of, drive, made, table
from samples import LEARNERS, MEMORIES, Stranger, WindowByHand

import bygones as by

SHORT = 120


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_journals_decide_as_players_do(learner, tmp_path):
    problem, costs = by.Problem(["rail", "road", "sea"], SHORT, by.Window(5)), table(SHORT)
    with made(tmp_path / "j.db", learner, problem, seed=7) as journal:
        advised, done = drive(journal, costs)
        assert np.array_equal(advised, advice_of(learner, problem, costs, done, 7))
        states = problem.memory.start(3).extend(done)
        assert journal.regret == pytest.approx(by.accounting.regret(costs, states)[-1], abs=1e-9)
        frame = journal.history()
        assert np.array_equal(frame.select("^cost: .*$").to_numpy(), costs)
        assert np.array_equal(frame.select("^state: .*$").to_numpy(), states)
        assert journal.verify().sound


@pytest.mark.parametrize("memory", MEMORIES, ids=repr)
def test_journals_keep_every_memory(memory, tmp_path):
    problem, costs = by.Problem(["rail", "road", "sea"], SHORT, memory), table(SHORT)
    with made(tmp_path / "j.db", by.Hedge(), problem) as journal:
        advised, done = drive(journal, costs)
        assert np.array_equal(advised, advice_of(by.Hedge(), problem, costs, done))
        y, beta = (running := problem.memory.start(3)).extend(done), None
        y, beta = running.carried()
        assert np.array_equal(journal.state, running.push(journal.decide())), (y, beta)


def test_classes_of_your_own_are_named_when_a_journal_is_opened(tmp_path):
    problem, costs = by.Problem(3, SHORT, WindowByHand()), table(SHORT)
    with made(tmp_path / "j.db", Stranger(), problem) as journal:
        advised, done = drive(journal, costs)
        assert np.array_equal(advised, advice_of(Stranger(), problem, costs, done))
        last = journal.decide()
    with pytest.raises(ValueError, match=r"names the memory WindowByHand.*pass memories=\[WindowByHand\]"):
        by.Journal.open(tmp_path / "j.db", "parts")
    with by.Journal.open(tmp_path / "j.db", "parts", learners=[Stranger], memories=[WindowByHand]) as journal:
        assert np.array_equal(journal.decide(), last)


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_the_rounds_of_a_backtest_are_those_of_a_journal(learner, tmp_path):
    problem, costs = by.Problem(["rail", "road", "sea"], SHORT, by.Window(5), 1.0), table(SHORT)
    held = [1] * 20
    with by.Journal.from_backtest(
        tmp_path / "j.db",
        "parts",
        dict(zip(problem.names, costs.T, strict=True)),
        "window:5",
        learner,
        held=held,
        horizon=SHORT,
        cost_range=1.0,
        author="ann",
    ) as journal:
        done = journal.history().select("^decision: .*$").to_numpy()
        assert (done[-20:, 1] == 1).all()
        player = learner.start(problem)
        advised = player.play(costs, decisions=done)
        assert advised.shape[0] == SHORT
        if learner.randomised or not isinstance(learner, by.Advice):
            assert np.array_equal(journal.decide(), np.asarray(player.decide()))


@pytest.mark.slow
@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_ten_thousand_rounds_are_the_same_bits(learner, tmp_path):
    rounds = 2000 if isinstance(learner, by.Advice) or "Advice" in repr(learner) else 10_000
    problem, costs = by.Problem(["rail", "road", "sea"], rounds, by.Window(20)), table(rounds)
    with made(tmp_path / "j.db", learner, problem, seed=3) as journal:
        advised, done = drive(journal, costs, often=0.02, batch=400)
        assert np.array_equal(advised, advice_of(learner, problem, costs, done, 3))
        verdict = journal.verify()
        assert (verdict.sound, verdict.notes, verdict.rounds) == (True, [], rounds)
