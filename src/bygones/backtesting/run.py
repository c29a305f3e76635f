"""From a table of the user's to a backtest."""

import math
from collections.abc import Iterable, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import SeedSequence

from .. import datasets
from ..accounting import hindsight
from ..io import read, read_history
from ..kernels import Array
from ..learners import FTARL, AdaHedge, FollowTheLeader, Hedge, Learner, Tracking, Uniform, labels, read_learner
from ..memory import Memory, as_decisions, read_memory
from ..problem import Problem
from ..validation import real, whole
from ..version import __version__
from .outcome import Backtest, Record
from .periods import Periods, settled_range
from .playing import Account, Draws, Seat, Watch, play
from .sensitivity import varied

if TYPE_CHECKING:
    import polars as pl

LEARNERS: tuple[Learner, ...] = (Tracking(), AdaHedge(), Hedge(), FTARL(), FollowTheLeader(), Uniform())
RECORDED = 1_000  # periods whose decisions are kept


def backtest(
    data: Any,  # noqa: ANN401
    memory: Memory | str,
    learners: Sequence[Learner | str] | None = None,
    *,
    rewards: bool = False,
    prices: bool = False,
    time: str | None = None,
    actions: Sequence[str] | None = None,
    cost_range: float | None = None,
    missing: str = "error",
    history: Any = None,  # noqa: ANN401
    switch_cost: float = 0.0,
    replicates: int = 20,
    seed: int = 0,
    progress: bool | None = None,
) -> Backtest:
    """What each learner would have done on a table of the past, what it would have cost, and what to do next.

    No decision sees anything of its own or a later period. A learner that draws plays its exact mean where that is
    known; how far single draws spread is told beside.

    Args:
        data: the path of a table (CSV, TSV, Parquet, Arrow or JSON lines), `"@flights"` or another bundled one, or any
            data frame; one column an option, or long: time, option, value.
        memory: how past decisions count, or its words, such as `"window:7"`.
        learners: who decides, or their words, such as `"ftarl:tuning=sharp"`; the first is the one whose advice is
            told. None: a few that need no tuning by hand.
        rewards: the entries are gains.
        prices: the entries are prices, and what counts is their change from one period to the next, as a share.
        time: the column that tells the time; None: found by itself.
        actions: the options that count; None: all there are.
        cost_range: the most that two options' costs differ within a period. None: the most that they do in the first
            tenth of the periods, which then are not played.
        missing: what to do about a missing entry: `error`, `drop` the period, or `carry` the last value on.
        history: decisions taken before: weights, one row each, options' names or numbers, or a table as for the
            data; then the range must be declared.
        switch_cost: what it costs to change from one option to another.
        replicates: draws of each learner that draws.
        seed: of all randomness.
        progress: show a bar if it takes more than two seconds; None: on a terminal only.

    >>> import bygones as by
    >>> result = by.backtest("@flights", "window:7", cost_range=100)
    >>> result
    <Backtest: 365 periods of @flights, 12 options
      Tracking         cost -3,188.8, regret 306.7
      ...
    >>> result.next.filter(learner="Tracking").sort("decision")["option"][-1]
    'Alaska Airlines'
    """
    memory = read_memory(memory) if isinstance(memory, str) else memory
    if not isinstance(memory, Memory):
        raise ValueError(f"the memory is {memory!r}: give one such as Window(7), or its words such as 'window:7'")
    chosen = _listed(learners)
    paid = real("the cost of a switch", switch_cost)
    if not 0 <= paid < math.inf:
        raise ValueError(f"the cost of a switch is {switch_cost!r}: give a number of at least 0")
    replicates, seed = whole("replicates", replicates, 2), whole("the seed", seed, 0, math.inf)
    if history is not None and cost_range is None:
        raise ValueError(
            "a history goes right before the first period, and without a declared range the first periods are not "
            "played: declare it with --range (cost_range= in Python)"
        )
    if rewards and prices:
        raise ValueError("rewards and prices are both asked for: give one; what prices yield counts as a gain anyhow")
    named = isinstance(data, str) and data.startswith("@")
    gains = rewards or prices or (named and datasets.find(data[1:]).rewards)
    rows = read(data, time=time, actions=actions, prices=prices, missing=missing, progress=progress)
    widest, burn_in = settled_range(rows.values, cost_range)
    rounds = len(rows.values) - burn_in
    if memory.support is not None and memory.support > rounds:
        raise ValueError(
            f"there are {rounds:,} periods to play, fewer than the {memory.support:,} of the memory: give a longer "
            "table or a shorter memory"
            + ", or declare the range with --range, so that none are set aside"
            * (memory.support <= len(rows.values))
        )
    problem = Problem(rows.names, rounds, memory, widest)
    past = _past(history, problem, rows.times[0])
    about = {
        "costs": str(data) if isinstance(data, str | PathLike) else type(data).__name__,
        "gains": gains,
        "range": "declared" if cost_range is not None else "estimated",
        "burn_in": burn_in,
        "history": len(past),
        "switch_cost": paid,
        "replicates": replicates,
        "seed": seed,
        "exact": True,
        "notes": list(rows.notes),
        "versions": {"bygones": __version__, "numpy": np.__version__},
    }
    periods = Periods(problem, rows.values[burn_in:], -1 if gains else 1)
    return _run(periods, chosen, past, rows.times[burn_in:].alias("time"), about, progress)


