"""The API as programs use it: what is answered, and what is refused with a sentence."""

import base64
import gzip
import json
import threading
from datetime import date, timedelta

import httpx
import polars as pl
import pytest
from samples import Stranger
from serving import begin, observe, served
from tables import as_file

import bygones as by


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    folder = tmp_path_factory.mktemp("service")
    with served(folder / "journals.db", "--rate", "100000", log=folder / "log") as found:
        yield found


@pytest.fixture
def client(service):
    with service.client() as found:
        yield found


def refused(answer, status, *words):
    assert answer.status_code == status, answer.text
    said = answer.json()["error"]
    assert set(answer.json()) == {"error"}
    for word in words:
        assert word in said
    return said


def test_a_day_at_a_journal(client):
    assert begin(client, "day").status_code == 201
    made = observe(client, {"rail": 1.0, "road": 3.0}, "day", period="2026-11-16")
    assert made.status_code == 201
    assert made.json()["round"] == 1
    assert made.json()["author"] == "local"
    again = observe(client, {"rail": 1.0, "road": 3.0}, "day", period="2026-11-16")
    assert again.status_code == 200
    assert again.json() == made.json()
    refused(observe(client, {"rail": 1.0, "road": 2.0}, "day", period="2026-11-16"), 409, "has other costs already")
    decision = client.get("/api/journals/day/decision").json()
    assert decision["round"] == 2
    assert sum(decision["decision"].values()) == pytest.approx(1)
    assert decision["hash"] == made.json()["hash"]
    entries = "/api/journals/day/entries"
    preview = client.post("/api/journals/day/preview", json={"kind": "overridden", "value": "road"}).json()
    assert [each["decision"] for each in preview["options"]] == [0.0, 1.0]
    assert client.get("/api/journals/day").json()["overridden"] is False
    assert client.post(entries, json={"kind": "overridden", "value": "road"}).status_code == 201
    assert client.get("/api/journals/day/decision").json()["decision"] == {"rail": 0.0, "road": 1.0}
    assert client.get("/api/journals/day/decision").json()["overridden"]
    assert client.post(entries, json={"kind": "undone"}).status_code == 201
    assert client.get("/api/journals/day/decision").json()["decision"] == decision["decision"]
    assert client.get("/api/journals/day/verify").json() == {
        "sound": True,
        "events": 4,
        "rounds": 1,
        "faults": [],
        "notes": [],
    }


def test_the_service_decides_as_a_journal_does(client, tmp_path):
    begin(client, "same", learner="adahedge")
    journal = by.Journal.create(
        tmp_path / "j.db", "same", by.Problem(["rail", "road"], None, by.Window(4), 5.0), "adahedge"
    )
    for t in range(30):
        costs = {"rail": float(t % 3), "road": float(t % 5)}
        observe(client, costs, "same")
        journal.observe(costs)
        there = client.get("/api/journals/same/decision").json()
        assert list(there["decision"].values()) == journal.decide().tolist()
        assert there["state"] == {each.name: each.state for each in journal.status().options}
    journal.close()


def test_keys_make_a_request_happen_once(client):
    begin(client, "keys")
    first = observe(client, [1.0, 2.0], "keys", key="k1")
    again = observe(client, [1.0, 2.0], "keys", key="k1")
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    refused(observe(client, [1.0, 3.0], "keys", key="k1"), 409, "use a new key")


def test_who_has_not_seen_the_last_entry_is_refused(client):
    tag = begin(client, "match").headers["etag"]
    entries = "/api/journals/match/entries"
    body = {"kind": "observed", "value": [1.0, 2.0]}
    first = client.post(entries, json=body, headers={"If-Match": tag, "Idempotency-Key": "a"})
    assert first.status_code == 201
    refused(client.post(entries, json=body, headers={"If-Match": tag}), 412, "look again")
    again = client.post(entries, json=body, headers={"If-Match": tag, "Idempotency-Key": "a"})
    assert again.json() == first.json()  # it is the same request, whose answer was lost
    assert client.post(entries, json=body, headers={"If-Match": first.headers["etag"]}).status_code == 201
    refused(client.post("/api/journals/match/table?filename=a.csv", content=b"t,rail,road\n1,1,2\n2,1,2\n",
                        headers={"If-Match": tag}), 412)  # fmt: skip


