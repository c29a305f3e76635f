"""The answer of a backtest on the terminal, and all its tables."""

import math
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from rich.text import Text

from .grids import NUMBER, TEXT, Terminal, grid

if TYPE_CHECKING:
    import polars as pl

    from ..backtesting import Backtest

LINES = 24  # of an answer; one more says where the report is
BARS, BAR, SHOWN = 5, 30, 0.005  # options with a bar, its characters, and the least share that has one
CAVEATS = 2
WIDE = 76  # columns that leave room for all numbers
NAME = 24  # characters of a name in a table
LISTED = 10  # options in a table
ROOMY = (  # columns that only a wide terminal shows
    *("average", "share", "gap", "low", "high", "to"),
    *("volatility", "drawdown", "turnover", "promised", "at least", "at most"),
)
SHARES = ("growth", "volatility", "drawdown", "cost")  # columns of the table of wealth
ESTIMATES = ("difference", "at least", "at most")
TEXTS = ("worse", "dates", "promised")  # columns that hold texts
HEADS = {
    "average": "per period",
    "gap": "to clairvoyant",
    "total_with_switches": "with their cost",
    "low": "5 %",
    "high": "95 %",
    "guarantee": "in the end",
    "excess": "worse by",
    "turnover": "traded",
    "promised": "of the trivial",
}
Shown: TypeAlias = tuple[str, str | None, "pl.DataFrame", tuple[str, ...]]  # title, caption, frame, columns


def show_answer(console: Terminal, done: "Backtest") -> None:
    """Print what to do, what that rests on, how sure it is, and what it would have saved, in few lines.

    Args:
        console: where to.
        done: the backtest.
    """
    from ..backtesting.sentences import called

    told, short = done.answer, called(done.problem.names, NAME)
    shown = [(short[name], share) for name, share in told.decision[:BARS] if share >= SHOWN]
    # Each with how soon it is left out where there is no room, the largest first.
    parts = [(0, told.headline), (0, bars(shown)), (1, told.arrives), (0, " ")]
    parts += [(2, f"Why: {told.rests_on[0]}"), *((4, text) for text in told.rests_on[1:2])]
    parts += [(1, text) for text in told.rests_on[2:]]
    parts += [(0, f"How sure: {told.sure[0]}"), *((3, text) for text in told.sure[1:])]
    label = "What it saves: " if told.adviser is not None else ""
    parts += [(1, f"{label}{told.saves[0]}"), *((5, text) for text in told.saves[1:])]
    parts += [(3 if k == 0 else 6, f"{'Read as: ' * (k == 0)}{text}") for k, text in enumerate(told.read_as)]
    parts += [(3 if k == 0 else 6, f"Mind: {text}") for k, text in enumerate(told.caveats[:CAVEATS])]
    parts = [(rank, text) for rank, text in parts if text]
    while sum(len(_lines(text, console.width)) for _, text in parts) > LINES:
        parts.remove(max(reversed(parts), key=lambda part: part[0]))
    for place, (_, text) in enumerate(parts):
        console.print(Text(text, style="bold") if place == 0 else text)


def bars(shares: Sequence[tuple[str, float]]) -> str:
    """Shares of options as bars, one to a line.

    >>> print(bars([("rail", 0.9), ("road", 0.1)]))
      rail  ███████████████████████████ 90 %
      road  ███ 10 %
    """
    from ..backtesting.sentences import percent

    width = max((len(name) for name, _ in shares), default=0)
    return "\n".join(f"  {name:{width}}  {'█' * max(1, round(BAR * share))} {percent(share)}" for name, share in shares)


def _lines(text: str, width: int) -> list[str]:
    """The lines that a text takes on a terminal."""
    return [line for part in text.split("\n") for line in textwrap.wrap(part, width) or [""]]


