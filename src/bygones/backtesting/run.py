"""From a user table to a backtest."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike
from typing import Any, Unpack

import numpy as np
import polars as pl

from ..io import Reading, Rows, read_held, read_history, read_table
from ..io.held import uncounted
from ..kernels import Array
from ..learners import Guarded, Hedge, Learner, Seed, as_entropy, as_learners, labels
from ..memory import Memory
from ..parallel import check_fork
from ..problem import Problem
from ..result import Result
from ..validation import real, whole
from ..version import __version__
from . import frames
from .certainty import ADVISERS, YOU, adviser, change, saving, savings
from .games import Played, Setup, settled_range
from .outcome import Backtest, Facts
from .refusals import check_current, check_held, check_kind, check_sizes, check_trading, long_gaps
from .sensitivity import varied
from .upcoming import upcoming

LEARNERS = (*ADVISERS, "steering", "ftarl", "followtheleader", "uniform")
RECORDED = 1_000  # periods whose decisions are kept
PLANNED = 2**21  # periods that Guarded may plan unasked, at some 60 bytes each
PLAIN = (list, tuple, np.ndarray)  # decisions that need no reading


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
    held: Any = None,  # noqa: ANN401
    switch_cost: float = 0.0,
    trade_cost: float = 0.0,
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
            advice. None: a few that need no tuning by hand, of which a rule chooses the adviser.
        rewards: the entries are gains.
        prices: the entries are prices; their log relatives, `ln(p[t] / p[t-1])`, are gains, which add up to log wealth.
            `done.wealth` then has the wealth of all portfolios, and learners are ranked by it.
        time: the column with the times; None: found automatically.
        actions: the options to use; None: all.
        cost_range: the largest difference between two options' costs within a period. None: the largest in the first
            tenth of the periods, which are then not played.
        missing: what to do about a missing entry: `error`, `drop` the period, or `carry` the last value on.
        history: earlier decisions: weights, one row per decision, options' names or numbers, or a table like the data.
            It needs `cost_range`.
        held: the decisions that you really took in the last periods of the table: like `history`, or dated. At least
            as many as the memory holds. What to do next then starts from what you hold.
        switch_cost: what it costs to change from one option to another; not for prices.
        trade_cost: with prices, what trading costs, in parts of what is traded, purchases and sales both counted.
        replicates: the number of draws of each learner that draws.
        seed: the seed of all randomness.
        progress: show a bar if it takes more than two seconds; None: on a terminal only.
        reading: how the tables are written, where they do not say so themselves: `decimal`, `date_format`, `encoding`,
            `sort`, `value`, `option` and `sheet`, as for `read_table`.

    Returns:
        A `Backtest`: frames of costs, regrets and decisions, sentences, and a report.

    Raises:
        ValueError: if there is no such file, it is not a table, an entry is not a number, or an argument does not fit.
        OSError: if a file cannot be read.

    >>> import bygones as by
    >>> done = by.backtest("@flights", "window:7", cost_range=100)
    >>> done
    <Backtest: 365 periods of @flights, 12 options
      Guarded                         cost -3,188.8, regret 306.7
      ...
    >>> print(done.answer.headline)
    For the period after 2013-12-31, Guarded decides: 100 % Alaska Airlines.
    """
    check_fork()
    memory = Memory.parse(memory) if isinstance(memory, str) else memory
    if not isinstance(memory, Memory):
        raise ValueError(f"the memory is {memory!r}: give a memory such as Window(7), or words such as 'window:7'")
    chosen = as_learners(LEARNERS if learners is None else learners)
    paid = real("the cost of a switch", switch_cost)
    if not 0 <= paid < math.inf:
        raise ValueError(f"the cost of a switch is {switch_cost!r}: give a number of at least 0")
    if YOU in labels(chosen):
        raise ValueError(f"a learner is called {YOU!r}, which stands for what was really done: rename its class")
    replicates, number = whole("replicates", replicates, 2), as_entropy(seed)
    if history is not None and cost_range is None:
        raise ValueError(
            "a history comes right before the first period, but without cost_range= the first periods are not played: "
            "give cost_range="
        )
    if rewards and prices:
        raise ValueError("rewards=True and prices=True: give only one; the changes of prices are gains anyway")
    charged = check_trading(trade_cost, paid, prices or (isinstance(data, Rows) and data.prices))
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
    past = _decisions(history, "history", problem, lambda: read_history(history, problem.names, rows.times[0], reading))
    taken, left_out = held_decisions(held, problem, rows, reading)
    if len(past) and len(taken) > rounds:
        raise ValueError(
            f"held= has {len(taken) - rounds:,} decisions from before the table, and history= has them too: leave "
            "history= out"
        )
    notes = [*rows.notes, *long_gaps(rows, memory), *left_out]
    if learners is None and rounds > PLANNED:
        chosen = [learner for learner in chosen if not isinstance(learner, Guarded)]
        notes.append(f"Guarded, which plans every period, is left out where there are more than {PLANNED:,}")
    about = {
        "costs": str(data) if isinstance(data, str | PathLike) else type(data).__name__,
        "gains": gains,
        "range": "declared" if cost_range is not None else "estimated",
        "burn_in": burn_in,
        "history": len(past),
        "held": len(taken),
        "chosen": learners is not None,
        "switch_cost": paid,
        "trade_cost": charged,
        "replicates": replicates,
        "seed": number,
        "exact": True,
        "notes": notes,
        "ended": {name: str(after) for name, after in rows.ended.items()},
        "versions": {"bygones": __version__, "numpy": np.__version__},
    }
    recorded = np.arange(1, min(rounds, RECORDED) + 1) * rounds // min(rounds, RECORDED)
    values, sign = rows.values[burn_in:], -1 if gains else 1
    chosen = [learner.later(burn_in) for learner in chosen]
    trading = charged if rows.prices else None
    setup = Setup(problem, chosen, values, sign, past, taken, recorded, replicates, number, progress, trading, burn_in)
    if 0 < setup.judged < rounds:  # what was paid before the first period that is judged, and in it, must be known
        setup = replace(setup, recorded=np.union1d(recorded, [setup.judged, setup.judged + 1]))
    first = pl.Series([rows.before] * (rows.before is not None), dtype=rows.times.dtype)
    return _outcome(Played(setup), rows.times[burn_in:].alias("time"), pl.concat([first, rows.times]), about)


