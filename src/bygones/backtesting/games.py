"""The games of a backtest: what is played on the periods of a table, and what is kept of it."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..accounting import hindsight
from ..engine import Account, Feed, Game, Guarantee, Options, Regrets, Seat, Switches, learner_seed, play
from ..engine.feed import block_rounds
from ..kernels import Actions, Array, lower
from ..learners import Hedge, Learner
from ..memory import Memory
from ..problem import Problem
from ..validation import positive

SHORTEST, LONGEST = 10, 1_000  # of a burn-in, in periods


def settled_range(values: Array, declared: float | None) -> tuple[float, int]:
    """The range of a period's costs, and the number of periods it was estimated on, which are not played.

    Args:
        values: one row per period.
        declared: the range, if it is known; then all periods are played.

    Raises:
        ValueError: the range cannot be estimated.
    """
    if declared is not None:
        return positive("cost_range", declared), 0
    rows = len(values)
    if rows < 2 * SHORTEST:
        raise ValueError(
            f"the table has {rows} periods, and the range of their costs cannot be estimated on the first {SHORTEST} "
            f"unless there are {2 * SHORTEST}: declare it with cost_range="
        )
    burn_in = min(max(rows // 10, SHORTEST), LONGEST)
    widest = float(np.ptp(values[:burn_in], axis=1).max())
    if not widest > 0:
        raise ValueError(
            f"in each of the first {burn_in} periods, on which the range of the costs is estimated, all options cost "
            "the same: declare the range with cost_range="
        )
    return widest, burn_in


@dataclass(frozen=True)
class Periods:
    """The costs of the periods that are played; a table that is larger than memory is read block by block.

    Args:
        values: one row per period.
        sign: -1 where the values are gains.
    """

    values: Array
    sign: int

    def take(self, first: int, last: int) -> Array:
        """The costs of some periods, as a fresh array."""
        costs: Array = np.ascontiguousarray(self.values[first:last]) * self.sign
        return costs

    def blocks(self) -> Iterator[Array]:
        """All of them, in blocks."""
        step = block_rounds(self.values.shape[1])
        return (self.take(first, first + step) for first in range(0, len(self.values), step))

    def relative(self, first: int, last: int) -> Array:
        """The costs of some periods, less each period's least."""
        costs = self.take(first, last)
        lower(costs)
        return costs


@dataclass(frozen=True)
class Setup:
    """What is to be played.

    Args:
        problem: what is decided.
        learners: who decides.
        periods: the costs.
        history: decisions taken before, one row each.
        recorded: the periods to record, from 1.
        replicates: draws of each learner that draws.
        seed: of all randomness.
        progress: show a bar; None: on a terminal.
    """

    problem: Problem
    learners: Sequence[Learner]
    periods: Periods
    history: Array
    recorded: Actions
    replicates: int
    seed: int
    progress: bool | None

    @cached_property
    def played(self) -> list[Learner]:
        """Who plays for each learner: the one that plays its mean, where it is known."""
        return [learner.mean() or learner for learner in self.learners]

    def feed(self, recorded: Actions) -> Feed:
        """The periods, from the first on."""
        return Feed(self.problem, self.periods.blocks(), recorded, 1, clip=True)

    def seat(self, k: int, memory: Memory, books: Sequence[Account | Regrets]) -> Seat:
        """A learner that assumes some memory."""
        problem = self.problem.replace(memory=memory)
        return Seat(self.played[k], problem, [learner_seed(self.seed, 0)], books, self.history)

    def play(self, seats: Sequence[Seat | Guarantee | Options], recorded: Actions, doing: str) -> Feed:
        """Let all play all periods."""
        feed = self.feed(recorded)
        play([lambda: Game(feed, seats, lambda: None)], len(self.periods.values), None, self.progress, doing)
        return feed


class Played:
    """One pass over the periods: every learner with its account, its draws and its guarantee.

    Args:
        setup: what is to be played.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        problem, past, kept = setup.problem, setup.history, len(setup.recorded)
        n, memory, count = problem.n, problem.memory, setup.replicates
        self.accounts = [Account(memory, n, kept, past) for _ in setup.learners]
        self.seats = [setup.seat(k, memory, [account]) for k, account in enumerate(self.accounts)]
        seeds = [learner_seed(setup.seed, draw) for draw in range(count)]
        self.draws = {}
        drawing = []
        for k, learner in enumerate(setup.learners):
            if learner.randomised:
                pure, curves = learner.player_type.pure, np.empty((count, kept))
                self.draws[k] = Regrets(memory, n, pure, curves, past if len(past) else None), Switches(count)
                drawing.append(Seat(learner, problem, seeds, self.draws[k], past))
        twins = {k: one.as_hedge(problem) for k, one in enumerate(setup.played) if not (one.randomised or len(past))}
        self.guarantees = {k: Guarantee(twin, np.empty((1, kept))) for k, twin in twins.items() if twin is not None}
        self.options = Options(kept)
        crowd: list[Seat | Guarantee | Options] = [*self.seats, *drawing, *self.guarantees.values(), self.options]
        self.feed = setup.play(crowd, setup.recorded, "backtesting")
        rounds = len(setup.periods.values)
        self.least, self.policies = hindsight(setup.periods.relative, rounds, n, memory, past)


def vary(setup: Setup, others: Sequence[Memory]) -> dict[int, list[tuple[float, float]]]:
    """Regrets if the memory is another: of a learner that knows it, and of one that assumes the one given.

    Args:
        setup: what was played.
        others: the memories to try.

    Returns:
        For the first learner and for Hedge, by their numbers: both regrets under each memory.
    """
    n, past = setup.problem.n, setup.history
    varying = [k for k, learner in enumerate(setup.learners) if k == 0 or learner == Hedge()]
    end, seats, ends = setup.recorded[-1:], [], {}
    for k in varying:
        pure = setup.played[k].player_type.pure
        assumed, known = np.full((2, len(others), 1, 1), math.nan)
        history = past if len(past) else None

        def book(memory: Memory, table: Array, pure: bool = pure, history: Array | None = history) -> Regrets:
            return Regrets(memory, n, pure, table, history)

        seats.append(setup.seat(k, setup.problem.memory, [book(*pair) for pair in zip(others, assumed, strict=True)]))
        seats += [setup.seat(k, other, [book(other, table)]) for other, table in zip(others, known, strict=True)]
        ends[k] = known, assumed
    setup.play(seats, end, "other memories")
    return {k: [(float(a[0, 0]), float(b[0, 0])) for a, b in zip(*pair, strict=True)] for k, pair in ends.items()}
