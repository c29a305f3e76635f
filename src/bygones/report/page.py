"""One page of HTML that can be mailed with its folder: headings, prose, tables and interactive charts.

Nothing is fetched: plotly's script lies beside the page. All text is escaped.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from html import escape
from importlib.resources import files as package_files
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from .figures import COLOURS, look

if TYPE_CHECKING:
    import polars as pl

SCRIPT = "plotly.min.js"
DASHES = ("solid", "dash", "dashdot", "dot", "longdash", "longdashdot", "5px 2px", "2px 2px")
# Neighbours in a stack differ in hue and in lightness, on light paper and on dark.
AREAS = (
    *("#0b5fa5", "#f0a35e", "#2e8b57", "#c9a0dc", "#b5651d", "#7fd1d8", "#a83258", "#d9d04a"),
    *("#6a6fc9", "#9ccc65", "#8b1e1e", "#f4b6c8"),
)
REST = "#8c8c8c"  # of what shares one layer

Trace = Mapping[str, Any]
Show = Callable[[Any], str]


def plotly_script() -> bytes:
    """Plotly's script, which must lie beside the page under the name `SCRIPT`."""
    return (package_files("plotly") / "package_data" / SCRIPT).read_bytes()


def line(
    name: str, x: Sequence[float], y: Sequence[float], number: int, thin: bool = False, **more: object
) -> dict[str, Any]:
    """A line of a chart, in the colour and dash of a number; given one group, all its lines are toggled together."""
    colour, dash = look(number)
    style = {"color": COLOURS[colour], "dash": "solid" if thin else DASHES[dash], "width": 1 if thin else 2}
    return {"type": "scatter", "mode": "lines", "name": name, "x": list(x), "y": list(y), "line": style} | more


def band(x: Sequence[float], low: Sequence[float], high: Sequence[float], number: int, group: str) -> dict[str, Any]:
    """A band behind a line; it belongs to the line's group, and has no place in the legend."""
    colour = COLOURS[number % len(COLOURS)]
    there, back = list(x), list(x)[::-1]
    shape = {"x": there + back, "y": list(high) + list(low)[::-1], "fill": "toself", "fillcolor": f"{colour}2e"}
    quiet = {"hoverinfo": "skip", "showlegend": False, "legendgroup": group, "line": {"width": 0}}
    return {"type": "scatter", "mode": "lines"} | shape | quiet


def area(name: str, x: Sequence[float], y: Sequence[float], number: int | None) -> dict[str, Any]:
    """A layer of a stack, in the colour of a number; None: in grey, for what is left."""
    colour = REST if number is None else AREAS[number % len(AREAS)]
    style = {"stackgroup": "one", "line": {"width": 0.5, "color": colour}, "fillcolor": colour}
    return {"type": "scatter", "mode": "lines", "name": name, "x": list(x), "y": list(y)} | style


