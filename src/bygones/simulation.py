"""Simulation: learners on common costs, many replicates at once."""

import math
import os
import threading
import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.random import PCG64, Generator, SeedSequence

from .accounting import survey
from .costs import Costs, Table
from .feeding import feed
from .guarantees import Lookout
from .kernels import Actions, Array, Ledger
from .learners import BlockPlayer, Learner, labels
from .memory import start_paths
from .parallel import Each, Tick, showing, threaded
from .problem import Problem
from .result import Result
from .theory import hedge_guarantee
from .validation import whole, word
from .version import __version__

AT_ONCE = 128  # replicates whose players are made at once
BLOCK = 2**17  # numbers in a block of costs: a megabyte, so that all learners find it in the cache

Begun = tuple[int, "list[_Team | Lookout]", Iterator[Array]]
Piece = tuple[Array, Array, Actions, int]


def simulate(
    problem: Problem,
    learners: Sequence[Learner],
    costs: Any,  # noqa: ANN401
    replicates: int = 100,
    seed: int = 0,
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
    learners = _listed(learners)
    return _run(
        problem, learners, learners, costs, replicates, seed, rounds, workers, record, costs_per, guarantee, progress
    )


def expected(
    problem: Problem,
    learners: Sequence[Learner],
    costs: Any,  # noqa: ANN401
    *,
    replicates: int = 1,
    seed: int = 0,
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
    learners = _listed(learners)
    means = [learner.mean() for learner in learners]
    for learner, mean in zip(learners, means, strict=True):
        if mean is None:
            raise ValueError(f"{learner!r} has no mean that is known: simulate it instead")
    played = [mean for mean in means if mean is not None]
    chosen = (replicates, seed, rounds, workers, record, "replicate", guarantee, progress)
    return _run(problem, learners, played, costs, *chosen, exact=True)


def _listed(learners: Iterable[Learner]) -> list[Learner]:
    """Learners as a list, each of them once, or an error that says what they are instead."""
    given = list(learners) if isinstance(learners, Iterable) and not isinstance(learners, Learner) else []
    if not given or not all(isinstance(learner, Learner) for learner in given):
        raise ValueError(f"the learners are {learners!r}: give a list, such as [FTARL(), LSA()]")
    labels(given)
    return given


def _run(
    problem: Problem,
    learners: Sequence[Learner],
    played: Sequence[Learner],
    costs: Any,  # noqa: ANN401
    replicates: int,
    seed: int,
    rounds: int | None,
    workers: int | None,
    record: int | str | None,
    costs_per: str,
    guarantee: bool,
    progress: bool | None,
    exact: bool = False,
) -> Result:
    if not isinstance(problem, Problem):
        raise ValueError(f"the problem is {problem!r}: give a Problem")
    replicates = whole("replicates", replicates, 1)
    seed = whole("the seed", seed, 0, math.inf)
    threads = os.cpu_count() or 1 if workers is None else whole("workers", workers, 1)
    shared = word("costs_per", costs_per, ("replicate", "shared")) == "shared"
    family = costs if isinstance(costs, Costs) and not isinstance(costs, Table) else None
    if family is not None:
        horizon = problem.horizon if rounds is None else whole("rounds", rounds, 1)
        if horizon is None:
            raise ValueError("the problem's horizon is unknown, and a family of costs has no end: give rounds=")
    else:
        horizon, blocks = feed(costs, problem, rounds, _block_rounds(problem.n))
    if problem.horizon is not None and horizon > problem.horizon:
        warnings.warn(f"{horizon} rounds are past the horizon of {problem.horizon}", stacklevel=3)
    recorded = _recorded(record, horizon)
    likes = {k: learner.as_hedge(problem) for k, learner in enumerate(played) if guarantee and not learner.randomised}
    watched = {k: like for k, like in likes.items() if like is not None}
    tables = [np.empty((replicates, len(recorded))) for _ in range(len(played) + len(watched))]
    game = _Game(problem, played, list(watched.values()), seed, recorded, tables)
    try:
        with showing(progress, replicates * horizon) as tick, threaded(threads, game.stop) as each:
            if family is not None and not shared:
                game.play_own(family, horizon, replicates, each, tick)
                seen = horizon
            else:
                if family is not None:
                    blocks = _drawn(family, problem.n, horizon, _costs_seed(seed, 0))
                seen, ends = game.play_shared(blocks, replicates, threads, each, tick)
    except KeyboardInterrupt:
        raise KeyboardInterrupt("the simulation was interrupted, and nothing of it is kept") from None
    if seen < horizon:  # an iterator that ended early; its last round is kept in any case
        if seen == 0:
            raise ValueError("the costs end after 0 rounds: give some")
        kept = recorded < seen
        recorded = np.append(recorded[kept], seen)
        tables = [np.column_stack([values[:, kept], end]) for values, end in zip(tables, ends, strict=True)]
    about: dict[str, Any] = {
        "costs": str(costs) if isinstance(costs, Costs | str | Path) else type(costs).__name__,
        "costs_per": "replicate" if family is not None and not shared else "shared",
        "seed": seed,
        "exact": exact,
        "versions": {"bygones": __version__, "numpy": np.__version__},
    }
    switches = game.expected_switches(labels(learners))
    if switches:
        about["expected_switches"] = switches
    regrets, slacks = tables[: len(played)], tables[len(played) :]
    guarantees = {
        k: hedge_guarantee(*like, regrets[k], slack, recorded)
        for (k, like), slack in zip(watched.items(), slacks, strict=True)
    }
    return Result(problem, learners, recorded, regrets, about, [guarantees.get(k) for k in range(len(played))])


def _costs_seed(seed: int, replicate: int) -> Generator:
    return Generator(PCG64(SeedSequence(seed, spawn_key=(replicate, 0))))


def _drawn(family: Costs, n: int, rounds: int, generator: Generator) -> Iterator[Array]:
    source = family.start(n, rounds, generator)
    while source.taken < rounds:
        yield source.take(_block_rounds(n))


def _block_rounds(width: int) -> int:
    return max(1, BLOCK // width)


class _Team:
    """One learner, for replicates that see the same costs, and what they have paid."""

    def __init__(
        self, learner: Learner, problem: Problem, seeds: Sequence[SeedSequence], regrets: Array, row: int
    ) -> None:
        kind = learner.player()
        self.copies = len(seeds)
        seeds = seeds if learner.randomised else seeds[:1]  # all would play the same
        together = issubclass(kind, BlockPlayer) and kind.pure
        self.players = [kind(learner, problem, seeds)] if together else [kind(learner, problem, [one]) for one in seeds]
        self.paths = start_paths(problem.memory, problem.n, len(seeds), kind.pure)
        self.total = np.zeros(len(seeds))
        self.regrets, self.row = regrets, row

    def play(self, costs: Array, best: Array, picks: Actions, column: int) -> None:
        """Play a block of rounds, and enter what it cost."""
        decisions: Any = [player.advance(player.survey(costs)) for player in self.players]
        if self.players[0].pure:
            decisions = decisions[0] if len(decisions) == 1 else np.concatenate(decisions)
        self.paths.pay(costs, decisions, Ledger(best, picks, self.total, self.regrets, self.row, column))
        if len(self.total) < self.copies:
            here = slice(column, column + len(picks))
            self.regrets[self.row + 1 : self.row + self.copies, here] = self.regrets[self.row, here]

    def switches(self) -> float | None:
        """How many changes of action were to be expected, where the player tells."""
        told: float | None = getattr(self.players[0], "expected_switches", None)
        return told

    def ends(self, best: float) -> Array:
        """Every replicate's regret so far."""
        return np.full(self.copies, self.total - best) if len(self.total) < self.copies else self.total - best


class _Game:
    """What all replicates of a simulation have in common."""

    def __init__(
        self,
        problem: Problem,
        learners: Sequence[Learner],
        watched: Sequence[tuple[Problem, float]],
        seed: int,
        recorded: Actions,
        tables: list[Array],
    ) -> None:
        self.problem, self.learners, self.watched, self.seed = problem, learners, watched, seed
        self.recorded, self.tables = recorded, tables
        self.switches: dict[tuple[int, int], float] = {}
        self.stop = threading.Event()

    def teams(self, replicates: Sequence[int]) -> "list[_Team | Lookout]":
        seeds = [SeedSequence(self.seed, spawn_key=(replicate, 1)) for replicate in replicates]
        tables, row = iter(self.tables), replicates[0]
        teams = [_Team(learner, self.problem, seeds, next(tables), row) for learner in self.learners]
        return teams + [Lookout(*like, next(tables)[row : row + len(seeds)]) for like in self.watched]

    def note(self, teams: "list[_Team | Lookout]", replicates: Sequence[int]) -> None:
        """Keep what teams that are done tell of their switches."""
        for k, team in enumerate(teams):
            told = team.switches() if isinstance(team, _Team) else None
            if told is not None:
                self.switches.update({(k, replicate): told for replicate in replicates})

    def expected_switches(self, names: Sequence[str]) -> dict[str, float]:
        """Means over the replicates, in their order."""
        told: dict[str, list[float]] = {}
        for (k, _), value in sorted(self.switches.items()):
            told.setdefault(names[k], []).append(value)
        return {name: math.fsum(values) / len(values) for name, values in told.items()}

    def pieces(self, blocks: Iterable[Any], replicates: int) -> Iterator[Piece]:
        """Checked blocks of a good size for so many replicates at once, with what all learners need to know of them."""
        seen, step = 0, _block_rounds(max(self.problem.n, replicates))
        totals, limits = np.zeros(self.problem.n), self.problem.limits
        for block in blocks:
            table = (
                block if isinstance(block, np.ndarray) and block.ndim == 2 else self.problem.check_costs(block, seen)
            )
            for first in range(0, len(table), step):
                costs = table[first : first + step]
                plain = type(costs) is np.ndarray and costs.dtype == np.float64 and costs.shape[1:] == totals.shape
                if not (plain and costs.flags.carray):
                    costs = self.problem.check_costs(costs, seen)
                best = np.empty(len(costs))
                if not survey(costs, *limits, totals, best):
                    self.problem.check_costs(costs, seen)  # which tells what is wrong
                column, end = self.recorded.searchsorted([seen + 1, seen + len(costs) + 1])
                yield costs, best, self.recorded[column:end] - (seen + 1), int(column)
                seen += len(costs)

    def play_own(self, family: Costs, rounds: int, replicates: int, each: Each, tick: Tick) -> None:
        """Every replicate draws its own costs."""

        def begin(replicate: int) -> Begun:
            drawn = _drawn(family, self.problem.n, rounds, _costs_seed(self.seed, replicate))
            return replicate, self.teams([replicate]), drawn

        def one(begun: Begun) -> None:
            replicate, teams, drawn = begun
            for piece in self.pieces(drawn, 1):
                if self.stop.is_set():
                    return
                for team in teams:
                    team.play(*piece)
                tick(len(piece[0]))
            self.note(teams, [replicate])

        # Players are made beforehand, some at a time: in the threads it would only make them wait for each other.
        for first in range(0, replicates, AT_ONCE):
            each(one, [begin(replicate) for replicate in range(first, min(first + AT_ONCE, replicates))])

    def play_shared(
        self, blocks: Iterable[Any], replicates: int, threads: int, each: Each, tick: Tick
    ) -> tuple[int, list[Array]]:
        """All replicates see the same costs; give the number of rounds there were, and every learner's end regret."""
        parts = np.array_split(np.arange(replicates), min(threads, replicates))
        groups = [self.teams(part.tolist()) for part in parts]
        seen, best = 0, np.zeros(1)
        for piece in self.pieces(blocks, len(parts[0])):

            def one(teams: list[_Team | Lookout], piece: Piece = piece) -> None:
                for team in teams:
                    team.play(*piece)

            each(one, groups)
            seen, best = seen + len(piece[0]), piece[1]
            tick(replicates * len(piece[0]))
        for teams, part in zip(groups, parts, strict=True):
            self.note(teams, part.tolist())
        ends = [np.concatenate([team.ends(best[-1]) for team in teams]) for teams in zip(*groups, strict=True)]
        return seen, ends


def _recorded(record: int | str | None, rounds: int) -> Actions:
    """The rounds to keep, from 1; the last is among them."""
    if record is None:
        record = "all" if rounds <= 10_000 else 1_000
    if not isinstance(record, str):
        number = min(whole("the number of rounds to record", record, 1), rounds)
        return np.arange(1, number + 1) * rounds // number
    if record == "all":
        return np.arange(1, rounds + 1)
    kind, _, count = record.partition(":")
    if record != "end" and not (kind == "log" and count.isdecimal() and int(count) > 0):
        raise ValueError(f"record is {record!r}: give 'all', 'end', a number of rounds, or such as 'log:100'")
    if record == "end" or int(count) == 1:
        return np.array([rounds])
    return np.unique(np.geomspace(1, rounds, int(count)).round().astype(np.int64))
