"""One page of HTML that can be mailed with its folder: headings, prose, tables and interactive charts.

The page fetches nothing: plotly's script lies beside it. The template escapes every text.
"""

from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files as package_files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .charts import Trace
from .figures import COLOURS

if TYPE_CHECKING:
    import polars as pl

SCRIPT = "plotly.min.js"
# The colours of lines, on dark paper.
LIGHTER = dict(
    zip(COLOURS, ("#62aef2", "#f08a5d", "#66c27d", "#c08be0", "#d6b53c", "#3cc5cf", "#e57ba8", "#aaaaaa"), strict=True)
)

Show = Callable[[Any], str]


class Page:
    """A page to which each call adds a part.

    >>> page = Page("Costs & gains")
    >>> page.text("One paragraph.")
    >>> "<h1>Costs &amp; gains</h1>" in page.html()
    True
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self.parts: list[dict[str, Any]] = []
        self.charts = 0

    def _add(self, kind: str, **fields: object) -> None:
        self.parts.append({"kind": kind, **fields})

    def heading(self, text: str, level: int = 2) -> None:
        """Add a heading.

        Args:
            text: what it says.
            level: 2 for a section, 3 for a part of one.
        """
        self._add("heading", text=text, level=level)

    def text(self, *sentences: str) -> None:
        """Add a paragraph."""
        self._add("text", text=" ".join(sentences))

    def items(self, sentences: Sequence[str]) -> None:
        """Add a list."""
        self._add("items", sentences=sentences)

    def links(self, files: Mapping[str, str]) -> None:
        """Add a list of files that lie beside the page, each with what it holds."""
        self._add("links", files=files)

    def table(
        self,
        frame: "pl.DataFrame",
        caption: str,
        show: Mapping[str, Show] | None = None,
        number: Show = "{:,.1f}".format,
    ) -> None:
        """Add a table.

        Args:
            frame: its columns and rows; missing values stay empty.
            caption: the text above it.
            show: for some columns, how a value becomes text.
            number: how a fractional number becomes text in the other columns.
        """
        shows = {name: number if kind.is_float() else str for name, kind in frame.schema.items()} | dict(show or {})
        numeric = [kind.is_numeric() for kind in frame.dtypes]
        columns = [["" if value is None else shows[name](value) for value in frame[name]] for name in frame.columns]
        rows = [list(zip(texts, numeric, strict=True)) for texts in zip(*columns, strict=True)]
        self._add("table", caption=caption, head=list(zip(frame.columns, numeric, strict=True)), rows=rows)

    def chart(
        self, traces: Sequence[Trace], alternative: str, x: str = "round", y: str = "regret", **layout: object
    ) -> None:
        """Add an interactive chart.

        Args:
            traces: what it draws: `line`, `band` and `area`.
            alternative: a text for readers who do not see it, also shown below it.
            x: the title of the x axis.
            y: the title of the y axis.
            layout: further settings of plotly's layout.
        """
        self.charts += 1
        axes = {f"{axis}axis": {"title": {"text": title}, "automargin": True} for axis, title in (("x", x), ("y", y))}
        spec = {"data": list(traces), "layout": axes | layout}
        self._add("chart", number=self.charts, alternative=alternative, spec=spec)

    def html(self) -> str:
        """The whole page as HTML."""
        from jinja2 import Environment
        from markupsafe import Markup

        environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
        environment.policies["json.dumps_kwargs"] = {}  # keep the order of keys
        style, draw = (Markup(_own(name)) for name in ("style.css", "draw.js"))  # noqa: S704 - our own files
        shared = {"style": style, "draw": draw, "script": SCRIPT, "lighter": LIGHTER}
        template = environment.from_string(_own("page.html.jinja"))
        return template.render(title=self.title, parts=self.parts, **shared)

    def write(self, folder: Path) -> None:
        """Write `index.html` and plotly's script into a folder."""
        (folder / "index.html").write_text(self.html(), encoding="utf-8")
        (folder / SCRIPT).write_bytes((package_files("plotly") / "package_data" / SCRIPT).read_bytes())


def _own(name: str) -> str:
    """A file of this package."""
    return (package_files(__package__) / name).read_text(encoding="utf-8")