class Page:
    """A page in the making; each call adds to it."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.parts: list[str] = []
        self.charts = 0

    def heading(self, text: str, level: int = 2) -> None:
        """A heading."""
        self.parts.append(f"<h{level}>{escape(text)}</h{level}>")

    def text(self, *sentences: str) -> None:
        """A paragraph."""
        self.parts.append(f"<p>{escape(' '.join(sentences))}</p>")

    def items(self, sentences: Sequence[str]) -> None:
        """A list."""
        self.parts.append("<ul>" + "".join(f"<li>{escape(each)}</li>" for each in sentences) + "</ul>")

    def links(self, files: Mapping[str, str]) -> None:
        """A list of files that lie beside the page, each with what it holds."""
        each = (f'<li><a href="{quote(name)}">{escape(name)}</a>: {escape(what)}</li>' for name, what in files.items())
        self.parts.append(f"<ul>{''.join(each)}</ul>")

    def table(self, frame: "pl.DataFrame", caption: str, show: Mapping[str, Show] | None = None) -> None:
        """A table, with a way to show the values of some columns; what is missing stays empty."""
        shown = show or {}
        kinds = {name: ' class="number"' if kind.is_numeric() else "" for name, kind in frame.schema.items()}
        head = "".join(f'<th scope="col"{kind}>{escape(name)}</th>' for name, kind in kinds.items())
        body = []
        for row in frame.rows():
            cells = []
            for name, value in zip(frame.columns, row, strict=True):
                text = "" if value is None else shown.get(name, str)(value)
                cells.append(f"<td{kinds[name]}>{escape(text)}</td>")
            body.append(f"<tr>{''.join(cells)}</tr>")
        self.parts.append(
            f'<figure><figcaption>{escape(caption)}</figcaption><div class="wide" tabindex="0"><table>'
            f"<thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table></div></figure>"
        )

    def chart(
        self, traces: Sequence[Trace], alternative: str, x: str = "round", y: str = "regret", **layout: object
    ) -> None:
        """An interactive chart, with a text for those who do not see it."""
        self.charts += 1
        axes = {
            "xaxis": {"title": {"text": x}, "automargin": True},
            "yaxis": {"title": {"text": y}, "automargin": True},
        }
        spec = json.dumps({"data": list(traces), "layout": axes | layout}).replace("<", "\\u003c")
        self.parts.append(
            f'<figure><div class="chart" id="chart{self.charts}" role="img" aria-label="{escape(alternative)}"></div>'
            f'<script type="application/json">{spec}</script><figcaption>{escape(alternative)}</figcaption></figure>'
        )

    def html(self) -> str:
        """The whole page."""
        title = escape(self.title)
        return (
            f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<meta name="color-scheme" content="light dark">\n<link rel="icon" href="data:,">\n'
            f"<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
            + "\n".join(self.parts)
            + f'\n</main>\n<script src="{SCRIPT}"></script>\n'
            f"<script>const LIGHTER = {json.dumps(_LIGHTER)};{_DRAW}</script>\n</body>\n</html>\n"
        )


_LIGHTER = dict(  # the same colours, for dark paper
    zip(COLOURS, ("#62aef2", "#f08a5d", "#66c27d", "#c08be0", "#d6b53c", "#3cc5cf", "#e57ba8", "#aaaaaa"), strict=True)
)

_STYLE = """
:root { --ink: #1b1f24; --paper: #ffffff; --soft: #5b6570; --rule: #d5dae0; --head: #f3f5f7; }
@media screen and (prefers-color-scheme: dark) {
  :root:not(.printing) { --ink: #e6e9ec; --paper: #14181c; --soft: #a3adb8; --rule: #39424c; --head: #1f262d; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.25; }
h2 { margin-top: 2.6rem; border-bottom: 1px solid var(--rule); padding-bottom: .3rem; font-size: 1.3rem; }
h3 { margin-top: 1.8rem; font-size: 1.05rem; }
p, li { max-width: 46rem; }
h1, h2, h3, p, li, caption, figcaption { overflow-wrap: anywhere; }
figure { margin: 1rem 0 1.6rem; }
figcaption { color: var(--soft); font-size: .88rem; padding: .3rem 0; }
a { color: inherit; }
.chart { width: 100%; height: 25rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; }
th, td { border-bottom: 1px solid var(--rule); padding: .3rem .7rem; text-align: left; vertical-align: top; }
th { background: var(--head); }
.number { text-align: right; }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
@media (max-width: 40rem) { main { padding: 1rem .7rem 3rem; } td:not(.number) { min-width: 8rem; } }
@media print {
  main { max-width: none; padding: 0; }
  @page { margin: 1.5cm; }
  figure, tr, figcaption { break-inside: avoid; }
  figure:has(table) { break-inside: auto; }
  h2, h3, figcaption:first-child { break-after: avoid; }
  .wide { overflow: visible; }
  table { font-size: .72rem; }
  th, td { padding: .2rem .4rem; }
}
"""

_DRAW = """
const root = document.documentElement, dark = matchMedia('(prefers-color-scheme: dark)');
const NARROW = 640, PRINTED = 660;
const themed = (layout, [width, height], narrow) => {
  const css = getComputedStyle(root), pick = name => css.getPropertyValue(name).trim();
  const axis = { gridcolor: pick('--rule'), linecolor: pick('--rule'), zerolinecolor: pick('--rule') };
  const below = { y: -0.24, yanchor: 'top' }, above = { y: 1.02, yanchor: 'bottom' };
  return Object.assign({}, layout, {
    paper_bgcolor: 'rgba(0,0,0,0)', plot_bgcolor: 'rgba(0,0,0,0)', width, height,
    font: { color: pick('--ink'), size: narrow ? 11 : 13 }, margin: { l: 55, r: 10, t: 10, b: 45 },
    hovermode: 'closest', legend: Object.assign({ orientation: 'h', x: 0, tracegroupgap: 0 }, narrow ? below : above),
    xaxis: Object.assign({}, layout.xaxis, axis), yaxis: Object.assign({}, layout.yaxis, axis),
  });
};
const draw = () => document.querySelectorAll('.chart').forEach(place => {
  const printing = root.classList.contains('printing'), narrow = innerWidth < NARROW && !printing;
  const written = place.nextElementSibling.textContent, lighter = dark.matches && !printing;
  const { data, layout } = JSON.parse(lighter ? written.replace(/#[0-9a-f]{6}/g, c => LIGHTER[c] || c) : written);
  const names = data.filter(trace => trace.showlegend !== false).map(trace => trace.name.length);
  const rows = names.length / Math.max(1, Math.floor((printing ? 600 : 280) / (50 + 6 * Math.max(...names))));
  const height = 290 + 20 * Math.ceil(rows);
  place.style.height = printing || narrow ? `${height}px` : '';
  const shown = themed(layout, printing ? [PRINTED, height] : [], narrow);
  Plotly.react(place, data, shown, { responsive: true, displaylogo: false });
});
const print = on => () => {
  root.classList.toggle('printing', on);
  draw();
  if (!on) document.querySelectorAll('.chart').forEach(place => Plotly.Plots.resize(place));
};
draw();
dark.addEventListener('change', draw);
matchMedia(`(max-width: ${NARROW - 1}px)`).addEventListener('change', draw);
addEventListener('beforeprint', print(true));
addEventListener('afterprint', print(false));
"""
