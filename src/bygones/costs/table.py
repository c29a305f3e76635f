"""Table: user tables of costs."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.random import Generator

from ..io import Rows, as_values, numbered
from ..kernels import Array, first_fault
from ..validation import LARGEST, as_table, distinct, matched
from .base import Costs, Source


class Table(Costs, eq=False):
    """A table of costs from any source; the names of its columns become the actions' names.

    Args:
        data: one row per round, one column per action: an array, any data frame, an iterator of blocks, a path,
            `"@flights"`, or rows from `by.read_table`, which can also drop or carry missing values and pick columns.
            An array of floats is not copied. A column of times is left out.
        rewards: the entries are gains; their sign is flipped, so that the table holds costs. Bundled rewards and the
            relatives of prices are known to be gains.
        names: the actions' names, for an array.

    Raises:
        ValueError: if the data are not a table of finite numbers with at least two columns.

    >>> import bygones as by
    >>> import polars as pl
    >>> table = by.Table(pl.DataFrame({"rail": [1.0, 2.0], "road": [3.0, 1.0]}))
    >>> table, table.names
    (Table(2 rounds of 'rail', 'road'), ('rail', 'road'))
    >>> table.columns(["road", "rail"]).data
    array([[3., 1.],
           [1., 2.]])
    """

    data: Any
    rewards: bool = False
    names: Sequence[str] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.rewards, bool):
            raise ValueError(f"rewards is {self.rewards!r}: give True or False")
        names, values, gains = as_values(self.data)
        values = as_table(values)[1]
        given = names if self.names is None else self.names
        names = None if given is None else distinct("the columns", given, 2)
        if values.shape[1] < 2 or (names is not None and len(names) != values.shape[1]):
            count = "no" if names is None else len(names)
            raise ValueError(f"{values.shape[1]} columns and {count} names: give at least two columns, one per action")
        row, column = first_fault(values, LARGEST, np.inf)
        if row >= 0:
            raise ValueError(
                f"row {row}, column {column if names is None else repr(names[column])} is {values[row, column]}: "
                f"give a number between -{LARGEST:g} and {LARGEST:g}, or leave the row out"
            )
        costs = -values if self.rewards or gains else values.view()
        costs.flags.writeable = False
        self._set("data", costs)
        self._set("rewards", False)
        self._set("names", names)

    def __repr__(self) -> str:
        rounds, n = self.data.shape
        return f"Table({rounds} rounds of {', '.join(map(repr, self.names)) if self.names else f'{n} actions'})"

    def columns(self, names: Sequence[str]) -> "Table":
        """The table with its columns matched to actions' names, in the order of the names."""
        here = self.names or numbered(self.data.shape[1])
        wanted = distinct("the columns", names, 2)
        return Table(self.data[:, matched(here, wanted)], names=wanted)

    def as_rows(self) -> Rows:
        """The table as the reader gives it: costs, one row per round, numbered from 1."""
        import polars as pl

        times = pl.Series(np.arange(1, len(self.data) + 1))
        return Rows(tuple(self.names or numbered(self.data.shape[1])), times, self.data)

    def source(self, n: int, rounds: int, generator: Generator) -> "TableSource":
        """A source of the rows in their order; the generator is not used."""
        if self.data.shape[1] != n:
            raise ValueError(
                f"the table has {self.data.shape[1]} columns, and there are {n} actions: give one column per action"
            )
        if rounds > len(self.data):
            raise ValueError(
                f"the table has {len(self.data)} rows, and {rounds} rounds are requested: give fewer rounds"
            )
        return TableSource(self.data[:rounds])


class TableSource(Source):
    """The rows that are left."""

    def __init__(self, data: Array) -> None:
        super().__init__(data.shape[1], len(data))
        self.data = data

    def _fill(self, costs: Array) -> None:
        costs[:] = self.data[self.taken : self.taken + len(costs)]