def test_etags(client):
    begin(client, "tags")
    for path in ("/api/journals/tags", "/api/journals/tags/decision"):
        tag = client.get(path).headers["etag"]
        for have in (tag, f'W/{tag}, "other"', "*"):
            assert client.get(path, headers={"If-None-Match": have}).status_code == 304
        assert client.get(path, headers={"If-None-Match": '"other"'}).status_code == 200
        observe(client, [1.0, 2.0], "tags")
        assert client.get(path, headers={"If-None-Match": tag}).status_code == 200


def test_pages_of_journals_and_events(client):
    names = [f"page {i}" for i in range(5)]
    for name in names:
        begin(client, name)
    found, after = [], "page"
    while True:
        answer = client.get("/api/journals", params={"after": after, "limit": 2}).json()
        found += [each["journal"] for each in answer["items"]]
        after = answer["next"]
        if after is None or not after.startswith("page"):
            break
    assert [name for name in found if name.startswith("page")] == names
    for t in range(4):
        observe(client, [float(t), 1.0], "page 0")
    events, after = [], 0
    while after is not None:
        answer = client.get("/api/journals/page 0/events", params={"after": after, "limit": 2}).json()
        assert len(answer["items"]) <= 2
        events, after = events + answer["items"], answer["next"]
    assert [each["number"] for each in events] == [1, 2, 3, 4, 5]
    for limit in ("0", "1001", "x", "1.5", "-1"):
        refused(client.get("/api/journals/page 0/events", params={"limit": limit}), 422)
    refused(client.get("/api/journals/page 0/events?limit=1&limit=2"), 422, "given twice")
    refused(client.get("/api/journals/page 0/events?limits=1"), 422)


def test_tables_and_exports(client):
    begin(client, "table")
    content = b"day,rail,road\n2026-11-16,1.0,2.0\n2026-11-17,2.5,0.5\n"
    upload = "/api/journals/table/table?filename=costs.csv"
    assert [each["period"] for each in client.post(upload, content=content).json()["events"]] == [
        *("2026-11-16", "2026-11-17")
    ]
    assert client.post(upload, content=content).json() == {"events": []}
    more = content + b"2026-11-18,1.5,1.5\n2026-11-19,9.0,1.0\n"
    refused(client.post(upload, content=more), 422, "range")
    assert client.get("/api/journals/table").json()["rounds"] == 2  # all of them, or none
    changed = content.replace(b"2.5", b"2.0")
    refused(client.post(upload, content=changed), 409, "2026-11-17")
    history = client.get("/api/journals/table/history").json()["items"]
    assert [each["costs"] for each in history] == [{"rail": 1.0, "road": 2.0}, {"rail": 2.5, "road": 0.5}]
    assert history == [*client.get("/api/journals/table/history?limit=2").json()["items"]]
    assert client.get("/api/journals/table/history?limit=1").json()["items"] == history[1:]
    csv = client.get("/api/journals/table/export.csv")
    assert pl.read_csv(csv.content)["cost: rail"].to_list() == [1.0, 2.5]
    parquet = client.get("/api/journals/table/export.parquet")
    assert pl.read_parquet(parquet.content)["paid"].to_list() == [each["paid"] for each in history]
    lines = client.get("/api/journals/table/export.jsonl").text.splitlines()
    assert [json.loads(line)["number"] for line in lines] == [1, 2, 3]
    refused(client.get("/api/journals/table/export.exe"), 404)
    wrong = {"../../etc/passwd": "passwd: its name has no ending", "../": "table: its name has no ending"}
    wrong |= {"a.csv\0": "its name has no ending", f"a.{'x' * 250}": "its name has no ending"}
    wrong |= {"a.docx": "its name ends in '.docx'", "a.csv.gz": "a.csv.gz: "}
    for name, why in wrong.items():
        said = refused(client.post("/api/journals/table/table", params={"filename": name}, content=b"x"), 422, why)
        assert "/" not in said
    said = refused(client.post("/api/journals/table/table?filename=../a.csv", content=b"x\n"), 422, "a.csv")
    assert "/" not in said


