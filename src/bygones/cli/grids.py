"""The terminal, and tables on it."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from ..visible import visible

Columns = Mapping[str, Mapping[str, Any]]
TEXT: Mapping[str, Any] = {"overflow": "fold"}
NUMBER: Mapping[str, Any] = {"justify": "right", "no_wrap": True}


class Terminal(Console):
    """Prints texts as they are: what they hold of markup, emoji codes or control characters is shown, not obeyed."""

    def __init__(self) -> None:
        super().__init__(highlight=False, markup=False, emoji=False)

    def render_str(self, text: str, **settings: Any) -> Text:  # noqa: ANN401 - those of rich, which has many
        """A text as it is printed; every string passes here, whatever it is a part of.

        Args:
            text: what to print.
            settings: its style and so on.

        Returns:
            What rich lays out.
        """
        return super().render_str(visible(text, keep="\n"), **settings)

    def wrote(self, path: Path, seconds: float, more: str = "") -> None:
        """Say where the report is, in one line that can be copied.

        Args:
            path: the page.
            seconds: how long all took.
            more: what to say besides.
        """
        self.print(f"The report: {visible(str(path))} ({seconds:.1f} s{more})", soft_wrap=True)


def grid(title: str, columns: Columns, rows: Iterable[Sequence[RenderableType]], caption: str | None = None) -> Grid:
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
