"""Pages of HTML that work offline: headings, cards, prose, tables and interactive charts.

A page is a list of parts, and each kind of part has a template, which escapes every text. A page fetches nothing:
plotly's script lies beside it, or inside it if it is to be one file.
"""

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import unescape
from importlib.resources import files as package_files
from mimetypes import guess_type
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from .charts import AREAS, REST, Trace
from .environment import environment
from .figures import COLOURS, INK
from .folder import report_file, report_folder
from .sheets import as_csv

if TYPE_CHECKING:
    import polars as pl

SCRIPT = "plotly.min.js"
SHORT, LONG = 12, 32  # characters of texts, whose columns have three widths
LARGEST = 2_000_000  # bytes of a file that a page in one file holds: it is to be mailed
# The colours of lines, on dark paper.
LIGHTER = dict(
    zip(COLOURS, ("#62aef2", "#f08a5d", "#66c27d", "#c08be0", "#d6b53c", "#3cc5cf", "#e57ba8", "#aaaaaa"), strict=True)
) | {INK: "#f2f2f2"}

Show = Callable[[Any], str]


class Verdict(NamedTuple):
    """A small card: what it is about, a figure, what that says, a note, and whether it is good (None: open)."""

    about: str
    figure: str
    said: str
    note: str = ""
    holds: bool | None = None


class Share(NamedTuple):
    """One part of a bar: an option, its share, and the number of its colour (None: grey, for what is left)."""

    option: str
    weight: float
    number: int | None


class File(NamedTuple):
    """A file that belongs to a page: what it holds, in words, and its content."""

    what: str
    content: bytes


