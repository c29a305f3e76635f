"""The command line: it parses, calls and prints."""

from .main import main

__all__ = ["main"]
