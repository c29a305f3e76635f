"""Plans: everything that a simulation was asked for, checked."""

import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..costs import Costs, Table
from ..io import open_blocks
from ..kernels import Actions
from ..learners import Learner, Seed, as_entropy, as_learners
from ..problem import Problem
from ..validation import whole, word
from ..version import __version__
from .feed import block_rounds, drawn
from .run import threads
from .seeds import costs_generator

Record = int | str | Sequence[int] | None


@dataclass(frozen=True)
class Plan:
    """What is to be run.

    Args:
        problem: what is decided.
        learners: who decides, as they were given.
        played: who plays for each of them: itself, or the learner that plays its mean.
        costs: where the costs come from.
        blocks: the costs that all replicates share; None: every replicate draws its own.
        rounds: how many.
        recorded: the rounds to record, from 1.
        replicates: how many runs.
        seed: of all randomness.
        guarantee: keep guarantees too.
        workers: threads; None: one for each core.
        progress: show a bar; None: on a terminal.
        exact: the learners' means are played.
        first: the number of the first replicate.
        switches: keep how much the decisions moved.
    """

    problem: Problem
    learners: tuple[Learner, ...]
    played: tuple[Learner, ...]
    costs: Any
    blocks: Iterable[Any] | None
    rounds: int
    recorded: Actions
    replicates: int
    seed: int
    guarantee: bool
    workers: int | None
    progress: bool | None
    exact: bool
    first: int = 0
    switches: bool = False

    @classmethod
    def of(
        cls,
        problem: Problem,
        learners: Sequence[Learner | str],
        costs: Any,  # noqa: ANN401
        *,
        exact: bool,
        replicates: int,
        seed: Seed,
        rounds: int | None,
        record: Record,
        costs_per: str,
        guarantee: bool,
        workers: int | None,
        progress: bool | None,
        first: int = 0,
        switches: bool = False,
    ) -> "Plan":
        """Check the arguments of `simulate` or `expected`, which say what they are.

        Args:
            problem: what is decided.
            learners: who decides; also in words, such as `"hedge"`.
            costs: a family, or one table that all replicates share, from any source.
            exact: play the learners' means, as `expected` does.
            replicates: how many runs.
            seed: of all randomness.
            rounds: how many; None: the problem's horizon, or all there are of a table.
            record: which rounds to record, as in `recorded_rounds`.
            costs_per: of a family, `"replicate"` draws new costs for each, `"shared"` one table for all.
            guarantee: keep guarantees too.
            workers: threads; None: one for each core.
            progress: show a bar; None: on a terminal.
            first: the number of the first replicate.
            switches: keep how much the decisions moved.

        Returns:
            The plan, with the learners parsed and the costs opened.

        Raises:
            ValueError: if an argument does not fit, or the number of rounds is unknown.
        """
        if not isinstance(problem, Problem):
            raise ValueError(f"the problem is {problem!r}: give a Problem")
        given = as_learners(learners)
        played = _means(given) if exact else given
        count, number = whole("replicates", replicates, 1), as_entropy(seed)
        threads(workers)
        shared = word("costs_per", costs_per, ("replicate", "shared")) == "shared"
        blocks: Iterable[Any] | None = None
        if isinstance(costs, Costs) and not isinstance(costs, Table):
            horizon = problem.horizon if rounds is None else whole("rounds", rounds, 1)
            if horizon is None:
                raise ValueError("the problem's horizon is unknown, and a family of costs has no end: give rounds=")
            if shared:
                blocks = _shared(costs, problem, horizon, number)
        else:
            count_or_none, blocks = open_blocks(costs, _names(problem), rounds, block_rounds(problem))
            horizon = count_or_none if count_or_none is not None else rounds or problem.horizon
            if horizon is None:
                raise ValueError("the problem's horizon is unknown, and so is how many blocks there are: give rounds=")
        if problem.horizon is not None and horizon > problem.horizon:
            warnings.warn(f"{horizon} rounds are past the horizon of {problem.horizon}", stacklevel=4)
        recorded = recorded_rounds(record, horizon)
        return cls(
            problem,
            tuple(given),
            tuple(played),
            costs,
            blocks,
            horizon,
            recorded,
            count,
            number,
            guarantee,
            workers,
            progress,
            exact,
            first,
            switches,
        )

    def again(self) -> Iterable[Any] | None:
        """The costs that all replicates share, from their first round on; None: every replicate draws its own.

        Raises:
            ValueError: if they were blocks that can be taken once only.
        """
        if self.blocks is None:
            return None
        if isinstance(self.costs, Costs) and not isinstance(self.costs, Table):
            return _shared(self.costs, self.problem, self.rounds, self.seed)
        if isinstance(self.costs, Iterator):
            raise ValueError("the costs were an iterator, which is used up: give a table, a path or a family")
        return open_blocks(self.costs, _names(self.problem), self.rounds, block_rounds(self.problem))[1]

    @property
    def about(self) -> dict[str, Any]:
        """How the result was made, as plain values."""
        return {
            "costs": str(self.costs) if isinstance(self.costs, Costs | str | Path) else type(self.costs).__name__,
            "costs_per": "replicate" if self.blocks is None else "shared",
            "seed": self.seed,
            "exact": self.exact,
            "versions": {"bygones": __version__, "numpy": np.__version__},
        }


def _shared(costs: Costs, problem: Problem, rounds: int, seed: int) -> Iterable[Any]:
    """One table of a family, as every replicate sees it."""
    return (block[0] for block in drawn(costs, problem, rounds, [costs_generator(seed, 0)]))


def _names(problem: Problem) -> Sequence[str] | None:
    """The actions' names, if they have any."""
    return None if isinstance(problem.actions, int) else problem.names


def _means(learners: Sequence[Learner]) -> list[Learner]:
    """The learners that play the means of others."""
    means = []
    for learner in learners:
        mean = learner.mean()
        if mean is None:
            raise ValueError(f"{learner!r} has no mean that is known: simulate it instead")
        means.append(mean)
    return means


def recorded_rounds(record: Record, rounds: int) -> Actions:
    """The rounds to record, from 1; the last is among them.

    Args:
        record: `"all"`, `"end"`, a number of evenly spaced ones, or `"log:100"` for so many spaced evenly in their
            logarithm, or the rounds themselves. None: all up to 10,000, else 1,000 evenly spaced.
        rounds: how many there are.

    Returns:
        Their numbers, increasing.

    Raises:
        ValueError: `record` is none of these.

    >>> recorded_rounds(4, 10), recorded_rounds("log:3", 100), recorded_rounds([5, 20], 100)
    (array([ 2,  5,  7, 10]), array([  1,  10, 100]), array([  5,  20, 100]))
    """
    if record is None:
        record = "all" if rounds <= 10_000 else 1_000
    if isinstance(record, Sequence) and not isinstance(record, str):
        given = [whole("a round to record", each, 1, rounds) for each in record]
        return np.unique(np.array([*given, rounds]))
    if not isinstance(record, str):
        number = min(whole("the number of rounds to record", record, 1), rounds)
        return np.arange(1, number + 1) * rounds // number
    if record == "all":
        return np.arange(1, rounds + 1)
    kind, _, count = record.partition(":")
    if record != "end" and not (kind == "log" and count.isdecimal() and int(count) > 0):
        raise ValueError(f"record is {record!r}: give 'all', 'end', a number of rounds, a list, or such as 'log:100'")
    if record == "end" or int(count) == 1:
        return np.array([rounds])
    return np.unique(np.geomspace(1, rounds, int(count)).round().astype(np.int64))