def show_tables(console: Terminal, done: "Backtest") -> None:
    """Print all sentences and tables; empty tables and columns are left out.

    Args:
        console: where to.
        done: the backtest.
    """
    from ..backtesting.sentences import figure, holds, percent, rough, summary, when

    for sentence in ("", *summary(done), done.verdict, ""):
        console.print(sentence)
    wide = console.width >= WIDE
    shows: dict[str, Callable[[Any], str]] = {"share": percent, "from": when, "to": when}
    shows |= dict.fromkeys(SHARES, percent) | dict.fromkeys(TEXTS, str) | dict.fromkeys(ESTIMATES, rough)
    heads = HEADS | {"total": holds(done), "saved": "gains you" if done.about["gains"] else "saves you"}
    for title, caption, frame, names in _tables(done, wide):
        first, *_ = frame.columns
        kept = [name for name in names if not frame[name].is_null().all() and (wide or name not in ROOMY)]
        texts = [["" if value is None else shows.get(name, figure)(value) for value in frame[name]] for name in kept]
        columns = {first: TEXT} | {heads.get(name, name): NUMBER for name in kept}
        made = grid(title, columns, zip(frame[first], *texts, strict=True), caption)
        made.title_justify = made.caption_justify = "left"
        if frame.height:
            console.print(made)


def _tables(done: "Backtest", wide: bool) -> Iterator[Shown]:
    """Titles, captions, frames, and their columns to show; the sensitivity, which takes longest, is computed last."""
    import polars as pl

    from ..backtesting.sentences import holds, named, per, percent, ranked, richest, worded
    from ..theory import known

    if done.wealth is not None:
        rich = richest(done, done.wealth, LISTED, NAME)
        yield "Wealth, from 1", f"growth and volatility {per(done)}", rich.drop("kind"), tuple(rich.columns[2:])
    costs, what = named(done, worded(done, ranked(done)), NAME), holds(done)
    held = "saved" in costs.columns
    said = "; share: regret over range times periods, the trivial bound" * (wide and not held)
    said = f"{done.periods:,} periods{said}{'; gains you: in log wealth' * (held and done.wealth is not None)}"
    besides = ("periods", "saved") if held else ("share", "gap")
    yield "Learners", said, costs, ("total", "average", "regret", *besides)
    drawn = f"5 %, 95 %: that share of {done.about['replicates']} draws has a lower {what}"
    switches = ("switches", *["total_with_switches"] * bool(done.about["switch_cost"]), "low", "high")
    yield "Switches and draws", None if not wide or costs["low"].is_null().all() else drawn, costs, switches
    past = "; in the end: including what exceeded it" * bool(done.result.guarantees and done.facts.cut_entries)
    within = f"for {what}s within the range{past}"
    most = math.prod(known(done.problem, "a backtest"))  # the trivial bound
    shares = [
        None if bound is None else percent(bound / most) if bound < most else "vacuous" for bound in costs["bound"]
    ]
    promised = costs.with_columns(pl.Series("promised", shares, dtype=pl.String)).drop_nulls("bound")
    yield "Promises: regret at most", within, promised, ("bound", "promised", "guarantee")
    best, left = named(done, worded(done, done.options.head(LISTED)), NAME), len(done.options) - LISTED
    more = f"and {left:,} more" if left > 0 else None
    yield "Options, held all the time", more, best, ("total", "average", "regret")
    yield from _comparisons(done)
    yield "Worst stretches", "against the best option", named(done, done.stretches, NAME), ("from", "to", "excess")
    for own in named(done, done.sensitivity, NAME).partition_by("learner"):
        said = f"regret: known, or {done.problem.memory.short_words} assumed"
        yield f"{own['learner'][0]}, other memories", said, own.drop("learner"), ("known", "assumed")


def _comparisons(done: "Backtest") -> Iterator[Shown]:
    """Options and learners compared with the best, and the best paths."""
    import polars as pl

    from ..backtesting.sentences import named, worded

    for title, frame in (("Options", done.comparison), ("Learners", done.rivals)):
        some = named(done, frame.head(LISTED), NAME).rename({"low": "at least", "high": "at most"})
        told = pl.when("distinguishable").then(pl.lit("clearly"))
        columns = ("difference", "at least", "at most", "worse")
        yield (
            f"{title}, compared with the best",
            f"per period, at 95 % for all {title.lower()} together",
            some.with_columns(worse=told),
            columns,
        )
    paths = done.paths.with_columns(
        pl.col("changes").cast(pl.String), pl.col("dates").list.eval(pl.element().cast(pl.String)).list.join("\n")
    )
    yield (
        "Best paths in hindsight",
        "with at most so many changes, each of which counts at once",
        worded(done, paths).rename({"saved": "better by"}),
        ("total", "better by", "dates"),
    )
