"""What a memory is fitted to: decisions, outcomes, and the costs of the options if they are known."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..io import as_values
from ..kernels import Array
from ..memory import Memory, as_decisions
from ..validation import as_array, as_frame, listed, matched

FEWEST = 20  # periods


@dataclass(frozen=True, eq=False)
class Record:
    """Decisions and outcomes, checked.

    Args:
        names: the options.
        decisions: (P + T, n), the oldest first; the last T are those of the outcomes.
        outcomes: (T,).
        costs: (T, n); None: unknown, and constant.
        skipped: the first outcomes, which are not explained: memories of any length need as many decisions before.
    """

    names: tuple[str, ...]
    decisions: Array
    outcomes: Array
    costs: Array | None
    skipped: int = 0

    @property
    def explained(self) -> Array:
        """The outcomes that memories explain."""
        return self.outcomes[self.skipped :]

    def features(self, memory: Memory) -> Array:
        """What a memory makes of the decisions: with known costs `<g^t, x^t>`, (T', 1); else the states, (T', n)."""
        return self._weighed(memory.start(len(self.names)).take(self.decisions))

    def lagged(self, lags: int) -> Array:
        """The same for each single lag, `(T', lags, 1 or n)`."""
        rolled = (np.roll(self.decisions, lag, axis=0) for lag in range(lags))
        return np.stack([self._weighed(each) for each in rolled], axis=1)

    def _weighed(self, states: Array) -> Array:
        own = states[len(states) - len(self.outcomes) + self.skipped :]
        if self.costs is None:
            return own
        paid: Array = np.einsum("ti,ti->t", self.costs[self.skipped :], own)[:, np.newaxis]
        return paid


def as_record(costs: Any, decisions: Any, outcomes: Any) -> Record:  # noqa: ANN401
    """Check what was given.

    Args:
        costs: any source of a table, or None.
        decisions: weights, amounts, action numbers or names.
        outcomes: one number per period.

    Returns:
        The record.

    Raises:
        ValueError: if they are not numbers of fitting shapes, or there are fewer than 20 periods.
    """
    paid = as_array(outcomes)
    if paid.ndim != 1 or paid.dtype.kind not in "biuf" or not np.isfinite(paid).all():
        raise ValueError(f"outcomes of shape {paid.shape} and type {paid.dtype}: give one finite number per period")
    if len(paid) < FEWEST:
        raise ValueError(f"there are {len(paid)} outcomes: give at least {FEWEST}, one per period")
    names, table = None, None
    if costs is not None:
        names, table, gains = as_values(costs)
        if table.ndim != 2 or len(table) != len(paid) or table.dtype.kind not in "biuf":
            raise ValueError(f"costs of shape {table.shape} for {len(paid)} outcomes: give one row per outcome")
        table = table.astype(np.float64) * (-1.0 if gains else 1.0)
        if not np.isfinite(table).all():
            raise ValueError("the costs are not all finite: give a number for every option in every period")
    names, taken = _decided(decisions, names, None if table is None else table.shape[1])
    if len(taken) < len(paid):
        raise ValueError(f"there are {len(taken)} decisions for {len(paid)} outcomes: give one for each, or more")
    return Record(names, taken, paid.astype(np.float64), table)


def _decided(decisions: Any, names: tuple[str, ...] | None, n: int | None) -> tuple[tuple[str, ...], Array]:  # noqa: ANN401
    """The options, and a row of weights or amounts for each decision."""
    frame = as_frame(decisions)
    if frame is not None:
        chosen = frame.shape[1] == 1 and (n is not None or not frame[:, 0].dtype.is_numeric())
        names = names or (None if chosen else tuple(frame.columns))
        decisions = frame[:, 0].to_numpy() if chosen else frame[:, matched(frame.columns, names or ())].to_numpy()
    given = as_array(decisions)
    if given.ndim == 1 and given.dtype.kind in "OUT":
        words = [str(each) for each in given.tolist()]
        names = names or tuple(sorted(set(words)))
        given = np.array(matched(names, words), dtype=np.int64)
    if n is None:  # effects are unknown: numbers of options, or amounts of any size
        if given.ndim == 1 and given.dtype.kind in "iu" and given.size and given.min() >= 0:
            given = as_decisions(given, len(names or ()) or int(given.max()) + 1)
        if given.ndim != 2 or given.dtype.kind not in "biuf" or not given.size or not np.isfinite(given).all():
            raise ValueError(
                f"decisions of shape {given.shape} and type {given.dtype}: give one row of weights or amounts per "
                "period, or the number or name of one option per period"
            )
        taken, n = given.astype(np.float64), given.shape[1]
    else:
        taken = as_decisions(given, n)
    named = names or tuple(map(str, range(n)))
    if len(named) != n:
        raise ValueError(f"the options are {listed(named)}, and decisions have {n} columns: give one for each option")
    return named, taken
