"""From a user table to a backtest."""

import math
from collections.abc import Sequence
from os import PathLike
from typing import Any, Unpack

import numpy as np
import polars as pl

from ..io import Reading, read_history, read_table
from ..kernels import Array
from ..learners import Hedge, Learner, Seed, as_entropy, as_learners
from ..memory import Memory, as_decisions
from ..parallel import check_fork
from ..problem import Problem
from ..result import Result
from ..validation import real, whole
from ..version import __version__
from . import frames
from .games import Played, Setup, settled_range
from .outcome import Backtest, Facts
from .refusals import check_current, check_kind, check_sizes, long_gaps
from .sensitivity import varied

LEARNERS = ("steering", "adahedge", "hedge", "ftarl", "followtheleader", "uniform")
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
    seed: Seed = 0,
    progress: bool | None = None,
    **reading: Unpack[Reading],
) -> Backtest:
    """What each learner would have done on a table of the past, what it would have cost, and what to do next.

    No decision uses anything of its own or a later period. A learner that draws plays its exact mean where that is
    known; the accounts also say how far single draws spread.

    Args:
        data: the path of a table (CSV, TSV, Excel, Parquet, Arrow or JSON lines), `"@flights"` or another bundled one,
            any data frame, or a dict of columns; one row per period and one column per option, or long: time, option,
            value.
        memory: how past decisions count, as an object or in words such as `"window:7"`.
        learners: the rules that decide, as objects or in words such as `"ftarl:tuning=sharp"`; the first one gives the
            advice. None: a few that need no tuning by hand.
        rewards: the entries are gains.
        prices: the entries are prices; their relative changes from one period to the next are gains.
        time: the column with the times; None: found automatically.
        actions: the options to use; None: all.
        cost_range: the largest difference between two options' costs within a period. None: the largest in the first
            tenth of the periods, which are then not played.
        missing: what to do about a missing entry: `error`, `drop` the period, or `carry` the last value on.
        history: earlier decisions: weights, one row per decision, options' names or numbers, or a table like the data.
            It needs `cost_range`.
        switch_cost: what it costs to change from one option to another.
        replicates: the number of draws of each learner that draws.
        seed: the seed of all randomness.
        progress: show a bar if it takes more than two seconds; None: on a terminal only.
        reading: how the tables are written, where they do not say so themselves: `decimal`, `date_format`, `encoding`,
            `sort`, `value`, `option` and `sheet`, as for `read_table`.

    Returns:
        A `Backtest`: frames of costs, regrets and decisions, sentences, and a report.

    Raises:
        ValueError: if the table cannot be read, an entry is not a number, or an argument does not fit.
        FileNotFoundError: if there is no such file.

    >>> import bygones as by
    >>> result = by.backtest("@flights", "window:7", cost_range=100)
    >>> result
    <Backtest: 365 periods of @flights, 12 options
      Steering         cost -3,188.8, regret 306.7
      ...
    >>> result.next.filter(learner="Steering").sort("decision")["option"][-1]
    'Alaska Airlines'
    """
    check_fork()
    memory = Memory.parse(memory) if isinstance(memory, str) else memory
    if not isinstance(memory, Memory):
        raise ValueError(f"the memory is {memory!r}: give a memory such as Window(7), or words such as 'window:7'")
    chosen = as_learners(LEARNERS if learners is None else learners)
    paid = real("the cost of a switch", switch_cost)
    if not 0 <= paid < math.inf:
        raise ValueError(f"the cost of a switch is {switch_cost!r}: give a number of at least 0")
    replicates, number = whole("replicates", replicates, 2), as_entropy(seed)
    if history is not None and cost_range is None:
        raise ValueError(
            "a history comes right before the first period, but without cost_range= the first periods are not played: "
            "give cost_range="
        )
    if rewards and prices:
        raise ValueError("rewards=True and prices=True: give only one; the changes of prices are gains anyway")
    check_kind(data, rewards)
    rows = read_table(data, time=time, actions=actions, prices=prices, missing=missing, progress=progress, **reading)
    gains = rewards or rows.gains
    check_current(rows)
    check_sizes(rows, paid)
    widest, burn_in = settled_range(rows.values, cost_range)
    rounds = len(rows.values) - burn_in
    if memory.support is not None and memory.support > rounds:
        raise ValueError(
            f"there are {rounds:,} periods to play, fewer than the {memory.support:,} of the memory: give a longer "
            "table or a shorter memory"
            + ", or give cost_range=, so that all periods are played"
            * (memory.support <= len(rows.values))
        )
    problem = Problem(rows.names, rounds, memory, widest)
    past = _past(history, problem, rows.times[0], reading)
    about = {
        "costs": str(data) if isinstance(data, str | PathLike) else type(data).__name__,
        "gains": gains,
        "range": "declared" if cost_range is not None else "estimated",
        "burn_in": burn_in,
        "history": len(past),
        "switch_cost": paid,
        "replicates": replicates,
        "seed": number,
        "exact": True,
        "notes": [*rows.notes, *long_gaps(rows, memory)],
        "ended": {name: str(after) for name, after in rows.ended.items()},
        "versions": {"bygones": __version__, "numpy": np.__version__},
    }
    recorded = np.arange(1, min(rounds, RECORDED) + 1) * rounds // min(rounds, RECORDED)
    values, sign = rows.values[burn_in:], -1 if gains else 1
    chosen = [learner.later(burn_in) for learner in chosen]
    setup = Setup(problem, chosen, values, sign, past, recorded, replicates, number, progress)
    return _outcome(Played(setup), rows.times[burn_in:].alias("time"), about)


