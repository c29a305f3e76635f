"""A Dask cluster as workers; imported only where one is used."""

import logging
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
TABLES = "bygones-tables"


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
                    n_workers=count, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
                )
            client = distributed.Client(made or address, timeout=PATIENCE)
        except (OSError, TimeoutError) as error:
            raise ValueError(f"no Dask scheduler answers at {address}: start one with `dask scheduler`") from error
        try:
            yield _Cluster(client, address).crew()
        finally:
            with suppress(Exception):
                client.close(timeout=1)
            if made is not None:
                with suppress(Exception):
                    made.close(timeout=1)


@contextmanager
def _quiet() -> Iterator[None]:
    """Without Dask's own reports of what we say in a sentence."""
    logger = logging.getLogger("distributed")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(level)


class _Cluster:
    """A scheduler and its workers."""

    def __init__(self, client: Any, address: str) -> None:  # noqa: ANN401
        self.client, self.address = client, address
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
        return Crew(
            self._submit,
            self.workers,
            died=(distributed.scheduler.KilledWorker,),
            chances=1,
            check=self.check,
            gone=self.gone,
        )

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
        if self.client.status not in ("running", "connecting"):
            raise ConnectionError(self.gone)
        if not self.workers() and time.monotonic() - self.seen > ALONE:
            raise ConnectionError(
                f"the scheduler at {self.address} has had no workers for {ALONE:.0f} seconds; what was computed is "
                f"kept: start some with `dask worker {self.address}`, and run it again"
            )

    def _submit(self, cell: Cell) -> "Future[Outcome]":
        costs = cell.configuration.costs
        if is_table(costs) and not costs.startswith("@"):
            return self._asked(lambda: self.executor.submit(_compute_there, cell, self._send(costs)))  # type: ignore[no-any-return]
        return self._asked(lambda: self.executor.submit(compute, cell))  # type: ignore[no-any-return]

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
