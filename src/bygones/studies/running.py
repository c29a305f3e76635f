"""Running a study: what is missing is computed, and kept as it comes."""

import platform
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from pathlib import Path
from secrets import randbelow, token_hex
from typing import Any, NamedTuple

import numpy as np

from ..parallel import showing
from ..version import __version__
from .cells import Cell, MismatchError, compute
from .configurations import configurations
from .declaration import Study
from .folder import Folder
from .planning import Pace, missing
from .reading import written
from .results import Found
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
    begun, name = time.time(), f"{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}-{token_hex(4)}"
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
        """Compute until nothing is left, or the workers are gone.

        Args:
            cells: those that are not yet begun.
            found: who computes.
        """
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


class Planned(NamedTuple):
    """What a run has to do."""

    cells: int
    configurations: int
    there: int  # replicates
    wanted: int
    seconds: float  # of one worker, by measurement

    def sentence(self, workers: int) -> str:
        """In words, with the time that so many workers take."""
        if not self.cells:
            return f"All {self.wanted:,} replicates of {self.configurations:,} configurations are there."
        done = f"{self.there:,} of {self.wanted:,} replicates of {self.configurations:,} configurations are there"
        about = _duration(self.seconds / min(workers, self.cells))
        return f"{done}; {self.cells:,} cells are left, about {about} with {workers} at a time."


class Done(NamedTuple):
    """What a run did, in all its rounds."""

    computed: int
    failed: int
    damaged: int

    def sentences(self, folder: Path) -> list[str]:
        """In words.

        Args:
            folder: where the results are.

        Returns:
            The sentences.
        """
        said = []
        if self.damaged:
            what = "cell was" if self.damaged == 1 else "cells were"
            said.append(f"{self.damaged:,} {what} damaged, and computed again.")
        if self.failed:
            what = "cell" if self.failed == 1 else "cells"
            said.append(f"{self.failed:,} {what} failed: see bygones study status {folder}")
        return said


class Session:
    """A study and the folder of its results.

    Args:
        study: what is swept.
        path: the folder.
        dry: only look; the folder is neither made nor changed.
    """

    def __init__(self, study: Study, path: Path, dry: bool = False) -> None:
        self.study, self.pace = study, Pace()
        self.folder = None if dry and not path.exists() else Folder(path)
        self.path = path

    @property
    def found(self) -> Found:
        """The results."""
        return Found(self.study, self.folder or Folder(self.path))

    def cells(self) -> Iterator[Cell]:
        """What is missing."""
        there = {} if self.folder is None else self.folder.found()
        all_ = (point.configuration for point in configurations(self.study))
        return missing(all_, self.study.replicates, there, self.pace)

    def plan(self) -> Planned:
        """What is left to do, and about how long it takes: some configurations are tried for that."""
        count, seconds, left = 0, 0.0, 0
        for cell in self.cells():
            count, left = count + 1, left + cell.stop - cell.first
            seconds += (cell.stop - cell.first) * self.pace.seconds(cell.configuration)
        size = len(self.study)
        wanted = size * self.study.replicates
        return Planned(count, size, wanted - left, wanted, seconds)

    def run(
        self,
        *,
        workers: int | None = None,
        processes: bool = False,
        cluster: str | None = None,
        progress: bool | None = None,
    ) -> Done:
        """Compute what is missing; cells that turn out to be damaged are computed again.

        Args:
            workers: how many; None: one for each core.
            processes: use processes, not threads.
            cluster: use a Dask cluster.
            progress: show a bar; None: on a terminal.

        Returns:
            What was done.

        Raises:
            ValueError: if a worker has another version, or there is no such cluster.
            OSError: if a file cannot be written.
            KeyboardInterrupt: if it is interrupted; what was computed is kept.
        """
        folder = self.folder = self.folder or Folder(self.path)
        folder.declare(written(self.study))
        computed = failed = damaged = 0
        while True:
            cells = list(self.cells())
            turn = randbelow(len(cells)) if cells else 0  # so that two runs in one folder share the work
            with showing(progress, len(cells), "computing") as tick:
                ran = run_cells(
                    iter(cells[turn:] + cells[:turn]),
                    folder,
                    workers=workers,
                    processes=processes,
                    cluster=cluster,
                    tick=tick,
                )
            computed, failed = computed + ran.computed, failed + ran.failed
            broken = self.found.damaged()
            for path in broken:
                path.unlink(missing_ok=True)
            damaged += len(broken)
            if not broken:
                return Done(computed, failed, damaged)


def _duration(seconds: float) -> str:
    """A length of time in words.

    >>> _duration(0.4), _duration(75), _duration(5000), _duration(200000)
    ('a second', '1.2 minutes', '1.4 hours', '2.3 days')
    """
    for name, size in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= size:
            return f"{seconds / size:.2g} {name}"
    return "a second" if seconds < 1.5 else f"{seconds:.0f} seconds"
