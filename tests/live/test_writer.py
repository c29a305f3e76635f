"""Group commit: many requests in one transaction, each with its own answer, and none before it is durable."""

import asyncio
import sqlite3
import threading
from datetime import UTC, datetime

import numpy as np
import pytest
import sqlalchemy as sa
from disks import room
from inside import PARTS, inside, run

import bygones as by
from bygones.live import ledger as ledgers
from bygones.live import schema
from bygones.live.entries import Request, enter
from bygones.live.ledger import ConflictError, DamagedError, UnknownError
from bygones.live.schema import Database, FullError
from bygones.live.service import desk as desks
from bygones.live.service import pages, reads
from bygones.live.service.desk import Desk
from bygones.live.service.news import Board
from bygones.live.service.tokens import NOBODY


def make(db, *names):
    for name in names:
        by.Journal.create(db, name, by.Problem(["rail", "road"], None, by.Window(4), 5.0)).close()


def costs(t):
    return Request("observed", {"rail": float(t % 3), "road": float(t % 5)})


async def together(desk, *requests):
    """Have requests written in one transaction: the writer is kept busy until all are there."""
    go = threading.Event()
    first = asyncio.create_task(desk.write(requests[0][0], lambda *_: go.wait(30)))
    await asyncio.sleep(0.05)
    rest = [asyncio.create_task(desk.enter(name, asked)) for name, asked in requests]
    await asyncio.sleep(0.05)
    go.set()
    await first
    return await asyncio.gather(*rest, return_exceptions=True)


@pytest.fixture
def db(tmp_path):
    return str(tmp_path / "journals.db")


def test_a_request_that_fails_does_not_disturb_the_others(db):
    make(db, "a", "b")
    sizes = []

    async def test():
        desk = Desk(db, sizes.append)
        found = await together(
            desk,
            *(("a", costs(1)), ("b", costs(2)), ("a", Request("observed", {"rail": 1.0})), ("nowhere", costs(1))),
            *(("a", Request("observed", [1.0, 99.0])), ("a", costs(3)), ("b", Request("overridden", "sea"))),
            *(("b", costs(4)), ("a", costs(5)._replace(key="k")), ("a", costs(6)._replace(key="k"))),
            *(("a", costs(5)._replace(key="k")),),
        )
        await desk.close()
        return found

    found = run(test())
    assert sizes == [1, 11]
    wrong = [type(each) for each in found if isinstance(each, Exception)]
    assert wrong == [ValueError, UnknownError, ValueError, ValueError, ConflictError]
    assert found[-1] == found[-3]
    assert [each.number for each in found if not isinstance(each, Exception)] == [2, 2, 3, 3, 4, 4]
    for name, rounds in (("a", 3), ("b", 2)):
        with by.Journal.open(db, name) as journal:
            assert journal.rounds == rounds
            assert journal.verify().sound


def test_an_error_after_a_change_takes_back_that_request_only(db):
    make(db, "a", "b")

    def half(ledger, connection):
        enter(ledger, connection, costs(1))
        enter(ledger, connection, Request("observed", [1.0, 99.0]))

    async def test():
        desk = Desk(db)
        go = threading.Event()
        first = asyncio.create_task(desk.write("a", lambda *_: go.wait(30)))
        await asyncio.sleep(0.05)
        work = [desk.enter("a", costs(2)), desk.write("a", half), desk.enter("a", costs(3)), desk.enter("b", costs(4))]
        rest = [asyncio.create_task(each) for each in work]
        await asyncio.sleep(0.05)
        go.set()
        await first
        found = await asyncio.gather(*rest, return_exceptions=True)
        assert (await desk.decision("a")).events == 3
        await desk.close()
        return found

    found = run(test())
    assert [getattr(each, "number", None) for each in found] == [2, None, 3, 2]
    assert isinstance(found[1], ValueError)
    with by.Journal.open(db, "a") as journal:
        assert [event.data.get("costs") for event in journal.events()[1:]] == [[2.0, 2.0], [0.0, 3.0]]
        assert journal.verify().sound


