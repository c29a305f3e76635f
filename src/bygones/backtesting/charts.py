"""The charts of a backtest's page."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from ..kernels import Array
from ..report import AREAS, INK, Lane, Page, lanes, line
from .certainty import YOU
from .sentences import called, holds, named, ranked, spoken, when

if TYPE_CHECKING:
    from .outcome import Backtest

LANES = 9  # options with a lane of their own
SEEN = 0.01  # the least share that is drawn
MINE = {"color": INK, "dash": "solid", "width": 3}  # the line of what you did
MARKED = 12  # changes that are marked; of more, the last one


def numbers(done: "Backtest") -> dict[str, int]:
    """The number of each option's colour, which it keeps on the whole page; options that matter most come first."""
    decided = [name for name, share in (*done.answer.decision, *(done.answer.held or ())) if share >= SEEN]
    states = done.decisions.group_by("option", maintain_order=True).agg(pl.col("state").mean())
    most = states.sort("state", descending=True, maintain_order=True)["option"]
    order = dict.fromkeys([*decided, *most[:LANES], *done.options["option"]])
    return {name: number for number, name in enumerate(order) if number < len(AREAS)}


def values(page: Page, done: "Backtest") -> None:
    """What each option cost in each period: one lane per option, the best one first.

    Args:
        page: the page to add to.
        done: the backtest.
    """
    names, what = called(done.problem.names), holds(done)
    sign, best = -1.0 if done.about["gains"] else 1.0, done.options["option"][:LANES].to_list()
    drawn = {option: sign * done.costs.filter(option=option)["value"].to_numpy() for option in best}
    panels = {names[option]: Lane(drawn[option], 0) for option in best}
    ends = [edge(own) for own in drawn.values() for edge in (np.min, np.max)]
    room = 0.04 * (max(ends) - min(ends)) or 1.0
    left = done.problem.n - len(best)
    more = f" The {left:,} other options are worse." if left > 0 else ""
    means = " Each point is the mean of several periods." if done.periods > done.result.rounds.size else ""
    change = done.facts.change
    marked = f" The line marks {when(change.when)}, when the best option changed." if change else ""
    traces, layout = lanes(
        panels,
        _times(done),
        span=(float(min(ends) - room), float(max(ends) + room)),
        marks=[] if change is None else [_moment(done, change.when)],
    )
    said = f"The {what} of each option over time, on the same scale, the best one first.{more}{means}{marked}"
    page.chart(traces, said, **layout)


def differences(page: Page, done: "Backtest") -> None:
    """How much worse each learner did than the best single option, up to each period.

    Args:
        page: the page to add to.
        done: the backtest.
    """
    names, traces, yours = spoken(done), [], done.path.filter(learner=YOU)
    for number, label in enumerate(_deciders(done)):
        own = done.path.filter(learner=label)
        regrets, look = own["regret"], {"line": MINE} if label == YOU else {}
        if yours.height:  # over your periods only, for all
            mine = own["round"] >= yours["round"][0]
            before = own.filter(~mine)["cost"]
            own = own.filter(mine)
            regrets = own["cost"] - (before[-1] if len(before) else 0.0) - (yours["cost"] - yours["regret"])
        traces.append(line(names[label], _plain(own["time"]), regrets, number) | look)
    worse = "less gain than" if done.about["gains"] else "more than"
    said = (
        f"The difference to the best single option up to each period, which is called regret: how much {worse} that "
        "option each has had so far. Lower is better, and below zero it did better than any single option."
    )
    if yours.height:
        count = f"the {done.accounts.filter(learner=YOU)['periods'][0]:,} periods in which your state is known"
        said += f" All is counted from {when(yours['time'][0])} on, over {count}."
    page.chart(traces, said, x="", y=f"{worse} the best option")


def shown(done: "Backtest") -> list[str]:
    """Whose decisions are drawn: the adviser, what was really done, and the best two others."""
    you = [YOU] if YOU in done.decisions["learner"] else []
    others = [label for label in ranked(done)["learner"] if label not in (done.adviser, YOU)]
    return [done.adviser, *you, *others[:2]]