def _outcome(played: Played, times: pl.Series, priced: pl.Series, about: dict[str, Any]) -> Backtest:
    setup, some, entries, cut = played.setup, times[played.setup.recorded - 1], played.entries, played.feed.cut
    regrets, held = [one.regrets for one in entries], [one.held for one in entries]
    result = Result(setup.problem, setup.learners, setup.recorded, regrets, about, held)
    least, switch_cost = float(played.policies.min()), about["switch_cost"]
    rivals, coming = frames.rivals(played, switch_cost), upcoming(played, about["ended"])
    by_label = dict(zip(result.regrets, setup.learners, strict=True))
    changed, comparison = change(played, times), frames.comparison(played)
    worse, comparison = comparison.filter("beaten")["option"].to_list(), comparison.drop("beaten")
    even = partial(saving, played, switch_cost=switch_cost)
    label, passed = adviser(rivals, by_label, about["chosen"], changed is not None, even)
    facts = Facts(
        adviser=label,
        passed_over=passed,
        arrival=coming.arrivals.get(label),
        savings=savings(played, label, switch_cost),
        change=None if changed is None else changed.about,
        beaten=worse,
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
        lambda: _sensitivity(setup, result, label),
        accounts=frames.accounts(played, switch_cost),
        options=frames.options(played),
        comparison=comparison,
        since=comparison if changed is None else changed.comparison,
        rivals=rivals,
        paths=frames.paths(played, times),
        stretches=frames.stretches(played, times),
        next=coming.frame,
        costs=frames.costs(played, some),
        path=frames.path(played, some),
        decisions=frames.decisions(played, some),
        wealth=frames.wealth(played, priced),
    )


def _sensitivity(setup: Setup, result: Result, adviser: str) -> pl.DataFrame:
    """One row for the adviser, and for Hedge, under each memory: regrets if it knows it, and if not.

    Args:
        setup: what was played.
        result: its regrets.
        adviser: its label.

    Returns:
        The columns learner, memory, length, known and assumed.
    """
    memory = setup.problem.memory
    memories = varied(memory, len(setup.values))
    others = [(k, other) for k, other in enumerate(memories) if other != memory]
    found: dict[str, Array] = {}  # both regrets under each memory; the own one's are known already
    seats = []
    for label, learner in zip(result.regrets, setup.learners, strict=True):
        if others and (label == adviser or learner == Hedge()):
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


def held_decisions(held: Any, problem: Problem, rows: Rows, reading: Reading) -> tuple[Array, list[str]]:  # noqa: ANN401
    """The decisions really taken as weights, and notes; no rows if there are none.

    Args:
        held: as it was given.
        problem: what is decided.
        rows: the table.
        reading: how the tables are written.

    Returns:
        (decisions, n), the last one in the last period; and the notes.

    Raises:
        ValueError: if these are not decisions in the last periods of the table.
    """
    notes: list[str] = []

    def read() -> Array:
        found, said = read_held(held, problem.names, rows.times, reading, rows.dropped)
        notes.extend(said)
        return found

    if isinstance(held, PLAIN) and rows.dropped:
        raise ValueError(f"in held=: {uncounted(rows.dropped)}")
    decisions = _decisions(held, "held", problem, read)
    if held is not None:
        notes += check_held(decisions, memory=problem.memory, periods=len(rows.values))
    return decisions, notes


def _decisions(given: Any, name: str, problem: Problem, read: Callable[[], Array]) -> Array:  # noqa: ANN401
    """Decisions as weights, one row each, from what was given in Python or else from a table; no rows if none were.

    Args:
        given: lists, arrays, or what is to be read.
        name: the keyword.
        problem: what is decided.
        read: reads the table.

    Returns:
        (decisions, n).

    Raises:
        ValueError: if these are not decisions.
    """
    if given is None:
        return np.zeros((0, problem.n))
    try:
        return problem.check_decisions(given if isinstance(given, PLAIN) else read())
    except ValueError as error:
        raise ValueError(f"in {name}=: {error}") from None
