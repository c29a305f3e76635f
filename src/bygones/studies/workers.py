"""Who computes: threads, processes, or a Dask cluster, all behind `concurrent.futures.Executor`."""

import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from ..validation import whole

ADDRESSES = ("tcp://", "tls://")
RETRIES = 3  # of a cell whose worker died


class Crew(NamedTuple):
    """An executor, how many cells it works on at a time, and how to leave it at once."""

    executor: Executor
    workers: int
    leave: Callable[[], object]


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
        with _dask(cluster) as found:
            yield found
    elif processes:
        pool = ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn"))
        try:
            yield Crew(pool, count, lambda: _kill(pool))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    else:
        threads = ThreadPoolExecutor(count)
        try:
            yield Crew(threads, count, lambda: None)
        finally:
            threads.shutdown(wait=False, cancel_futures=True)


def _kill(pool: ProcessPoolExecutor) -> None:
    """End the processes of a pool, whatever they are doing."""
    for process in list((pool._processes or {}).values()):
        process.kill()


@contextmanager
def _dask(address: str) -> Iterator[Crew]:
    try:
        import distributed as untyped
    except ImportError:
        remedy = "install it with `pip install bygones[cluster]`"
        raise ValueError(f"a cluster needs Dask's distributed, which is not installed: {remedy}") from None
    distributed: Any = untyped
    kind, _, number = address.partition(":")
    if kind != "local" and not address.startswith(ADDRESSES):
        raise ValueError(f"cluster is {address!r}: give the scheduler's address, tcp://... or tls://..., or local:4")
    made: Any = None
    try:
        if kind == "local":
            count = whole("the number of a local cluster", int(number) if number.isdecimal() else number, 1)
            made = distributed.LocalCluster(
                n_workers=count, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, silence_logs="ERROR"
            )
        client = distributed.Client(made or address, timeout=10)
    except (OSError, TimeoutError) as error:
        raise ValueError(f"no Dask scheduler answers at {address}: start one with `dask scheduler`") from error
    try:
        threads = sum(client.nthreads().values())
        if not threads:
            raise ValueError(f"the scheduler at {address} has no workers: start some with `dask worker {address}`")
        yield Crew(client.get_executor(retries=RETRIES, pure=False), threads, lambda: None)
    finally:
        with suppress(Exception):
            client.close()
        if made is not None:
            made.close()