def _outcome(played: Played, times: pl.Series, about: dict[str, Any]) -> Backtest:
    setup, some, entries, cut = played.setup, times[played.setup.recorded - 1], played.entries, played.feed.cut
    regrets, held = [one.regrets for one in entries], [one.held for one in entries]
    result = Result(setup.problem, setup.learners, setup.recorded, regrets, about, held)
    least = float(played.policies.min())
    facts = Facts(
        clairvoyant=played.least + played.options.low,
        policy_regrets={one.label: one.account.loss - least for one in entries},
        first=str(times[0]),
        last=str(times[-1]),
        cut_entries=cut.entries,
        cut_periods=cut.rounds,
        widest=cut.widest,
        widest_at=str(times[cut.widest_round]) if cut.rounds else "",
    )
    return Backtest(
        result,
        facts,
        lambda: _sensitivity(setup, result),
        accounts=frames.accounts(played, about["switch_cost"]),
        options=frames.options(played),
        stretches=frames.stretches(played, times),
        next=frames.upcoming(played, about["ended"]),
        path=frames.path(played, some),
        decisions=frames.decisions(played, some),
    )


def _sensitivity(setup: Setup, result: Result) -> pl.DataFrame:
    """One row for the first learner, and for Hedge, under each memory: regrets if it knows it, and if not."""
    memory = setup.problem.memory
    memories = varied(memory, len(setup.values))
    others = [(k, other) for k, other in enumerate(memories) if other != memory]
    found: dict[str, Array] = {}  # both regrets under each memory; the own one's are known already
    seats = []
    for label, learner in zip(result.regrets, setup.learners, strict=True):
        if others and (not found or learner == Hedge()):
            player = learner.mean() or learner
            known, assumed = found[label] = np.full((2, len(memories), 1, 1), result.regrets[label][0, -1])
            seats.append(setup.seat(player, memory, [setup.book(player, other, assumed[k]) for k, other in others]))
            seats += [setup.seat(player, other, [setup.book(player, other, known[k])]) for k, other in others]
    if seats:
        setup.play(seats, setup.recorded[-1:], "other memories")
    rows = [
        (label, other.short_words, other.span, *pair)
        for label, ends in found.items()
        for other, pair in zip(memories, ends[:, :, 0, 0].T.tolist(), strict=True)
    ]
    schema = {"learner": pl.String, "memory": pl.String} | dict.fromkeys(("length", "known", "assumed"), pl.Float64)
    return pl.DataFrame(rows, schema=schema, orient="row")


def _past(history: Any, problem: Problem, begin: object, reading: Reading) -> Array:  # noqa: ANN401
    """The decisions of the history as weights, one row per decision; no rows if there is no history."""
    if history is None:
        return np.zeros((0, problem.n))
    try:
        if not isinstance(history, list | tuple | np.ndarray):
            return as_decisions(read_history(history, problem.names, begin, reading), problem.n)
        numbers = [problem.number(each) if isinstance(each, str) else each for each in history]
        return as_decisions(numbers, problem.n)
    except ValueError as error:
        raise ValueError(f"in the history, {error}") from None
