"""Who computes: threads, processes, or a Dask cluster, all behind `concurrent.futures.Executor`."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import NamedTuple

from ..validation import whole
from .cells import Cell, compute

Outcome = bytes | str  # what a cell gave, or what it raised


class Crew(NamedTuple):
    """Some workers.

    Args:
        submit: begins a cell.
        workers: how many cells are computed at a time, now.
        leave: ends whatever is being computed, at once.
        died: what a cell raises whose worker died.
        chances: how often a cell is tried alone before it is to blame for that.
        check: raises OSError if the workers cannot be reached any more.
        gone: what to say when their scheduler has gone.
    """

    submit: "Callable[[Cell], Future[Outcome]]"
    workers: Callable[[], int]
    leave: Callable[[], object] = lambda: None
    died: tuple[type[Exception], ...] = ()
    chances: int = 3
    check: Callable[[], object] = lambda: None
    gone: str = ""


@contextmanager
def crew(workers: int | None = None, processes: bool = False, cluster: str | None = None) -> Iterator[Crew]:
    """Start workers, or reach those of a cluster.

    Args:
        workers: how many; None: one for each core.
        processes: processes that are spawned, not threads.
        cluster: the address of a Dask scheduler, `tcp://...` or `tls://...`, or `local:4` for one of our own with so
            many processes.

    Yields:
        The crew.

    Raises:
        ValueError: if there is no such cluster, or Dask is not installed.
    """
    count = os.cpu_count() or 1 if workers is None else whole("workers", workers, 1)
    if cluster is not None:
        try:
            from .cluster import reached
        except ImportError as error:
            if error.name is None or error.name.partition(".")[0] not in ("distributed", "dask"):
                raise
            remedy = "install it with `pip install bygones[cluster]`"
            raise ValueError(f"a cluster needs Dask's distributed, which is not installed: {remedy}") from None
        with reached(cluster) as found:
            yield found
    elif processes:
        pool = ProcessPoolExecutor(
            count, mp_context=multiprocessing.get_context("spawn"), initializer=_stay_with_parent
        )
        try:
            yield Crew(
                lambda cell: pool.submit(compute, cell), lambda: count, lambda: _kill(pool), (BrokenProcessPool,)
            )
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    else:
        threads = ThreadPoolExecutor(count)
        try:
            yield Crew(lambda cell: threads.submit(compute, cell), lambda: count)
        finally:
            threads.shutdown(wait=False, cancel_futures=True)


def _stay_with_parent() -> None:
    """Leave Ctrl-C to the parent, and end with it, even if it is killed: a pool's processes would wait for ever."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _kill(pool: ProcessPoolExecutor) -> None:
    """End the processes of a pool, whatever they are doing."""
    for process in list((pool._processes or {}).values()):
        process.kill()
