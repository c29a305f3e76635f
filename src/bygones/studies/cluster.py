"""A Dask cluster as workers; imported only where one is used."""

import logging
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import distributed as untyped
from distributed.diagnostics.plugin import WorkerPlugin

from ..store import replacing
from ..validation import whole
from .cells import Cell, compute, digest_of
from .declaration import is_table
from .workers import Crew, Outcome

if TYPE_CHECKING:
    from concurrent.futures import Future

distributed: Any = untyped
ADDRESSES = ("tcp://", "tls://")
PATIENCE = 10  # seconds for a scheduler to answer
ALONE = 60.0  # seconds without any worker after which a run gives up
LOOK = 5.0  # seconds between two counts of the workers
SOON = 0.5  # seconds for a cluster to end in good order
TABLES = "bygones-tables"
LOGGERS = ("distributed", "tornado")


@contextmanager
def reached(address: str) -> Iterator[Crew]:
    """The workers of a cluster.

    Args:
        address: of its scheduler, `tcp://...` or `tls://...`; or `local:4` for one of our own with so many processes.

    Yields:
        The crew.

    Raises:
        ValueError: if there is no such cluster, it has no workers, or one of them lacks bygones.
    """
    kind, _, number = address.partition(":")
    if kind != "local" and not address.startswith(ADDRESSES):
        raise ValueError(f"cluster is {address!r}: give the scheduler's address, tcp://... or tls://..., or local:4")
    made: Any = None
    with _quiet():
        try:
            if kind == "local":
                count = whole("the number of a local cluster", int(number) if number.isdecimal() else number, 1)
                made = distributed.LocalCluster(
                    n_workers=count,
                    threads_per_worker=1,
                    host="127.0.0.1",
                    dashboard_address="127.0.0.1:0",
                    silence_logs=logging.CRITICAL,
                )
            client = distributed.Client(made or address, timeout=PATIENCE)
            if made is not None:
                client.register_plugin(_Deaf(), name="bygones-deaf")
        except (OSError, TimeoutError) as error:
            raise ValueError(f"no Dask scheduler answers at {address}: start one with `dask scheduler`") from error
        try:
            yield _Cluster(client, address, made).crew()
        finally:
            with suppress(Exception):
                client.close(timeout=SOON)
            if made is not None:
                with suppress(Exception):
                    made.close(timeout=SOON)


@contextmanager
def _quiet() -> Iterator[None]:
    """Without Dask's own reports of what we say in a sentence."""
    loggers = [logging.getLogger(name) for name in logging.root.manager.loggerDict if name.startswith(LOGGERS)]
    loggers = [logger for logger in loggers if not logger.disabled]
    for logger in loggers:
        logger.disabled = True
    try:
        yield
    finally:
        for logger in loggers:
            logger.disabled = False


class _Cluster:
    """A scheduler and its workers."""

    def __init__(self, client: Any, address: str, made: Any) -> None:  # noqa: ANN401
        self.client, self.address, self.made = client, address, made
        self.identity = client.scheduler_info()["id"]
        self.gone = f"the scheduler at {address} has gone; what was computed is kept: start it, and run it again"
        self.executor = client.get_executor(pure=False)
        self.sent: dict[str, str] = {}  # tables, and what they are called on the workers
        self.threads, self.looked, self.seen = 0, -LOOK, time.monotonic()
        if not self.workers():
            raise ValueError(f"the scheduler at {address} has no workers: start some with `dask worker {address}`")
        versions = client.get_versions(packages=["bygones"])
        places = versions["workers"] | {f"the scheduler at {address}": versions["scheduler"]}
        for place, found in places.items():
            if found["packages"].get("bygones") is None:
                raise ValueError(f"there is no bygones on {place}: install the same version there as here")

    def crew(self) -> Crew:
        """The workers, as others see them."""
        died = (distributed.scheduler.KilledWorker,)
        return Crew(self._submit, self.workers, self.leave, died, chances=1, check=self.check, gone=self.gone)

    def leave(self) -> None:
        """Kill our own workers: others are left to finish what they are computing."""
        for nanny in self.made.workers.values() if self.made is not None else ():
            with suppress(OSError):
                os.kill(nanny.pid, signal.SIGKILL)

    def workers(self) -> int:
        """How many cells are computed at a time; those of workers that have come or gone are counted now and then."""
        now = time.monotonic()
        if now - self.looked >= LOOK:
            self.threads, self.looked = sum(self._asked(self.client.nthreads).values()), now
        if self.threads:
            self.seen = now
        return self.threads

    def check(self) -> None:
        """Raise OSError if nobody computes any more."""
        if self.client.status != "running" or self.client.scheduler_info()["id"] != self.identity:
            raise ConnectionError(self.gone)
        if not self.workers() and time.monotonic() - self.seen > ALONE:
            raise ConnectionError(
                f"the scheduler at {self.address} has had no workers for {ALONE:.0f} seconds; what was computed is "
                f"kept: start some with `dask worker {self.address}`, and run it again"
            )

    def _submit(self, cell: Cell) -> "Future[Outcome]":
        costs = cell.configuration.costs
        sent = is_table(costs) and not costs.startswith("@")
        begun: Future[Outcome] = self._asked(
            lambda: (
                self.executor.submit(_compute_there, cell, self._send(costs))
                if sent
                else self.executor.submit(compute, cell)
            )
        )
        return begun

    def _send(self, costs: str) -> str:
        """Send a table to all workers, also those that come later; once."""
        if costs not in self.sent:
            path = Path(costs)
            name = f"{digest_of(path)}{''.join(path.suffixes)}"
            self.client.register_plugin(_Table(name, path.read_bytes()), name=f"bygones-{token_hex(8)}")
            self.sent[costs] = name
        return self.sent[costs]

    def _asked(self, ask: Callable[[], Any]) -> Any:  # noqa: ANN401
        """What the scheduler answers; raises OSError if it has gone."""
        try:
            return ask()
        except Exception as error:
            raise ConnectionError(self.gone) from error


class _Deaf(WorkerPlugin):
    """Leaves Ctrl-C, which a terminal sends to all processes, to the one that started the workers."""

    def setup(self, worker: object) -> None:
        del worker
        with suppress(ValueError):  # in a thread
            signal.signal(signal.SIGINT, signal.SIG_IGN)


class _Table(WorkerPlugin):
    """A table that every worker keeps in a folder of its own, so that no file system need be shared."""

    def __init__(self, name: str, content: bytes) -> None:
        self.called, self.content = name, content

    def setup(self, worker: Any) -> None:  # noqa: ANN401
        folder = Path(worker.local_directory) / TABLES
        folder.mkdir(exist_ok=True)
        with replacing(folder / self.called) as file:
            file.write(self.content)


def _compute_there(cell: Cell, table: str) -> Outcome:
    """Compute a cell on a table that was sent to this worker."""
    return compute(cell, Path(distributed.get_worker().local_directory) / TABLES / table)
