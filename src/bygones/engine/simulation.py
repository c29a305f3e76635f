"""`simulate` and `expected`: learners on common costs, many replicates at once."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.random import SeedSequence

from ..kernels import softmin
from ..learners import Learner, Seed, labels
from ..problem import Problem
from ..result import Result
from ..theory import hedge_guarantee
from .books import Guarantee, Regrets
from .feed import Feed, Piece, drawn, tables_at_once
from .plan import Plan
from .run import Game, play_all, play_one, threads
from .seat import Seat
from .seeds import costs_generator, learner_seed

DOING = "simulating"
AT_ONCE = 128  # replicates of a shared table that share a seat


def simulate(
    problem: Problem,
    learners: Sequence[Learner | str],
    costs: Any,  # noqa: ANN401
    replicates: int = 100,
    seed: Seed = 0,
    *,
    rounds: int | None = None,
    workers: int | None = None,
    record: int | str | None = None,
    costs_per: Literal["replicate", "shared"] = "replicate",
    guarantee: bool = False,
    progress: bool | None = None,
) -> Result:
    """Run learners against costs, and keep their regret.

    Replicate r draws its costs from `SeedSequence(seed, spawn_key=(r, 0))` and feeds every learner from `(r, 1)`, so
    another learner or replicate changes no other number. Any number of workers gives the same bits.

    Args:
        problem: what is to be decided.
        learners: who decides.
        costs: a family; or one table that all replicates share: an array, any data frame, an iterator of blocks, or
            the path of an `.npy` or Parquet file, the last three read block by block.
        replicates: how many runs.
        seed: of all randomness.
        rounds: how many; None: the problem's horizon for a family and for an iterator, all there are of a table.
        workers: threads; None: one for each core.
        record: which rounds to keep: `"all"`, `"end"`, a number of evenly spaced ones, or `"log:100"` for so many
            spaced evenly in their logarithm. None: all up to 10,000, else 1,000 evenly spaced.
        costs_per: of a family, `"replicate"` draws new costs for each, `"shared"` one table for all.
        guarantee: keep `by.guarantee` at the recorded rounds too, for learners that have one and draw nothing.
        progress: show a bar if it takes more than two seconds; None: on a terminal only.

    >>> import bygones as by
    >>> problem = by.Problem(actions=4, horizon=1000, memory=by.Window(10))
    >>> result = by.simulate(problem, [by.FTARL(), by.LSA()], by.StocHet(), replicates=20, seed=0)
    >>> result.summary().columns
    ['learner', 'mean', 'sd', 'se', 'q05', 'q50', 'q95']
    >>> result.summary()["learner"].to_list()
    ['FTARL', 'LSA']
    """
    plan = Plan.of(
        problem,
        learners,
        costs,
        exact=False,
        replicates=replicates,
        seed=seed,
        rounds=rounds,
        record=record,
        costs_per=costs_per,
        guarantee=guarantee,
        workers=workers,
        progress=progress,
    )
    return _run(plan)


def expected(
    problem: Problem,
    learners: Sequence[Learner | str],
    costs: Any,  # noqa: ANN401
    *,
    replicates: int = 1,
    seed: Seed = 0,
    rounds: int | None = None,
    workers: int | None = None,
    record: int | str | None = None,
    guarantee: bool = False,
    progress: bool | None = None,
) -> Result:
    """The same as `simulate`, exact over the learners' own randomness: each plays its mean decision.

    Over a random family it averages replicates whose costs are those of `simulate` with the same seed, so that the two
    can be compared pair by pair. The arguments are those of `simulate`.

    >>> import bygones as by
    >>> problem = by.Problem(actions=10, horizon=10_000, memory=by.Window(100))
    >>> result = by.expected(problem, [by.FTARL(), by.LSA(tuning="geulen")], by.Cyclic(hold=50, vectors=2))
    >>> result.summary()["mean"].round(1).to_list()
    [415.7, 1078.6]
    """
    plan = Plan.of(
        problem,
        learners,
        costs,
        exact=True,
        replicates=replicates,
        seed=seed,
        rounds=rounds,
        record=record,
        costs_per="replicate",
        guarantee=guarantee,
        workers=workers,
        progress=progress,
    )
    return _run(plan)


def _run(plan: Plan) -> Result:
    tables = _Tables(plan)
    try:
        if plan.blocks is None:
            parts = _dealt(plan, tables_at_once(plan.problem.n, plan.rounds))
            play_all(tables.own, parts, plan.rounds, plan.workers, plan.progress, DOING)
        else:
            play_one(tables.shared(), plan.rounds, plan.workers, plan.progress, DOING)
    except KeyboardInterrupt:
        raise KeyboardInterrupt("the simulation was interrupted, and nothing of it is kept") from None
    return tables.result()


class _Tables:
    """What all replicates of a plan write, and the games in which they do."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.recorded = plan, plan.recorded
        shape = plan.replicates, len(plan.recorded)
        self.regrets = [np.empty(shape) for _ in plan.played]
        twins = {k: one.as_hedge(plan.problem) for k, one in enumerate(plan.played) if not one.randomised}
        self.twins = {k: twin for k, twin in twins.items() if plan.guarantee and twin is not None}
        self.slacks = {k: np.empty(shape) for k in self.twins}
        self.switches: list[dict[int, float]] = [{} for _ in plan.played]

    def own(self, part: range) -> Game:
        """The game of some replicates that draw their own costs."""
        plan, tables = self.plan, len(part)
        generators = [costs_generator(plan.seed, r) for r in part]
        blocks = drawn(plan.costs, plan.problem.n, plan.rounds, generators)
        feed = Feed(plan.problem, blocks, plan.recorded, tables=tables)
        seeds = [learner_seed(plan.seed, r) for r in part]
        seats = [self._seat(k, part, seeds, tables) for k in range(len(plan.played))]
        books = [Guarantee(twin, self.slacks[k][part.start : part.stop]) for k, twin in self.twins.items()]
        return Game(feed, [*seats, *books], lambda: self._note(seats))

    def shared(self) -> Game:
        """The game of all replicates on the same costs.

        Replicates are dealt to seats, so that threads can share them and blocks stay long. A learner that draws nothing
        sits once.
        """
        plan = self.plan
        parts = _dealt(plan, AT_ONCE)
        seats = [
            self._seat(k, part, [learner_seed(plan.seed, r) for r in part])
            for k, learner in enumerate(plan.played)
            for part in (parts if learner.randomised else [range(1)])
        ]
        books = [Guarantee(twin, self.slacks[k][:1]) for k, twin in self.twins.items()]
        feed = Feed(plan.problem, plan.blocks or (), plan.recorded, max(map(len, parts)))

        def note() -> None:
            self._note(seats)
            if feed.rounds < plan.rounds:
                self._cut_short(feed, seats)
            for k, learner in enumerate(plan.played):
                if not learner.randomised:  # all replicates are alike
                    self.regrets[k][1:] = self.regrets[k][0]
                if k in self.slacks:
                    self.slacks[k][1:] = self.slacks[k][0]

        return Game(feed, [*seats, *books], note)

    def _seat(self, k: int, replicates: range, seeds: Sequence[SeedSequence], tables: int = 1) -> "_Place":
        plan, learner = self.plan, self.plan.played[k]
        rows = self.regrets[k][replicates.start : replicates.stop]
        book = Regrets(plan.problem.memory, plan.problem.n, learner.player_type.pure, rows)
        return _Place(k, replicates, book, Seat(learner, plan.problem, seeds, [book], tables=tables))

    def _note(self, seats: "Sequence[_Place]") -> None:
        """Keep how many switches are expected, where players know."""
        for place in seats:
            known = [player.expected_switches for player in place.seat.players]
            for place_, r in enumerate(place.replicates):
                moved = known[min(place_, len(known) - 1)]
                if moved is not None:
                    self.switches[place.k][r] = moved

    def _cut_short(self, feed: Feed, seats: "Sequence[_Place]") -> None:
        """Let the last round that there was be the last one recorded."""
        if feed.rounds == 0:
            raise ValueError("the costs end after 0 rounds: give some")
        before = int(self.recorded.searchsorted(feed.rounds))
        self.recorded = np.append(self.recorded[:before], feed.rounds)
        for place in seats:
            place.book.regrets[:, before] = place.book.total - feed.best
        for k, twin in self.twins.items():
            law = np.empty(self.plan.problem.n)
            self.slacks[k][0, before] = feed.best - softmin(feed.tally.totals, twin.rate, law)

    def result(self) -> Result:
        """All that was kept."""
        plan, count = self.plan, len(self.recorded)
        guarantees = [
            hedge_guarantee(*self.twins[k], self.regrets[k][:, :count], self.slacks[k][:, :count], self.recorded)
            if k in self.twins
            else None
            for k in range(len(plan.played))
        ]
        names = labels(plan.learners)
        switches = {
            names[k]: math.fsum(own[r] for r in sorted(own)) / len(own) for k, own in enumerate(self.switches) if own
        }
        about = plan.about | ({"expected_switches": switches} if switches else {})
        return Result(
            plan.problem, plan.learners, self.recorded, [own[:, :count] for own in self.regrets], about, guarantees
        )


def _dealt(plan: Plan, most: int) -> list[range]:
    """The replicates in parts of about the same size, at most `most` each, as many parts for every thread."""
    each = threads(plan.workers)
    count = min(plan.replicates, each * -(-plan.replicates // (most * each)))
    edges = [plan.replicates * part // count for part in range(count + 1)]
    return [range(*edge) for edge in pairwise(edges)]


class _Place(NamedTuple):
    """Some replicates of a learner, their book and their seat."""

    k: int
    replicates: range
    book: Regrets
    seat: Seat

    def play(self, piece: Piece) -> None:
        """Take a piece in."""
        self.seat.play(piece)
