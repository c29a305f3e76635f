"""The problem: everything that tuning and theory may look at, and no data."""

import math
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral
from typing import Any, Self

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from .description import Description, from_dict, html_table
from .kernels import Array, first_fault
from .memory import MEMORIES, Memory, as_decisions
from .validation import LARGEST, as_array, as_table, distinct, listed, matched, nearest, positive, real, shown, whole

UNKNOWN = "unknown"  # how None is written: TOML has no null
RANGE_SLACK = 1e-9  # of the range itself


class Problem(Description, tag=None):
    """Who decides among what, for how long, under which memory.

    Args:
        actions: how many actions there are (at least two), or their names.
        horizon: the number of rounds T; None: unknown.
        memory: how past decisions make the state; also in words, such as `"window:12"`.
        cost_range: the most that the costs of one round differ between two actions; None: unknown.

    >>> import bygones as by
    >>> problem = by.Problem(actions=["rail", "road"], horizon=1000, memory=by.Window(12))
    >>> problem.n, problem.names, problem.cost_range
    (2, ('rail', 'road'), 1.0)
    >>> problem
    Problem(actions=('rail', 'road'), horizon=1000, memory=Window(length=12))
    >>> by.Problem.from_dict(problem.to_dict()) == problem
    True
    """

    actions: int | Sequence[str]
    horizon: int | None
    memory: Memory
    cost_range: float | None = 1.0

    def __post_init__(self) -> None:
        if isinstance(self.actions, Sequence | np.ndarray):
            self._set("actions", distinct("the actions", self.actions, 2))
        else:
            self._set("actions", whole("the number of actions", self.actions, 2))
        if self.horizon is not None:
            self._set("horizon", whole("the horizon", self.horizon, 1))
        memory: Any = self.memory
        self._set("memory", Memory.parse(memory) if isinstance(memory, str) else memory)
        if not isinstance(self.memory, Memory):
            raise ValueError(f"the memory is {self.memory!r}: give one such as Window(12) or Geometric(0.9)")
        if self.cost_range is not None:
            self._set("cost_range", positive("the cost range", self.cost_range))

    def _repr_html_(self) -> str:
        actions = str(self.n) if isinstance(self.actions, int) else listed(self.names)
        rows = (("actions", actions), ("horizon", self.horizon), ("memory", self.memory), ("range", self.cost_range))
        return html_table((name, UNKNOWN if value is None else value) for name, value in rows)

    @property
    def n(self) -> int:
        """The number of actions."""
        return self.actions if isinstance(self.actions, int) else len(self.actions)

    @property
    def names(self) -> tuple[str, ...]:
        """The actions' names; their numbers where no names were given."""
        return tuple(map(str, range(self.actions))) if isinstance(self.actions, int) else tuple(self.actions)

    def number(self, action: int | str) -> int:
        """The number of an action that is given by its number or its name."""
        if isinstance(action, str):
            if action not in self.names:
                known = listed(self.names) + nearest(action, self.names)
                raise ValueError(f"there is no action {shown(action)}: the actions are {known}")
            return self.names.index(action)
        number = whole("the action's number", action, 0)
        if number >= self.n:
            raise ValueError(f"the action's number is {number}: with {self.n} actions the last one is {self.n - 1}")
        return number

    def to_dict(self) -> dict[str, Any]:
        """The problem as plain values that JSON and TOML can both write.

        >>> import bygones as by
        >>> by.Problem(2, None, by.FullHistory()).to_dict()
        {'actions': 2, 'horizon': 'unknown', 'memory': {'type': 'FullHistory'}, 'cost_range': 1.0}
        """
        return {
            "actions": self.actions if isinstance(self.actions, int) else list(self.actions),
            "horizon": UNKNOWN if self.horizon is None else self.horizon,
            "memory": self.memory.to_dict(),
            "cost_range": UNKNOWN if self.cost_range is None else self.cost_range,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], memories: Iterable[type[Memory]] = ()) -> Self:
        """The inverse of `to_dict`; a field that no problem has is refused.

        Args:
            data: the plain form.
            memories: classes of memories of your own that it may name.

        Returns:
            A problem equal to the one that was written.

        Raises:
            ValueError: if a field is missing or unknown, or its value is not allowed.
        """
        fields = {field.name for field in msgspec.structs.fields(cls)}
        if not isinstance(data, Mapping) or not {"actions", "horizon", "memory"} <= set(data) <= fields:
            given = ", ".join(map(str, data)) or "none" if isinstance(data, Mapping) else repr(data)
            raise ValueError(f"a problem has the fields {', '.join(sorted(fields))}, and this has {given}")
        known: dict[str, Any] = {name: None if value == UNKNOWN else value for name, value in data.items()}
        return cls(**{**known, "memory": from_dict(data["memory"], (*MEMORIES, *memories), "memory", "memories")})

    def label(self, action: int) -> str:
        """An action as messages call it."""
        return f"action {action}" if isinstance(self.actions, int) else f"action {self.names[action]!r}"

    def check_costs(self, costs: ArrayLike, seen: int) -> Array:
        """A block of costs as it should be, or an error that tells the value, the rule, the place and the remedy.

        Args:
            costs: (B, n), one row per round; an array, nested lists or any data frame.
            seen: how many rounds came before the first row.

        Returns:
            (B, n), floats in memory that may be written to; it is not copied if it need not be.

        Raises:
            ValueError: if the shape is wrong, a cost is not a number or is too large, or the costs of a round spread
                over more than the range.
        """
        if isinstance(costs, np.ndarray | list | tuple):
            given = as_array(costs)
        else:  # the columns of a data frame are matched by name, if the actions have names
            given = as_table(costs, None if isinstance(self.actions, int) else self.names)[1]
        if given.ndim != 2 or given.shape[1] != self.n:
            raise ValueError(
                f"costs of shape {given.shape[1:] if given.shape[:1] == (1,) else given.shape}: "
                f"give {self.n} costs a round, one for each action"
            )
        if given.dtype.kind not in "biuf":
            # As they were given: among texts numpy makes a text of every number.
            given = self._only_numbers(np.array(costs, dtype=object).reshape(given.shape), seen)
        table = np.require(given, np.float64, ["C", "W"])  # kernels are compiled for one kind of array
        row, column = first_fault(table, *self.limits)
        if row >= 0:
            raise ValueError(self._fault(table[row], column, seen + row + 1))
        return table

    def check_decisions(self, decisions: Any, seen: int = 0) -> Array:  # noqa: ANN401
        """Decisions as rows on the simplex, or an error that tells which one is not a decision.

        Args:
            decisions: one row of weights each: an array, nested lists or any data frame, whose columns are matched by
                name; or actions, by their numbers or names.
            seen: how many decisions came before the first one.

        Returns:
            A new array (B, n).

        Raises:
            ValueError: if there is no such action, the shape is wrong, or weights are negative or do not add up to one.
        """
        if isinstance(decisions, list | tuple | np.ndarray) or np.ndim(decisions) == 1:
            given = as_array(decisions)
        else:
            given = as_table(decisions, None if isinstance(self.actions, int) else self.names)[1]
        if given.ndim == 1 and given.dtype.kind in "UTO":
            given = np.array([self.number(name) for name in given.tolist()])
        return as_decisions(given, self.n, seen).copy()

    def check_decision(self, decision: Any, seen: int) -> Array:  # noqa: ANN401
        """One decision as a block of one row.

        Args:
            decision: n weights: an array, a list, a mapping or a Series; or an action by its number or name.
            seen: how many decisions came before.

        Returns:
            A new array (1, n).

        Raises:
            ValueError: as `check_decisions` does.
        """
        if not isinstance(decision, str | list | tuple | np.ndarray):
            decision = self._by_name(decision)
        single = isinstance(decision, str) or (not isinstance(decision, list | tuple) and np.ndim(decision) == 0)
        if single and (isinstance(decision, bool) or not isinstance(decision, str | Integral)):
            raise ValueError(
                f"decision {seen + 1} is {decision!r}: "
                f"give {self.n} weights, one for each action, or an action by its number or name"
            )
        return self.check_decisions([self.number(decision) if single else decision], seen)

    @property
    def limits(self) -> tuple[float, float]:
        """The largest cost that is allowed, and the widest spread of a round's costs, with a little slack."""
        return LARGEST, math.inf if self.cost_range is None else self.cost_range * (1 + RANGE_SLACK)

    def check_row(self, costs: Any, seen: int) -> Array:  # noqa: ANN401
        """The costs of one round as a block of one row; those of a mapping or a pandas Series are matched by name.

        Args:
            costs: n numbers: an array, a list, a mapping or a Series.
            seen: how many rounds came before.

        Returns:
            An array (1, n) of floats.

        Raises:
            ValueError: as `check_costs` does, or if a mapping lacks the cost of an action.
        """
        if isinstance(costs, np.ndarray):
            return self.check_costs(costs[np.newaxis], seen)
        if not isinstance(costs, list | tuple):
            costs = self._by_name(costs)
        return self.check_costs([costs], seen)

    def _by_name(self, costs: Any) -> Any:  # noqa: ANN401
        from narwhals.dependencies import is_pandas_series

        given = costs.to_dict() if is_pandas_series(costs) and not isinstance(self.actions, int) else costs
        if not isinstance(given, Mapping):
            return given
        values = list(given.values())
        return [values[place] for place in matched(list(map(str, given)), self.names)]

    def _only_numbers(self, costs: NDArray[np.object_], seen: int) -> Array:
        """An array of some other type as floats, if every entry is a real number."""
        for (row, column), cost in np.ndenumerate(costs):
            try:
                costs[row, column] = real("it", cost)
            except ValueError:
                place = f"costs[{column}] ({self.label(column)})"
                raise ValueError(f"{place} is {cost!r} at round {seen + row + 1}: give a number") from None
        return costs.astype(np.float64)

    def _fault(self, costs: Array, column: int, t: int) -> str:
        if column >= 0:
            return (
                f"costs[{column}] ({self.label(column)}) is {costs[column]} at round {t}: "
                f"give a number between -{LARGEST:g} and {LARGEST:g}, or leave the round out"
            )
        low, high = int(costs.argmin()), int(costs.argmax())
        spread = float(costs[high] - costs[low])
        return (
            f"the costs of round {t} spread over {spread!r}, from {costs[low]:g} ({self.label(low)}) "
            f"to {costs[high]:g} ({self.label(high)}), and the declared cost_range is {self.cost_range!r}: "
            f"declare cost_range={spread!r} or more, or clip the costs"
        )