class Page:
    """A page to which each call adds a part.

    >>> page = Page("Costs & gains")
    >>> page.text("One paragraph.")
    >>> "<h1>Costs &amp; gains</h1>" in page.html()
    True
    """

    def __init__(self, title: str, files: Mapping[str, File] | None = None) -> None:
        self.title, self.files = title, dict(files or {})
        self.parts: list[dict[str, Any]] = []
        self.contents: dict[str, str] = {}  # headings of sections, by their places
        self.charts = self.tables = 0

    def _add(self, kind: str, **fields: object) -> None:
        self.parts.append({"kind": kind, **fields})

    def _place(self, text: str) -> str:
        """A place for a section, which the contents link to."""
        place = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "section"
        while place in self.contents:
            place += "-"
        self.contents[place] = text
        return place

    def heading(self, text: str, level: int = 2) -> None:
        """Add a heading.

        Args:
            text: what it says.
            level: 2 for a section, which the contents list, 3 for a part of one.
        """
        self._add("heading", text=text, level=level, place=self._place(text) if level == 2 else None)

    def text(self, *sentences: str) -> None:
        """Add a paragraph."""
        self._add("text", text=" ".join(sentences))

    def lead(self, sentence: str) -> None:
        """Add what the page has to say, in one sentence."""
        self._add("lead", text=sentence)

    def items(self, sentences: Sequence[str]) -> None:
        """Add a list."""
        self._add("items", sentences=sentences)

    def links(self, names: Iterable[str] | None = None) -> None:
        """Add a list of the page's files, or of some of them, each with what it holds."""
        self._add("links", names=list(self.files if names is None else names))

    def card(
        self,
        title: str,
        headline: str,
        bars: Mapping[str, Sequence[Share]] | None = None,
        notes: Mapping[str, Sequence[str]] | None = None,
        percent: Show = "{:.0%}".format,
    ) -> None:
        """Add the card of a decision, a section of its own.

        Args:
            title: what is decided.
            headline: the decision, in one sentence.
            bars: shares that are drawn as bars, by their headings.
            notes: sentences by their headings; those without a sentence are left out.
            percent: how a share becomes text.
        """
        drawn = {
            name: [
                {
                    "option": share.option,
                    "weight": float(share.weight),
                    "shown": percent(share.weight),
                    "colour": REST if share.number is None else AREAS[share.number % len(AREAS)],
                }
                for share in shares
            ]
            for name, shares in (bars or {}).items()
        }
        said = {name: sentences for name, sentences in (notes or {}).items() if sentences}
        self._add("card", title=title, place=self._place(title), headline=headline, bars=drawn, notes=said)

    def verdicts(self, verdicts: Iterable[Verdict]) -> None:
        """Add small cards, side by side where there is room."""
        self._add("verdicts", verdicts=list(verdicts))

    def table(
        self,
        frame: "pl.DataFrame",
        caption: str,
        show: Mapping[str, Show] | None = None,
        number: Show = "{:,.1f}".format,
    ) -> None:
        """Add a table, which can be sorted, and downloaded as a CSV file with all digits.

        Args:
            frame: its columns and rows; missing values stay empty.
            caption: the text above it.
            show: for some columns, how a value becomes text.
            number: how a fractional number becomes text in the other columns.
        """
        shows = {name: number if kind.is_float() else str for name, kind in frame.schema.items()} | dict(show or {})
        columns = [["" if value is None else shows[name](value) for value in frame[name]] for name in frame.columns]
        kinds = [
            "number" if kind.is_numeric() else _width(max(map(len, texts), default=0))
            for kind, texts in zip(frame.dtypes, columns, strict=True)
        ]
        rows = [list(zip(texts, kinds, strict=True)) for texts in zip(*columns, strict=True)]
        head = list(zip(frame.columns, kinds, strict=True))
        self.tables += 1
        file = f"table{self.tables}.csv"
        self._add("table", caption=caption, head=head, rows=rows, file=file, address=_inside(file, as_csv(frame)))

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
        data = [{"legendgroup": trace.get("name"), **trace} for trace in traces]
        named: dict[str, Trace] = {}
        for trace in data:
            if trace.get("showlegend", True):
                named.setdefault(trace["legendgroup"], trace)
        legend = [_entry(group, trace) for group, trace in named.items()] if len(named) > 1 else []
        spec = {"data": data, "layout": axes | layout}
        self._add("chart", number=self.charts, alternative=alternative, spec=spec, legend=legend)

    def html(self, single_file: bool = False) -> str:
        """The whole page as HTML; with `single_file`, its files and plotly's script are inside."""
        from markupsafe import Markup

        plotly = Markup(_plotly().decode()) if single_file else ""  # noqa: S704 - a script as it is distributed
        return (
            environment()
            .get_template("page.html.jinja")
            .render(
                title=self.title,
                parts=self.parts,
                contents=self.contents,
                files={name: (file.what, _address(name, file, single_file)) for name, file in self.files.items()},
                single_file=single_file,
                script=SCRIPT,
                plotly=plotly,
                lighter=LIGHTER,
            )
        )

    def write(self, folder: Path) -> None:
        """Write `index.html`, plotly's script and the page's files into a folder."""
        for name, file in self.files.items():
            (folder / name).write_bytes(file.content)
        (folder / "index.html").write_text(self.html(), encoding="utf-8")
        (folder / SCRIPT).write_bytes(_plotly())

    def report(self, path: Path, kind: str, single_file: bool = False) -> None:
        """Write the page whole or not at all: into a folder, or as one file that can be mailed.

        Args:
            path: a new or empty folder, or one that holds an earlier report of its kind; or the one file.
            kind: what the report is of, such as `"result"`.
            single_file: write one file of HTML, with script and data inside.

        Raises:
            ValueError: if the path holds something else, or is in no folder.
            OSError: if it cannot be written.
        """
        if single_file:
            with report_file(path) as file:
                file.write(self.html(single_file=True).encode())
            return
        with report_folder(path, kind) as place:
            self.write(place)


def _width(longest: int) -> str:
    """The class of a column of texts."""
    return "" if longest <= SHORT else "name" if longest <= LONG else "long"


def _entry(group: str, trace: Trace) -> dict[str, Any]:
    """What the legend below a chart shows of a trace."""
    style = trace.get("line", {})
    return {
        "group": group,
        "name": unescape(trace["name"]),
        "hidden": trace.get("visible", True) is not True,
        "symbol": trace.get("marker", {}).get("symbol"),
        "filled": "fillcolor" in trace,
        "dash": style.get("dash", "solid"),
        "width": style.get("width", 2),
    }


def _address(name: str, file: File, single_file: bool) -> str:
    """Where a file of a page is: beside it, or inside; empty if it is too large for that."""
    if not single_file:
        return quote(name)
    return _inside(name, file.content) if len(file.content) <= LARGEST else ""


def _inside(name: str, content: bytes) -> str:
    """The address of a file that is inside the page."""
    kind = guess_type(name)[0] or "application/octet-stream"
    return f"data:{kind};base64,{b64encode(content).decode()}"


def _plotly() -> bytes:
    return (package_files("plotly") / "package_data" / SCRIPT).read_bytes()
