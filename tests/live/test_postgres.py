"""PostgreSQL from the command line, and that it comes back after its server was killed."""

import json
from itertools import count

import postgres as servers
import pytest
import sqlalchemy as sa
from serving import observe, served

import bygones as by
from bygones.cli import main
from bygones.live.schema import Database

NUMBERS = count()
NEW = ["--option", "rail", "--option", "road", "--memory", "window:4", "--range", "5"]


@pytest.fixture
def live(postgres, tmp_path, monkeypatch, capsys):
    """Runs a command on a new database of PostgreSQL, and gives its exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    db = postgres.new(f"commands{next(NUMBERS)}")

    def run(*words, group="live"):
        code = main([group, *words, "--db", db])
        return code, *capsys.readouterr()

    run.db = db
    return run


def test_the_commands_on_postgresql(live, tmp_path):
    code, out, err = live("decide")
    assert (code, out) == (2, "")
    assert err.endswith("has no journals: create one first\n")
    assert live("new", "--journal", "parts", *NEW)[0] == 0
    (tmp_path / "costs.csv").write_text("day,rail,road\n2026-11-16,1,3\n2026-11-17,2,1\n")
    for new in (["2026-11-16", "2026-11-17"], []):
        code, out, _ = live("observe", "--table", "costs.csv", "--json")
        assert (code, [each["period"] for each in json.loads(out)["events"]]) == (0, new)
    for words in (["override", "road"], ["undo"], ["commit", "--period", "2026-11-18"], ["history"], ["list"]):
        assert live(*words)[0] == 0
    code, out, err = live("observe", "1,2", "--period", "2026-11-17")
    assert (code, out) == (2, "")
    assert "2026-11-17 has other costs already" in err
    found = json.loads(live("status", "--json")[1])
    assert (found["rounds"], found["waiting"], found["events"]) == (2, ["2026-11-18"], 6)
    assert live("export", "--out", "log.jsonl")[0] == 0
    assert len((tmp_path / "log.jsonl").read_text().splitlines()) == 6
    assert live("verify") == (0, "6 events and 2 rounds: sound\n", "")


def test_the_service_on_postgresql(live, tmp_path):
    assert live("new", "--journal", "parts", *NEW)[0] == 0
    code, token, _ = live("token", "new", "ann", "--scope", "admin", group="serve")
    assert code == 0
    with served(live.db, log=tmp_path / "log") as service, service.client(token.split()[-1]) as client:
        assert observe(client, [2.0, 1.0], period="2026-11-18").status_code == 201
        assert live("observe", "1,2", "--period", "2026-11-19")[0] == 0
        assert client.get("/api/journals/parts").json()["rounds"] == 2
        assert service.stop() == 0
    assert live("verify")[0] == 0
    with Database(live.db) as database, database.writing() as connection:
        connection.execute(sa.text("UPDATE bygones_events SET author = 'eve' WHERE number = 2"))
    code, out, _ = live("verify")
    assert code == 1
    assert "\nevent 2 (observed, " in out


def test_a_database_survives_that_its_server_is_killed():
    server = servers.made()
    try:
        url = server.new("parts")
        journal = by.Journal.create(url, "parts", by.Problem(["rail", "road"], None, by.Window(4), 5.0))
        journal.observe([1.0, 2.0])
        server.kill()
        server.start()
        with by.Journal.open(url, "parts") as found:
            assert found.rounds == 1
            assert found.verify().sound
        journal.close()
    finally:
        server.close()
