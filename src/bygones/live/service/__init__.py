"""Journals over HTTP: many of them, in one database, for people and programs on other machines."""

from importlib.util import find_spec

for _needed in ("starlette", "uvicorn", "prometheus_client"):
    if find_spec(_needed) is None:
        raise ImportError(f"the service needs {_needed}, which is not installed: pip install bygones[live]")

from .desk import Desk  # noqa: E402 - what it needs is looked for first

__all__ = ["Desk"]