def test_a_commit_that_fails_acknowledges_nothing_and_forgets_the_games(db):
    make(db, "a", "b")

    async def test():
        desk = Desk(db)
        await desk.enter("a", costs(1))
        before = await desk.decision("a")

        @sa.event.listens_for(desk.database.engine, "commit")
        def fail(connection):
            if connection.get_execution_options().get("bygones_writing"):
                raise sa.exc.OperationalError("COMMIT", {}, sqlite3.OperationalError("server closed the connection"))

        found = await asyncio.gather(desk.enter("a", costs(2)), desk.enter("b", costs(2)), return_exceptions=True)
        assert [type(each) for each in found] == [ConnectionError, ConnectionError]
        sa.event.remove(desk.database.engine, "commit", fail)
        with by.Journal.open(db, "b") as other:  # as many events as were lost, and one more
            other.observe([1.0, 1.0])
            other.observe([1.0, 1.0])
        assert (await desk.enter("b", costs(2))).number == 4
        assert await desk.decision("a") == before
        assert (await desk.status("a")).events == before.events
        assert (await desk.enter("a", costs(2))).number == 3
        await desk.close()

    run(test())
    with by.Journal.open(db, "a") as journal:
        assert journal.rounds == 2
        assert journal.verify().sound


def test_a_full_disk_is_survived(db):
    make(db, "parts")

    async def test():
        async with inside(db) as (client, service):
            with sqlite3.connect(db) as connection:
                pages = connection.execute("PRAGMA page_count").fetchone()[0] + 2

            @sa.event.listens_for(service.desk.database.engine, "begin")
            def full(connection):
                connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

            body, entered, statuses = {"kind": "observed", "value": [1.0, 2.0]}, 0, []
            while 507 not in statuses:
                body["period"] = "p" * 150 + str(entered)
                answer = await client.post("/api/journals/parts/entries", json=body)
                statuses.append(answer.status_code)
                entered += answer.status_code == 201
            assert "the disk of the database is full" in answer.json()["error"]
            assert (await client.get("/api/journals/parts/decision")).json()["round"] == entered + 1
            sa.event.remove(service.desk.database.engine, "begin", full)
            service.desk.database.engine.dispose()
            assert (await client.post("/api/journals/parts/entries", json=body)).status_code == 201
            return entered, statuses

    entered, statuses = run(test())
    assert set(statuses) == {201, 507}
    with by.Journal.open(db, "parts") as journal:
        assert journal.rounds == entered + 1
        assert journal.verify().sound


def test_a_file_that_may_not_grow_is_survived(db):
    make(db, "parts")

    async def test():
        async with inside(db) as (client, _):
            body = {"kind": "observed", "value": [1.0, 2.0]}
            assert (await client.post("/api/journals/parts/entries", json=body)).status_code == 201
            with room(20_000):
                answer = await client.post("/api/journals/parts/entries", json=body)
            assert answer.status_code in (503, 507), answer.text
            assert (await client.get("/api/journals/parts/decision")).json()["events"] == 2
            assert (await client.post("/api/journals/parts/entries", json=body)).status_code == 201

    run(test())
    with by.Journal.open(db, "parts") as journal:
        assert journal.rounds == 2
        assert journal.verify().sound


