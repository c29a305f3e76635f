"""The audit: every statement of the theory, checked on what the library's own players do.

A statement is checked on several kinds of costs, and its line says how far the worst of them is from failing. The audit
plays nothing by other means: actions, noise, meters and states come from the players and the memories, regrets from
`simulate` and `expected`. So a line fails where the library departs from the theory.
"""

from .lines import DRAWS, PROBLEM, QUICK_DRAWS, Line, audit, families
from .statements import STATEMENTS

__all__ = ["DRAWS", "PROBLEM", "QUICK_DRAWS", "STATEMENTS", "Line", "audit", "families"]
