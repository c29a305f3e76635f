"""Who may do what: each way in which a token does not serve has its own sentence, and none tells of journals."""

import asyncio
import json
import re
import sqlite3
import sys
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from inside import PARTS, inside, run
from serving import served

import bygones as by
from bygones.cli import main
from bygones.live.schema import Database
from bygones.live.service.news import Board
from bygones.live.service.stream import _told as told
from bygones.live.service.tokens import NOBODY, Tokens, Who


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def said(answer, status):
    assert answer.status_code == status, answer.text
    return answer.json()["error"]


@pytest.fixture
def db(tmp_path):
    return tmp_path / "journals.db"


@pytest.fixture
def tokens(db):
    database = Database(db, make=True)
    yield Tokens(database)
    database.close()


def test_only_a_digest_is_kept(db, tokens):
    token = tokens.new("ann", ["admin"])
    number, secret = token.split("_", 2)[1:]
    assert len(secret) == 43  # 256 bits
    tokens.database.close()
    content = b"".join(path.read_bytes() for path in db.parent.iterdir())
    assert secret.encode() not in content
    assert number.encode() in content


def test_each_way_to_fail_has_its_sentence(db, tokens):
    good, gone = tokens.new("ann", ["admin"]), tokens.new("gone", ["admin"])
    late, weak = tokens.new("late", ["admin"], days=1e-9), tokens.new("weak", ["read"])
    tokens.revoke("gone")
    number = good.split("_")[1]
    wrong = [
        good[:-1] + ("A" if good[-1] != "A" else "B"),
        f"bygones_{number}_",
        "bygones__",
        "x",
        good.upper(),
        "_" * 9,
    ]

    async def test():
        async with inside(db) as (client, _):
            assert (await client.post("/api/journals", json=PARTS, headers=bearer(good))).status_code == 201
            sentences = {said(await client.get("/api/journals"), 401)}
            for each in wrong:
                sentences.add(said(await client.get("/api/journals", headers=bearer(each)), 401))
            assert len(sentences) == 2
            sentences.add(said(await client.get("/api/journals", headers=bearer(gone)), 401))
            sentences.add(said(await client.get("/api/journals", headers=bearer(late)), 401))
            sentences.add(said(await client.post("/api/journals", json=PARTS, headers=bearer(weak)), 403))
            sentences.add(said(await client.get("/api/journals", headers={"Authorization": "Basic eDp5"}), 401))
            assert len(sentences) == 6
            assert (await client.get("/api/journals", headers=bearer(weak))).status_code == 200
            assert (await client.get("/healthz")).status_code == 200
            said(await client.get("/metrics"), 401)
            assert (await client.get("/metrics", headers=bearer(weak))).status_code == 200

    run(test())


ALLOWED = {
    "read": {"look"},
    "observe": {"look", "observed", "table"},
    "decide": {"look", "overridden", "committed", "undone"},
    "admin": {"look", "observed", "table", "overridden", "committed", "undone", "joined", "create"},
    "observe,decide": {"look", "observed", "table", "overridden", "committed", "undone"},
}

NEEDED = {"look": "read", "observed": "observe", "table": "observe", "joined": "admin", "create": "admin"}


