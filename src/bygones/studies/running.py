"""Running a study: what is missing is computed, and kept as it comes."""

import platform
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from itertools import chain
from pathlib import Path
from queue import Empty, SimpleQueue
from secrets import token_hex
from typing import Any, NamedTuple

import numpy as np

from ..parallel import showing
from ..version import __version__
from .cells import Cell, MismatchError
from .configurations import Configuration, shown_configurations
from .declaration import Study
from .folder import Folder
from .planning import Pace, missing
from .reading import written
from .results import Found
from .workers import Crew, Outcome, crew

AHEAD = 4  # cells in flight for each worker: enough that none waits, and few enough for a million cells
LOSSES = 30  # of all workers, one after the other and without an answer, after which a run gives up
OVERHEAD = 1e-3  # seconds that a cell takes beside its rounds, one after the other
POLL = 1.0  # seconds between two looks at workers that say nothing


class Ran(NamedTuple):
    """What a run did."""

    computed: int
    failed: int


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
    run, first = _Run(folder, tick), next(cells, None)
    cells = run.in_turn(chain([] if first is None else [first], cells))
    finished = first is None
    try:
        while not finished:
            with crew(workers, processes, cluster) as found:
                finished = run.go_on(cells, found)
    finally:
        about: dict[str, Any] = {"bygones": __version__, "numpy": np.__version__, "python": platform.python_version()}
        about |= {"host": platform.node(), "begun": begun, "ended": time.time(), "cluster": cluster or ""}
        with suppress(OSError):  # on a full disk, of which the cells have told
            folder.note(name, about | {"computed": run.computed, "failed": run.failed})
    return Ran(run.computed, run.failed)


class _Run:
    """The cells of one run."""

    def __init__(self, folder: Folder, tick: Callable[[int], None]) -> None:
        self.folder, self.tick = folder, tick
        self.computed = self.failed = 0
        self.suspects: deque[Cell] = deque()  # that were computed when a worker died
        self.deaths: Counter[str] = Counter()  # of workers that computed a cell and nothing else
        self.losses = 0  # of all workers, one after the other, without a cell between them

    def in_turn(self, cells: Iterator[Cell]) -> Iterator[Cell]:
        """Cells that no other run is computing, then those that one was: it may have been killed."""
        later = []
        for cell in cells:
            if self.folder.place(cell).exists() or self.folder.claim(cell):
                yield cell
            else:
                later.append(cell)
        yield from later

    def go_on(self, cells: Iterator[Cell], found: Crew) -> bool:
        """Compute until nothing is left, or the workers are gone.

        Args:
            cells: those that are not yet begun.
            found: who computes.

        Returns:
            Whether nothing is left.

        Raises:
            ChildProcessError: if processes end again and again before they compute anything.
        """
        flying: dict[Future[Outcome], Cell] = {}
        try:
            while True:
                while self.suspects:  # one by one: if a worker dies again, it is known of which
                    self._fly(iter([self.suspects.popleft()]), found, flying)
                self._fly(cells, found, flying)
                if not self.suspects:
                    return True
        except found.died as error:  # all processes of a pool are gone when one is
            alone = len(flying) == 1
            for future, cell in flying.items():
                if future.done() and not future.exception():
                    self._settle(cell, future.result())
                else:
                    self._blame(cell, found.chances, alone)
            self.losses += 1
            if self.losses > LOSSES:
                sentence = "the processes end before they compute anything: try fewer workers, or threads"
                raise ChildProcessError(sentence) from error
            return False
        except BaseException:
            found.leave()
            for future, cell in flying.items():
                future.cancel()
                self.folder.release(cell)
            raise

    def _fly(self, cells: Iterator[Cell], found: Crew, flying: "dict[Future[Outcome], Cell]") -> None:
        """Compute cells, a bounded number at a time."""
        done: SimpleQueue[Future[Outcome]] = SimpleQueue()
        more = True
        while more or flying:
            while more and len(flying) < AHEAD * found.workers():
                cell = next(cells, None)
                more = cell is not None
                if cell is None:
                    break
                if self.folder.place(cell).exists():  # by another run
                    self.tick(1)
                    continue
                try:
                    future = found.submit(cell)
                except found.died:
                    self.suspects.append(cell)
                    raise
                flying[future] = cell
                future.add_done_callback(done.put)
            if flying or more:
                with suppress(Empty):
                    future = done.get(timeout=POLL)
                    self._take(future, flying, found)
                    continue
                found.check()

    def _take(self, future: "Future[Outcome]", flying: "dict[Future[Outcome], Cell]", found: Crew) -> None:
        """Keep what a cell gave, or what it raised."""
        try:
            outcome = future.result()
        except CancelledError:
            raise ConnectionError(found.gone) from None
        except (MismatchError, BrokenProcessPool):
            raise
        except found.died:
            alone = len(flying) == 1
            self._blame(flying.pop(future), found.chances, alone)
            return
        except Exception as error:  # such as a module that is missing there
            raise ValueError(f"a worker cannot compute cells: {type(error).__name__}: {error}") from error
        self.losses = 0
        self._settle(flying.pop(future), outcome)

    def _blame(self, cell: Cell, chances: int, alone: bool) -> None:
        """A cell's worker died: it is tried again, but not for ever if it was the only cell."""
        self.deaths[cell.name] += alone
        if self.deaths[cell.name] < chances:
            self.suspects.append(cell)
        else:
            self._settle(cell, "its worker died again and again: it may crash, or need more memory than there is")

    def _settle(self, cell: Cell, outcome: Outcome) -> None:
        if isinstance(outcome, str):
            self.folder.fail(cell, outcome)
            self.failed += 1
        else:
            self.folder.keep(cell, outcome)
            self.computed += 1
        self.tick(1)


