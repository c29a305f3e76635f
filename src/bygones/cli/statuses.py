"""The status of a journal on the terminal: what to do, what is held, what was paid, and what is promised."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from ..visible import visible
from .answers import BARS, NAME, SHOWN, bars
from .grids import Terminal

if TYPE_CHECKING:
    from ..live.status import Status

LISTED = 3  # options or periods in a sentence
LONGEST = 40  # characters of a period


def show_decision(console: Terminal, status: "Status") -> None:
    """Print what to do in the round at hand, and what it makes of the state.

    Args:
        console: where to.
        status: of the journal.
    """
    from ..backtesting.sentences import called

    short = called([each.name for each in status.options], NAME)
    decided = [(short[each.name], each.decision) for each in status.options]
    ranked = sorted((each for each in decided if each[1] >= SHOWN), key=lambda each: -each[1])
    after = _called(status.waiting[-1] if status.waiting else status.last or "")
    head = f"For round {status.round}{f', after {after}' if after else ''}: "
    head += ranked[0][0] if len(ranked) == 1 else mix(ranked)
    how = ", which is really done" if status.overridden else ", as proposed and allowed" if status.proposed else ""
    console.print(Text(visible(f"{head}{how}."), style="bold"))
    console.print(bars(ranked[:BARS]))
    if status.overridden:
        console.print(f"The learner advises: {mix((short[each.name], each.advice) for each in status.options)}.")
    held = [(short[each.name], each.held) for each in status.options if each.held is not None]
    console.print(f"Held before: {mix(held)}." if held else "Nothing was held before.")
    what = "which is what your gains depend on" if status.gains else "which is what you pay for"
    state = mix((short[each.name], each.state) for each in status.options)
    console.print(f"Held with it, {what} ({status.memory}): {state}.")
    gone = [short[each.name] for each in status.options if each.needed and not each.open]
    if gone:
        console.print(f"Retired but still held, so that costs are needed: {_some(gone)}.")
    if status.waiting:
        console.print(f"Decided, with costs still to come: {_some([_called(each) for each in status.waiting])}.")


def show_status(console: Terminal, status: "Status") -> None:
    """Print what to do, what was paid, and what is promised, in few lines.

    Args:
        console: where to.
        status: of the journal.
    """
    from ..backtesting.sentences import called, figure

    show_decision(console, status)
    console.print(" ")
    short = called([each.name for each in status.options], NAME)
    did, beside = ("gained", "less") if status.gains else ("paid", "more")
    if status.best is not None:
        more = beside if status.regret >= 0 else {"more": "less", "less": "more"}[beside]
        console.print(
            f"In {status.rounds:,} rounds you {did} {figure(status.total)}. Regret: {figure(status.regret)}, that is "
            f"{figure(abs(status.regret))} {more} than {short[status.best]} alone, the best option so far."
        )
    for sentence in _promised(status):
        console.print(sentence)
    what = "gains" if status.gains else "costs"
    range_ = "of any range" if status.cost_range is None else f"that differ by at most {figure(status.cost_range)}"
    console.print(f"{status.journal}: {status.learner}, {status.memory}, {what} {range_}; {status.events:,} entries.")


def _promised(status: "Status") -> Iterator[str]:
    """What is promised about regret, in sentences."""
    from ..backtesting.sentences import figure, percent

    told = status.promise
    end = "so far" if status.horizon is None else f"after {status.horizon:,} rounds"
    if told.ended:
        yield f"Nothing is promised any more: {told.ended}."
    elif told.promise is not None and told.lost is not None:
        yield f"The promise was lost by what was done in round {told.lost}; what holds is {figure(told.promise)} {end}."
    elif told.promise is not None:
        yield f"Promised: a regret of at most {figure(told.promise)} {end}, if you follow the decisions."
        if told.trust is not None and told.trust < 1:
            yield f"The guard goes {percent(told.trust)} of the way; {figure(told.room or 0.0)} of the promise is left."
    elif told.guarantee is not None:
        yield f"Promised, by what was seen: a regret of at most {figure(told.guarantee)} {end}."
    else:
        yield "Nothing is promised: this learner proves nothing here."


def mix(weights: Iterable[tuple[str, float]]) -> str:
    """Options with their shares, the largest first.

    >>> mix([("rail", 0.25), ("road", 0.75), ("sea", 0.0)])
    'road 75 %, rail 25 %'
    """
    from ..backtesting.sentences import percent

    ranked = sorted((each for each in weights if each[1] >= SHOWN), key=lambda each: -each[1])
    return _some([f"{name} {percent(share)}" for name, share in ranked]) or "nothing"


def _called(period: str) -> str:
    """What a period is called, not too long."""
    return period if len(period) <= LONGEST else f"{period[: LONGEST - 1]}…"


def _some(texts: Sequence[str]) -> str:
    left = len(texts) - LISTED
    return ", ".join(texts[:LISTED]) + (f" and {left:,} more" if left > 0 else "")