def test_a_journal_begins_with_a_table(client):
    table = "day,rail,road\n2026-11-16,1.0,2.0\n2026-11-17,2.5,0.5\n"
    held = "day,rail,road\n2026-11-16,0,1\n2026-11-17,1,0\n"
    body = {"name": "past", "memory": "window:2", "learner": "steering(adahedge)", "table": table, "held": held}
    made = client.post("/api/journals", json=body)
    assert made.status_code == 201, made.text
    assert made.json()["rounds"] == 2
    assert made.json()["cost_range"] == 2.0
    items = client.get("/api/journals/past/history").json()["items"]
    assert [each["decision"]["road"] for each in items] == [1.0, 0.0]
    refused(client.post("/api/journals", json=body), 409, "already")
    bad = body | {"name": "past 2", "table": "day,rail\n1,x\n"}
    said = refused(client.post("/api/journals", json=bad), 422)
    assert "/" not in said
    refused(client.get("/api/journals/past 2"), 404)


def test_a_table_with_several_dates_is_entered_by_the_column_that_is_named(client):
    begin(client, "dates")
    upload = "/api/journals/dates/table?filename=costs.csv"
    table = b"ordered,paid,rail,road\n2026-11-14,2026-12-01,1,2\n2026-11-15,2026-12-02,2,1\n"
    refused(client.post(upload, content=table), 422, "ordered", "paid", "time=")
    answer = client.post(upload, params={"filename": "costs.csv", "time": "ordered"}, content=table)
    assert [each["period"] for each in answer.json()["events"]] == ["2026-11-14", "2026-11-15"]


def as_json(content, filename):
    return {"filename": filename, "content": base64.b64encode(content).decode()}


FILES = {
    "costs.11.CSV.GZ": lambda frame: gzip.compress(frame.write_csv().encode()),
    "costs.tsv": lambda frame: frame.write_csv(separator="\t").encode(),
    "Kosten 2026.XLSX": lambda frame: as_file(frame, "excel"),
    "costs.parquet": lambda frame: as_file(frame, "parquet"),
    "costs.arrow": lambda frame: as_file(frame, "ipc"),
    "costs.jsonl": lambda frame: as_file(frame.with_columns(pl.col("day").cast(pl.String)), "ndjson"),
}


@pytest.mark.parametrize("filename", FILES)
def test_a_journal_begins_with_a_file_of_any_format(client, filename):
    days = [date(2026, 11, 14) + timedelta(k) for k in range(4)]
    frame = pl.DataFrame({"day": days, "rail": [1.0, 2.5, 3.25, 0.1], "road": [2.0, 0.5, 1.5, 0.75]})
    held = pl.DataFrame({"day": days[2:], "chosen": ["rail", "road"]})
    body = {"name": f"file {filename}", "memory": "window:2", "table": as_json(FILES[filename](frame), filename)}
    body["held"] = as_json(as_file(held, "parquet"), "signed.parquet")
    made = client.post("/api/journals", json=body)
    assert made.status_code == 201, made.text
    items = client.get(f"/api/journals/{body['name']}/history").json()["items"]
    assert [each["period"] for each in items] == [str(day) for day in days]
    assert [[*each["costs"].values()] for each in items] == [list(row) for row in frame[:, 1:].rows()]
    assert [each["decision"]["road"] for each in items[2:]] == [0.0, 1.0]
    upload = f"/api/journals/{body['name']}/table"
    answer = client.post(upload, params={"filename": filename}, content=FILES[filename](frame))
    assert (answer.status_code, answer.json()) == (200, {"events": []})


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"table": b"day,rail,road\n2026-11-14,1,\n2026-11-15,1,2\n"}, ["costs.csv", "road", "missing"]),
        ({"held": b"day,chosen\n2026-11-14,road\n2026-11-15,raod\n"}, ["signed.csv", "raod"]),
        ({"held": b"day,chosen\n2026-11-18,road\n"}, ["signed.csv", "2026-11-18"]),
        ({"held": b""}, ["signed.csv", "it is empty"]),
    ],
)
def test_a_file_that_does_not_fit_is_refused_in_the_words_of_the_reader(client, changed, words):
    sent = {"table": b"day,rail,road\n2026-11-14,1,3\n2026-11-15,1,2\n", "held": b"day,chosen\n2026-11-15,road\n"}
    called = {"table": "costs.csv", "held": "signed.csv"}
    body = {name: as_json(content, called[name]) for name, content in (sent | changed).items()}
    said = refused(client.post("/api/journals", json=body | {"name": "no", "memory": "full"}), 422, *words)
    assert "/" not in said
    refused(client.get("/api/journals/no"), 404)