class Planned(NamedTuple):
    """What a run has to do."""

    cells: int
    configurations: int
    there: int  # replicates
    wanted: int
    seconds: float  # of one worker, by measurement

    def sentence(self, workers: int | None) -> str:
        """In words, with the time that so many workers take; None: it is not known how many there are."""
        if not self.cells:
            return f"All {self.wanted:,} replicates of {self.configurations:,} configurations are there."
        done = f"{self.there:,} of {self.wanted:,} replicates of {self.configurations:,} configurations are there"
        about = _duration(self.seconds / min(workers or 1, self.cells) + self.cells * OVERHEAD)
        where = f"with {workers:,} at a time" if workers else "of one core"
        return f"{done}; {self.cells:,} cells are left, about {about} {where}."


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
        dry: only look: a folder that is not there is not made, and what is measured is not kept.
    """

    def __init__(self, study: Study, path: Path, dry: bool = False) -> None:
        self.study, self.path = study, path
        self.progress: bool | None = None
        self.folder = None if dry and not path.exists() else Folder(path)
        self.pace = Pace() if self.folder is None or dry else Pace(self.folder.pace)
        self._planned: list[Cell] | None = None

    @property
    def found(self) -> Found:
        """The results."""
        return Found(self.study, self.folder or Folder(self.path), self.progress)

    def cells(self) -> Iterator[Cell]:
        """What is missing."""
        there = {} if self.folder is None else self.folder.found()
        return missing(self._configurations(), self.study.replicates, there, self.pace)

    def _configurations(self) -> Iterator[Configuration]:
        """All configurations, counted on the way: to expand a large study takes seconds."""
        self._size = 0
        for point in shown_configurations(self.study, self.progress, "planning"):
            self._size += 1
            yield point.configuration

    def plan(self) -> Planned:
        """What is left to do, and about how long it takes: some configurations are tried for that."""
        self._planned = list(self.cells())
        seconds, left = 0.0, 0
        for cell in self._planned:
            left += cell.stop - cell.first
            seconds += (cell.stop - cell.first) * self.pace.seconds(cell.configuration)
        wanted = self._size * self.study.replicates
        return Planned(len(self._planned), self._size, wanted - left, wanted, seconds)

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
        self.progress = progress
        folder = self.folder = self.folder or Folder(self.path)
        folder.declare(written(self.study))
        folder.tidy()
        computed = failed = damaged = 0
        while True:
            cells = list(self.cells()) if self._planned is None else self._planned
            self._planned = None
            with showing(progress, len(cells), "computing") as tick:
                ran = run_cells(
                    iter(cells),
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
