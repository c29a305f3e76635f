"""How a journal begins: from a problem, or with a past that a table has."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import sqlalchemy as sa

from ..backtesting.run import held_decisions
from ..io import Reading, read_table
from ..kernels import Array
from ..learners import Learner, Seed, as_entropy
from ..memory import Memory
from ..parallel import showing
from ..problem import RANGE_SLACK, Problem
from .entries import Request, enter, label
from .events import OBSERVED, OVERRIDDEN, made_by
from .ledger import Ledger


def body_of(problem: Problem, learner: Learner | str, seed: Seed, history: Any, gains: bool) -> dict[str, Any]:  # noqa: ANN401
    """What the first event of a journal holds.

    Args:
        problem: what is decided.
        learner: who decides.
        seed: of its randomness.
        history: decisions before the first round.
        gains: what is entered are gains.

    Returns:
        Plain values.

    Raises:
        ValueError: if they do not fit together.
    """
    if not isinstance(problem, Problem):
        raise ValueError(f"the problem is {problem!r}: give a Problem")
    who = Learner.parse(learner) if isinstance(learner, str) else learner
    if not isinstance(who, Learner):
        raise ValueError(f"the learner is {learner!r}: give one, such as Guarded(), or its words")
    for name in problem.names:
        label("the option", name)
    past = who.start(problem, 0, history).history
    about = {"problem": problem.to_dict(), "learner": who.to_dict(), "seed": as_entropy(seed), "gains": gains}
    return about | {"history": past.tolist(), "bygones": made_by()}


def classes_of(learner: Learner | str, memory: Memory) -> tuple[list[type[Learner]], list[type[Memory]]]:
    """The classes that a journal names, which may be the user's.

    Args:
        learner: who decides, and whom it wraps.
        memory: how past decisions count.

    Returns:
        The classes of learners, and of memories.
    """
    found: list[type[Learner]] = []
    who: Any = Learner.parse(learner) if isinstance(learner, str) else learner
    while isinstance(who, Learner):
        found.append(type(who))
        who = getattr(who, "learner", None)
    return found, [type(memory)]


def periods_of(
    table: Any,  # noqa: ANN401
    names: list[str],
    progress: bool | None,
    reading: Mapping[str, Any],
) -> list[tuple[str, dict[str, float]]]:
    """The periods of a table, and what each option cost in them.

    Args:
        table: with times.
        names: the options that have a cost.
        progress: show a bar.
        reading: how it is written.

    Returns:
        The periods, in order.

    Raises:
        ValueError: if it is not a table, or has no times.
    """
    rows = read_table(table, actions=names, progress=progress, least=1, **reading)
    if not rows.times.name:
        raise ValueError("the table has no column with times, which say what is new: give one, or name it with time=")
    pairs = zip(rows.times.to_list(), rows.values.tolist(), strict=True)
    return [(str(time), dict(zip(rows.names, costs, strict=True))) for time, costs in pairs]


class Begun(NamedTuple):
    """A past that a journal begins with."""

    problem: Problem
    history: Array  # decisions before it
    gains: bool
    periods: list[str]
    costs: Array  # or gains
    held: Array  # decisions really taken in its last periods
    progress: bool | None

    def replay(self, ledger: Ledger, connection: sa.Connection, author: str) -> None:
        """Enter all of it.

        Args:
            ledger: of a new journal.
            connection: within a transaction that writes.
            author: who says so.
        """
        since = len(self.costs) - len(self.held)
        with showing(self.progress, len(self.costs), "entering") as tick:
            for t, (period, costs) in enumerate(zip(self.periods, self.costs, strict=True)):
                if t >= since and (self.held[t - since] != ledger.game.decision()).any():
                    enter(ledger, connection, Request(OVERRIDDEN, self.held[t - since], author=author))
                enter(ledger, connection, Request(OBSERVED, costs, period, author=author))
                tick(1)


def read_past(
    table: Any,  # noqa: ANN401
    memory: Memory | str,
    held: Any,  # noqa: ANN401
    horizon: int | None,
    cost_range: float | None,
    gains: bool,
    progress: bool | None,
    reading: Mapping[str, Any],
) -> Begun:
    """Read a table of the past, and what was really decided in it.

    Args:
        table: one row per period.
        memory: how past decisions count.
        held: decisions in its last periods.
        horizon: how many rounds there will be.
        cost_range: the most that costs of a round differ; None: that of the table.
        gains: its entries are gains.
        progress: show a bar.
        reading: how it is written.

    Returns:
        The past.

    Raises:
        ValueError: if something does not fit.
        OSError: if a file cannot be read.
    """
    rows = read_table(table, progress=progress, **reading)
    if rows.prices:
        raise ValueError("a journal takes costs or gains, not prices: give a table of returns, with gains=True")
    spreads = np.ptp(rows.values, axis=1)
    widest = float(spreads.max(initial=0.0))
    if cost_range is not None and widest > cost_range * (1 + RANGE_SLACK):
        named = rows.times[int(spreads.argmax())]
        raise ValueError(
            f"the entries of {named} differ by {widest:.10g}, and the range given is {cost_range:.10g}: give at least "
            f"{widest:.10g}, or leave it out"
        )
    if horizon is not None and horizon < len(rows.values):
        raise ValueError(
            f"the table has {len(rows.values):,} rounds, and {horizon:,} in all were given: count those of the table "
            "too, or leave the number out"
        )
    problem = Problem(rows.names, horizon, Memory.parse(memory) if isinstance(memory, str) else memory, cost_range)
    problem = problem.replace(cost_range=cost_range or widest or None)
    how: Any = {key: value for key, value in reading.items() if key in Reading.__annotations__}
    taken, _ = held_decisions(held, problem, rows, how)
    before, taken = taken[: max(0, len(taken) - len(rows.values))], taken[-len(rows.values) :]
    named = (
        [str(time) for time in rows.times.to_list()] if rows.times.name else [*map(str, range(1, len(rows.values) + 1))]
    )
    return Begun(problem, before, gains or rows.gains, named, rows.values, taken, progress)
