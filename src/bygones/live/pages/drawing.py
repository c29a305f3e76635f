"""Charts and bars as SVG, drawn here: with textures beside colours, and in widths that follow the screen."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ...backtesting import sentences
from ...backtesting.sentences import figure
from ...kernels import Array
from ...report import AREAS, REST
from .periods import Tick, places
from .trail import Mark, stacked

SHARES = 6  # options that have a share of their own; the others have one together
SEEN = 0.005  # the least share that is shown
TEXTURES = (
    "",
    "M-2 10L10 -2M-2 2L2 -2M6 10L10 6",
    "M0 4H8",
    "M2 2h1.6v1.6h-1.6zM6 6h1.6v1.6h-1.6z",
    "M-2 -2L10 10M-2 6L2 10M6 -2L10 2",
    "M4 0V8",
    "M0 4H8M4 0V8",
)


class Fill(NamedTuple):
    """The look of an option: a colour and a texture, which differ for neighbours."""

    id: str
    colour: str
    texture: str


class Share(NamedTuple):
    """A part of a bar, in hundredths."""

    name: str
    weight: float
    fill: Fill
    begins: float
    text: str


class Line(NamedTuple):
    """A line of a chart: what it is, which look it has, and its path from 0 to 1,000 both ways."""

    name: str
    look: str
    path: str


class Level(NamedTuple):
    """A line across a chart: how far down, from 0 to 1, and what it says."""

    at: float
    text: str


class Chart(NamedTuple):
    """Lines over the rounds."""

    about: str
    lines: list[Line]
    levels: list[Level]
    ticks: list[Tick]
    left: bool  # where the levels are labelled: not where lines are near them


class Band(NamedTuple):
    """An option's part of a stack: the outline from 0 to 1 both ways; those before it lie below it."""

    name: str
    fill: Fill
    outline: str


class Bands(NamedTuple):
    """Shares over the rounds."""

    id: str
    about: str
    bands: list[Band]
    ticks: list[Tick]


def fill_of(number: int | None) -> Fill:
    """The look of an option by its number; None: of all the others."""
    if number is None:
        return Fill("fill-others", REST, TEXTURES[0])
    return Fill(f"fill-{number}", AREAS[number % len(AREAS)], TEXTURES[number % len(TEXTURES)])


def percent(share: float) -> str:
    """A share as a percentage that stays on one line."""
    return sentences.percent(share).replace(" ", "\N{NO-BREAK SPACE}")


def shares_of(names: Sequence[str], *rows: Sequence[float]) -> list[list[Share]]:
    """The shares of bars that stand above each other: the largest first, small ones together.

    Args:
        names: of all options.
        rows: their weights, one row for each bar.

    Returns:
        The shares of each bar, of the same options in the same order.
    """
    most = [max(weights) for weights in zip(*rows, strict=True)]
    order = sorted(range(len(names)), key=lambda i: -most[i])
    large = [i for i in order if most[i] >= SEEN][:SHARES] or order[:1]
    others = sum(weight > 0 for weight in most) - len(large)
    rests = [1 - sum(weights[i] for i in large) for weights in rows]
    kept = [(names[i], fill_of(i), [weights[i] for weights in rows]) for i in large]
    if max(rests) >= SEEN:
        kept.append((f"{others} other{'s'[: others > 1]}", fill_of(None), rests))
    found = list[list[Share]]()
    for k in range(len(rows)):
        begins = 0.0
        found.append([])
        for name, fill, weights in kept:
            width = 100 * float(weights[k])
            found[-1].append(Share(name, round(width, 3), fill, round(begins, 3), percent(weights[k])))
            begins += width
    return found


