"""What is left to compute: the cells of a study that are not there, each of about a second."""

import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..engine import some_replicates
from ..learners import Learner
from .cells import Cell, costs_of, key_of, problem_of
from .configurations import Configuration

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
    """How long replicates take, measured once for each kind of configuration."""

    def __init__(self) -> None:
        self._rates: dict[tuple[object, ...], float] = {}

    def seconds(self, this: Configuration) -> float:
        """About how long one replicate of a configuration takes."""
        problem = problem_of(this)
        kind: tuple[object, ...] = (
            _kinds(Learner.parse(this.learner)),
            this.costs.partition(":")[0],
            type(problem.memory),
            problem.n,
        )
        kind += (this.method, this.guarantees, this.switches, this.record == "all", this.horizon is None)
        rounds = problem.horizon or 1
        if kind not in self._rates:
            self._rates[kind] = _measured(this, min(SHORT, rounds))
        return self._rates[kind] * max(rounds, 1)

    def size(self, this: Configuration) -> int:
        """How many replicates a cell has: a power of two that takes about a second."""
        return 1 << max(0, math.floor(math.log2(SECONDS / max(self.seconds(this), 1e-9))))


def _kinds(learner: Learner) -> tuple[str, ...]:
    """The class of a learner, and of the one that it wraps."""
    inner = getattr(learner, "learner", None)
    return (type(learner).__name__, *(_kinds(inner) if isinstance(inner, Learner) else ()))


def _measured(this: Configuration, rounds: int) -> float:
    """Seconds per round and replicate, once all is compiled."""
    problem = problem_of(this)
    if this.horizon is not None:  # a table is played as it is
        problem = problem.replace(horizon=rounds)
    else:
        rounds = problem.horizon or 1
    learner, costs, count, taken = Learner.parse(this.learner), costs_of(this.costs), 1, 0.0
    while taken < LEAST:
        begun = time.perf_counter()
        some_replicates(
            problem,
            learner,
            costs,
            range(count),
            this.seed,
            exact=this.method == "expected",
            record=this.record if this.record in ("all", "end") else None,
            guarantee=this.guarantees,
            switches=this.switches,
        )
        now = time.perf_counter() - begun
        first, taken = taken == 0.0, now
        if first:  # which may have compiled
            taken = 1e-9
            continue
        count *= 2
    return taken / (count / 2 * rounds)
