"""Linear programs, solved by HiGHS, which is imported when the first one is."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .kernels import Array


class Solution(NamedTuple):
    """What a linear program comes to: its value, the variables, and the price of each of its rows."""

    value: float
    variables: Array
    prices: Array


class Program:
    """Minimise `<costs, x>` over `low <= x <= high` and rows that may be added between solutions.

    A solution after more rows starts from the last one, so that cutting planes cost little.

    Args:
        costs: (k,) of the variables.
        low: the least of each, or one number for all.
        high: the most of each, or one number for all.

    >>> program = Program([-1.0, -2.0], high=1.0)
    >>> program.add([[1.0, 1.0]], high=1.5)
    >>> program.solve().variables
    array([0.5, 1. ])
    """

    def __init__(self, costs: ArrayLike, low: ArrayLike = 0.0, high: ArrayLike = np.inf) -> None:
        import highspy

        highs: Any = highspy.Highs  # which says nothing of its types
        self._solver = highs()
        self._solver.setOptionValue("output_flag", False)
        self._solver.setOptionValue("parallel", "off")  # a number of threads would have to be that of all its users
        prices = np.array(costs, dtype=np.float64)
        self.size = len(prices)
        low, high = (np.array(np.broadcast_to(side, self.size), dtype=np.float64) for side in (low, high))
        self._solver.addVars(self.size, low, high)
        self._solver.changeColsCost(self.size, np.arange(self.size, dtype=np.int32), prices)
        self._optimal, self._failed = highspy.HighsModelStatus.kOptimal, highspy.HighsStatus.kError

    def add(self, rows: ArrayLike, low: ArrayLike = -np.inf, high: ArrayLike = np.inf) -> None:
        """Add rows `low <= <row, x> <= high`.

        Args:
            rows: (r, k), dense; zeros are left out.
            low: the least of each, or one number for all.
            high: the most of each, or one number for all.
        """
        table = np.asarray(rows, dtype=np.float64)
        count = len(table)
        low, high = (np.array(np.broadcast_to(side, count), dtype=np.float64) for side in (low, high))
        places = np.nonzero(table)
        starts = np.searchsorted(places[0], np.arange(count)).astype(np.int32)
        self._solver.addRows(
            count, low, high, len(places[0]), starts, places[1].astype(np.int32), np.ascontiguousarray(table[places])
        )

    def solve(self) -> Solution:
        """The least value.

        Raises:
            ArithmeticError: if there is none, or HiGHS does not find it.
            RuntimeError: if HiGHS does not run.
        """
        if self._solver.run() == self._failed:
            raise RuntimeError("HiGHS cannot run here: import highspy and solve a program with it to see why")
        status = self._solver.getModelStatus()
        if status != self._optimal:
            raise ArithmeticError(f"HiGHS ended with {self._solver.modelStatusToString(status)!r}, not with an optimum")
        found = self._solver.getSolution()
        value = float(self._solver.getInfo().objective_function_value)
        return Solution(value, np.array(found.col_value), np.array(found.row_dual))
