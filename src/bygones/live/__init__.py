"""Live use: a decision journal in a database, which several people and programs share."""

from importlib.util import find_spec

if find_spec("sqlalchemy") is None:
    raise ImportError("a journal needs SQLAlchemy, which is not installed: pip install bygones[live]")

from .journal import Journal

__all__ = ["Journal"]
