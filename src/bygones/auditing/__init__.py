"""The audit: every statement of the theory, held to what the library's own players do.

A statement is checked on several kinds of costs, and its line tells how far the worst of them is from failing. Nothing
is played by other means: actions, noise, meters and states are the players' and the memories', regrets are those that
`simulate` and `expected` report. So a line fails where the library departs from the theory.
"""

from .lines import DRAWS, PROBLEM, QUICK_DRAWS, Line, audit, families
from .statements import STATEMENTS

__all__ = ["DRAWS", "PROBLEM", "QUICK_DRAWS", "STATEMENTS", "Line", "audit", "families"]
