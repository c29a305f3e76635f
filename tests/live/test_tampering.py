"""Whatever is changed behind a journal's back is found, and the event is named."""

import sqlite3

import numpy as np
import pytest
from driving import made, table

import bygones as by
from bygones.live import saving
from bygones.live.ledger import Ledger
from bygones.live.schema import Database

PROBLEM = by.Problem(["rail", "road"], None, by.Window(4), 1.0)
TEXTS = ("kind", "period", "time", "author", "key", "body", "hash")
NUMBERS = ("number", "round", "undoes")


@pytest.fixture
def path(tmp_path):
    with made(tmp_path / "j.db", by.Guarded(), PROBLEM) as journal:
        for t, row in enumerate(table(12, 2)):
            if t % 4 == 1:
                journal.override("road", key=f"k{t}")
            if t % 4 == 2:
                journal.propose("rail")
            journal.observe(row, f"2026-11-{t + 1:02}", key=f"c{t}")
        journal.undo(key="u")
        journal.commit("later")
        journal.rename("rail", "train")
    return tmp_path / "j.db"


def changed(path, sql, *values):
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        assert connection.execute(sql, values).rowcount


def verdict(path):
    with by.Journal(Database(path), Ledger("parts"), "x") as journal:  # `open` would refuse it
        return journal.verify()


def test_a_sound_journal_is_sound(path):
    found = verdict(path)
    assert (found.sound, found.notes, found.events, found.rounds) == (True, [], 22, 11)


def test_every_byte_of_every_event_counts(path):
    """Each text is changed at one place, drawn at random, and each number by a thousand."""
    draws, tried = np.random.default_rng(1), 0
    with sqlite3.connect(path) as connection:
        connection.execute("DROP INDEX bygones_events_key")  # as who can change events can
        connection.execute("DROP INDEX bygones_events_undoes")
        connection.row_factory = sqlite3.Row
        rows = connection.execute("SELECT * FROM bygones_events ORDER BY number").fetchall()
    for row in rows:
        for column in (*TEXTS, *NUMBERS):
            old = row[column]
            if column in NUMBERS:
                new = 77 if old is None else old + 1000
            elif not old:
                new = "x"
            else:
                at = int(draws.integers(len(old)))
                new = old[:at] + chr(ord(old[at]) ^ 1) + old[at + 1 :]
            where = "UPDATE bygones_events SET {} = ? WHERE number = ?"
            changed(path, where.format(column), new, row["number"])
            found = verdict(path)
            assert not found.sound, (column, old, new)
            assert f"event {row['number']} " in found.faults[0], (column, found.faults)
            place = new if column == "number" else row["number"]
            changed(path, where.format(column), old, place)
            tried += 1
    assert tried == len(rows) * 10
    assert verdict(path).sound


def test_an_event_that_was_changed_with_its_own_digest_is_found_at_the_next(path):
    with by.Journal.open(path, "parts") as journal:
        before, event = journal.events(2, 2)
    forged = event._replace(author="bob").chained(before.hash)
    changed(path, "UPDATE bygones_events SET author = 'bob', hash = ? WHERE number = 4", forged.hash)
    assert "event 5 " in verdict(path).faults[0]


def test_filters_that_another_solver_found_are_no_damage(tmp_path, monkeypatch):
    """The log does not have the filter of HedgeAhead; snapshots do, and it is theirs that goes on."""
    problem = PROBLEM.replace(horizon=365)
    with made(tmp_path / "j.db", by.HedgeAhead(), problem) as journal:
        rng = np.random.default_rng(0)
        for row in rng.random((300, problem.n)):
            journal.observe(list(row))
        assert journal.verify().notes == []
        decided = journal.decide()
    plan = by.theory.ahead_plan
    monkeypatch.setattr("bygones.learners.hedge_ahead.ahead_plan", lambda problem, *_: plan(problem, length=3))
    with by.Journal.open(tmp_path / "j.db", "parts") as journal:
        assert (journal.decide() == decided).all()
        found = journal.verify()
        assert found.sound
        assert "this release of bygones decides otherwise" in found.notes[0]
        assert found.notes[1].endswith("is what was decided then; it cannot be compared")


def test_what_another_release_decided_stands_and_is_noted(tmp_path):
    with made(tmp_path / "j.db", by.Hedge(rate=0.5), PROBLEM) as journal:
        journal.observe([0.1, 0.2])

        def otherwise(connection):
            body = {"costs": [0.3, 0.4], "decision": [0.4, 0.6]}
            journal.ledger.enter(connection, "observed", body, author="", period="2")

        journal.writing(otherwise)
        found = journal.verify()
        assert (found.sound, journal.history()["decision: road"][-1]) == (True, 0.6)
        assert found.notes == [
            "from event 3 on, this release of bygones decides otherwise than what was entered; what was entered stands"
        ]


