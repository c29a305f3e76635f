"""`simulate` and `expected`: learners on common costs, many replicates at once."""

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np

from ..kernels import Array, softmin
from ..learners import Learner, Seed, labels
from ..problem import Problem
from ..result import Result
from ..theory import hedge_guarantee
from .books import Gammas, Guarantee, Paths, Regrets
from .feed import AT_ONCE, Feed, drawn, tables_at_once
from .plan import Plan
from .run import Game, play, threads
from .seat import Seat
from .seeds import costs_generator, learner_seed


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
        costs: a family; or one table that all replicates share: an array, any data frame, a `Table`, an iterator of
            blocks, a path, or `"@flights"`. Iterators, `.npy`, Parquet and Arrow files are read block by block.
        replicates: how many runs.
        seed: of all randomness.
        rounds: how many; None: the problem's horizon for a family and for an iterator, all there are of a table.
        workers: threads; None: one for each core.
        record: which rounds to keep: `"all"`, `"end"`, a number of evenly spaced ones, or `"log:100"` for so many
            spaced evenly in their logarithm. None: all up to 10,000, else 1,000 evenly spaced.
        costs_per: of a family, `"replicate"` draws new costs for each, `"shared"` one table for all.
        guarantee: keep `by.guarantee` at the recorded rounds too, for learners that have one and draw nothing; of
            Guarded, its player's `guarantee`.
        progress: show a bar if it takes more than two seconds; None: on a terminal only.

    Returns:
        The regret of every learner and replicate at the recorded rounds.

    Raises:
        ValueError: if an argument or a cost does not fit, or the number of rounds is unknown.
        KeyboardInterrupt: if it is interrupted; nothing is kept.

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
    can be compared pair by pair.

    Args:
        problem: what is to be decided.
        learners: who decides; their means must be known.
        costs: a family or one table, as in `simulate`.
        replicates: how many draws of the costs to average over; 1 is enough if nothing in them is random.
        seed: of the draws of the costs.
        rounds: how many; None: the problem's horizon for a family and for an iterator, all there are of a table.
        workers: threads; None: one for each core.
        record: which rounds to keep, as in `simulate`.
        guarantee: keep `by.guarantee` at the recorded rounds too, for learners that have one; of Guarded, its player's
            `guarantee`.
        progress: show a bar if it takes more than two seconds; None: on a terminal only.

    Returns:
        The regret of every learner's mean at the recorded rounds, one replicate per draw of the costs.

    Raises:
        ValueError: if an argument or a cost does not fit, the mean of a learner is not known, or the number of rounds
            is unknown.
        KeyboardInterrupt: if it is interrupted; nothing is kept.

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
    return tables.result()


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


class _Tables:
    """What all replicates of a plan write, and the games in which they do."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.recorded = plan, plan.recorded
        shape = plan.replicates, len(plan.recorded)
        self.regrets = np.empty((len(plan.played), *shape))
        self.switches = np.full((len(plan.played), plan.replicates), math.nan)  # those expected, where players know
        twins = {k: one.as_hedge(plan.problem) for k, one in enumerate(plan.played) if not one.randomised}
        self.twins = {k: twin for k, twin in twins.items() if plan.guarantee and twin is not None}
        self.slacks = {k: np.empty(shape) for k in self.twins}
        watched = [k for k, one in enumerate(plan.played) if one.player_type.watched and not one.randomised]
        self.gammas = {k: np.empty(shape) for k in watched if plan.guarantee}

    def own(self, part: range) -> Game:
        """The game of some replicates that draw their own costs."""
        plan = self.plan
        generators = [costs_generator(plan.seed, r) for r in part]
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
        seeds = {r: learner_seed(plan.seed, r) for r in {r for _, part in places for r in part}}
        for k, part in places:
            learner, rows = plan.played[k], slice(part.start, part.stop)
            book = Regrets(memory, n, learner.player_type.pure, self.regrets[k][rows])
            kept = [Gammas(self.gammas[k][rows])] if k in self.gammas else []
            seat = Seat(learner, plan.problem, [seeds[r] for r in part], [book, *kept], tables=len(tables))
            for gammas in kept:
                gammas.players = seat.players
            seated.append(_Place(k, rows, seat, book))
        books = [Guarantee(twin, self.slacks[k][tables.start : tables.stop]) for k, twin in self.twins.items()]
        return Game(feed, [*(place.seat for place in seated), *books], partial(self._note, feed, seated))

    def _note(self, feed: Feed, seated: Sequence[_Place]) -> None:
        """Keep how many switches are expected; if the costs ended early, let their last round be the last recorded."""
        for place in seated:
            moved = [player.expected_switches for player in place.seat.players]
            if moved[0] is not None:
                self.switches[place.k, place.rows] = moved
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

    def _guarantee(self, k: int, regrets: Array) -> Array | None:
        """The guarantees of the k-th learner; nan after the horizon; None if it has none."""
        count = len(self.recorded)
        if k in self.gammas:
            past = self.recorded > (self.plan.problem.horizon or math.inf)
            return np.where(past, np.nan, self.gammas[k][:, :count])
        if k not in self.twins:
            return None
        return hedge_guarantee(*self.twins[k], regrets, self.slacks[k][:, :count], self.recorded)

    def result(self) -> Result:
        """All that was kept."""
        plan, count = self.plan, len(self.recorded)
        if plan.blocks is not None:  # replicates of learners that draw nothing are alike
            alike = [own for own, one in zip(self.regrets, plan.played, strict=True) if not one.randomised]
            for table in (*alike, *self.slacks.values(), *self.gammas.values()):
                table[1:] = table[0]
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
        taken = drawn(plan.costs, plan.problem, plan.rounds, [costs_generator(plan.seed, r) for r in part])
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
