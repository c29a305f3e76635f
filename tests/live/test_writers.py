"""Several programs write to one journal, and some are killed: nothing is lost or doubled."""

import re
import signal
import sqlite3
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
import sqlalchemy as sa
from disks import room
from driving import made, table
from writers import costs_of

import bygones as by
from bygones.live.entries import Request, enter, enter_all
from bygones.live.events import OBSERVED
from bygones.live.ledger import ConflictError, Ledger
from bygones.live.schema import Database
from bygones.live.statements import OF_PERIOD

PROBLEM = by.Problem(["rail", "road", "sea"], None, by.Window(4), 1.0)
HERE = Path(__file__).parent


def writer(url, first, last, author="ann"):
    command = [sys.executable, str(HERE / "writers.py"), str(url), "parts", str(first), str(last), author]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_two_journals_of_one_process_see_each_other(tmp_path):
    with made(tmp_path / "j.db", by.Guarded(), PROBLEM) as one, by.Journal.open(tmp_path / "j.db", "parts") as other:
        for t in range(30):
            (one if t % 2 else other).observe(costs_of(t))
            if t % 7 == 0:
                (other if t % 2 else one).undo()
                (one if t % 2 else other).observe(costs_of(t))
        assert one.rounds == other.rounds == 30
        assert np.array_equal(one.decide(), other.decide())
        player = by.Guarded().start(PROBLEM)
        player.play([costs_of(t) for t in range(30)])
        assert np.array_equal(one.decide(), player.decide())


def test_what_was_rolled_back_is_forgotten_before_others_go_on(tmp_path):
    with made(tmp_path / "j.db", by.Guarded(), PROBLEM) as one, by.Journal.open(tmp_path / "j.db", "parts") as other:
        with pytest.raises(ValueError, match="differs by 9"):
            one.observe_all({"week": ["2026-01-01", "2026-01-02"], "rail": [0, 0], "road": [0, 9], "sea": [0, 0]})
        for t in range(3):
            other.observe(costs_of(t))
        assert one.rounds == 3
        assert np.array_equal(one.decide(), other.decide())


def test_a_table_may_begin_before_the_journal(tmp_path):
    about = {"week": ["2026-01-01", "2026-01-08", "2026-01-15"]}
    about |= {name: [each, 0.5, each] for name, each in zip(PROBLEM.names, (0.1, 0.2, 0.3), strict=True)}
    with made(tmp_path / "j.db", by.Guarded(), PROBLEM) as journal:
        journal.observe([0.5, 0.5, 0.5], period="2026-01-08")
        assert [event.period for event in journal.observe_all(about)] == ["2026-01-15"]
        assert journal.rounds == 2
        midnights = [f"{day}T00:00:00" for day in about["week"]]
        with pytest.raises(ValueError, match="2026-01-08 00:00:00 is before the last period"):  # it is the first one
            journal.observe_all(about | {"week": midnights})
        with pytest.raises(ValueError, match="2026-01-11 is before the last period, 2026-01-15"):
            journal.observe_all(about | {"week": ["2026-01-01", "2026-01-08", "2026-01-11"]})
    with made(tmp_path / "j.db", by.Guarded(), PROBLEM, "late") as journal:
        journal.commit("2026-01-08")
        assert [event.period for event in journal.observe_all(about)] == ["2026-01-08", "2026-01-15"]


def test_programs_that_write_at_once_take_turns(tmp_path):
    made(tmp_path / "j.db", by.Guarded(), PROBLEM).close()
    programs = [writer(tmp_path / "j.db", 0, 25, f"any{k}") for k in range(3)]
    said = [program.communicate(timeout=120) for program in programs]
    assert [program.returncode for program in programs] == [0] * 3, said
    entered = [line.split()[2] for out, _ in said for line in out.splitlines() if line != "ready"]
    with by.Journal.open(tmp_path / "j.db", "parts") as journal:
        assert journal.rounds == 75
        assert sorted(entered) == sorted(event.hash for event in journal.events()[1:])
        assert journal.verify().sound


def test_programs_that_enter_the_same_periods_enter_each_once(tmp_path):
    made(tmp_path / "j.db", by.Guarded(), PROBLEM).close()
    programs = [writer(tmp_path / "j.db", 0, 25, f"w{k}") for k in range(3)]
    said = [program.communicate(timeout=120) for program in programs]
    assert [program.returncode for program in programs] == [0] * 3, said
    assert len({out for out, _ in said}) == 1
    with by.Journal.open(tmp_path / "j.db", "parts") as journal:
        assert journal.rounds == 25
        assert journal.verify().sound