def test_missing_events_are_found(path):
    changed(path, "DELETE FROM bygones_events WHERE number = 7")
    assert verdict(path).faults == ["event 7 is missing"]


def test_a_log_that_ends_early_is_found(path):
    changed(path, "DELETE FROM bygones_events WHERE number = 22")
    assert "ends with event 21, and 22 were entered" in verdict(path).faults[0]
    with pytest.raises(ValueError, match="should end with event 22"):
        by.Journal.open(path, "parts")


def test_a_head_that_is_not_the_last_event_is_found(path):
    changed(path, "UPDATE bygones_journals SET hash = (SELECT hash FROM bygones_events WHERE number = 21)")
    assert not verdict(path).sound


def test_an_index_of_rounds_that_is_not_that_of_the_log_is_found(path):
    changed(path, "UPDATE bygones_rounds SET period = 'x' WHERE round = 3")
    assert verdict(path).faults == ["the index of the rounds is not that of the log"]


def test_a_journal_with_a_changed_event_is_not_opened(path):
    changed(path, "UPDATE bygones_events SET body = replace(body, '0.', '1.') WHERE number = 2")
    with pytest.raises(ValueError, match="event 2 of the journal parts was changed"):
        by.Journal.open(path, "parts")


def test_damaged_snapshots_are_passed_over(tmp_path, monkeypatch):
    monkeypatch.setattr("bygones.live.ledger.EVERY", 8)
    with made(tmp_path / "j.db", by.Guarded(), PROBLEM) as journal:
        for row in table(50, 2):
            journal.observe(row)
        last = journal.status()
    for sql in (
        "UPDATE bygones_snapshots SET content = x'00' WHERE number = (SELECT max(number) FROM bygones_snapshots)",
        "UPDATE bygones_snapshots SET content = substr(content, 1, 500)",
    ):
        changed(tmp_path / "j.db", sql)
        with by.Journal.open(tmp_path / "j.db", "parts") as journal:
            assert journal.status() == last
            assert "is damaged, or is not what the log leads to" in journal.verify().faults[0]


def test_a_snapshot_that_the_log_does_not_lead_to_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr("bygones.live.ledger.EVERY", 8)
    with made(tmp_path / "j.db", by.Guarded(), PROBLEM) as journal:
        for row in table(20, 2):
            journal.observe(row)
    with sqlite3.connect(tmp_path / "j.db") as connection:
        early = connection.execute("SELECT content FROM bygones_snapshots WHERE number = 8").fetchone()[0]
    changed(tmp_path / "j.db", "UPDATE bygones_snapshots SET content = ? WHERE number = 16", early)
    assert verdict(tmp_path / "j.db").faults == [
        "the snapshot after event 16 is damaged, or is not what the log leads to"
    ]


def test_a_clock_that_goes_back_is_noted_and_changes_nothing(tmp_path, monkeypatch):
    import bygones.live.ledger as ledger

    with made(tmp_path / "j.db", by.Guarded(), PROBLEM) as journal:
        journal.observe([0.1, 0.2])

        class Early(ledger.datetime):
            @classmethod
            def now(cls, zone):
                return cls(2020, 1, 1, tzinfo=zone)

        monkeypatch.setattr(ledger, "datetime", Early)
        journal.observe([0.1, 0.2])
        found = journal.verify()
    assert found.sound
    assert "the clock went back before event 3" in found.notes[0]


def test_bytes_that_are_no_text_are_found_and_named(path):
    for change in ("CAST(x'7bff7d' AS TEXT)", "x'7b7d'"):
        with sqlite3.connect(path) as connection:
            kept = connection.execute("SELECT body FROM bygones_events WHERE number = 5").fetchone()[0]
            connection.execute("UPDATE bygones_events SET body = " + change + " WHERE number = 5")  # noqa: S608
        assert "event 5 " in verdict(path).faults[0]
        with pytest.raises(ValueError, match="event 5 of the journal parts was changed"):
            by.Journal.open(path, "parts")
        changed(path, "UPDATE bygones_events SET body = ? WHERE number = 5", kept)
    assert verdict(path).sound


@pytest.mark.parametrize("name", ["paid", "beside", "ended", "real"])
def test_a_forged_snapshot_is_found_whatever_is_forged(tmp_path, name, monkeypatch):
    monkeypatch.setattr("bygones.live.ledger.EVERY", 8)
    with made(tmp_path / "j.db", by.Guarded(), PROBLEM) as journal:
        for row in table(8, 2)[:7]:
            journal.observe(row)
        game = journal.ledger.game
        setattr(game, name, {"paid": 0.0, "beside": game.beside + 1, "ended": "x", "real": np.array([1.0, 0.0])}[name])
        content = saving.to_bytes(game)
    changed(tmp_path / "j.db", "UPDATE bygones_snapshots SET content = ? WHERE number = 8", content)
    assert "the snapshot after event 8" in verdict(tmp_path / "j.db").faults[0]
