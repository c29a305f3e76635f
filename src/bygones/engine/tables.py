"""What all replicates of a plan write, and the games in which they do."""

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..kernels import Actions, Array, softmin
from ..learners import labels
from ..result import Result
from ..theory import hedge_guarantee
from .books import Gammas, Guarantee, Paths, Regrets, Switches
from .feed import AT_ONCE, Feed, drawn, tables_at_once
from .plan import Plan
from .run import Game, play, threads
from .seat import Book, Seat
from .seeds import costs_generator, learner_seed


class Replicates(NamedTuple):
    """Some replicates of one learner."""

    rounds: Actions  # the recorded ones, (recorded,)
    regrets: Array  # (replicates, recorded)
    guarantees: Array | None  # the same; None: the learner has none, or they were not asked for
    switches: Array | None  # (replicates,): sum_t |v^t - v^(t-1)|_1 / 2; None: not asked for


def played(plan: Plan) -> "Tables":
    """Play all that a plan asks for."""
    tables = Tables(plan)
    games: list[Callable[[], Game]]
    if plan.blocks is None:
        parts = _dealt(plan, tables_at_once(plan.problem, plan.rounds))
        games, rounds = [partial(tables.own, part) for part in parts], plan.replicates * plan.rounds
    else:
        games, rounds = [tables.shared], plan.rounds
    try:
        play(games, rounds, plan.workers, plan.progress, "simulating")
    except KeyboardInterrupt:
        raise KeyboardInterrupt("the simulation was interrupted, and nothing of it is kept") from None
    tables.spread()
    return tables