@pytest.mark.parametrize(
    ("learner", "memory"),
    [
        ("os:system", "window:4"),
        ("guarded(os.path:join)", "window:4"),
        ("guarded(learner=subprocess:Popen)", "window:4"),
        ("pure(guarded(steering(json:JSONDecoder)))", "window:4"),
        ("hedge", "json:JSONDecoder"),
        ("hedge", "json:JSONDecoder:length=3"),
        ("nobody", "window:4"),
        ("hedge", "window:0"),
        pytest.param("hedge:" + "x" * 20_000, "window:4", id="long"),
        pytest.param("guarded(" * 60 + ")" * 60, "window:4", id="deep"),
        ("hedge", "window:1000000000"),
    ],
)
def test_learners_of_others_are_refused(client, learner, memory):
    refused(begin(client, "mine", learner=learner, memory=memory), 422)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ('{"kind": "observed", "value": [1, NaN]}', 400),
        ('{"kind": "observed", "value": [1, Infinity]}', 400),
        ('{"kind": "observed", "value": [1, 1e999]}', 422),
        ('{"kind": "observed", "value": [1, true]}', 422),
        ('{"kind": "observed", "value": [1, "2"]}', 422),
        ('{"kind": "observed", "value": [1]}', 422),
        ('{"kind": "observed", "value": "rail"}', 422),
        ('{"kind": "observed"}', 422),
        ('{"kind": "overridden"}', 422),
        ('{"kind": "proposed", "value": {"rail": 2}}', 422),
        ('{"kind": "created", "value": [1, 2]}', 422),
        ('{"kind": "observed", "value": [1, 2], "author": "boss"}', 422),
        ('{"kind": "observed", "value": [1, 2], "period": "a\\u0000b"}', 422),
        ('{"kind": "observed", "value": [1, 2], "period": ""}', 422),
        ('{"kind": "renamed", "value": "rail"}', 422),
        ('{"kind": "joined", "value": {"rail": 1}}', 422),
        ('{"kind": "retired", "value": "rail"}', 422),
        ('{"kind": "undone"}', 422),
        pytest.param("[" * 100_000, 422, id="deep"),
        ("\xff\xfe", 400),
        ("", 400),
        ("null", 422),
        ("[]", 422),
    ],
)
def test_bodies_that_do_not_fit(client, body, status):
    if client.get("/api/journals/bodies").status_code == 404:
        begin(client, "bodies")
    headers = {"Content-Type": "application/json"}
    content = body.encode("latin-1") if body.startswith("\xff") else body.encode()
    refused(client.post("/api/journals/bodies/entries", content=content, headers=headers), status)
    assert client.get("/api/journals/bodies").json()["events"] == 1


def test_other_kinds_of_bodies(client):
    begin(client, "kinds")
    body = b'{"kind": "observed", "value": [1, 2]}'
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        headers = {"Content-Type": kind}
        refused(client.post("/api/journals/kinds/entries", content=body, headers=headers), 415, "application/json")
    headers = {"Content-Type": "Application/JSON; charset=utf-8"}
    assert client.post("/api/journals/kinds/entries", content=body, headers=headers).status_code == 201


