"""How many rounds a service makes durable, against bare commits on the same disk, and how soon it gives a decision.

`python benchmarks/service.py` writes benchmarks/service.md; with names of sections, such as `sizes`, it writes these
again and leaves the others; with `--quick` everything is short, and nothing is written.
"""

import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
from journals import sizes_section
from timing import table

import bygones as by

HERE = Path(__file__).parent
OPTIONS = ["rail", "road", "sea", "air"]
NEEDED = {"one journal, 8 writers": 0.5, "64 journals, 64 clients": 3.0}
SLOWER = 3.0  # times the empty endpoint that the slowest hundredth of decisions may take


def bare(folder: Path, seconds: float) -> float:
    """Commits per second of one small row each: SQLite as journals use it, WAL and synchronous FULL."""
    connection = sqlite3.connect(folder / "bare.db", isolation_level=None)
    for pragma in ("journal_mode = WAL", "synchronous = FULL"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute("CREATE TABLE rows (number INTEGER PRIMARY KEY, text TEXT)")
    done, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < seconds:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO rows (text) VALUES ('one small row')")
        connection.execute("COMMIT")
        done += 1
    connection.close()
    return done / (time.perf_counter() - begun)


class Wire:
    """A client that does as little as one can, so that the machine is the service's: HTTP over one connection."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.host = parts.netloc
        self.socket = socket.create_connection((parts.hostname, parts.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, method: str, path: str, body: bytes = b"", key: str = "") -> tuple[int, bytes]:
        """The status and the body of an answer."""
        kind = f"content-type: application/json\r\ncontent-length: {len(body)}\r\n" if body else ""
        kind += f"idempotency-key: {key}\r\n" if key else ""
        self.socket.sendall(f"{method} {path} HTTP/1.1\r\nhost: {self.host}\r\n{kind}\r\n".encode() + body)
        got = self.socket.recv(65536)
        while b"\r\n\r\n" not in got:
            got += self.socket.recv(65536)
        head, _, rest = got.partition(b"\r\n\r\n")
        size = next(int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
        while len(rest) < size:
            rest += self.socket.recv(65536)
        return int(head[9:12]), rest

    def close(self) -> None:
        """Hang up."""
        self.socket.close()


ENTRIES, EMPTY = "/api/journals/{}/entries", "/empty"


def entries(url: str, names: list[str], until: float, path: str = ENTRIES) -> int:
    """Enter rounds, one client for each name, each waiting for its answer; gives how many were acknowledged."""
    done, begun = [0] * len(names), time.time()

    def client(place: int, name: str) -> None:
        wire, rng = Wire(url), np.random.default_rng(place)
        while time.time() < until:
            costs = dict(zip(OPTIONS, rng.integers(0, 10, len(OPTIONS)).astype(float).tolist(), strict=True))
            body = json.dumps({"kind": "observed", "value": costs}).encode()
            status, said = wire.ask("POST", path.format(name), body, f"{begun} {place} {done[place]}")
            assert status == (201 if path == ENTRIES else 200), said
            done[place] += 1
        wire.close()

    threads = [threading.Thread(target=client, args=pair) for pair in enumerate(names)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return sum(done)


def per_second(url: str, names: list[str], seconds: float, path: str = ENTRIES) -> float:
    """The rounds that are entered per second, or the same requests to another path that are answered."""
    begun = time.time()
    return entries(url, names, begun + seconds, path) / (time.time() - begun)


def waits(url: str, paths: list[str], until: float) -> list[list[float]]:
    """How long answers take, asked for in turn by one client."""
    wire, found = Wire(url), [[] for _ in paths]
    while time.time() < until:
        for path, times in zip(paths, found, strict=True):
            begun = time.perf_counter()
            status, _ = wire.ask("GET", path)
            times.append(time.perf_counter() - begun)
            assert status == 200
    wire.close()
    return found


@contextmanager
def service(folder: Path, url: str | None = None):  # noqa: ANN201
    """A service in a process of its own, with 64 journals; gives its address."""
    command = [sys.executable, __file__, "--serve", url or str(folder / "journals.db")]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)  # noqa: S603
    address = process.stdout.readline().split()[-1].rstrip("/")
    wire = Wire(address)
    for name in journals():
        about = {"name": name, "memory": "window:12", "options": OPTIONS, "cost_range": 10.0}
        status, said = wire.ask("POST", "/api/journals", json.dumps(about).encode())
        assert status == 201, said
    wire.close()
    try:
        yield address
    finally:
        process.terminate()
        assert process.wait(60) == 0
        process.stdout.close()


def journals() -> list[str]:
    """The names of 64 journals."""
    return [f"j{place}" for place in range(64)]


def beside(job: Callable[..., object], *arguments: object) -> Callable[[], object]:
    """Do something in another process; gives what waits for its result."""
    pool = get_context("spawn").Pool(1)
    result = pool.apply_async(job, arguments)

    def wait() -> object:
        found = result.get()
        pool.terminate()
        return found

    return wait


def throughput_section(quick: bool) -> str:
    """Durable rounds per second."""
    seconds, rows = (1.0 if quick else 15.0), []
    with tempfile.TemporaryDirectory() as place, service(Path(place)) as url:
        entries(url, ["j0"], time.time() + 1)  # the kernels are compiled
        for what, names in {"one journal, 8 writers": ["j1"] * 8, "64 journals, 64 clients": journals()}.items():
            floors = [bare_in(place, f"{what} before", seconds / 3)]
            rate = beside(per_second, url, names, seconds)()
            floors.append(bare_in(place, f"{what} after", seconds / 3))
            idle = beside(per_second, url, names, seconds / 3, EMPTY)()
            floor = sum(floors) / 2
            ratios = (f"{rate / floor:.2f}", f"{NEEDED[what]:g}", f"{idle / floor:.2f}")
            rows.append([what, f"{rate:,.0f}", f"{floor:,.0f}", f"{idle:,.0f}", *ratios])
    head = ["", "rounds per second", "bare commits per second", "empty requests per second"]
    head += ["rounds / commits", "goal", "empty / commits"]
    about = (
        "Each round is one HTTP request, answered when it is durable. Bare commits: SQLite, one small row in each "
        "transaction, WAL, synchronous FULL, on the same disk, just before and just after. Empty requests: the same "
        "clients send the same requests to an endpoint of the same service that reads them and does nothing, "
        "which is what HTTP alone takes."
    )
    return f"## Durable rounds\n\n{about}\n\n{table(head, rows)}\n"


SLOW = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>
static int slow(const char *name, int file) {
    usleep(atoi(getenv("SYNC_MICROSECONDS")));
    return ((int (*)(int)) dlsym(RTLD_NEXT, name))(file);
}
int fsync(int file) { return slow("fsync", file); }
int fdatasync(int file) { return slow("fdatasync", file); }
"""
WAITS = 4  # milliseconds


def slow_section(quick: bool) -> str:
    """Durable rounds per second where every sync waits for some milliseconds, as on an ordinary disk."""
    with tempfile.TemporaryDirectory() as place:
        library = Path(place) / "slow.so"
        command = ["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", str(library), "-ldl"]
        subprocess.run(command, input=SLOW, text=True, check=True)  # noqa: S603
        waiting = os.environ | {"LD_PRELOAD": str(library), "SYNC_MICROSECONDS": str(WAITS * 1000)}
        again = [sys.executable, __file__, "--throughput", *["--quick"] * quick]
        ran = subprocess.run(again, env=waiting, capture_output=True, text=True, check=True)  # noqa: S603
    about = f"The same, where every `fsync` waits for {WAITS} ms more, as it does on an ordinary disk."
    return f"## Durable rounds on a slower disk\n\n{about}\n\n{ran.stdout[ran.stdout.index('| ') :]}"


def bare_in(place: str, name: str, seconds: float) -> float:
    """Bare commits in a folder of their own."""
    folder = Path(place) / name
    folder.mkdir()
    return bare(folder, seconds)


def inside_section(quick: bool) -> str:
    """What one entry takes, without HTTP."""
    count = 200 if quick else 5000
    with tempfile.TemporaryDirectory() as place:
        problem = by.Problem(OPTIONS, None, by.Window(12), 10.0)
        with by.Journal.create(f"{place}/j.db", "parts", problem) as journal:
            costs = np.random.default_rng(0).integers(0, 10, (count + 1, 4)).astype(float)
            journal.observe(costs[0])
            begun = time.perf_counter()
            journal.writing(lambda connection: _enter_all(journal, connection, costs[1:]))
            each = (time.perf_counter() - begun) / count
    rows = [["one entry, in a transaction of many", f"{each * 1e6:,.0f} us", f"{1 / each:,.0f}"]]
    return f"## Without HTTP\n\n{table(['', 'time', 'per second'], rows)}\n"


def _enter_all(journal: by.Journal, connection: object, rows: np.ndarray) -> None:
    from bygones.live.entries import Request, enter

    for row in rows:
        enter(journal.ledger, connection, Request("observed", row))


def waiting_section(quick: bool) -> str:
    """How soon a decision comes, beside an endpoint that does nothing, while others write."""
    seconds, rows = (2.0 if quick else 20.0), []
    with tempfile.TemporaryDirectory() as place, service(Path(place)) as url:
        entries(url, journals(), time.time() + 1)
        others = {"8 write to other journals": journals()[1:9], "8 write to it": ["j0"] * 8}
        for what, names in ({"nobody writes": []} | others).items():
            until = time.time() + seconds + 1
            writing = beside(entries, url, names, until)
            empty, decided = waits(url, [EMPTY, "/api/journals/j0/decision"], until - 0.5)
            writing()
            shares = [np.percentile(np.array(each), [50, 99]) * 1e3 for each in (empty, decided)]
            ratio = shares[1][1] / shares[0][1]
            rows.append([what, *(f"{each:.2f}" for pair in shares for each in pair), f"{ratio:.2f}"])
    head = ["", "empty: median, ms", "empty: p99", "decision: median", "decision: p99", "ratio of p99"]
    return f"## Waiting for a decision\n\nThe ratio may be {SLOWER:g}.\n\n{table(head, rows)}\n"


def serve(url: str) -> None:
    """The service, with an address that is answered at once."""
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    from bygones.live.service import pages
    from bygones.live.service.asked import Limits
    from bygones.live.service.running import run

    async def empty(request: Request) -> Response:
        await request.body()
        return Response(b"{}", media_type="application/json")

    routes = pages.routes
    pages.routes = lambda desk: [Route(EMPTY, empty, methods=["GET", "POST"]), *routes(desk)]
    run(url, "127.0.0.1", 0, [], Limits(rate=1e7), lambda address: print(address, flush=True))


SECTIONS = {
    "throughput": throughput_section,
    "slow": slow_section,
    "waiting": waiting_section,
    "inside": inside_section,
    "sizes": sizes_section,
}


def main(names: list[str], quick: bool) -> None:
    """Run sections, and write them into the page."""
    page = HERE / "service.md"
    parts = dict(zip(SECTIONS, re.split(r"(?m)^(?=## )", page.read_text())[1:], strict=False))
    load = os.getloadavg()[0]
    for name in names:
        title, _, rest = SECTIONS[name](quick).partition("\n\n")
        parts[name] = f"{title}\n\n{rest.strip()}\n\n{load:.1f} other jobs wanted a core before this run.\n"
        print(parts[name], flush=True)
    about = f"Written by `python benchmarks/service.py`, {os.cpu_count()} cores, clients on the same machine."
    head = f"# The service\n\n{about}\n"
    if not quick:
        page.write_text("\n".join([head, *(f"{parts[name].strip()}\n" for name in SECTIONS if name in parts)]))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        serve(sys.argv[2])
    elif sys.argv[1:2] == ["--throughput"]:
        print(throughput_section("--quick" in sys.argv))
    else:
        main([each for each in sys.argv[1:] if each != "--quick"] or list(SECTIONS), "--quick" in sys.argv[1:])
