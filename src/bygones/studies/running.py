"""Running a study: what is missing is computed, and kept as it comes."""

import platform
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from ..version import __version__
from .cells import Cell, MismatchError, compute
from .folder import Folder
from .workers import RETRIES, Crew, crew

AHEAD = 4  # cells in flight for each worker: enough that none waits, and few enough for a million cells


class Ran(NamedTuple):
    """What a run did."""

    computed: int
    failed: int
    seconds: float


def run_cells(
    cells: Iterator[Cell],
    folder: Folder,
    *,
    workers: int | None = None,
    processes: bool = False,
    cluster: str | None = None,
    tick: Callable[[int], None] = lambda _: None,
) -> Ran:
    """Compute cells and keep them; those that another run has kept meanwhile are left out.

    A cell that raises is written down, and the others go on. One whose worker dies is tried again.

    Args:
        cells: what is to be computed.
        folder: where they are kept.
        workers: how many; None: one for each core.
        processes: use processes, not threads.
        cluster: use a Dask cluster.
        tick: called with 1 when a cell is done.

    Returns:
        What was done.

    Raises:
        ValueError: if a worker has another version, or there is no such cluster.
        OSError: if a file cannot be written.
        KeyboardInterrupt: if it is interrupted; what was computed is kept.
    """
    begun, name = (
        time.time(),
        f"{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}-{os.getpid()}-{random.getrandbits(32):08x}",
    )
    run = _Run(folder, tick)
    try:
        while run.left(cells):
            with crew(workers, processes, cluster) as found:
                run.go_on(cells, found)
    finally:
        about: dict[str, Any] = {"bygones": __version__, "numpy": np.__version__, "python": platform.python_version()}
        about |= {"host": platform.node(), "begun": begun, "ended": time.time(), "cluster": cluster or ""}
        folder.note(name, about | {"computed": run.computed, "failed": run.failed})
    return Ran(run.computed, run.failed, time.time() - begun)


class _Run:
    """The cells in flight of one run."""

    def __init__(self, folder: Folder, tick: Callable[[int], None]) -> None:
        self.folder, self.tick = folder, tick
        self.computed = self.failed = 0
        self.again: list[Cell] = []  # whose worker died
        self.tries: dict[str, int] = {}
        self.first: list[Cell] = []

    def left(self, cells: Iterator[Cell]) -> bool:
        """Whether there is more to do."""
        self.first = self.again or list(islice(cells, 1))
        self.again = []
        return bool(self.first)

    def go_on(self, cells: Iterator[Cell], found: Crew) -> None:
        """Compute until nothing is left, or the workers are gone."""
        flying: dict[Future[bytes], Cell] = {}
        waiting = iter([*self.first])
        try:
            while True:
                while len(flying) < AHEAD * found.workers:
                    cell = next(waiting, None) or next(cells, None)
                    if cell is None:
                        break
                    if self.folder.place(cell).exists():
                        self.tick(1)
                        continue
                    flying[found.executor.submit(compute, cell)] = cell
                if not flying:
                    return
                for future in wait(flying, return_when=FIRST_COMPLETED).done:
                    self._take(future, flying.pop(future))
        except BrokenProcessPool:
            self.again += [*flying.values(), *waiting]
        except BaseException:
            found.leave()
            for future in flying:
                future.cancel()
            raise

    def _take(self, future: "Future[bytes]", cell: Cell) -> None:
        """Keep what a cell gave, or what it raised."""
        try:
            content = future.result()
        except (BrokenProcessPool, CancelledError) as error:
            self.again.append(cell)
            self.tries[cell.name] = self.tries.get(cell.name, 0) + 1
            if self.tries[cell.name] > RETRIES:
                self.again.pop()
                self._fail(cell, "its worker died again and again")
            if isinstance(error, BrokenProcessPool):
                raise
        except MismatchError:
            raise
        except Exception as error:
            self._fail(cell, f"{type(error).__name__}: {error}")
        else:
            self.folder.keep(cell, content)
            self.computed += 1
            self.tick(1)

    def _fail(self, cell: Cell, sentence: str) -> None:
        self.folder.fail(cell, sentence)
        self.failed += 1
        self.tick(1)
