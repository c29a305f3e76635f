"""Feeds: costs of any kind as pieces, checked and surveyed once for everybody."""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator

from ..costs import Costs
from ..kernels import Actions, Array, Block, Tally, compiled
from ..problem import Problem
from ..validation import LARGEST

BLOCK = 2**17  # numbers in a block of costs: a megabyte, so that all learners find it in the cache
AT_ONCE = 128  # replicates that share a seat, at most
TOGETHER = 4  # blocks of tables that are drawn and played together
LAGS = 2**9  # weights of a memory that are added up for each number of a block; with more of them, blocks are shorter


def block_rounds(problem: Problem, width: int = 1) -> int:
    """How many rounds a block has: so few that it fits into the cache, and that no kernel takes long over it.

    A kernel cannot be interrupted, so Ctrl-C waits for it.

    Args:
        problem: what is decided.
        width: how many numbers are kept of each round, if more than its costs.

    Returns:
        The number of rounds, at least 1.
    """
    return max(1, BLOCK // (max(problem.n, width) * _work(problem)))


def _work(problem: Problem) -> int:
    """How much work a number of a block is, at least 1."""
    form = problem.memory.form
    return max(1, 0 if form is None else len(form.lags) // LAGS)


def tables_at_once(problem: Problem, rounds: int) -> int:
    """How many tables are drawn and played together: enough that a call is worth it, and few enough for the cache.

    Args:
        problem: what is decided.
        rounds: how many each table has.

    Returns:
        The number of tables, at least 1.
    """
    size = min(rounds, block_rounds(problem)) * problem.n * _work(problem)
    return min(AT_ONCE, max(1, TOGETHER * BLOCK // size))


def drawn(family: Costs, problem: Problem, rounds: int, generators: Sequence[Generator]) -> Iterator[Array]:
    """The costs of a family, drawn as they are asked for.

    Args:
        family: what draws.
        problem: what is decided.
        rounds: how many.
        generators: the randomness of each table.

    Yields:
        (tables, B, n), in the same memory each time.
    """
    n, step = problem.n, block_rounds(problem)
    sources = [family.start(n, rounds, generator) for generator in generators]
    costs = np.empty((len(sources), 0, n))
    for first in range(0, rounds, step):
        count = min(step, rounds - first)
        if count != costs.shape[1]:
            costs = np.empty((len(sources), count, n))
        for source, table in zip(sources, costs, strict=True):
            source.fill(table)
        yield costs


class Piece(NamedTuple):
    """Some rounds in a row."""

    first: int  # how many rounds came before
    block: Block  # the costs
    seen: Block  # the costs that learners see; the same block, unless something was cut off
    unseen: Array | None  # (B,) after each round, how far the best is above that of `seen` and what was cut off
    picks: Actions  # the rounds to record, from 0 in this piece
    column: int  # the place of the first of them among all recorded rounds
    relatives: Array | None = None  # (B, n) each price over the one before, where the costs are about prices


class Cut:
    """What learners did not see: costs above the round's least one and the range.

    Args:
        problem: whose range counts.
    """

    def __init__(self, problem: Problem) -> None:
        self.range = problem.cost_range or math.inf
        self.tally = Tally(problem.n)  # of what was seen
        self.hidden = np.zeros(problem.n)  # of each action, the total that was cut off
        self.entries, self.rounds = 0, 0  # how many costs were cut off, in how many rounds
        self.widest, self.widest_round = 0.0, -1

    def hide(self, first: int, block: Block, limit: float) -> tuple[Block, Array]:
        """Cut off what is wider than the limit.

        Args:
            first: how many rounds came before the block.
            block: the costs.
            limit: the widest range of a round that is left alone.

        Returns:
            What learners see, and the block's best totals less those seen and the least that was cut off.
        """
        costs, least = block.costs.copy(), np.empty_like(block.low)
        entries, rounds, widest, place = cut_off(costs[0], block.low[0], self.range, limit, self.hidden, least[0])
        self.entries, self.rounds = self.entries + entries, self.rounds + rounds
        if widest > self.widest:
            self.widest, self.widest_round = float(widest), first + place
        seen = self.tally.survey(costs, LARGEST)[0]
        return seen, (block.best - seen.best - least)[0]


class Feed:
    """Costs in their order, once.

    Args:
        problem: what is decided.
        blocks: the costs, in arrays or frames of any number of rounds.
        recorded: the rounds to record, from 1.
        width: how many numbers are kept of each round, which says how many rounds a piece has.
        clip: let learners see costs that spread over more than the problem's range as cut off there; False: such costs
            are refused. For a single table.
        tables: None: the blocks are of one table, from anywhere; else they are those of `drawn`, of so many tables.
        prices: the costs are log price relatives, with the sign flipped. For a single table.
    """

    def __init__(
        self,
        problem: Problem,
        blocks: Iterable[Any],
        recorded: Actions,
        width: int = 1,
        clip: bool = False,
        tables: int | None = None,
        prices: bool = False,
    ) -> None:
        self.problem, self.blocks, self.recorded = problem, blocks, recorded
        self.step = block_rounds(problem, width)
        self.tally, self.tables, self.rounds = Tally(problem.n, tables or 1), tables, 0
        self.clip, self.cut, self.prices = clip, Cut(problem), prices
        self.best = 0.0  # the least total of one action so far, in the first table

    def __iter__(self) -> Iterator[Piece]:
        for given in self.blocks:
            if self.tables is not None:
                yield self._piece(given)
                continue
            table = given if isinstance(given, np.ndarray) and given.ndim == 2 else self._checked(given)
            for first in range(0, len(table), self.step):
                costs = table[first : first + self.step]
                plain = type(costs) is np.ndarray and costs.dtype == np.float64 and costs.shape[1] == self.problem.n
                yield self._piece((costs if plain and costs.flags.carray else self._checked(costs))[np.newaxis])

    def _piece(self, costs: Array) -> Piece:
        before = self.rounds
        limit = self.problem.limits[1]
        block, widest = self.tally.survey(costs, LARGEST)
        if not (widest <= limit or (widest > limit and self.clip)):
            for table in costs:
                self._checked(table)  # which says what is wrong
        self.rounds += block.rounds
        self.best = float(block.best[0, -1])
        seen: Block = block
        unseen: Array | None = None
        if self.clip:
            if widest > limit or self.cut.rounds:
                seen, unseen = self.cut.hide(before, block, limit)
            else:
                self.cut.tally.jump(block)
        column, end = self.recorded.searchsorted([before + 1, self.rounds + 1])
        picks, relatives = self.recorded[column:end] - (before + 1), np.exp(-costs[0]) if self.prices else None
        return Piece(before, block, seen, unseen, picks, int(column), relatives)

    def _checked(self, costs: Any) -> Array:  # noqa: ANN401
        problem = self.problem.replace(cost_range=None) if self.clip else self.problem
        return problem.check_costs(costs, self.rounds)


def _cut_off(
    costs: Array, low: Array, most: float, limit: float, hidden: Array, least: Array
) -> tuple[int, int, float, int]:
    """Cut costs off in place, at `low + most` in rounds that spread over more than the limit; count what was cut off.

    `hidden`, the totals cut off, is advanced, and `least` is written: the least of them after each round.
    """
    entries, rounds, widest, place = 0, 0, 0.0, -1
    smallest = math.inf
    for i in range(hidden.shape[0]):
        smallest = min(smallest, hidden[i])
    for b in range(costs.shape[0]):
        spread = 0.0
        for i in range(costs.shape[1]):
            spread = max(spread, costs[b, i] - low[b])
        if spread > limit:
            rounds += 1
            if spread > widest:
                widest, place = spread, b
            smallest = math.inf
            for i in range(costs.shape[1]):
                if costs[b, i] > low[b] + most:
                    hidden[i] += costs[b, i] - low[b] - most
                    costs[b, i] = low[b] + most
                    entries += 1
                smallest = min(smallest, hidden[i])
        least[b] = smallest
    return entries, rounds, widest, place


cut_off = compiled(_cut_off)