def bands(page: Page, done: "Backtest", label: str, column: str) -> None:
    """Decisions or states of a learner, or of yours: one lane per option, with changes marked.

    Args:
        page: the page to add to.
        done: the backtest.
        label: the learner's, or `YOU`.
        column: `decision` or `state`.
    """
    own = done.decisions.filter(learner=label)
    times, weights = _plain(own["time"][:: done.problem.n]), own[column].to_numpy().reshape(-1, done.problem.n)
    marks, changed = _changes(times, weights, weights.shape[0] == done.periods)
    traces, layout = lanes(_panels(done, weights), times, span=(0.0, 1.0), shares=True, marks=marks)
    who = "your" if label == YOU else f"the learner {spoken(done)[label]}'s"
    what = "decisions" if column == "decision" else "state, the average that the memory makes of its decisions"
    page.chart(
        traces, f"{who[0].upper()}{who[1:]} {what}: the height of a band is an option's share. {changed}", **layout
    )


def guarantees(page: Page, done: "Backtest") -> None:
    """Regret beside what can still become of it, for the learners that have a guarantee.

    Args:
        page: the page to add to.
        done: the backtest.
    """
    t, names, traces = _times(done), spoken(done), []
    for number, label in enumerate(done.learners):
        if label in done.result.guarantees:
            own, held = done.path.filter(learner=label)["regret"], done.result.guarantees[label][0]
            traces.append(line(names[label], t, own, number))
            traces.append(line(f"{names[label]}, guarantee", t, held, number, thin=True))
    page.chart(traces, "Regret so far, and the guarantee for the regret at the end, drawn thin.", x="")


def lengths(page: Page, done: "Backtest") -> None:
    """Regret by the length of the memory.

    Args:
        page: the page to add to.
        done: the backtest.
    """
    parts = named(done, done.sensitivity).partition_by("learner")
    traces = [
        line(f"{own['learner'][0]}, {column}", own["length"], own[column], number, thin=column == "assumed")
        for number, own in enumerate(parts)
        for column in ("known", "assumed")
    ]
    who = ", ".join(own["learner"][0] for own in parts)
    page.chart(traces, f"Regret of {who} by the length of the memory.", x="length of the memory")


def _deciders(done: "Backtest") -> list[str]:
    """The learners, and you where it is known what you did."""
    return done.path["learner"].unique(maintain_order=True).to_list()


def _panels(done: "Backtest", weights: Array) -> dict[str, Lane]:
    """One lane per option that has a share worth seeing, the largest first; the others share one."""
    names, colours = called(done.problem.names), numbers(done)
    means = weights.mean(axis=0)
    order = np.argsort(-means, kind="stable")
    own = order[: max(1, min(LANES, int((means >= SEEN).sum())))]
    options = [done.problem.names[i] for i in own]
    panels = {names[option]: Lane(weights[:, i], colours.get(option)) for i, option in zip(own, options, strict=True)}
    rest = np.delete(weights, own, axis=1)
    if rest.sum(axis=1).max() >= SEEN:
        panels[f"{rest.shape[1]} other{'s'[: rest.shape[1] > 1]}"] = Lane(rest.sum(axis=1), None)
    return panels


def _changes(times: Sequence[Any], weights: Array, all_shown: bool) -> tuple[list[Any], str]:
    """Where the largest share changes from one option to another, and that in a sentence."""
    best = weights.argmax(axis=1)
    places = [times[k] for k in (np.flatnonzero(np.diff(best)) + 1).tolist()]
    among = "" if all_shown else " among the periods shown"
    if not places:
        return [], f"The largest share is always the same option's{among}."
    often = "once" if len(places) == 1 else f"{len(places)} times"
    if len(places) <= MARKED:
        return places, f"The largest share changes {often}{among}, where lines are."
    return places[-1:], f"The largest share changes {often}{among}, the last time where the line is."


def _times(done: "Backtest") -> list[Any]:
    """When the periods of a chart were, as its axis wants it."""
    return _plain(done.path.filter(learner=next(iter(done.learners)))["time"])


def _plain(times: pl.Series) -> list[Any]:
    return times.to_list() if times.dtype.is_numeric() else list(map(str, times))


def _moment(done: "Backtest", moment: str) -> object:
    """A time that was written down, as an axis wants it."""
    return float(moment) if done.path["time"].dtype.is_numeric() else moment