def test_a_killed_program_loses_nothing_that_was_acknowledged(tmp_path):
    """Eight kills, each after a few rounds, while it goes on writing."""
    path = tmp_path / "j.db"
    made(path, by.Guarded(), PROBLEM).close()
    draws, known = np.random.default_rng(3), {}
    for _ in range(8):
        first = len(known)
        with writer(path, first, 10_000) as program:
            assert program.stdout.readline() == "ready\n"
            for _ in range(int(draws.integers(1, 12))):
                t, _, digest = program.stdout.readline().split()
                known[int(t)] = digest
            program.send_signal(signal.SIGKILL)
            for line in program.stdout.read().splitlines():  # said before it died
                if len(line.split()) == 3 and len(line.split()[2]) == 64:
                    known[int(line.split()[0])] = line.split()[2]
        with by.Journal.open(path, "parts") as journal:
            assert journal.verify().sound
            hashes = [event.hash for event in journal.events()[1:]]
            assert [known[t] for t in range(len(known))] == hashes[: len(known)]
            assert len(hashes) - len(known) in (0, 1)  # one may be durable whose writer could not say so any more
            for t in range(len(known), len(hashes)):
                known[t] = hashes[t]
            player = by.Guarded().start(PROBLEM)
            player.play([costs_of(t) for t in range(len(hashes))])
            assert np.array_equal(journal.decide(), player.decide())
    assert len(known) > 8


def test_a_full_disk_is_one_sentence_and_loses_nothing(tmp_path):
    with made(tmp_path / "j.db", by.Guarded(), PROBLEM) as journal:
        journal.observe(costs_of(0))
        before = journal.status()
        with (
            room((tmp_path / "j.db-wal").stat().st_size + 100),
            pytest.raises(OSError, match="cannot be written: the disk is full"),
        ):
            journal.observe(costs_of(1))
        assert journal.status() == before
        journal.observe(costs_of(1))
        assert journal.rounds == 2
        assert journal.verify().sound


def test_what_is_no_journal_is_refused_in_a_sentence(tmp_path):
    text, other = tmp_path / "a.txt", tmp_path / "other.db"
    text.write_text("not a database, though long enough to be looked at as if it were one" * 50)
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE things (a)")
    for path, match in (
        (text, "is damaged, or is not a database"),
        (tmp_path, "is not a file"),
        (tmp_path / "none" / "j.db", "there is no folder"),
        ("mysql://user:secret@host/db", "the database is 'mysql'"),
        ("postgresql://user:secret@host:port/db", "the database is 'postgresql'"),
        (" ", "the database has no name: give a path"),
        ("sqlite:///:memory:", "does not survive"),
        ("postgresql://user:secret@127.0.0.1:1/db", "cannot be reached"),
    ):
        with pytest.raises((ValueError, OSError), match=match) as caught:
            by.Journal.create(path, "parts", PROBLEM)
        assert "secret" not in str(caught.value)
    with pytest.raises(ValueError, match="holds something else than journals"):
        by.Journal.create(other, "parts", PROBLEM)
    with pytest.raises(ValueError, match="has no journals"):
        by.Journal.open(other, "parts")


def test_a_period_is_looked_up_without_going_through_the_log(postgres):
    """PostgreSQL guesses how many rows there are, and has never seen those of a transaction that is under way."""
    rows = [(f"p{k}", {"rail": 0.1, "road": 0.2, "sea": 0.3}) for k in range(200)]
    with by.Journal.create(postgres.new("lookups"), "parts", PROBLEM, by.Uniform()) as journal:

        def take(connection):
            enter_all(journal.ledger, connection, rows, False, "ann")
            asked = OF_PERIOD._statement.params(journal=journal.ledger.id, period="new")
            text = asked.compile(connection.engine, compile_kwargs={"literal_binds": True})
            return connection.exec_driver_sql(f"EXPLAIN ANALYZE {text}").scalars().all()

        plan = journal.writing(take)
    assert max(map(int, re.findall(r"actual [^)]* rows=(\d+)", "".join(plan)))) <= 1, plan


PRAGMAS = ("synchronous", "journal_mode")


