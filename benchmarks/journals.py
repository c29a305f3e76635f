"""What many journals take: bytes in a database, memory, and the time to open one."""

import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import run

import numpy as np
import sqlalchemy as sa
from timing import table

import bygones as by
from bygones.live import ledger
from bygones.live.entries import Request, enter
from bygones.live.ledger import Ledger
from bygones.live.schema import Database, events, journals, rounds, snapshots
from bygones.live.service.news import Board

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
import postgres

YEAR = 365  # rounds of a journal, one a day
KINDS = {
    "4 options, `window:12`": by.Problem(4, None, by.Window(12), 10.0),
    "20 options, `window:100`": by.Problem(20, None, by.Window(100), 10.0),
}


def sizes_section(quick: bool) -> str:
    """Bytes of events and snapshots; how long it takes to open a journal; memory."""
    count, listed = (3, 1000) if quick else (40, 200_000)
    bytes_of, opened, memory, asked = list[list[str]](), list[list[str]](), list[list[str]](), list[list[str]]()
    for where, place in databases():
        for kind, problem in KINDS.items():
            url = place(f"sizes{len(bytes_of)}")
            fill(url, problem, count, YEAR)
            bytes_of.append([f"{where}, {kind}", *sizes(url, count)])
            times = [f"{seconds * 1e3:,.1f}" for seconds in times_to_open(url, problem, 10 if quick else 50)]
            opened.append([f"{where}, {kind}", *times])
            if where == "SQLite":
                memory.append([kind, f"{memory_of(url, count) / 1e3:,.0f}"])
        asked.append([where, f"{time_to_ask(place('asked'), listed) * 1e6 / listed:.2f}"])
    about = (
        f"Each journal has {YEAR} rounds, one a day, of `Guarded()`. An event counts with its round and its indexes; "
        f"a snapshot is kept every {ledger.EVERY} events, and at most {ledger.KEPT} of a journal. "
        "Times are the shortest of many, with everything in the caches of the machine."
    )
    heads = (
        ["", "an event, bytes", "a snapshot, bytes", "a journal of a year, kB"],
        ["to open a journal, ms", "at a snapshot", "128 events later", "255 events later"],
        ["an open journal", "kB of memory"],
        ["to ask which journals have changed", "us for each journal of the database"],
    )
    parts = [table(head, rows).strip() for head, rows in zip(heads, (bytes_of, opened, memory, asked), strict=True)]
    return f"## Many journals\n\n{about}\n\n" + "\n\n".join(parts) + "\n"


@contextmanager
def servers() -> Iterator[postgres.Postgres]:
    """A PostgreSQL for a while."""
    server = postgres.Postgres()
    try:
        yield server.start()
    finally:
        server.close()


def databases():  # noqa: ANN201
    """The databases there are, and what gives the address of a new one."""
    with tempfile.TemporaryDirectory() as folder:
        yield "SQLite", lambda name: f"{folder}/{name}.db"
    if postgres.PROGRAMS:
        with servers() as server:
            yield "PostgreSQL", server.new


def fill(url: str, problem: by.Problem, count: int, length: int) -> None:
    """Begin journals, and play rounds in each."""
    for number in range(count):
        costs = np.random.default_rng(number).integers(0, 10, (length, problem.n)).astype(float)
        with by.Journal.create(url, f"j{number}", problem) as journal:
            journal.writing(lambda connection, made=journal, rows=costs: play(made.ledger, connection, rows))


def play(made: Ledger, connection: sa.Connection, costs: np.ndarray) -> None:
    """Enter rounds, each with a period and a key, as clients do."""
    for number, row in enumerate(costs):
        day = np.datetime_as_string(np.datetime64("2026-01-01") + number)
        enter(made, connection, Request("observed", row, day, key=f"{day} {made.name}"))


def sizes(url: str, count: int) -> list[str]:
    """Bytes of an event, with all that is about it; of a snapshot; and of a whole journal."""
    with Database(url) as database, database.reading() as connection:
        all_events = connection.execute(sa.select(sa.func.count()).select_from(events)).scalar_one()
        kept = connection.execute(sa.select(sa.func.count()).select_from(snapshots)).scalar_one()
        taken = {each.name: room(connection, each, database.is_file) for each in (events, rounds, snapshots)}
    whole = sum(taken.values()) / count
    each = (taken[events.name] + taken[rounds.name]) / all_events
    return [f"{each:,.0f}", f"{taken[snapshots.name] / kept:,.0f}", f"{whole / 1e3:,.0f}"]


def room(connection: sa.Connection, of: sa.Table, is_file: bool) -> int:
    """Bytes that a table and its indexes take in a database."""
    if is_file:
        chosen = "SELECT sum(pgsize) FROM dbstat WHERE name IN (SELECT name FROM sqlite_schema WHERE tbl_name = :name)"
    else:
        chosen = "SELECT pg_total_relation_size(:name)"
    return int(connection.execute(sa.text(chosen), {"name": of.name}).scalar_one())


def times_to_open(url: str, problem: by.Problem, turns: int) -> Iterator[float]:
    """Least seconds until a journal is known that is not in memory, so many events after its last snapshot."""
    for after in (0, 128, 255):
        name = f"opened {after}"
        with by.Journal.create(url, name, problem) as journal:
            length = 2 * ledger.EVERY - 1 + after  # and one event that began it
            costs = np.random.default_rng(0).integers(0, 10, (length, problem.n)).astype(float)
            journal.writing(lambda connection, made=journal, rows=costs: play(made.ledger, connection, rows))
        with Database(url) as database:
            yield min(open_once(database, name) for _ in range(turns))


def open_once(database: Database, name: str) -> float:
    """Seconds to read and replay a journal."""
    begun = time.perf_counter()
    with database.reading() as connection:
        Ledger(name).catch_up(connection)
    return time.perf_counter() - begun


MEMORY = """
import sys
from pathlib import Path
from bygones.live.ledger import Ledger
from bygones.live.schema import Database

def taken():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

def opened(name):
    found = Ledger(name)
    with database.reading() as connection:
        found.catch_up(connection)
    return found

with Database(sys.argv[1]) as database:
    kept = [opened("j0")]
    before = taken()
    kept += [opened(f"j{number % int(sys.argv[2])}") for number in range(1000)]
    print((taken() - before) / 1000)
"""


def memory_of(url: str, count: int) -> float:
    """Bytes of memory that an open journal takes, in a process of its own."""
    done = run([sys.executable, "-c", MEMORY, url, str(count)], capture_output=True, text=True, check=True)  # noqa: S603
    return float(done.stdout)


def time_to_ask(url: str, count: int) -> float:
    """Seconds to ask for the versions of all journals, as a service does twice a second while somebody listens."""
    with Database(url, make=True) as database:
        with database.writing() as connection:
            rows = [{"name": f"j{number}", "events": 1, "hash": "0" * 64} for number in range(count)]
            connection.execute(journals.insert(), rows)
        board, times = Board(database), list[float]()
        for _ in range(3):
            begun = time.perf_counter()
            board.put(board.ask(None))
            times.append(time.perf_counter() - begun)
    return min(times)
