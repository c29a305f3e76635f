"""Learners at work on the periods: one pass for all of them, block by block."""

import os
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.random import SeedSequence

from ..guarantees import Lookout
from ..kernels import Actions, Array, Ledger, compiled
from ..learners import BlockPlayer, Learner, Player
from ..memory import Memory, as_decisions, start_paths
from ..parallel import showing, threaded
from ..problem import Problem
from .periods import Block, Periods, Tally


class Account:
    """What decisions pay under a memory, over all periods; at some, the decisions and the states too.

    Args:
        memory: under which they pay.
        n: the number of options.
        history: decisions taken before.
        kept: how many periods are recorded; 0: none, and sums are all there is.
    """

    def __init__(self, memory: Memory, n: int, history: Array, kept: int) -> None:
        self.memory = memory.start(n, history)
        self.sums = np.zeros(4)  # the loss so far, the switches, the excess of the stretch at hand, and of the worst
        self.marks = np.full(3, -1)  # where the stretch at hand begins, and where the worst begins and ends
        self.last = np.zeros(n)
        self.regrets, self.paid = np.empty(kept), np.empty(kept)
        self.decisions, self.states = np.empty((kept, n)), np.empty((kept, n))

    def pay(self, block: Block, decisions: Array, star: int, picks: Actions, column: int) -> None:
        """Take the decisions of a block in; `star` is the best fixed option of all periods."""
        states = self.memory.extend(decisions)
        settle(
            block.costs,
            decisions,
            states,
            block.best,
            block.spent,
            star,
            block.first,
            picks if len(self.regrets) else picks[:0],
            column,
            self.sums,
            self.marks,
            self.last,
            self.regrets,
            self.paid,
            self.decisions,
            self.states,
        )


class Seat:
    """A player, and the accounts that pay for its decisions."""

    def __init__(self, player: Player, accounts: Sequence[Account]) -> None:
        self.player, self.accounts = player, accounts

    def play(self, block: Block, star: int, picks: Actions, column: int) -> None:
        """Play a block."""
        decisions = self.player.advance(self.player.survey(block.seen))
        rows = as_decisions(decisions[0] if self.player.pure else decisions, self.player.problem.n)
        for account in self.accounts:
            account.pay(block, rows, star, picks, column)


class Draws:
    """The same learner drawing many times, and what each draw paid; replicate r is fed as in `simulate`."""

    def __init__(self, learner: Learner, problem: Problem, seeds: Sequence[SeedSequence], history: Array) -> None:
        kind = learner.player()
        together = issubclass(kind, BlockPlayer) and kind.pure
        groups = [seeds] if together else [[seed] for seed in seeds]
        self.players = [kind(learner, problem, group, history) for group in groups]
        past = history if len(history) else None
        self.paths = start_paths(problem.memory, problem.n, len(seeds), kind.pure, past)
        self.totals, self.switches = np.zeros(len(seeds)), np.zeros(len(seeds))
        self.last: Any = None

    def play(self, block: Block, star: int, picks: Actions, column: int) -> None:
        """Play a block."""
        decisions = [player.advance(player.survey(block.seen)) for player in self.players]
        pure = self.players[0].pure
        path = np.concatenate(decisions) if pure else np.array(decisions)
        nothing = np.empty((len(self.totals), 0))
        self.paths.pay(block.costs, path, Ledger(block.best, picks[:0], self.totals, nothing, 0, 0))
        longer = path if self.last is None else np.concatenate([self.last, path], axis=1)
        moved = np.diff(longer, axis=1)
        self.switches += np.count_nonzero(moved, axis=1) if pure else np.abs(moved).sum(axis=(1, 2)) / 2
        self.last = path[:, -1:]


class Watch:
    """What a guarantee needs to know at the recorded periods.

    A guarantee is about what learners saw, the totals `G~`. The parts that were cut off, the totals `c`, come on top:
    the learner has paid its share of them, and every option at least `min_i c_i`. So the regret ends at most at
    `loss - Phi(G~) - min_i c_i` and the terms still to come, as long as later periods keep within the range.
    """

    def __init__(self, like: tuple[Problem, float], kept: int) -> None:
        self.like, self.slacks = like, np.empty((1, kept))
        self.lookout = Lookout(*like, self.slacks)

    def play(self, block: Block, star: int, picks: Actions, column: int) -> None:
        """Take a block in."""
        self.lookout.play(block.seen, block.best, picks, column)
        self.slacks[:, column : column + len(picks)] += block.unseen[picks]


def play(
    periods: Periods, taking_part: Sequence[Seat | Draws | Watch], star: int, recorded: Actions, progress: bool | None
) -> None:
    """Let all play all periods.

    Args:
        periods: what is played.
        taking_part: those who play.
        star: the best fixed option of all periods, which only the worst stretches look at.
        recorded: the periods to record, from 1.
        progress: show a bar.
    """
    stop = threading.Event()
    with (
        showing(progress, len(periods), "backtesting") as tick,
        threaded(min(os.cpu_count() or 1, len(taking_part)), stop) as each,
    ):
        for block in periods.blocks(Tally(periods.problem.n)):
            after = block.first + len(block.costs)
            column, end = recorded.searchsorted([block.first + 1, after + 1])
            picks, place = recorded[column:end] - (block.first + 1), int(column)

            def one(
                player: Seat | Draws | Watch, block: Block = block, picks: Actions = picks, place: int = place
            ) -> None:
                player.play(block, star, picks, place)

            each(one, taking_part)
            tick(len(block.costs))


def _settle(
    costs: Array,
    decisions: Array,
    states: Array,
    best: Array,
    spent: Array,
    star: int,
    before: int,
    picks: Actions,
    column: int,
    sums: Array,
    marks: Actions,
    last: Array,
    regrets: Array,
    paid: Array,
    kept: Array,
    held: Array,
) -> None:
    # The worst stretch is the contiguous one whose losses exceed the best fixed option's costs the most (Kadane).
    rounds, n = costs.shape
    k = 0
    for b in range(rounds):
        loss = 0.0
        moved = 0.0
        for i in range(n):
            loss += costs[b, i] * states[b, i]
            moved += abs(decisions[b, i] - last[i])
            last[i] = decisions[b, i]
        t = before + b
        sums[0] += loss
        if t > 0:
            sums[1] += moved / 2
        if sums[2] <= 0.0:
            sums[2] = 0.0
            marks[0] = t
        sums[2] += loss - costs[b, star]
        if sums[2] > sums[3]:
            sums[3] = sums[2]
            marks[1] = marks[0]
            marks[2] = t
        if k < picks.shape[0] and picks[k] == b:
            regrets[column + k] = sums[0] - best[b]
            paid[column + k] = sums[0] + spent[b]
            for i in range(n):
                kept[column + k, i] = decisions[b, i]
                held[column + k, i] = states[b, i]
            k += 1


settle = compiled(_settle)
