"""The games of a backtest: what is played on the periods of a table, and what is kept of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..accounting import hindsight
from ..engine import (
    Account,
    Benchmarks,
    Feed,
    Game,
    Guarantee,
    Options,
    Paths,
    Piece,
    Portfolio,
    Regrets,
    Seat,
    Switches,
    Taking,
    learner_seed,
    play,
)
from ..engine.feed import block_rounds
from ..kernels import Actions, Array, lower
from ..learners import Learner, labels
from ..memory import Memory
from ..problem import Problem
from ..theory import hedge_guarantee
from ..validation import positive

SHORTEST, LONGEST = 10, 1_000  # of a burn-in, in periods
MOST_CHANGES = 5  # of the best paths
UNKNOWN = 0.01  # of the weight of all decisions, that of those which are not known


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
        held: decisions really taken, one row each, the last in the last period; there may be more than periods.
        recorded: the periods to record, from 1.
        replicates: draws of each learner that draws.
        seed: of all randomness.
        progress: show a bar; None: on a terminal.
        trade_cost: what trading costs, where the values are log price relatives; None: they are not.
        skipped: periods of the table before the values, which are not played.
    """

    problem: Problem
    learners: Sequence[Learner]
    values: Array
    sign: int
    history: Array
    held: Array
    recorded: Actions
    replicates: int
    seed: int
    progress: bool | None
    trade_cost: float | None = None
    skipped: int = 0

    @property
    def begin(self) -> int:
        """The first period whose decision was really taken, from 0; their number if there is none."""
        return max(0, len(self.values) - len(self.held))

    @property
    def judged(self) -> int:
        """The first period, from 0, whose state is known: older decisions, which are not, no longer count then.

        Where all periods of the table have real decisions, that is the first: learners begin there too.
        """
        rounds, known, support = len(self.values), len(self.held), self.problem.memory.support
        if not known or known >= rounds + self.skipped:
            return self.begin
        left = 1 - np.cumsum(self.problem.memory.weights(rounds))  # what decisions beyond each lag weigh
        enough = support - 1 if support else int(np.flatnonzero(left <= UNKNOWN)[0])
        return min(max(0, rounds - known + enough), rounds - 1)

    @property
    def earlier(self) -> Array:
        """Decisions really taken before that period."""
        return self.held[: len(self.held) - (len(self.values) - self.judged)] if self.judged else self.past

    @property
    def past(self) -> Array:
        """Decisions before the first period played, as far as they are known."""
        return self.held[: -len(self.values)] if len(self.held) > len(self.values) else self.history

    def before(self, curve: Array) -> float:
        """What a curve over the recorded periods, which begins at 0, was before the first period that is judged."""
        return float(curve[self.recorded == self.judged][0]) if self.judged else 0.0

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
        ends = pairwise((0, self.begin, self.judged, rounds))  # so that no block has periods of two kinds
        blocks = (self.take(at, min(at + step, end)) for first, end in ends for at in range(first, end, step))
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
        self.player = self.seat.players[0]  # who decides next: from what was really done, if that is known
        if len(setup.held):
            advised = Advised(setup, player)
            self.player = advised.player
            self.playing.append(advised)
        self.draws: tuple[Regrets, Switches] | None = None
        if learner.randomised:
            seeds = [learner_seed(setup.seed, draw) for draw in range(count)]
            self.draws = setup.book(learner, problem.memory, np.empty((count, kept))), Switches(count, kept)
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

    def spent(self, options: Options, switch_cost: float) -> Array:
        """What it had paid at the recorded periods, as `Account.spent` says; over the draws, if its mean is not known.

        Args:
            options: what the options cost.
            switch_cost: what it costs to change from one option to another.

        Returns:
            One number per recorded period.
        """
        if self.draws is None or self.portfolio is not None:
            return self.account.spent(options.lows, switch_cost)
        drawn, moved = self.draws
        known = self.learner.mean() is not None
        paid = self.account.recorded.losses if known else drawn.regrets.mean(axis=0) + options.best
        total: Array = paid + switch_cost * moved.recorded
        return total

    def first_move(self, setup: Setup, switch_cost: float) -> float:
        """What it paid for its move into the first period that is judged: yours is not counted either.

        Args:
            setup: what was played.
            switch_cost: what it costs to change from one option to another.

        Returns:
            The cost; on prices, in log wealth.
        """
        if not setup.judged:
            return 0.0
        at = int(np.flatnonzero(setup.recorded == setup.judged)[0])
        if self.portfolio is not None:
            return float(self.account.charges[at] - self.account.charges[at + 1])
        moved = self.account.recorded.moved if self.draws is None else self.draws[1].recorded
        return switch_cost * float(moved[at + 1] - moved[at])


