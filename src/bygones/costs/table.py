"""Table: costs of the user's own."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import Generator

from ..kernels import LARGEST_COST, Array, first_fault
from .base import Costs, Source

if TYPE_CHECKING:
    import narwhals as nw


class Table(Costs, eq=False):
    """A table of costs that somebody has: an array, or any data frame, whose column names become the actions' names.

    Args:
        data: one row a round, one column an action. An array of floats is not copied.
        rewards: the entries are gains; their sign is flipped, so that the table holds costs.
        names: the actions' names, for an array.

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
    names: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        names, values = _read(self.data)
        names = names if self.names is None else tuple(self.names)
        if names is not None and len(names) != values.shape[1]:
            raise ValueError(f"{len(names)} names for {values.shape[1]} columns: give one name a column")
        row, column = first_fault(values, LARGEST_COST, np.inf)
        if row >= 0:
            raise ValueError(
                f"row {row}, column {column if names is None else repr(names[column])} is {values[row, column]}: "
                f"give a number between -{LARGEST_COST:g} and {LARGEST_COST:g}, or leave the row out"
            )
        costs = -values if self.rewards else values.view()
        costs.flags.writeable = False
        self._set("data", costs)
        self._set("rewards", False)
        self._set("names", names)

    def __repr__(self) -> str:
        rounds, n = self.data.shape
        return f"Table({rounds} rounds of {', '.join(map(repr, self.names)) if self.names else f'{n} actions'})"

    def columns(self, names: Sequence[str]) -> "Table":
        """The table with its columns matched to some actions' names, in their order."""
        here = self.names or tuple(map(str, range(self.data.shape[1])))
        missing = [name for name in names if name not in here]
        if missing:
            raise ValueError(f"there is no column {missing[0]!r}: the columns are {', '.join(map(repr, here))}")
        return Table(self.data[:, [here.index(name) for name in names]], names=tuple(names))

    def start(self, n: int, rounds: int, generator: Generator) -> "TableSource":
        """The rows in their order; the generator is not asked."""
        if self.data.shape[1] != n:
            raise ValueError(f"the table has {self.data.shape[1]} columns, and there are {n} actions: one for each")
        if rounds > len(self.data):
            raise ValueError(f"the table has {len(self.data)} rows, and {rounds} rounds are asked for: ask for fewer")
        return TableSource(self.data[:rounds])


class TableSource(Source):
    """The rows that are left."""

    def __init__(self, data: Array) -> None:
        super().__init__(data.shape[1], len(data))
        self.data = data

    def _next(self, count: int) -> Array:
        return self.data[self.taken : self.taken + count].copy()


def _read(data: Any) -> tuple[tuple[str, ...] | None, Array]:  # noqa: ANN401
    """Names, if there are any, and values of what a user calls a table."""
    import narwhals as nw

    frame = nw.from_native(data, pass_through=True)
    if isinstance(frame, nw.DataFrame | nw.LazyFrame):
        return _read_frame(frame.lazy().collect("polars"))
    try:
        values = np.asarray(data)
    except ValueError:
        raise ValueError("the table's rows differ in length: give one cost an action in every row") from None
    if values.ndim != 2 or values.dtype.kind not in "biuf":
        raise ValueError(
            f"a table of shape {values.shape} and type {values.dtype}: give numbers, a row a round, a column an action"
        )
    return None, np.ascontiguousarray(values, dtype=np.float64)


def _read_frame(frame: "nw.DataFrame[Any]") -> tuple[tuple[str, ...], Array]:
    names = tuple(map(str, frame.columns))
    values = np.empty((len(frame), len(names)))
    for column, (name, series) in enumerate(zip(names, frame.iter_columns(), strict=True)):
        if not series.dtype.is_numeric():
            raise ValueError(
                f"column {name!r} holds {series.dtype}, such as {series[0] if len(series) else None!r}: "
                "every column is an action and holds its costs; drop the others first"
            )
        values[:, column] = series.to_numpy()
    return names, values