@pytest.mark.parametrize(
    "name",
    [
        *("../../etc/passwd", "..", ".", "a/b", "a\\b", "%00", "", " x", "x" * 101, "a\nb", "_a", "a..b", "é" * 300),
        *("<script>alert(1)</script>", "\ud7ff\u2028", "'; DROP TABLE bygones_journals; --", "-x", "\U0001f600"),
    ],
)
def test_names_that_are_refused(client, name):
    said = refused(begin(client, name), 422)
    assert "<script>" not in said or "'" in said
    assert client.get("/api/journals/" + name.replace("/", "%2F").replace("\n", "%0A")).status_code in (200, 404, 405)


def test_no_path_leads_to_a_file(client):
    up = ("/..%2f..%2fetc/passwd", "/static/../../etc/passwd", "/static/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd")
    odd = ("/api/journals/%2e%2e/x", "/api/journals/a%2Fb/decision", "/api/journals/%FF/decision", "/static/%00")
    for path in (*up, *odd):
        answer = client.get(path)
        assert answer.status_code == 404, path
        assert "root:" not in answer.text


def test_what_is_not_there(client):
    refused(client.get("/api/journals/nowhere/decision"), 404, "no such journal")
    refused(observe(client, [1.0, 2.0], "nowhere"), 404)
    refused(client.get("/api/nowhere"), 404)
    refused(client.delete("/api/journals"), 405)
    refused(client.put("/api/journals/x/entries"), 405)


def test_too_many_options(client):
    options = [f"o{i}" for i in range(10_001)]
    refused(begin(client, "many", options=options), 422, "10,000")


def test_a_body_that_is_too_large(client):
    begin(client, "large")
    headers = {"Content-Type": "application/json"}
    refused(client.post("/api/journals/large/entries", content=b" " * 9_000_000, headers=headers), 413)
    pieces = (b" " * 1_000_000 for _ in range(9))
    refused(client.post("/api/journals/large/entries", content=pieces, headers=headers), 413)
    assert client.get("/api/journals/large").json()["events"] == 1


def test_the_log_and_the_metrics_say_neither_costs_nor_names(service, client):
    begin(client, "secret name")
    observe(client, [1.2512345, 2.5], "secret name", period="hidden period")
    metrics = client.get("/metrics").text
    assert 'bygones_requests_total{method="POST",route="/api/journals/{name}/entries",status="201"}' in metrics
    assert "bygones_batch_requests_bucket" in metrics
    assert "bygones_request_seconds_bucket" in metrics
    assert "bygones_entries_total" in metrics
    said = [each for each in service.said() if each["route"] == "/api/journals/{name}/entries"]
    assert set(said[-1]) == {"time", "method", "route", "status", "ms", "who"}
    for text in (metrics, service.log.read_text()):
        for word in ("secret name", "1.2512345", "hidden period"):
            assert word not in text


def test_no_answer_tells_of_the_machine(client, service):
    begin(client, "machine")
    paths = ["/api/journals", "/api/journals/machine", "/healthz", "/metrics", "/api/openapi.json", "/api/journals/x"]
    for path in paths:
        answer = client.get(path)
        text = answer.text + str(answer.headers)
        for word in (str(service.log.parent), "/tmp", "/home", "Traceback", "uvicorn", "sqlite"):  # noqa: S108
            assert word not in text, (path, word)