@pytest.mark.parametrize("scopes", ALLOWED)
def test_scopes(db, tokens, scopes):
    token, boss = tokens.new("ann", scopes.split(",")), tokens.new("boss", ["admin"])
    entries = "/api/journals/parts/entries"
    asked = {
        "look": ("GET", "/api/journals/parts/decision", {}),
        "observed": ("POST", entries, {"json": {"kind": "observed", "value": [1, 2]}}),
        "table": (
            *("POST", "/api/journals/parts/table?filename=a.csv"),
            {"content": b"day,rail,road\n2026-01-01,1,2\n2026-01-02,2,1\n"},
        ),
        "joined": ("POST", entries, {"json": {"kind": "joined", "value": "sea"}}),
        "overridden": ("POST", entries, {"json": {"kind": "overridden", "value": "rail"}}),
        "committed": ("POST", entries, {"json": {"kind": "committed", "period": "2027-01-01"}}),
        "undone": ("POST", entries, {"json": {"kind": "undone"}}),
        "create": ("POST", "/api/journals", {"json": PARTS | {"name": "more"}}),
    }

    async def test():
        async with inside(db) as (client, _):
            await client.post("/api/journals", json=PARTS, headers=bearer(boss))
            await client.post(entries, json={"kind": "observed", "value": [1, 2]}, headers=bearer(boss))
            for what, (method, path, body) in asked.items():
                answer = await client.request(method, path, headers=bearer(token), **body)
                assert (answer.status_code in (200, 201)) == (what in ALLOWED[scopes]), (what, answer.text)
                assert answer.status_code in (200, 201, 403)
                if answer.status_code == 403:
                    assert f"needs the scope {NEEDED.get(what, 'decide')}, " in answer.json()["error"]
            log = (await client.get("/api/journals/parts/events", headers=bearer(boss))).json()["items"]
            assert {each["author"] for each in log} <= {"boss", "ann"}

    run(test())


def test_who_may_not_touch_a_journal_does_not_learn_of_it(db, tokens):
    boss, ann = tokens.new("boss", ["admin"]), tokens.new("ann", ["admin"], ["parts"])

    async def test():
        async with inside(db) as (client, _):
            for name in ("parts", "secret"):
                await client.post("/api/journals", json=PARTS | {"name": name}, headers=bearer(boss))
            body = {"kind": "observed", "value": [1, 2]}
            paths = ("", "/decision", "/events", "/history", "/verify", "/export.csv")
            ways = [("GET", path) for path in paths]
            ways += [("POST", path) for path in ("/entries", "/preview", "/table?filename=a.csv")]
            for method, path in ways:
                answers = []
                for name in ("secret", "nowhere"):
                    answer = await client.request(method, f"/api/journals/{name}{path}", json=body, headers=bearer(ann))
                    answers.append((answer.status_code, answer.text))
                assert answers[0] == answers[1]
                assert answers[0][0] == 403
            for name in ("secret", "nowhere"):
                answer = await client.get("/api/stream", params={"journal": name}, headers=bearer(ann))
                assert answer.status_code == 403
                answer = await client.post("/api/journals", json=PARTS | {"name": name}, headers=bearer(ann))
                assert answer.status_code == 403
            items = (await client.get("/api/journals", headers=bearer(ann))).json()
            assert [each["journal"] for each in items["items"]] == ["parts"]
            missing = await client.get("/api/journals/gone", headers=bearer(boss))
            assert "secret" not in missing.text

    run(test())


def test_revoking_and_new_tokens_reach_a_service_that_runs(db, tokens):
    ann = tokens.new("ann", ["read"])

    async def test():
        async with inside(db) as (client, service):
            assert (await client.get("/api/journals", headers=bearer(ann))).status_code == 200
            bob = tokens.new("bob", ["read"])
            assert (await client.get("/api/journals", headers=bearer(bob))).status_code == 200
            tokens.revoke("ann")
            await service.desk.do(service.desk.tokens.all)  # what it does every half second
            assert "revoked" in said(await client.get("/api/journals", headers=bearer(ann)), 401)

    run(test())


def test_a_stream_ends_with_its_token(tmp_path):
    with served(tmp_path / "j.db", log=tmp_path / "log") as service:
        database = Database(tmp_path / "j.db")
        tokens = Tokens(database)
        with service.client() as client, client.stream("GET", "/api/stream") as nobodys:
            lines = nobodys.iter_lines()
            assert next(lines) == ": listening"
            ann, bob = tokens.new("ann", ["read"]), tokens.new("bob", ["read"])
            assert not any(lines)  # it ends: now that there are tokens, one is needed
        with (
            service.client(ann) as hers_alone,
            service.client(bob) as his_alone,
            hers_alone.stream("GET", "/api/stream") as hers,
            his_alone.stream("GET", "/api/stream") as his,
        ):
            one, other = hers.iter_lines(), his.iter_lines()
            assert next(one) == next(other) == ": listening"
            tokens.revoke("ann")
            assert not any(one)
            by.Journal.create(tmp_path / "j.db", "parts", by.Problem(2, None, by.Window(4), 5.0)).close()
            assert '"parts"' in next(line for line in other if line)  # his goes on
        database.close()


