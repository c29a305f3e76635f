"""How sure a backtest is: options and learners compared with intervals, who advises, and whether the best changed."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from .. import bootstrap
from ..kernels import Actions, Array
from ..learners import Learner
from .games import Played

ADVISERS = ("guarded", "steering(fixedshare)", "hedge", "lsa")  # the default advisers, the first choice first
FORGETFUL = ADVISERS[1]
FALLBACK = "uniform"  # advises where an even split beats all of these
EVEN = "an even split"
MOST_LOG = 700.0  # of a wealth that a float can hold
ROUNDING = 1e-12  # of what is compared; ends of intervals below it are 0
YOU = "you"


class Change(NamedTuple):
    """The best option changed once: when, and between which options."""

    when: str
    before: str
    after: str
    saved: float  # by changing then, against the best fixed option


class Changed(NamedTuple):
    """A change, and what has been so since then."""

    about: Change
    comparison: pl.DataFrame  # of the options; as `compared` gives it


class Saving(NamedTuple):
    """What the adviser would have saved in all against something else, on the same periods."""

    against: str  # `YOU` or `EVEN`
    periods: int
    share: float  # of what that something paid, without its sign; on prices, of the wealth that it ended with
    total: float  # on prices, in log wealth, as are its limits
    low: float  # at 95 %
    high: float
    clear: bool  # whether it is above 0 at 99 %, so that few such claims are false beside those about options


def compared(name: str, names: Sequence[str], totals: Array, ends: Actions) -> pl.DataFrame:
    """How much worse each is than the best, per period, with intervals that hold for all at once.

    Args:
        name: what they are called.
        names: of those compared.
        totals: (ends, names) what each has paid up to each of some periods.
        ends: the numbers of these periods, from 1.

    Returns:
        The best first: the name, difference, low, high, whether it can be told apart from the best, and whether some
        other, the best or not, is clearly better.
    """
    bins, lengths = np.diff(totals, axis=0, prepend=0.0), np.diff(ends, prepend=0)
    found = bootstrap.compare(bins, lengths)
    least = ROUNDING * float(np.abs(bins).sum(axis=0).max()) / int(lengths.sum())
    low, high = (np.where(np.abs(end) < least, 0.0, end) for end in (found.low, found.high))
    columns = {"difference": found.differences, "low": low, "high": high, "distinguishable": low > 0}
    columns["beaten"] = found.beaten
    return pl.DataFrame({name: pl.Series(names, dtype=pl.String)} | columns).sort("difference", maintain_order=True)


def adviser(
    rivals: pl.DataFrame, learners: dict[str, Learner], chosen: bool, changed: bool, saves: Callable[[str], Saving]
) -> tuple[str, list[str]]:
    """Who advises: the first learner if it was chosen by hand; else by a rule.

    The rule: the first of `ADVISERS` whose cost, switches included, is not significantly above that of the best
    learner; if there is none, the cheapest of them. One whose saving against an even split is below 0 at 95 % is passed
    over, and if all are, the even split advises. Where the best option is known to have changed, the one that forgets
    is asked first: others may take as long to come round as the change is old.

    Args:
        rivals: the learners compared, the cheapest first.
        learners: who was played, by their labels.
        chosen: they were chosen by hand.
        changed: the best option is known to have changed.
        saves: what a learner, by its label, would have saved against an even split.

    Returns:
        Its label, and the labels of those that were passed over.
    """
    if chosen:
        return next(iter(learners)), []
    labels = {learner: label for label, learner in learners.items()}
    order = sorted(ADVISERS, key=lambda words: words != FORGETFUL) if changed else ADVISERS
    listed = [labels[learner] for learner in map(Learner.parse, order) if learner in labels]
    equals = set(rivals.filter(~pl.col("distinguishable"))["learner"])
    cheapest = [label for label in rivals["learner"] if label in listed]
    passed: list[str] = []
    for label in dict.fromkeys([*(label for label in listed if label in equals), *cheapest]):
        if saves(label).high >= 0:
            return label, passed
        passed.append(label)
    return labels[Learner.parse(FALLBACK)], passed


def savings(played: Played, label: str, switch_cost: float) -> list[Saving]:
    """What a learner would have saved against what was really done, if that is known, and against an even split.

    Args:
        played: what was played.
        label: the learner's.
        switch_cost: what it costs to change from one option to another.

    Returns:
        The savings; that against what was really done first, over the periods in which it is known.
    """
    against = [EVEN] if played.you is None else [YOU, EVEN]
    return [saving(played, label, switch_cost, other) for other in against]


def saving(played: Played, label: str, switch_cost: float, against: str = EVEN) -> Saving:
    """What a learner would have saved against something else.

    Args:
        played: what was played.
        label: the learner's.
        switch_cost: what it costs to change from one option to another.
        against: `YOU`, over the periods in which it is known what was really done, or `EVEN`.

    Returns:
        The saving.
    """
    setup, options, begin = played.setup, played.options, 0
    own = next(one for one in played.entries if one.label == label)
    paid, moved = own.spent(options, switch_cost), 0.0
    other: Array = options.totals.mean(axis=1)
    if against == YOU and played.you is not None:
        begin, other = setup.judged, played.you.spent(setup, options, switch_cost)
        moved = own.first_move(setup, switch_cost)
    elif played.benchmarks is not None:
        other = -played.benchmarks.even - options.lows
    kept = setup.recorded > begin
    first, lows = (setup.before(curve) if begin else 0.0 for curve in (paid, options.lows))
    first += moved
    totals = np.column_stack([paid - first, other])[kept]
    bins, lengths = np.diff(totals, axis=0, prepend=0.0), np.diff(setup.recorded[kept], prepend=begin)
    (low, high), (least, _) = (_interval(bins, lengths, level) for level in (0.95, 0.99))
    total, size = float(totals[-1, 1] - totals[-1, 0]), abs(float(totals[-1, 1] + options.low - lows))
    total, low, high = (0.0 if abs(end) < ROUNDING * size else end for end in (total, low, high))
    share = total / size if size else 0.0
    if played.benchmarks is not None:
        share = math.expm1(min(total, MOST_LOG))
    return Saving(against, int(lengths.sum()), share, total, low, high, least > 0)


def _interval(bins: Array, lengths: Actions, level: float) -> tuple[float, float]:
    """Between which limits the second of two columns is above the first, in all."""
    found, periods = bootstrap.compare(bins, lengths, level), int(lengths.sum())
    worse = 1 - found.best
    low, high = float(found.low[worse]) * periods, float(found.high[worse]) * periods
    return (low, high) if found.best == 0 else (-high, -low)


def change(played: Played, times: pl.Series) -> Changed | None:
    """Whether the best option changed, by a test; None: it is not known to have.

    Args:
        played: what was played.
        times: the times of all periods, in order.

    Returns:
        The change, with the options compared since then.
    """
    ends, totals = played.setup.recorded, played.options.totals
    found = bootstrap.change(np.diff(totals, axis=0, prepend=0.0), np.diff(ends, prepend=0))
    if found is None or found.row >= len(ends) - 1:
        return None
    names, start = played.setup.problem.names, int(ends[found.row - 1])
    since = compared("option", names, totals[found.row :] - totals[found.row - 1], ends[found.row :] - start)
    since = since.drop("beaten")
    return Changed(Change(str(times[start]), names[found.before], names[found.after], float(found.saved)), since)
