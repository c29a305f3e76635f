"""What is left to compute: the cells of a study that are not there, each of about a second."""

import hashlib
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ..learners import Learner
from .cells import Cell, costs_of, key_of, played, problem_of, sources
from .configurations import Configuration
from .declaration import is_table
from .owned import owned

SECONDS = 1.0  # that a cell should take
SHORT, LEAST = 1_000, 0.02  # rounds and seconds of a measurement
Spans = Sequence[tuple[int, int]]


def gaps(spans: Spans, stop: int) -> Iterator[tuple[int, int]]:
    """The replicates from 0 up to `stop` that no span covers.

    Args:
        spans: what is there, from the first up to the second number, without it.
        stop: how many replicates there should be.

    Yields:
        What is missing.

    >>> list(gaps([(8, 16), (0, 4), (2, 6)], 20))
    [(6, 8), (16, 20)]
    """
    at = 0
    for first, last in sorted(spans):
        if first > at:
            yield at, min(first, stop)
        at = max(at, last)
        if at >= stop:
            return
    yield at, stop


def blocks(first: int, stop: int, size: int) -> Iterator[tuple[int, int]]:
    """A span cut at the multiples of a size, so that two runs cut at the same places.

    Args:
        first: the first replicate.
        stop: the one after the last.
        size: how many there are in a block.

    Yields:
        The blocks.

    >>> list(blocks(6, 20, 8))
    [(6, 8), (8, 16), (16, 20)]
    """
    while first < stop:
        end = min(stop, (first // size + 1) * size)
        yield first, end
        first = end


def missing(
    configurations: Iterable[Configuration], replicates: int, there: Mapping[str, Spans], pace: "Pace"
) -> Iterator[Cell]:
    """The cells that are left to compute.

    Args:
        configurations: of the study.
        replicates: how many of each.
        there: those that are there, by the keys of their configurations.
        pace: how long they take.

    Yields:
        The cells, in the order of the configurations.
    """
    for each in configurations:
        key = key_of(each)
        for first, stop in gaps(there.get(key, ()), replicates):
            for block in blocks(first, stop, pace.size(each)):
                yield Cell(key, each, *block)


class Pace:
    """How long replicates take, measured once for each kind of configuration.

    Args:
        agreed: gives what was measured before of a kind, by its digest, or measures it.
    """

    def __init__(self, agreed: Callable[[str, Callable[[], float]], float] = lambda _, measure: measure()) -> None:
        self._agreed, self._rates = agreed, dict[tuple[object, ...], float]()

    def seconds(self, this: Configuration) -> float:
        """About how long one replicate of a configuration takes."""
        rounds, actions = (this.horizon, this.actions or 0) if this.horizon else costs_of(this.costs).data.shape
        kind: tuple[object, ...] = (_kinds(this.learner), _word(this.costs), _word(this.memory), actions.bit_length())
        kind += (this.horizon is None, this.method, this.guarantees, this.switches, this.record == "all")
        if kind not in self._rates:
            about = (kind, sources(), owned(this))  # so that a class that was fixed is measured again
            name = hashlib.sha256(repr(about).encode()).hexdigest()[:40]
            self._rates[kind] = self._agreed(name, lambda: _measured(this, min(SHORT, rounds)))
        return self._rates[kind] * rounds

    def size(self, this: Configuration) -> int:
        """How many replicates a cell has: a power of two that takes about a second."""
        return 1 << max(0, math.floor(math.log2(SECONDS / max(self.seconds(this), 1e-9))))


def _word(words: str) -> str:
    """A family or a memory, without its parameters; a table as it is."""
    return words if is_table(words) else words.partition(":")[0]


@lru_cache(maxsize=8192)
def _kinds(words: str) -> tuple[str, ...]:
    """The class of a learner, and of those that it wraps."""
    learner: Any = Learner.parse(words)
    found = []
    while isinstance(learner, Learner):
        found.append(f"{type(learner).__module__}:{type(learner).__qualname__}")
        learner = getattr(learner, "learner", None)
    return tuple(found)


def _measured(this: Configuration, rounds: int) -> float:
    """Seconds per round and replicate; a whole cell if it fails, which is for the run to say."""
    try:
        return _timed(this, rounds)
    except KeyboardInterrupt:
        raise
    except BaseException:  # whatever a class of the user raises, also SystemExit
        return SECONDS / rounds


def _timed(this: Configuration, rounds: int) -> float:
    """The same, once all is compiled."""
    problem = problem_of(this)
    if this.horizon is not None:  # a table is played as it is
        problem = problem.replace(horizon=rounds)
    else:
        rounds = problem.horizon or 1
    record = "all" if this.record == "all" else "end"
    played(this, problem, range(1), record)  # which may compile
    count, taken = 1, 0.0
    while taken < LEAST:
        count *= 2
        begun = time.perf_counter()
        played(this, problem, range(count), record)
        taken = time.perf_counter() - begun
    return taken / (count * rounds)