def test_nobody_listens_on_with_a_token_that_has_expired(tokens):
    late, good = tokens.new("late", ["read"], days=1e-9), tokens.new("good", ["read"])
    tokens.all()
    numbers = [each.split("_")[1] for each in (late, good)]
    assert [tokens.hold(Who("", frozenset(), token=each)) for each in numbers] == [False, True]


def test_a_stream_tells_of_the_journals_that_its_token_may_touch(tmp_path):
    problem = by.Problem(2, None, by.Window(4), 5.0)
    with Database(tmp_path / "j.db", make=True) as database:
        ann = Tokens(database).new("ann", ["read"], ["parts"])
    with (
        served(tmp_path / "j.db", log=tmp_path / "log") as service,
        service.client(ann) as client,
        client.stream("GET", "/api/stream") as stream,
    ):
        lines = stream.iter_lines()
        assert next(lines) == ": listening"
        for name in ("secret", "parts"):
            by.Journal.create(tmp_path / "j.db", name, problem).close()
        assert '"parts"' in next(line for line in lines if line.startswith("data"))


def test_who_may_not_listen_on_is_told_nothing_more(db, tokens):
    board = Board(tokens.database)
    asked = SimpleNamespace(who=NOBODY, desk=SimpleNamespace(board=board))

    async def test():
        lines = told(asked, None)
        assert await anext(lines) == b": listening\n\n"
        waiting = asyncio.create_task(anext(lines, None))
        await asyncio.sleep(0.01)
        board.put([("parts", 2, "x")])
        board.close()
        assert await waiting is None

    run(test())


def test_without_tokens_only_this_machine_may_ask(db, tokens):
    async def test():
        async with inside(db) as (client, _):
            assert (await client.get("/api/journals")).status_code == 200
            for headers in ({"X-Forwarded-For": "10.0.0.1"}, {"Forwarded": "for=10.0.0.1"}, {"Via": "1.1 proxy"}):
                assert (await client.get("/api/journals", headers=headers)).status_code == 401
        async with inside(db, peer="10.0.0.1") as (client, _):
            assert "missing" in said(await client.get("/api/journals"), 401)
            page = await client.get("/", headers={"Accept": "text/html"})
            assert (page.status_code, page.headers["location"]) == (303, "/login?to=/")
        tokens.new("ann", ["read"])
        async with inside(db) as (client, _):
            assert "missing" in said(await client.get("/api/journals"), 401)

    run(test())


def test_cookies_of_pages_of_others_enter_nothing(db, tokens):
    token = tokens.new("ann", ["admin"])
    cookie = {"Cookie": f"bygones={token}"}

    async def test():
        async with inside(db) as (client, _):
            here = "http://127.0.0.1:8765"
            for headers, status in [
                ({}, 403),
                ({"Sec-Fetch-Site": "cross-site"}, 403),
                ({"Sec-Fetch-Site": "same-site"}, 403),
                ({"Sec-Fetch-Site": "none"}, 403),
                ({"Origin": "http://evil.example"}, 403),
                ({"Origin": "null"}, 403),
                ({"Origin": "http://127.0.0.1:9999"}, 403),
                ({"Origin": here, "Sec-Fetch-Site": "cross-site"}, 403),
                ({"Sec-Fetch-Site": "same-origin", "Origin": here}, 201),
                ({"Origin": here}, 409),
            ]:
                answer = await client.post("/api/journals", json=PARTS, headers=cookie | headers)
                assert answer.status_code == status, headers
            assert (await client.get("/api/journals", headers=cookie)).status_code == 200

    run(test())


