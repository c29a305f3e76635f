"""The games of a backtest: what is played on the periods of a table, and what is kept of it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..accounting import hindsight
from ..engine import (
    Account,
    Benchmarks,
    Feed,
    Game,
    Guarantee,
    Options,
    Portfolio,
    Regrets,
    Seat,
    Switches,
    learner_seed,
    play,
)
from ..engine.feed import block_rounds
from ..engine.run import Taking
from ..kernels import Actions, Array, lower
from ..learners import Learner, labels
from ..memory import Memory
from ..problem import Problem
from ..theory import hedge_guarantee
from ..validation import positive

SHORTEST, LONGEST = 10, 1_000  # of a burn-in, in periods


def settled_range(values: Array, declared: float | None) -> tuple[float, int]:
    """The range of a period's costs, and the number of periods it was estimated on, which are not played.

    Args:
        values: one row per period.
        declared: the range, if it is known; then all periods are played.

    Returns:
        The declared range and 0, or the widest range of the first periods and how many they are.

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
class Setup:
    """What is to be played.

    Args:
        problem: what is decided.
        learners: who decides.
        values: the table, one row per period; one that is larger than memory is read block by block.
        sign: -1 where the values are gains.
        history: decisions taken before, one row each.
        recorded: the periods to record, from 1.
        replicates: draws of each learner that draws.
        seed: of all randomness.
        progress: show a bar; None: on a terminal.
        trade_cost: what trading costs, where the values are log price relatives; None: they are not.
    """

    problem: Problem
    learners: Sequence[Learner]
    values: Array
    sign: int
    history: Array
    recorded: Actions
    replicates: int
    seed: int
    progress: bool | None
    trade_cost: float | None = None

    def take(self, first: int, last: int) -> Array:
        """The costs of some periods, as a fresh array.

        Args:
            first: the first period, from 0.
            last: the period after the last one.

        Returns:
            (last - first, n), one row per period; gains are negated.
        """
        costs: Array = np.ascontiguousarray(self.values[first:last]) * self.sign
        return costs

    def relative(self, first: int, last: int) -> Array:
        """The costs of some periods, less each period's least.

        Args:
            first: the first period, from 0.
            last: the period after the last one.

        Returns:
            (last - first, n), one row per period; the least entry of each row is 0.
        """
        costs = self.take(first, last)
        lower(costs)
        return costs

    def seat(self, player: Learner, memory: Memory, books: Sequence[Account | Regrets]) -> Seat:
        """A learner that assumes some memory.

        Args:
            player: the learner.
            memory: the one it assumes, in place of the problem's.
            books: what is kept of its decisions.

        Returns:
            A seat of one replicate, after the history.
        """
        problem = self.problem.replace(memory=memory)
        return Seat(player, problem, [learner_seed(self.seed, 0)], books, self.history)

    def book(self, player: Learner, memory: Memory, regrets: Array) -> Regrets:
        """A book of what a learner's decisions cost under some memory, written into an array.

        Args:
            player: the learner whose decisions are entered.
            memory: the one under which they are paid for.
            regrets: (replicates, recorded periods), where the regrets are written.

        Returns:
            The book, after the history.
        """
        history = self.history if len(self.history) else None
        return Regrets(memory, self.problem.n, player.player_type.pure, regrets, history)

    def play(self, seats: Sequence[Taking], recorded: Actions, doing: str) -> Feed:
        """Let all play all periods, from the first on.

        Args:
            seats: who plays, and books that need only the costs.
            recorded: the periods to record, from 1.
            doing: the text beside the progress bar.

        Returns:
            The feed at its end, which knows the options' totals and how many costs were cut off.
        """
        rounds, step = len(self.values), block_rounds(self.problem)
        blocks = (self.take(first, first + step) for first in range(0, rounds, step))
        feed = Feed(self.problem, blocks, recorded, clip=True, prices=self.trade_cost is not None)
        play([lambda: Game(feed, seats, lambda: None)], rounds, None, self.progress, doing)
        return feed


class Entry:
    """A learner of a backtest: an account of its exact mean where that is known, its draws, and its guarantee.

    Args:
        setup: what is to be played.
        label: the learner's name.
        learner: who decides.
    """

    regrets: Array  # (1, recorded), and what the guarantee was then
    held: Array | None = None

    def __init__(self, setup: Setup, label: str, learner: Learner) -> None:
        problem, past, kept, count = setup.problem, setup.history, len(setup.recorded), setup.replicates
        player = learner.mean() or learner
        self.label, self.learner = label, learner
        self.portfolio = None if setup.trade_cost is None else Portfolio(problem.n, setup.trade_cost)
        self.account = Account(problem.memory, problem.n, kept, past, self.portfolio)
        self.seat = setup.seat(player, problem.memory, [self.account])
        self.playing: list[Taking] = [self.seat]
        self.draws: tuple[Regrets, Switches] | None = None
        if learner.randomised:
            seeds = [learner_seed(setup.seed, draw) for draw in range(count)]
            self.draws = setup.book(learner, problem.memory, np.empty((count, kept))), Switches(count)
            self.playing.append(Seat(learner, problem, seeds, self.draws, past))
        twin = None if player.randomised or len(past) else player.as_hedge(problem)
        self.guarantee = None if twin is None else Guarantee(twin, np.empty((1, kept)))
        self.playing += [self.guarantee] if self.guarantee else []

    def compare(self, best: Array, recorded: Actions) -> None:
        """Compare what was paid with the best option.

        Args:
            best: its total cost at the recorded periods.
            recorded: those periods.
        """
        self.regrets = (self.account.recorded.losses - best)[np.newaxis]
        if self.guarantee is not None:
            self.held = hedge_guarantee(*self.guarantee.twin, self.regrets, self.guarantee.slacks, recorded)


class Played:
    """One pass over the periods.

    Args:
        setup: what is to be played.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.entries = [Entry(setup, *pair) for pair in zip(labels(setup.learners), setup.learners, strict=True)]
        self.options = Options(len(setup.recorded))
        crowd = [taking for entry in self.entries for taking in entry.playing]
        self.benchmarks = None if setup.trade_cost is None else Benchmarks(setup.problem.n, setup.trade_cost)
        crowd += [self.options, *([self.benchmarks] if self.benchmarks else [])]
        self.feed = setup.play(crowd, setup.recorded, "backtesting")
        for entry in self.entries:
            entry.compare(self.options.best, setup.recorded)
        n, memory, rounds = setup.problem.n, setup.problem.memory, len(setup.values)
        self.least, self.policies = hindsight(setup.relative, rounds, n, memory, setup.history)
