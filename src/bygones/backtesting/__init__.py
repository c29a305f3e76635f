"""A table of the past: what learners would have done on it, what it would have cost, and what to do next."""

from .outcome import Backtest
from .run import backtest

__all__ = ["Backtest", "backtest"]