def regret_chart(marks: Sequence[Mark]) -> Chart:
    """Regret, and what is guaranteed of it, over the rounds."""
    xs, ticks = places([mark.period for mark in marks], [mark.round for mark in marks])
    rows: dict[str, list[float | None]] = {
        "regret": [mark.regret for mark in marks],
        "guarantee": [mark.guarantee for mark in marks],
    }
    shown = {name: row for name, row in rows.items() if any(value is not None for value in row)}
    known = [value for row in shown.values() for value in row if value is not None]
    low, high = min(0.0, *known), max(0.0, *known)
    high = high if high > low else low + 1

    def down(value: float) -> float:
        return 1 - (value - low) / (high - low)

    lines = [
        Line(name, name, _path([None if y is None else (x, down(y)) for x, y in zip(xs, row, strict=True)]))
        for name, row in shown.items()
    ]
    said = [f"{name} {figure(row[-1])}" for name, row in shown.items() if row[-1] is not None]
    about = f"Over {_rounds(marks)}, from {marks[0].period} to {marks[-1].period}. At the end: {', '.join(said)}."
    levels = [Level(round(down(each), 4), f"{each:,.12g}") for each in _levels(low, high)]

    def clear(value: float | None) -> float:
        return 1.0 if value is None else min((abs(down(value) - level.at) for level in levels[1:]), default=1.0)

    left = min(clear(row[0]) for row in shown.values()) >= min(clear(row[-1]) for row in shown.values())
    return Chart(about, lines, levels, ticks, left)


def bands_of(which: str, marks: Sequence[Mark], names: Sequence[str]) -> Bands:
    """Shares of the options over the rounds: their decisions, which are steps, or the states.

    Args:
        which: `decisions` or `state`.
        marks: of the trail, at least one.
        names: of all options.

    Returns:
        What is drawn, the lowest band last, as it is painted over the others.
    """
    n = len(names)
    rounds = np.array([[mark.rounds] for mark in marks])
    table = (
        stacked([mark.decisions for mark in marks], n) / rounds
        if which == "decisions"
        else stacked([mark.state for mark in marks], n)
    )
    large, parts = _large(table)
    xs, ticks = places([mark.period for mark in marks], [mark.round for mark in marks])
    tops = np.cumsum(np.column_stack(parts), axis=1)
    labels = [(names[i], fill_of(i)) for i in large] + [("all others", fill_of(None))] * (len(parts) > len(large))
    bands = [
        Band(name, fill, _outline(xs, tops[:, k], steps=which == "decisions")) for k, (name, fill) in enumerate(labels)
    ]
    means = sorted(zip((part.mean() for part in parts), labels, strict=True), key=lambda pair: -pair[0])
    most = ", ".join(f"{name} {percent(float(share))}" for share, (name, _) in means[:3])
    about = f"{'Decisions' if which == 'decisions' else 'States'} over {_rounds(marks)}, on average {most}."
    return Bands(which, about, bands[::-1], ticks)


def _rounds(marks: Sequence[Mark]) -> str:
    return f"{marks[-1].round:,} round{'s'[: marks[-1].round != 1]}"


def _large(table: Array) -> tuple[list[int], list[Array]]:
    """The options with the largest shares, in their order, and all shares: theirs, and that of the others."""
    means = table.mean(axis=0)
    kept = [int(i) for i in np.argsort(-means, kind="stable")[:SHARES] if means[i] >= SEEN]
    large = sorted(kept)
    rest = 1 - table[:, large].sum(axis=1)
    return large, [table[:, i] for i in large] + ([rest] if rest.max() >= SEEN else [])


def _levels(low: float, high: float) -> list[float]:
    """Round numbers between the least and the largest."""
    span = (high - low) or 1.0
    size = 10.0 ** math.floor(math.log10(span / 4))
    step = next(size * k for k in (1, 2, 2.5, 5, 10) if span / (size * k) <= 4)
    return [k * step for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def _path(points: Iterable[tuple[float, float] | None]) -> str:
    """A path through points, with gaps."""
    found, pen = list[str](), "M"
    for point in points:
        if point is None:
            pen = "M"
            continue
        found.append(f"{pen}{1000 * point[0]:.4g} {1000 * point[1]:.4g}")
        pen = "L"
    return "".join(found)


def _outline(xs: Sequence[float], tops: Array, *, steps: bool) -> str:
    """The area below an edge; a step reaches back to the mark before."""
    found, before = ["M0 1"], ""
    for k, (x, top) in enumerate(zip(xs, tops, strict=True)):
        y = f"{max(0.0, 1 - float(top)):.4g}"
        if y != before:
            if steps and k:
                found.append(f"V{y}")
            else:
                found.append(f"L{x:.4g} {y}" if k else f"V{y}")
        found.append(f"H{x:.4g}" if steps or y == before else "")
        before = y
    return f"{''.join(found)}{'H1' if len(xs) == 1 else ''}V1Z"
