"""Advice: decisions that somebody has made already."""

import os
from hashlib import sha256
from typing import Any

import numpy as np

from .. import io
from ..kernels import Actions, Array, Block, Tally
from ..problem import Problem
from ..validation import as_array, as_frame
from .base import Learner
from .player import BlockPlayer, Player

SHOWN = 5  # decisions that are written out


class Advice(Learner):
    """Play a table of decisions, one row per round: those of a model, a plan or a person.

    For backtests beside other learners, one row per period of their table, and for `Guarded(Advice(table))`, which
    follows it within a promise.

    Args:
        table: one row of weights per round, or actions by their numbers or names; an array, lists, or any data frame or
            file with a column of weights for each action, or with one of the names of the actions chosen.

    >>> import bygones as by
    >>> player = by.Advice(["rail", "road", "rail"]).start(by.Problem(["rail", "road"], 3, by.Window(5)))
    >>> player.play([[0.0, 1.0]] * 3)
    array([0, 1, 0])
    >>> by.Advice([[0.5, 0.5]] * 365)
    Advice(365 decisions, 8938)
    """

    table: Any = ()

    symmetric = False

    def __post_init__(self) -> None:
        given = self.table
        if isinstance(given, str | os.PathLike) or as_frame(given) is not None:
            given = [(name, values) for name, values in io.read_decisions(given).items()]
        elif not isinstance(given, list | tuple):
            given = as_array(given).tolist()
        if not isinstance(given, list | tuple):
            raise ValueError(f"the table of decisions is {self.table!r}: give one decision per round")
        self._set("table", tuple(_fixed(row) for row in given))

    def __repr__(self) -> str:
        if self._length <= SHOWN:
            return super().__repr__()
        digest = sha256(repr(self.table).encode()).hexdigest()[:4]  # so that two of the same length differ
        return f"Advice({self._length} decisions, {digest})"

    def later(self, rounds: int) -> "Advice":
        """The table without its first rows."""
        if self._columns:
            return Advice([(name, values[rounds:]) for name, values in self.table])
        return Advice(self.table[rounds:])

    @property
    def _columns(self) -> bool:
        """Whether the table is one of named columns."""
        first = self.table[0] if self.table else ()
        return isinstance(first, tuple) and len(first) == 2 and isinstance(first[0], str)

    @property
    def _length(self) -> int:
        return len(self.table[0][1]) if self._columns else len(self.table)

    def decisions(self, problem: Problem) -> Array:
        """The decisions as rows, for the actions of a problem."""
        if self._columns:
            import polars as pl

            return problem.check_decisions(io.read_history(pl.DataFrame(dict(self.table)), problem.names))
        return problem.check_decisions(list(self.table))

    @property
    def player_type(self) -> type[Player]:
        """Mixtures, or single actions."""
        return PureAdvicePlayer if self.table and not isinstance(self.table[0], tuple) else AdvicePlayer


def _fixed(value: Any) -> Any:  # noqa: ANN401
    """Lists as tuples, all the way down, and numpy's numbers as Python's."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    return tuple(_fixed(each) for each in value) if isinstance(value, list | tuple) else value


class AdvicePlayer(BlockPlayer):
    """Plays the rows of a table."""

    learner: Advice

    def begin(self) -> None:
        """Begin with the first row."""
        self.tally = Tally(self.problem.n)
        self._table: Any = self.rows()
        wanted, length = self.problem.horizon or 1, len(self._table)
        if length < wanted:
            raise ValueError(
                f"the advice has {length:,} decisions, and there are {wanted:,} rounds or more: "
                "give a table with one decision for each round"
            )
        self.current = self.at(0)

    def rows(self) -> Array | Actions:
        """The decisions."""
        return self.learner.decisions(self.problem)

    def at(self, t: int) -> Array | Actions:
        """The decision after t rounds; past the end, the last one, which is never played."""
        decision: Array = self._table[min(t, len(self._table) - 1)].copy()
        return decision

    def ready(self, rounds: int) -> None:
        """Raise a ValueError if the table ends before."""
        if self.rounds + rounds > len(self._table):
            raise ValueError(
                f"the advice ends after {len(self._table):,} decisions, and there is none for round "
                f"{len(self._table) + 1:,}: give one decision for each round"
            )

    def _advised(self) -> Array:
        self.ready(1)
        return super()._advised()

    def run(self, block: Block) -> Array | Actions:
        """Play the rows."""
        self.ready(block.rounds)
        first = self.rounds
        self.current = self.at(first + block.rounds)
        return self.taken(self._table[first : first + block.rounds].copy())

    def taken(self, rows: Any) -> Array | Actions:  # noqa: ANN401
        """Rows as `run` gives them."""
        given: Array = rows
        return given

    def step(self, costs: Array) -> bool:
        """Go to the next row."""
        self.ready(1)
        if not self.admit(costs):
            return False
        self.current = self.at(self.rounds + 1)
        return True


class PureAdvicePlayer(AdvicePlayer):
    """Plays the actions of a table."""

    pure = True
    many_tables = True

    def rows(self) -> Actions:
        """The actions' numbers."""
        actions: Actions = super().rows().argmax(axis=1)
        return actions

    def at(self, t: int) -> Actions:
        """The action after t rounds, of each replicate."""
        return np.full(len(self.generators), self._table[min(t, len(self._table) - 1)])

    def taken(self, rows: Actions) -> Actions:
        """The same for each replicate."""
        return np.tile(rows, (len(self.generators), 1))