def _run(
    periods: Periods,
    learners: Sequence[Learner],
    past: Array,
    times: "pl.Series",
    about: dict[str, Any],
    progress: bool | None,
) -> Backtest:
    problem, n, rounds = periods.problem, periods.problem.n, len(periods)
    tally = periods.survey()
    kept = min(rounds, RECORDED)
    recorded = np.arange(1, kept + 1) * rounds // kept
    seeds = [SeedSequence(about["seed"], spawn_key=(replicate, 1)) for replicate in range(about["replicates"])]
    played = [learner.mean() or learner for learner in learners]
    others = [other for other in varied(problem.memory, rounds) if other != problem.memory]

    def seat(learner: Learner, memory: Memory, extra: Sequence[Memory], kept: int) -> Seat:
        player = learner.start(problem.replace(memory=memory), seeds[0], past)
        return Seat(player, [Account(memory, n, past, kept), *(Account(other, n, past, 0) for other in extra)])

    varying = [k for k, learner in enumerate(learners) if k == 0 or learner == Hedge()]
    seats = [seat(one, problem.memory, others if k in varying else (), kept) for k, one in enumerate(played)]
    knowing = {k: [seat(played[k], other, (), 0) for other in others] for k in varying}
    draws = {k: Draws(learner, problem, seeds, past) for k, learner in enumerate(learners) if learner.randomised}
    likes = {k: one.as_hedge(problem) for k, one in enumerate(played) if not (one.randomised or len(past))}
    watches = {k: Watch(like, kept) for k, like in likes.items() if like is not None}
    crowd: list[Seat | Draws | Watch] = [
        *seats,
        *draws.values(),
        *watches.values(),
        *(one for group in knowing.values() for one in group),
    ]
    play(periods, crowd, int(tally.relative.argmin()), recorded, progress)
    least, policies = hindsight(periods.relative, rounds, n, problem.memory, past)
    record = Record(tally, times, seats, draws, watches, others, knowing, least, policies)
    return Backtest(problem, learners, recorded, record, about)


def _listed(learners: Sequence[Learner | str] | None) -> list[Learner]:
    """Learners as a list, each of them once."""
    if learners is None:
        return list(LEARNERS)
    told = isinstance(learners, Iterable) and not isinstance(learners, str | Learner)
    given = [read_learner(one) if isinstance(one, str) else one for one in learners] if told else []
    if not given or not all(isinstance(one, Learner) for one in given):
        raise ValueError(f"the learners are {learners!r}: give a list, such as ['tracking', 'ftarl:tuning=sharp']")
    labels(given)
    return given


def _past(history: Any, problem: Problem, begin: object) -> Array:  # noqa: ANN401
    """Decisions taken before, one row each; none where there is no history."""
    if history is None:
        return np.zeros((0, problem.n))
    try:
        if not isinstance(history, list | tuple | np.ndarray):
            return as_decisions(read_history(history, problem.names, begin), problem.n)
        numbers = [problem.number(each) if isinstance(each, str) else each for each in history]
        return as_decisions(numbers, problem.n)
    except ValueError as error:
        raise ValueError(f"of the history, {error}") from None
