"""The description of the API that programs read (OpenAPI 3.1), made of the table of calls."""

from collections.abc import Iterable
from typing import Any


def document(calls: Iterable[Any]) -> dict[str, Any]:
    """The document.

    Args:
        calls: all that can be asked for.

    Returns:
        Plain values.
    """
    return {"openapi": "3.1.0", "info": {"title": "bygones", "version": "1"}, "paths": {}}
