"""What is too much, too fast or too slow: refused with a sentence, and others go on."""

import asyncio
import base64
import gzip
import io
import socket
from urllib.parse import urlsplit

import polars as pl
import pytest
from inside import PARTS, inside, run
from serving import served
from tables import as_file

from bygones.live.service.asked import Limits


def test_too_many_requests_are_refused_until_time_has_passed(tmp_path):
    async def test():
        async with inside(tmp_path / "j.db", Limits(rate=5.0)) as (client, service):
            statuses = [(await client.get("/api/journals")).status_code for _ in range(20)]
            assert statuses[:10] == [200] * 10
            refused = await client.get("/api/journals")
            assert refused.status_code == 429
            assert refused.headers["retry-after"] == "1"
            assert "wait" in refused.json()["error"]
            left, when = service.gate._left["127.0.0.1"]
            service.gate._left["127.0.0.1"] = (left, when - 60)  # a minute has passed
            assert (await client.get("/api/journals")).status_code == 200

    run(test())


def test_those_who_come_through_a_proxy_on_this_machine_are_counted_each(tmp_path):
    with served(tmp_path / "j.db", "--rate", "3", log=tmp_path / "log") as service, service.client() as client:
        several = [
            [client.get("/healthz", headers={"X-Forwarded-For": address}).status_code for _ in range(20)]
            for address in ("192.0.2.1", "192.0.2.2")
        ]
        for statuses in several:
            assert statuses[:6] == [200] * 6
            assert 429 in statuses


def test_a_body_that_does_not_come_is_not_waited_for(tmp_path):
    async def drip():
        yield b'{"name": '
        await asyncio.sleep(60)
        yield b'"x"}'

    async def test():
        async with inside(tmp_path / "j.db", Limits(rate=1e6, patience=0.1)) as (client, _):
            headers = {"Content-Type": "application/json"}
            answer = await client.post("/api/journals", content=drip(), headers=headers)
            assert answer.status_code == 408
            assert "did not come" in answer.json()["error"]
            assert (await client.post("/api/journals", json=PARTS)).status_code == 201

    run(test())


def test_streams_are_counted(tmp_path):
    async def test():
        async with inside(tmp_path / "j.db", Limits(rate=1e6, streams=0)) as (client, _):
            answer = await client.get("/api/stream")
            assert answer.status_code == 503
            assert "too many listen" in answer.json()["error"]

    run(test())


def test_tables_that_would_keep_others_waiting_are_refused(tmp_path):
    table = "day,rail,road\n" + "".join(f"2026-11-{day},1,2\n" for day in range(10, 14))
    more = table + "2026-11-14,1,2\n"

    async def test():
        async with inside(tmp_path / "j.db", Limits(rate=1e6, periods=4)) as (client, _):
            about = {"name": "more", "memory": "window:4", "table": more}
            answers = [await client.post("/api/journals", json=about)]
            assert (await client.post("/api/journals", json=PARTS)).status_code == 201
            answers.append(await client.post("/api/journals/parts/table?filename=a.csv", content=more))
            for each in answers:
                assert each.status_code == 422
                assert "5 periods: send at most 4" in each.json()["error"]
            answer = await client.post("/api/journals/parts/table?filename=a.csv", content=table)
            assert len(answer.json()["events"]) == 4

    run(test())


def as_stream(frame):
    file = io.BytesIO()
    frame.write_ipc_stream(file, compression="zstd")
    return file.getvalue()