def test_what_is_acknowledged_survives_a_power_cut(tmp_path):
    """No test cuts the power: this is what SQLite needs, in every connection, to be sure of its commits."""
    with Database(tmp_path / "j.db", make=True) as database:
        for connect in (database.writing, database.reading, database.writing):
            with connect() as connection:
                modes = [connection.exec_driver_sql(f"PRAGMA {each}").scalar() for each in PRAGMAS]
            assert modes == [2, "wal"]  # FULL


def test_a_newer_format_is_refused(tmp_path):
    made(tmp_path / "j.db", by.Guarded(), PROBLEM).close()
    with sqlite3.connect(tmp_path / "j.db") as connection:
        connection.execute("UPDATE bygones_format SET format = 99")
    with pytest.raises(ValueError, match="has tables of format 99"):
        by.Journal.open(tmp_path / "j.db", "parts")


def test_several_journals_share_a_database(tmp_path):
    with (
        made(tmp_path / "j.db", by.Guarded(), PROBLEM) as one,
        made(tmp_path / "j.db", by.Uniform(), PROBLEM, "two") as two,
    ):
        for row in table(5):
            one.observe(row)
        two.observe(table(1)[0])
        assert (one.rounds, two.rounds) == (5, 1)
        assert one.verify().sound
        assert two.verify().sound


def test_a_database_that_may_only_be_read_is_read(tmp_path):
    made(tmp_path / "j.db", by.Guarded(), PROBLEM).close()
    (tmp_path / "j.db").chmod(stat.S_IRUSR)
    with by.Journal.open(tmp_path / "j.db", "parts") as journal:
        assert journal.rounds == 0


def test_threads_share_a_journal(tmp_path):
    with made(tmp_path / "j.db", by.Guarded(), PROBLEM) as journal, ThreadPoolExecutor(4) as pool:
        entered = list(pool.map(lambda t: journal.observe(costs_of(t)), range(60)))
        assert sorted(event.round for event in entered) == list(range(1, 61))
        assert journal.verify().sound


def test_a_forked_child_makes_a_connection_of_its_own(tmp_path):
    with made(tmp_path / "j.db", by.Guarded(), PROBLEM) as journal:
        journal.observe(costs_of(0))
        child = get_context("fork").Process(target=journal.observe, args=(costs_of(1),))
        child.start()
        child.join(60)
        assert child.exitcode == 0
        journal.observe(costs_of(2))
        assert journal.rounds == 3
        assert journal.verify().sound


def test_a_commit_that_fails_makes_no_false_alarm(tmp_path):
    with made(tmp_path / "j.db", by.Guarded(), PROBLEM) as one, by.Journal.open(tmp_path / "j.db", "parts") as other:
        one.observe(costs_of(0))

        @sa.event.listens_for(one.database.engine, "commit")
        def fail(connection):
            if connection.get_execution_options().get("bygones_writing"):
                raise sa.exc.OperationalError("COMMIT", {}, sqlite3.OperationalError("disk I/O error"))

        with pytest.raises(OSError, match="disk is full, or fails"):
            one.observe(costs_of(1))
        sa.event.remove(one.database.engine, "commit", fail)
        for t in range(1, 4):
            other.observe(costs_of(t))
        assert one.rounds == 4
        assert np.array_equal(one.decide(), other.decide())


def test_a_name_that_is_taken_meanwhile_leaves_other_entries_of_a_transaction(postgres):
    """Two processes begin a journal of one name at once; PostgreSQL would give up all that is in the transaction."""
    url = postgres.new("taken")
    with made(url, by.Guarded(), PROBLEM) as journal, by.Journal.open(url, "parts") as other:
        body = journal.events()[0].data

        def both(connection):
            enter(journal.ledger, connection, Request(OBSERVED, costs_of(0)))
            late = Ledger("late")
            connection.execute = partial(_nobody_is_there, connection, connection.execute)
            try:
                with pytest.raises(ConflictError, match="already"):
                    late.create(connection, body, "ann")
            finally:
                del connection.execute

        made(url, by.Guarded(), PROBLEM, "late").close()
        journal.writing(both)
        assert other.rounds == 1


def _nobody_is_there(connection, execute, statement, *more):
    """As if the other process had not yet begun its journal when this one looked."""
    if isinstance(statement, sa.Select) and "bygones_journals.id" in str(statement):
        statement = sa.select(sa.literal(1)).where(sa.false())
    return execute(statement, *more)