class Advised:
    """A learner that is told what was really done, from the first period on in which that is known.

    Args:
        setup: what is to be played.
        learner: who is told.
    """

    def __init__(self, setup: Setup, learner: Learner) -> None:
        self.begin, self.held = setup.begin, setup.held[-len(setup.values) :]
        past = setup.history if setup.begin else setup.past
        self.player = Seat(learner, setup.problem, [learner_seed(setup.seed, 0)], [], past).players[0]

    def play(self, piece: Piece) -> None:
        """Take a piece in."""
        at = piece.first - self.begin
        self.player.advance(piece.seen, self.held[at : at + piece.block.rounds].copy() if at >= 0 else None)


class You:
    """The account of the decisions really taken, in the periods in which they are known.

    Args:
        setup: what is to be played.
    """

    def __init__(self, setup: Setup) -> None:
        self.begin, self.held = setup.judged, setup.held[setup.judged - len(setup.values) :]
        problem, recorded = setup.problem, len(setup.recorded)
        self.portfolio = None if setup.trade_cost is None else Portfolio(problem.n, setup.trade_cost)
        self.account = Account(problem.memory, problem.n, recorded, setup.earlier, self.portfolio)
        self.account.running.last[:] = self.held[0]  # the first decision is no switch
        self.before = np.zeros(setup.problem.n)  # the options' totals before

    def spent(self, setup: Setup, options: Options, switch_cost: float) -> Array:
        """What was paid at the recorded periods, as `Account.spent` says, from the first period that is known on.

        Args:
            setup: what was played.
            options: what the options cost.
            switch_cost: what it costs to change from one option to another.

        Returns:
            One number per recorded period; nan before that.
        """
        return self.account.spent(options.lows - setup.before(options.lows), switch_cost)

    def play(self, piece: Piece) -> None:
        """Take a piece in."""
        at = piece.first - self.begin
        if at == 0:
            self.before[:] = piece.block.marks[0, 0]
        if at >= 0:
            self.account.enter(piece, self.held[np.newaxis, at : at + piece.block.rounds].copy())


class Played:
    """One pass over the periods.

    Args:
        setup: what is to be played.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.entries = [Entry(setup, *pair) for pair in zip(labels(setup.learners), setup.learners, strict=True)]
        n, rounds = setup.problem.n, len(setup.values)
        self.options, self.you = Options(len(setup.recorded), n), You(setup) if len(setup.held) else None
        self.paths = Paths(n, min(MOST_CHANGES, rounds - 1), np.empty(1))
        crowd = [taking for entry in self.entries for taking in entry.playing]
        crowd += [self.you] if self.you is not None else []
        self.benchmarks = None if setup.trade_cost is None else Benchmarks(n, setup.trade_cost, len(setup.recorded))
        crowd += [self.options, self.paths, *([self.benchmarks] if self.benchmarks else [])]
        self.feed = setup.play(crowd, setup.recorded, "backtesting")
        for entry in self.entries:
            entry.compare(self.options.best, setup.recorded)
        self.least, self.policies = self._hindsight(0, setup.history)

    def _hindsight(self, begin: int, past: Array) -> tuple[float, Array]:
        """What a clairvoyant pays from some period on, and each option.

        Args:
            begin: the period, from 0.
            past: decisions before it.

        Returns:
            Both, each period's least cost taken off.
        """
        setup = self.setup
        rounds, problem = len(setup.values) - begin, setup.problem
        take = setup.relative if begin == 0 else lambda first, last: setup.relative(begin + first, begin + last)
        return hindsight(take, rounds, problem.n, problem.memory, past)

    def your_least(self) -> float:
        """What a clairvoyant would have paid in your place, from the first period on whose decision is known."""
        return self._hindsight(self.setup.judged, self.setup.earlier)[0]