def _dealt(plan: Plan, most: int) -> list[range]:
    """The replicates in parts of about the same size, at most `most` each, as many parts for every thread."""
    each = threads(plan.workers)
    count = min(plan.replicates, each * -(-plan.replicates // (most * each)))
    edges = [plan.replicates * part // count for part in range(count + 1)]
    return [range(*edge) for edge in pairwise(edges)]


class _Place(NamedTuple):
    """Some replicates of the k-th learner: their seat, and its book."""

    k: int
    rows: slice
    seat: Seat
    book: Regrets
    moves: list[Switches]


class Tables:
    """What all replicates of a plan write, and the games in which they do."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.recorded = plan, plan.recorded
        shape = plan.replicates, len(plan.recorded)
        self.regrets = np.empty((len(plan.played), *shape))
        self.moved = np.full((len(plan.played), plan.replicates), math.nan)  # how much the decisions moved, if asked
        self.switches = np.full((len(plan.played), plan.replicates), math.nan)  # those expected, where players know
        twins = {k: one.as_hedge(plan.problem) for k, one in enumerate(plan.played) if not one.randomised}
        self.twins = {k: twin for k, twin in twins.items() if plan.guarantee and twin is not None}
        self.slacks = {k: np.empty(shape) for k in self.twins}
        watched = [k for k, one in enumerate(plan.played) if one.player_type.watched and not one.randomised]
        self.gammas = {k: np.empty(shape) for k in watched if plan.guarantee}

    def own(self, part: range) -> Game:
        """The game of some replicates that draw their own costs."""
        plan = self.plan
        generators = [costs_generator(plan.seed, plan.first + r) for r in part]
        blocks = drawn(plan.costs, plan.problem, plan.rounds, generators)
        feed = Feed(plan.problem, blocks, plan.recorded, tables=len(part))
        return self._game(feed, [(k, part) for k in range(len(plan.played))], part)

    def shared(self) -> Game:
        """The game of all replicates on the same costs.

        Replicates are dealt to seats, so that threads can share them and blocks stay long. A learner that draws nothing
        sits once.
        """
        plan, parts = self.plan, _dealt(self.plan, AT_ONCE)
        feed = Feed(plan.problem, plan.blocks or (), plan.recorded, width=max(map(len, parts)))
        places = [(k, part) for k, one in enumerate(plan.played) for part in (parts if one.randomised else [range(1)])]
        return self._game(feed, places, range(1))

    def _game(self, feed: Feed, places: Sequence[tuple[int, range]], tables: range) -> Game:
        """The game of some replicates of some learners.

        Args:
            feed: the costs.
            places: the number of each learner, and its replicates.
            tables: the replicates that have a table of their own; one, if all share it.
        """
        plan, seated = self.plan, []
        memory, n = plan.problem.memory, plan.problem.n
        seeds = {r: learner_seed(plan.seed, plan.first + r) for r in {r for _, part in places for r in part}}
        for k, part in places:
            learner, rows = plan.played[k], slice(part.start, part.stop)
            book = Regrets(memory, n, learner.player_type.pure, self.regrets[k][rows])
            kept = [Gammas(self.gammas[k][rows])] if k in self.gammas else []
            moves = [Switches(len(part), len(plan.recorded))] if plan.switches else []
            books: list[Book] = [book, *kept, *moves]
            seat = Seat(learner, plan.problem, [seeds[r] for r in part], books, tables=len(tables))
            for gammas in kept:
                gammas.players = seat.players
            seated.append(_Place(k, rows, seat, book, moves))
        about = [Guarantee(twin, self.slacks[k][tables.start : tables.stop]) for k, twin in self.twins.items()]
        return Game(feed, [*(place.seat for place in seated), *about], partial(self._note, feed, seated))

    def _note(self, feed: Feed, seated: Sequence[_Place]) -> None:
        """Keep how many switches are expected; if the costs ended early, let their last round be the last recorded."""
        for place in seated:
            moved = [player.expected_switches for player in place.seat.players]
            if moved[0] is not None:
                self.switches[place.k, place.rows] = moved
            for counted in place.moves:
                self.moved[place.k, place.rows] = counted.total
        if feed.rounds == 0:
            raise ValueError("the costs end after 0 rounds: give some")
        if feed.rounds >= self.plan.rounds:
            return
        before = int(self.recorded.searchsorted(feed.rounds))
        self.recorded = np.append(self.recorded[:before], feed.rounds)
        for place in seated:
            place.book.regrets[:, before] = place.book.total - feed.best
            if place.k in self.gammas:
                self.gammas[place.k][place.rows, before] = [player.guarantee for player in place.seat.players]
        for k, twin in self.twins.items():
            law = np.empty(self.plan.problem.n)
            self.slacks[k][0, before] = feed.best - softmin(feed.tally.totals, twin.rate, law)

    def spread(self) -> None:
        """Where all replicates share the costs, those of learners that draw nothing are alike: the first was played."""
        if self.plan.blocks is None:
            return
        alike = [k for k, one in enumerate(self.plan.played) if not one.randomised]
        tables = [each[k] for k in alike for each in (self.regrets, self.moved)]
        for table in (*tables, *self.slacks.values(), *self.gammas.values()):
            table[1:] = table[0]

    def _guarantee(self, k: int, regrets: Array) -> Array | None:
        """The guarantees of the k-th learner; nan after the horizon; None if it has none."""
        count = len(self.recorded)
        if k in self.gammas:
            past = self.recorded > (self.plan.problem.horizon or math.inf)
            return np.where(past, np.nan, self.gammas[k][:, :count])
        if k not in self.twins:
            return None
        return hedge_guarantee(*self.twins[k], regrets, self.slacks[k][:, :count], self.recorded)

    def first_learner(self) -> Replicates:
        """What was kept of the first learner."""
        regrets = self.regrets[0, :, : len(self.recorded)]
        moved = self.moved[0] if self.plan.switches else None
        return Replicates(self.recorded, regrets, self._guarantee(0, regrets), moved)

    def result(self) -> Result:
        """All that was kept."""
        plan, count = self.plan, len(self.recorded)
        regrets = [own[:, :count] for own in self.regrets]
        guarantees = [self._guarantee(k, own) for k, own in enumerate(regrets)]
        means = zip(labels(plan.learners), (math.fsum(own) / len(own) for own in self.switches), strict=True)
        switches = {label: mean for label, mean in means if not math.isnan(mean)}
        about = plan.about | ({"expected_switches": switches} if switches else {})
        gaps = partial(_path_gaps, plan, int(self.recorded[-1]))
        return Result(plan.problem, plan.learners, self.recorded, regrets, about, guarantees, gaps)


def _path_gaps(plan: Plan, rounds: int, changes: int) -> Array:
    """What the best path with at most so many changes saves in each replicate, against the best fixed action.

    The costs are taken once more: few ask for this, and it takes longer than most learners.
    """
    n, gaps, most = plan.problem.n, np.empty(plan.replicates), min(changes, rounds - 1)
    blocks, end = plan.again(), np.array([rounds])

    def own(part: range) -> Game:
        taken = drawn(plan.costs, plan.problem, plan.rounds, [costs_generator(plan.seed, plan.first + r) for r in part])
        feed = Feed(plan.problem, taken, end, tables=len(part))
        return Game(feed, [Paths(n, most, gaps[part.start : part.stop])], _nothing)

    if blocks is not None:
        games: list[Callable[[], Game]] = [
            lambda: Game(Feed(plan.problem, blocks, end), [Paths(n, most, gaps[:1])], _nothing)
        ]
    else:
        games = [partial(own, part) for part in _dealt(plan, tables_at_once(plan.problem, plan.rounds))]
    play(games, rounds * (1 if blocks is not None else plan.replicates), plan.workers, plan.progress, "finding paths")
    if blocks is not None:
        gaps[1:] = gaps[0]
    return gaps


def _nothing() -> None:
    """Nothing is to be noted at the end."""
