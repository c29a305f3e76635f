"""Checks that every learner, memory and cost family must pass, including your own.

    >>> import bygones as by
    >>> by.checks.check_learner(by.Hedge())
    >>> by.checks.check_memory(by.Window(7))
    >>> by.checks.check_costs(by.StocHet())

A failed check raises `CheckError`, an AssertionError that names the case and the fault. Otherwise nothing is returned.
"""

from .common import CheckError
from .costs import check_costs
from .learner import LEARNER_CHECKS, check_learner, problems, problems_for
from .memory import check_memory

__all__ = ["LEARNER_CHECKS", "CheckError", "check_costs", "check_learner", "check_memory", "problems", "problems_for"]