def test_the_stream_tells_what_is_entered_here_and_elsewhere(service, client):
    begin(client, "news")
    begin(client, "other")
    heard, ready = [], threading.Event()

    def listen():
        with service.client() as mine, mine.stream("GET", "/api/stream", params={"journal": "news"}) as stream:
            ready.set()
            for line in stream.iter_lines():
                if line.startswith("data: "):
                    heard.append(json.loads(line[6:]))
                    if len(heard) == 2:
                        return

    listener = threading.Thread(target=listen)
    listener.start()
    assert ready.wait(30)
    observe(client, [1.0, 2.0], "other")
    first = observe(client, [1.0, 2.0], "news").json()
    while len(heard) < 1 and listener.is_alive():
        listener.join(0.05)
    with by.Journal.open(service.log.parent / "journals.db", "news") as journal:
        second = journal.observe([2.0, 1.0])
    assert client.get("/api/journals/news/decision").json()["hash"] == second.hash  # at once
    listener.join(30)
    assert heard == [
        {"journal": "news", "events": each, "hash": tag} for each, tag in [(2, first["hash"]), (3, second.hash)]
    ]


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"kind": "observed", "value": [1.0, 2.0]}, ["a period", "Idempotency-Key"]),
        ({"kind": "committed"}, ["a period", "Idempotency-Key"]),
        ({"kind": "undone"}, ["Idempotency-Key", "If-Match"]),
        ({"kind": "undone", "period": "1"}, ["Idempotency-Key", "If-Match"]),
    ],
)
def test_what_would_be_entered_twice_needs_a_name(service, client, entry, words):
    name = f"once {entry['kind']} {len(entry)}"
    begin(client, name)
    tag = observe(client, [1.0, 3.0], name, period="1").headers["etag"]
    entries = f"{service.url}/api/journals/{name}/entries"
    for headers in ({}, {"If-Match": "*"}):
        refused(httpx.post(entries, json=entry, headers=headers), 428, *words)
    assert client.get(f"/api/journals/{name}").json()["events"] == 2
    assert httpx.post(entries, json=entry, headers={"If-Match": tag}).status_code == 201
    refused(httpx.post(entries, json=entry, headers={"If-Match": tag}), 412)  # the answer was lost: nothing is doubled
    if entry["kind"] != "undone":
        named = entry | {"period": "2"}
        assert httpx.post(entries, json=named).status_code in (200, 201, 409)


def test_it_stops_when_asked_to(tmp_path):
    with served(tmp_path / "j.db", log=tmp_path / "log") as service, service.client() as client:
        begin(client)
        with client.stream("GET", "/api/stream") as stream:  # a stream that is open does not keep it
            lines = stream.iter_lines()
            next(lines)
            assert service.stop() == 0
            assert [line for line in lines if line.strip(": ")] == []
    with by.Journal.open(tmp_path / "j.db", "parts") as journal:
        assert journal.verify().sound


def test_a_table_is_entered_after_options_came_and_went(client):
    begin(client, "grown", options=["rail", "road", "sea"])
    rows = ["week,rail,road,sea,air", "2026-01-01,1,2,3,1", "2026-01-08,2,2,3,1"]
    send = {"Content-Type": "application/octet-stream"}

    def upload():
        where = "/api/journals/grown/table?filename=costs.csv"
        return client.post(where, content="\n".join(rows), headers=send)

    observe(client, {"rail": 1.0, "road": 2.0, "sea": 3.0}, "grown", period="2026-01-01")
    client.post("/api/journals/grown/entries", json={"kind": "joined", "value": "air"})
    assert [each["period"] for each in upload().json()["events"]] == ["2026-01-08"]
    client.post("/api/journals/grown/entries", json={"kind": "retired", "value": "rail"})
    rows.append("2026-01-15,2,2,3,1")
    assert [each["period"] for each in upload().json()["events"]] == ["2026-01-15"]


def test_a_journal_that_cannot_be_opened_hides_no_other(tmp_path):
    problem = by.Problem(["rail", "road"], None, by.Window(3))
    for name, learner in (("mine", Stranger()), ("parts", by.Uniform())):
        by.Journal.create(tmp_path / "j.db", name, problem, learner).close()
    with served(tmp_path / "j.db", log=tmp_path / "log") as other, other.client() as client:
        found = client.get("/api/journals").json()
        page = client.get("/", headers={"Accept": "text/html"}).text
    assert [each["journal"] for each in found["items"]] == ["parts"]
    assert "Stranger" in found["closed"]["mine"]
    assert "cannot be opened" in page
    assert "/journals/parts" in page


def test_invented_methods_make_no_new_counters(client):
    for number in range(5):
        client.request(f"INVENTED{number}", "/api/journals")
    assert "INVENTED" not in client.get("/metrics").text