def test_a_clock_that_goes_back_is_noted_and_survived(db, monkeypatch):
    make(db, "parts")

    class Clock(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime(2001, 1, 1, tzinfo=UTC)

    async def test():
        async with inside(db) as (client, _):
            body = {"kind": "observed", "value": [1.0, 2.0]}
            assert (await client.post("/api/journals/parts/entries", json=body)).status_code == 201
            monkeypatch.setattr(ledgers, "datetime", Clock)
            assert (await client.post("/api/journals/parts/entries", json=body)).status_code == 201
            verdict = (await client.get("/api/journals/parts/verify")).json()
            assert verdict["sound"]
            assert "the clock went back before event 3" in verdict["notes"][0]

    run(test())


def test_journals_that_memory_does_not_hold_are_read_again(db, monkeypatch):
    monkeypatch.setattr(desks, "KEPT", 1)
    make(db, "a", "b")

    async def test():
        desk = Desk(db)
        found = await together(desk, *[(name, costs(t)) for t in range(5) for name in ("a", "b")])
        assert [each.number for each in found] == [2, 2, 3, 3, 4, 4, 5, 5, 6, 6]
        await desk.close()

    run(test())
    for name in ("a", "b"):
        with by.Journal.open(db, name) as journal:
            assert journal.verify().sound


def test_a_journal_that_is_damaged_does_not_disturb_the_others(db):
    make(db, "a", "b")
    with by.Journal.open(db, "a") as journal:
        journal.observe([1.0, 2.0])
    with sqlite3.connect(db) as connection:
        connection.execute("UPDATE bygones_events SET author = 'nobody' WHERE journal = 1 AND number = 2")

    async def test():
        async with inside(db) as (client, service):
            found = await together(service.desk, ("b", costs(1)), ("a", costs(1)), ("b", costs(2)))
            assert [getattr(each, "number", type(each)) for each in found] == [2, DamagedError, 3]
            answer = await client.get("/api/journals/a/decision")
            assert answer.status_code == 500
            assert "event 2" in answer.json()["error"]
            assert "event 2" in (await client.get("/api/journals/a/verify")).json()["faults"][0]

    run(test())


def test_one_journal_is_begun_once(db):
    async def test():
        async with inside(db) as (client, _):
            answers = await asyncio.gather(*[client.post("/api/journals", json=PARTS) for _ in range(8)])
            assert sorted(each.status_code for each in answers) == [201] + [409] * 7
            assert (await client.get("/api/journals/parts")).json()["events"] == 1

    run(test())


def test_two_servers_on_one_database(db):
    async def test():
        async with inside(db) as (here, _), inside(db) as (there, _):
            assert (await here.post("/api/journals", json=PARTS)).status_code == 201
            body = {"kind": "observed", "value": [1.0, 2.0]}

            async def enter_many(client):
                for _ in range(25):
                    answer = await client.post("/api/journals/parts/entries", json=body)
                    assert answer.status_code == 201
                    seen = (await client.get("/api/journals/parts/decision")).json()
                    assert seen["events"] >= answer.json()["number"]

            await asyncio.gather(enter_many(here), enter_many(there), enter_many(here))
            found = [(await each.get("/api/journals/parts/decision")).json() for each in (here, there)]
            assert found[0] == found[1]
            assert found[0]["round"] == 76

    run(test())
    with by.Journal.open(db, "parts") as journal:
        assert journal.verify().sound


def test_eight_writers_on_one_journal_lose_nothing(db):
    async def test():
        async with inside(db) as (client, _):
            await client.post("/api/journals", json=PARTS)
            numbers = []

            async def write(who):
                for t in range(20):
                    body = {"kind": "observed", "value": [float(who), float(t % 5)]}
                    headers = {"Idempotency-Key": f"{who}-{t}"}
                    answer = await client.post("/api/journals/parts/entries", json=body, headers=headers)
                    again = await client.post("/api/journals/parts/entries", json=body, headers=headers)
                    assert answer.json() == again.json()
                    numbers.append(answer.json()["number"])

            await asyncio.gather(*[write(who) for who in range(5)])
            assert sorted(numbers) == [*range(2, 102)]

    run(test())


@pytest.mark.parametrize(
    ("module", "job", "path"),
    [
        (reads, "verify", "/api/journals/parts/verify"),
        (reads, "history", "/api/journals/parts/history"),
        (reads, "history", "/api/journals/parts/export.csv"),
        (pages, "seen", "/journals/parts"),
    ],
)
def test_nobody_waits_for_those_who_read_the_log(db, monkeypatch, module, job, path):
    make(db, "parts", "other")
    begun, go, do = threading.Event(), threading.Event(), getattr(module, job)

    def long(*arguments):
        begun.set()
        assert go.wait(30)
        return do(*arguments)

    monkeypatch.setattr(module, job, long)

    async def test():
        async with inside(db) as (client, service):
            reading = [asyncio.create_task(client.get(path)) for _ in range(8)]
            assert await service.desk.do(lambda: begun.wait(30))
            async with asyncio.timeout(20):
                entered = await asyncio.gather(*[service.desk.enter(name, costs(1)) for name in ("parts", "other")])
                assert (await client.get("/api/journals/parts")).json()["round"] == 2
                assert (await client.get("/healthz")).status_code == 200
            assert [each.number for each in entered] == [2, 2]
            assert not any(each.done() for each in reading)
            go.set()
            assert {answer.status_code for answer in await asyncio.gather(*reading)} == {200}

    run(test())


def test_nobody_waits_for_a_table_that_is_entered(db):
    make(db, "parts", "other")

    async def test():
        async with inside(db) as (client, service):
            await service.desk.enter("parts", costs(1))
            begun, go = threading.Event(), threading.Event()

            def long(ledger, connection):
                enter(ledger, connection, costs(2))
                begun.set()
                assert go.wait(60)

            writing = asyncio.create_task(service.desk.write("parts", long))
            assert await asyncio.to_thread(begun.wait, 30)
            async with asyncio.timeout(20):
                paths = [*["/api/journals/parts"] * 8, "/api/journals/parts/events", "/api/journals/other", "/healthz"]
                answers = await asyncio.gather(*[client.get(path) for path in paths])
            assert not writing.done()
            assert {answer.status_code for answer in answers} == {200}
            assert {answer.json()["rounds"] for answer in answers[:8]} == {1}  # what is durable
            go.set()
            await writing
            assert (await client.get("/api/journals/parts")).json()["rounds"] == 2

    run(test())


def test_a_transaction_that_cannot_begin_forgets_no_game_that_somebody_looks_at(db):
    make(db, "a")

    async def test():
        desk = Desk(db)
        looking, go = threading.Event(), threading.Event()

        def look(ledger, _):
            looking.set()
            assert go.wait(30)
            return ledger.game.rounds

        found = asyncio.create_task(desk.look("a", look))
        assert await asyncio.to_thread(looking.wait, 30)

        @sa.event.listens_for(desk.database.engine, "begin")
        def refuse(connection):
            if connection.get_execution_options().get("bygones_writing"):
                raise sa.exc.OperationalError("BEGIN", {}, sqlite3.OperationalError("database is locked"))

        with pytest.raises(TimeoutError, match="is busy"):
            await desk.enter("a", costs(1))
        go.set()
        assert await found == 0
        await desk.close()

    run(test())


def test_only_journals_that_somebody_listens_to_are_asked_for(db):
    make(db, "a", "b", "c")

    async def test():
        with Database(db) as database:
            board = Board(database)
            with board.listening(NOBODY, frozenset("a")) as one, board.listening(NOBODY, frozenset("b")):
                assert board.heard() == {"a", "b"}
                found = board.ask(board.heard())
                assert sorted(name for name, _, _ in found) == ["a", "b"]
                board.know(found)  # as before another one listens: the two are told all the same
                board.put(found)
                assert [name for name, _, _ in await one.take(1)] == ["a"]
                with board.listening(NOBODY):
                    assert board.heard() is None
                    assert len(board.ask(None)) == 3

    run(test())


def test_a_table_of_advice_may_be_used_up(db):
    learner = by.Advice(np.array([[1.0, 0.0], [0.0, 1.0]]))
    by.Journal.create(db, "parts", by.Problem(["rail", "road"], 2, by.Window(4), 5.0), learner).close()

    async def test():
        async with inside(db) as (client, _):
            for t in range(2):
                body = {"kind": "observed", "value": [1.0, 2.0], "period": str(t)}
                assert (await client.post("/api/journals/parts/entries", json=body)).status_code == 201
            answer = await client.get("/api/journals/parts/decision")
            assert answer.status_code == 422
            assert "2 decisions" in answer.json()["error"]
            assert [each["number"] for each in (await client.get("/api/journals/parts/events")).json()["items"]] == [
                *(1, 2, 3)
            ]

    run(test())


@pytest.mark.parametrize(("code", "kind"), [("55P03", TimeoutError), ("53100", FullError)])
def test_postgresql_may_say_it_in_any_language(postgres, code, kind):
    db = postgres.new(f"worded{code.lower()}")
    make(db, "parts")
    said = f"DO $$ BEGIN RAISE EXCEPTION 'auf Deutsch' USING ERRCODE = '{code}'; END $$"
    with by.Journal.open(db, "parts") as journal, pytest.raises(kind):
        journal.writing(lambda connection: connection.execute(sa.text(said)))


def test_who_waits_for_a_lock_of_another_machine_is_told_so(postgres, monkeypatch):
    monkeypatch.setattr(schema, "PATIENCE", 0.2)
    db = postgres.new("locked")
    make(db, "parts")
    with by.Journal.open(db, "parts") as one, by.Journal.open(db, "parts") as other:

        def hold(_):
            with pytest.raises(TimeoutError, match="others have been writing for 0.2 seconds; try again"):
                other.observe([1.0, 2.0])

        one.writing(hold)
        other.observe([1.0, 2.0])
        assert other.verify().sound


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_the_same_on_both_databases(kind, tmp_path, request):
    db = (
        str(tmp_path / "j.db") if kind == "sqlite" else request.getfixturevalue("postgres").new(f"writer{id(tmp_path)}")
    )

    async def test():
        async with inside(db) as (here, _), inside(db) as (there, _):
            for name in ("a", "b"):
                assert (await here.post("/api/journals", json=PARTS | {"name": name})).status_code == 201

            async def write(client, names):
                for t in range(20):
                    for name in names:  # in another order by the other one
                        body = {"kind": "observed", "value": [float(t % 4), 1.0]}
                        answer = await client.post(f"/api/journals/{name}/entries", json=body)
                        assert answer.status_code == 201, answer.text

            await asyncio.gather(*[write(each, names) for each in (here, there) for names in ("ab", "ba")])
            for name in ("a", "b"):
                found = [(await each.get(f"/api/journals/{name}/decision")).json() for each in (here, there)]
                assert found[0] == found[1]
                assert found[0]["round"] == 81
                assert (await here.get(f"/api/journals/{name}/verify")).json()["sound"]

    run(test())
