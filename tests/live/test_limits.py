"""What is too much, too fast or too slow: refused with a sentence, and others go on."""

import asyncio
import socket
from urllib.parse import urlsplit

import pytest
from inside import PARTS, inside, run
from serving import served

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


def spoken(url, said, patience=30):
    """What a service answers to bytes, until it hangs up."""
    parts = urlsplit(url)
    with socket.create_connection((parts.hostname, parts.port), timeout=patience) as wire:
        wire.sendall(said)
        found = b""
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
