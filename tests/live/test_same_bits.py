"""Live, resumed and batch are the same bits: journals against the players themselves."""

import http.client
import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from driving import advice_of, drive, made, table
from samples import LEARNERS, MEMORIES, Stranger, WindowByHand
from serving import served

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


@pytest.mark.parametrize("learner", [by.Guarded(), by.Pure(by.Steering()), by.FTARL()], ids=repr)
def test_postgresql_gives_the_same_bits(learner, postgres):
    problem, costs = by.Problem(["rail", "road", "sea"], SHORT, by.Window(5)), table(SHORT)
    with made(postgres.new(f"same{LEARNERS.index(learner)}"), learner, problem, seed=7) as journal:
        advised, done = drive(journal, costs)
        assert np.array_equal(advised, advice_of(learner, problem, costs, done, 7))
        assert journal.verify().sound


def rounds_of(learner):
    """Ten thousand, or nearly as many as a table of advice has: it is asked for the next round too."""
    return 1990 if "Advice" in repr(learner) else 10_000


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_ten_thousand_rounds_are_the_same_bits(learner, kind, tmp_path, request):
    rounds = rounds_of(learner)
    problem, costs = by.Problem(["rail", "road", "sea"], rounds, by.Window(20)), table(rounds)
    url = tmp_path / "j.db"
    if kind == "postgres":
        url = request.getfixturevalue("postgres").new(f"long{LEARNERS.index(learner)}")
    with made(url, learner, problem, seed=3) as journal:
        advised, done = drive(journal, costs, often=0.02, batch=400)
        assert np.array_equal(advised, advice_of(learner, problem, costs, done, 3))
        verdict = journal.verify()
        assert (verdict.sound, verdict.notes, verdict.rounds) == (True, [], rounds)


def entries_of(costs, seed):
    """What a client enters: costs, with overrides and undos in between, some fifty in many rounds."""
    draws, often = np.random.default_rng(seed), min(0.02, 40 / len(costs))
    for t, row in enumerate(costs.tolist(), 1):
        period = str(t)
        if draws.random() < often:
            yield {"kind": "overridden", "value": ["rail", "road", "sea"][int(draws.integers(3))]}
            if draws.random() < 0.5:
                yield {"kind": "undone"}
        if draws.random() < often / 4:
            yield {"kind": "observed", "value": row[::-1], "period": period}
            yield {"kind": "undone"}
        yield {"kind": "observed", "value": row, "period": period}


def requests_of(entries, single):
    """Addresses, kinds and bodies: so many entries one by one, and after that costs as tables."""
    batch = []
    for number, entry in enumerate([*entries, None]):
        if number >= single and entry is not None and entry["kind"] == "observed":
            batch.append(",".join([entry["period"], *map(repr, entry["value"])]))
            continue
        if batch:
            yield "table?filename=costs.csv", "text/csv", "\n".join(["round,rail,road,sea", *batch])
            batch = []
        if entry is not None:
            yield "entries", "application/json", json.dumps(entry)


@pytest.mark.parametrize("size", [SHORT, pytest.param(10_000, marks=pytest.mark.slow)])
def test_http_gives_the_same_bits(size, tmp_path):
    path, learners = tmp_path / "j.db", LEARNERS if size > SHORT else LEARNERS[::6]
    problems = [by.Problem(["rail", "road", "sea"], min(size, rounds_of(each)), by.Window(20)) for each in learners]
    for number, (learner, problem) in enumerate(zip(learners, problems, strict=True)):
        made(path, learner, problem, f"j{number}", seed=3).close()

    def play(number):
        client = http.client.HTTPConnection(served_at, timeout=120)
        entries = entries_of(table(problems[number].horizon), number)
        for key, (place, kind, body) in enumerate(requests_of(entries, single=100)):
            headers = {"Content-Type": kind, "Idempotency-Key": str(key)}
            client.request("POST", f"/api/journals/j{number}/{place}", body, headers)
            answer = client.getresponse()
            assert answer.status in (200, 201), answer.read()
            answer.read()
        client.close()

    with served(path, "--rate", "1e6", log=tmp_path / "log") as service, ThreadPoolExecutor(8) as pool:
        served_at = service.url.removeprefix("http://")
        list(pool.map(play, range(len(learners))))
    taken_back = 0
    for number, (learner, problem) in enumerate(zip(learners, problems, strict=True)):
        with by.Journal.open(path, f"j{number}") as journal:
            done = journal.history().select("^decision: .*$").to_numpy()
            advised = advice_of(learner, problem, table(problem.horizon), done, 3)
            own = (advised == done).all(axis=1)
            undone = {event.undoes for event in journal.events() if event.undoes}
            overridden = {e.round for e in journal.events() if e.kind == "overridden" and e.number not in undone}
            assert set(np.flatnonzero(~own) + 1) <= overridden
            assert len(done) == problem.horizon
            taken_back += len(undone)
            assert journal.verify().sound
    assert taken_back
