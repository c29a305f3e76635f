"""Threads that share work, a progress bar, and a check for forks that would hang."""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

PATIENCE = 2.0  # seconds before a progress bar appears

_pool_before = False  # whether the threads of polars ran just before a fork
_pool_lost = False  # whether this process is the child of such a fork, in which they are gone

Tick = Callable[[int], None]
Each = Callable[[Callable[[Any], None], Sequence[Any]], object]


@contextmanager
def threaded(count: int, stop: threading.Event) -> Iterator[Each]:
    """Run jobs in threads; an exception or an interruption stops all of them.

    Args:
        count: the number of threads, the calling one among them.
        stop: set when an exception occurs; no further item is begun then.

    Yields:
        A function of a job and a list that does the job for every item.
    """
    if count == 1:
        yield lambda job, items: list(map(job, items))
        return
    with ThreadPoolExecutor(count - 1) as pool:

        def each(job: Callable[[Any], None], items: Sequence[Any]) -> None:
            left = iter(items)  # shared: a thread that is done with an item takes the next one

            def work() -> None:
                try:
                    for item in left:
                        if stop.is_set():
                            return
                        job(item)
                except BaseException:
                    stop.set()
                    raise

            others = [pool.submit(work) for _ in range(count - 1)]
            work()  # the calling thread works too
            for other in others:
                other.result()

        try:
            yield each
        except BaseException:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise


@contextmanager
def showing(wanted: bool | None, total: int | None, doing: str = "simulating") -> Iterator[Tick]:
    """Show a progress bar once the work has taken a while.

    Args:
        wanted: None shows it on a terminal only.
        total: the number of steps, if known.
        doing: the text beside the bar.

    Yields:
        A function that counts steps as done.
    """
    if wanted is False or (wanted is None and not sys.stderr.isatty()):
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    bar = Progress(console=console, transient=console.is_terminal)
    task = bar.add_task(doing, total=total)
    begun, lock, shown = time.monotonic(), threading.Lock(), False

    def tick(count: int) -> None:
        nonlocal shown
        with lock:
            bar.advance(task, count)
            if not shown and time.monotonic() - begun > PATIENCE:
                bar.start()
                shown = True

    try:
        yield tick
    finally:
        if shown:
            bar.stop()


def check_fork() -> None:
    """Refuse to call polars where it would wait for ever: for threads that a fork left behind.

    Raises:
        RuntimeError: in a child that was forked after polars had started its threads.
    """
    if _pool_lost:
        raise RuntimeError(
            "this process was forked after polars had started its threads, which a fork does not copy, so that a table "
            'would wait for them for ever: start processes with multiprocessing.get_context("spawn") instead'
        )


def _before_fork() -> None:
    global _pool_before
    _pool_before = False
    if "polars" in sys.modules:
        for path in Path("/proc/self/task").glob("*/comm"):  # only Linux has it, and only there is fork a default
            with suppress(OSError):  # of a thread that has just ended
                name = path.read_text()
                _pool_before = _pool_before or (name.startswith("polars-") and name[7:].strip().isdecimal())


def _after_fork() -> None:
    global _pool_lost
    _pool_lost = _pool_lost or _pool_before


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_child=_after_fork)
