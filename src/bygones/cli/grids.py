"""Tables on the terminal."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.table import Table as Grid

Columns = Mapping[str, Mapping[str, Any]]
TEXT: Mapping[str, Any] = {"overflow": "fold"}
NUMBER: Mapping[str, Any] = {"justify": "right", "no_wrap": True}


def grid(title: str, columns: Columns, rows: Iterable[Sequence[str]], caption: str | None = None) -> Grid:
    """A table.

    Args:
        title: the text above it.
        columns: their headings, and what they hold: `TEXT` or `NUMBER`.
        rows: their cells; an empty row is a rule.
        caption: the text below it.

    Returns:
        What a console prints.
    """
    made = Grid(title=title, caption=caption)
    for head, kind in columns.items():
        made.add_column(head, **kind)
    for row in rows:
        if row:
            made.add_row(*row)
        else:
            made.add_section()
    return made