@pytest.mark.parametrize(
    ("filename", "packed"),
    [
        ("a.parquet", lambda frame: as_file(frame, "parquet")),
        ("a.arrow", lambda frame: as_file(frame, "ipc")),
        ("stream.arrow", as_stream),
        ("a.csv.gz", lambda frame: gzip.compress(frame.write_csv().encode())),
        ("a.jsonl", lambda frame: frame.write_ndjson().encode()),
    ],
)
def test_small_files_that_hold_much_are_refused_before_all_is_read(tmp_path, filename, packed):
    few = pl.DataFrame({"rail": [1.0, 2.0], "road": [2.0, 1.0]})
    much = packed(pl.concat([few] * 100_000))
    sent = {"filename": filename, "content": base64.b64encode(much).decode()}
    held = sent | {"content": base64.b64encode(packed(pl.concat([few] * 600) * 0 + 0.5)).decode()}

    async def test():
        async with inside(tmp_path / "j.db", Limits(rate=1e6, values=1000)) as (client, _):
            assert (await client.post("/api/journals", json=PARTS)).status_code == 201
            about = {"name": "more", "memory": "window:4"}
            for answer in (
                await client.post(f"/api/journals/parts/table?filename={filename}", content=much),
                await client.post("/api/journals", json=about | {"table": sent}),
                await client.post("/api/journals", json=about | {"table": few.write_csv(), "held": held}),
            ):
                assert answer.status_code == 422
                assert f"{filename}: it has more than 1,000 values" in answer.json()["error"]

    run(test())


@pytest.mark.parametrize(
    ("limits", "said"),
    [({"options": 2}, "3 options: give at most 2"), ({"kept": 8}, "last 4 decisions would be kept: let at most 2")],
)
def test_options_that_join_are_counted_too(tmp_path, limits, said):
    async def test():
        async with inside(tmp_path / "j.db", Limits(rate=1e6, **limits)) as (client, _):
            assert (await client.post("/api/journals", json=PARTS)).status_code == 201
            entry = {"kind": "joined", "value": "sea"}
            answer = await client.post("/api/journals/parts/entries", json=entry)
            assert answer.status_code == 422
            assert said in answer.json()["error"]
            assert (await client.get("/api/journals/parts")).json()["events"] == 1

    run(test())


def test_an_option_that_comes_back_is_not_counted_twice(tmp_path):
    async def test():
        async with inside(tmp_path / "j.db", Limits(rate=1e6, options=3)) as (client, _):
            three = PARTS | {"options": ["rail", "road", "sea"]}
            assert (await client.post("/api/journals", json=three)).status_code == 201
            for kind in ("retired", "joined"):
                answer = await client.post("/api/journals/parts/entries", json={"kind": kind, "value": "sea"})
                assert answer.status_code == 201, answer.text

    run(test())


def spoken(url, *parts, patience=30):
    """What a service answers to bytes, until it hangs up; each part but the last is answered before the next."""
    where = urlsplit(url)
    with socket.create_connection((where.hostname, where.port), timeout=patience) as wire:
        found = b""
        for said in parts[:-1]:
            wire.sendall(said)
            found += wire.recv(65536)
        wire.sendall(parts[-1])
        while more := wire.recv(65536):
            found += more
        return found


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    folder = tmp_path_factory.mktemp("limits")
    with served(folder / "j.db", log=folder / "log") as found:
        yield found


@pytest.mark.parametrize(
    "said",
    [
        b"GET / HTTP/1.1\r\nhost: localhost\r\nx: " + b"x" * 100_000,
        b"GET /" + b"x" * 100_000,
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc",
        b"GET / HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\ncontent-length: 5\r\n\r\nzz\r\n",
    ],
    ids=["header", "address", "tls", "negative", "smuggled"],
)
def test_what_is_not_http_is_refused(service, said):
    answer = spoken(service.url, said + b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 4")
    with service.client() as client:
        assert client.get("/healthz").status_code == 200


@pytest.mark.slow
def test_a_request_that_never_begins_is_hung_up_on(service):
    assert spoken(service.url, b"GET / HTTP/1.1\r\nhost: loc") == b""


@pytest.mark.slow
def test_a_second_request_that_never_ends_is_hung_up_on(service):
    whole = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n"
    assert spoken(service.url, whole, whole, whole[:30]).count(b"HTTP/1.1 200") == 2