def test_names_of_hosts_are_checked(db):
    async def test():
        async with inside(db) as (client, _):
            for host in (
                "evil.example",
                "127.0.0.1.evil.example",
                "evil.example:8765",
                "",
                "localhost.evil",
                "0.0.0.1",
            ):
                answer = await client.get("/api/journals", headers={"Host": host})
                assert answer.status_code == 421, host
                assert "error" in answer.json()
            for host in ("localhost", "LOCALHOST:8765", "[::1]:8765", "127.0.0.1"):
                assert (await client.get("/api/journals", headers={"Host": host})).status_code == 200
            for header in ("X-Forwarded-For", "X-Forwarded-Proto", "X-Real-IP", "Forwarded", "Via"):  # a proxy's
                answer = await client.get("/api/journals", headers={"Host": "localhost", header: "192.0.2.7"})
                assert answer.status_code == 401, header
            headers = {"Origin": "http://evil.example"}  # of a page that asks this machine without a token
            assert (await client.post("/api/journals", json=PARTS, headers=headers)).status_code == 403

    run(test())


def test_tokens_on_the_command_line(db, capsys):
    assert main(["serve", "token", "new", "ann", "--db", str(db), "--scope", "observe", "--journal", "parts"]) == 0
    token = capsys.readouterr().out.strip()
    assert re.fullmatch(r"bygones_[0-9a-f]{12}_[\w-]{43}", token)
    assert main(["serve", "token", "new", "bob", "--db", str(db), "--scope", "read", "--days", "1"]) == 0
    capsys.readouterr()
    assert main(["serve", "token", "list", "--db", str(db), "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [(each["name"], each["scopes"], each["journals"], each["ended"]) for each in listed] == [
        *(("ann", ["observe"], ["parts"], ""), ("bob", ["read"], None, ""))
    ]
    assert token.split("_", 2)[2] not in str(listed)
    assert main(["serve", "token", "revoke", listed[0]["id"], "--db", str(db)]) == 0
    assert main(["serve", "token", "list", "--db", str(db)]) == 0
    assert "was revoked" in capsys.readouterr().out
    assert main(["serve", "token", "revoke", "nobody", "--db", str(db)]) == 2
    assert "there is no token" in capsys.readouterr().err
    assert main(["serve", "token", "new", "x", "--db", str(db), "--scope", "root"]) == 2
    assert "read, observe, decide, admin" in capsys.readouterr().err
    assert main(["serve", "token", "new", "x", "--db", str(db), "--scope", "read", "--days", "nan"]) == 2
    assert main(["serve", "token", "new", "x", "--db", str(db), "--scope", "read", "--journal", "../x"]) == 2
    with sqlite3.connect(db) as connection:
        assert connection.execute("SELECT count(*) FROM bygones_tokens").fetchone() == (2,)


def test_it_is_never_open_to_other_machines_without_tokens(db, capsys):
    def serve(words):  # in a thread: a browser of other tests keeps a loop in this one
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(main, ["serve", *words]).result()

    assert serve(["--db", str(db), "--host", "0.0.0.0", "--port", "0"]) == 2  # noqa: S104
    assert "there are no tokens" in capsys.readouterr().err
    assert serve(["--port", "0"]) == 2
    assert "--db" in capsys.readouterr().err
    assert serve(["--db", str(db), "--host", "192.0.2.1"]) == 2


def test_the_database_may_come_from_the_environment(db, capsys, monkeypatch):
    monkeypatch.setenv("BYGONES_DB", str(db))
    assert main(["serve", "token", "new", "ann", "--scope", "read"]) == 0
    assert main(["serve", "token", "list"]) == 0
    assert "ann" in capsys.readouterr().out


def test_what_the_service_needs_is_named(db, capsys, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("bygones.live.service")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr("importlib.util.find_spec", lambda *_: None)
    for words in (["--db", str(db)], ["token", "list", "--db", str(db)]):
        assert main(["serve", *words]) == 2
        assert capsys.readouterr().err == (
            "bygones: the service needs starlette, which is not installed: pip install bygones[live]\n"
        )
