"""What a journal has come to, as sentences."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np

from ...backtesting.sentences import PYTHON, figure
from ...report import Verdict
from ..events import COMMITTED, CREATED, JOINED, OBSERVED, OVERRIDDEN, PROPOSED, RENAMED, RETIRED, Event
from ..records import weights_of
from ..status import Option, Status
from .drawing import SEEN, percent

NAMED = 4  # options in a sentence


class Said(NamedTuple):
    """An entry of the log, in words."""

    number: int
    text: str
    time: str
    shown: str  # the time, for readers
    author: str
    undone: bool


def mix(names: Sequence[str], weights: Sequence[float]) -> str:
    r"""A mix of options in words.

    Args:
        names: of all options.
        weights: theirs.

    Returns:
        The largest share first.

    >>> mix(["rail", "road", "sea"], [0.25, 0.75, 0.0]), mix(["rail", "road"], [1.0, 0.0])
    ('75\xa0% road, 25\xa0% rail', 'all in rail')
    """
    order = sorted((i for i in range(len(names)) if weights[i] >= SEEN), key=lambda i: -weights[i])
    if len(order) == 1 and weights[order[0]] >= 1 - SEEN:
        return f"all in {names[order[0]]}"
    parts = [f"{percent(weights[i])} {names[i]}" for i in order[:NAMED]]
    rest = 1 - sum(weights[i] for i in order[:NAMED])
    return ", ".join([*parts, f"{percent(rest)} in others"] if rest >= SEEN else parts)


def headline(status: Status) -> str:
    """What to do in the round at hand."""
    chosen = mix(*_columns(status.options, "decision"))
    if status.overridden:
        return f"Somebody entered what is really done: {chosen}."
    return f"Decide {chosen.removeprefix('all in ')}." if chosen.startswith("all in ") else f"Split: {chosen}."


def decided(status: Status) -> str:
    """The next decision, for a list of journals."""
    return mix(*_columns(status.options, "decision"))


def when(status: Status, period: str) -> str:
    """Which round is at hand.

    Args:
        status: of the journal.
        period: what the round is called, as far as one can guess.

    Returns:
        Such as `round 5, 2026-11-20`.
    """
    return f"round {status.round:,}" + ("" if period == str(status.round) else f", {period}")


def move(status: Status) -> list[str]:
    """What is held, and what becomes of it."""
    names, state = _columns(status.options, "state")
    rule = f"You {'gain' if status.gains else 'pay'} by the state, the average of past decisions that the memory gives."
    if status.options[0].held is None:
        return [f"Nothing was decided before, so this decision is the whole state: {mix(names, state)}.", rule]
    changes = [(each.state - (each.held or 0.0), each.name) for each in status.options]
    moved = sum(abs(change) for change, _ in changes) / 2
    if moved < SEEN:
        return ["The decision leaves what is held as it is.", rule]
    large = sorted((pair for pair in changes if abs(pair[0]) >= SEEN), key=lambda pair: -abs(pair[0]))
    said = ", ".join(f"{name} {'+' if change > 0 else '−'}{percent(abs(change))}" for change, name in large[:NAMED])  # noqa: RUF001
    return [f"{percent(moved)} of what is held moves: {said}.", rule]


def sure(status: Status) -> list[str]:
    """What is promised about regret, or why nothing is any more.

    Args:
        status: of the journal.

    Returns:
        Sentences.
    """
    known, unit = status.promise, _unit(status)
    if known.ended:
        return [f"Nothing is promised any more, because {known.ended}.", "Decisions are still made by the same rule."]
    found = []
    until = "so far" if status.horizon is None else f"after all {status.horizon:,} rounds"
    if known.promise is not None:
        head = f"Promised: regret {until} is at most {figure(known.promise)}, whatever the {unit} are within the range"
        if known.lost:
            found.append(f"The first promise was lost in round {known.lost:,}, by what was really done then.")
        found.append(f"{head}, if you do what is decided here.")
    if known.trust is not None and known.promise is not None:
        whose = "the proposal" if status.proposed else "its own learner"
        found.append(
            f"The guard follows {whose} {'fully' if known.trust > 1 - SEEN else percent(known.trust) + ' of the way'}."
        )
    if known.feared is not None and known.room is not None and known.feared > known.room > 0:
        took = f"It may take {figure(known.feared)} of the promise's room, and {figure(known.room)} is left"
        found.append(f"{took}: the promise may be lost by what is done in this round.")
    if known.guarantee is not None and (status.rounds or status.horizon):  # else it is that of no rounds
        found.append(f"By what was seen, regret is guaranteed to be at most {figure(known.guarantee)}.")
    if not found:
        past = status.horizon is not None and status.rounds > status.horizon
        why = f"all {status.horizon:,} rounds are over" if past else f"for {learner(status)} nothing is proved here"
        found = [f"Nothing is promised: {why}."]
    return found


def verdicts(status: Status) -> list[Verdict]:
    """The figures of a journal."""
    what = "Gained" if status.gains else "Paid"
    best = f"best single option so far: {status.best}" if status.best else "no round is over yet"
    less = "less gained" if status.gains else "more paid"
    found = [
        Verdict(f"{what} so far", figure(status.total), f"in {_rounds(status.rounds)}", best),
        Verdict(
            "Regret",
            figure(status.regret),
            f"{less} than with {status.best} all the time" if status.best else "nothing to compare yet",
            "a negative regret is good: you did better than any single option" if status.regret < 0 else "",
        ),
    ]
    known = status.promise
    if known.ended:
        found.append(Verdict("Promise", "none", "no promise holds any more", known.ended, False))
        return found
    if known.guarantee is not None:
        note = "it tightens as rounds go by" if status.horizon else "of the rounds so far; the horizon is not known"
        found.append(
            Verdict("Guarantee", figure(known.guarantee), "regret is at most this, by what was seen", note, True)
        )
    if known.promise is not None and known.room is not None and known.trust is not None:
        lost = f"the first promise was lost in round {known.lost:,}" if known.lost else ""
        room = f"{figure(known.room)} of room is left for this decision"
        said = f"the guard trusts {'the proposal' if status.proposed else 'its learner'} {percent(known.trust)}"
        found.append(Verdict("Promise", figure(known.promise), said, lost or room, not known.lost))
    return found


def waits(status: Status) -> str:
    """What somebody has to enter."""
    count = len(status.waiting)
    if not count:
        return ""
    periods = status.waiting[0] if count == 1 else f"{status.waiting[0]} to {status.waiting[-1]}"
    return f"the {_unit(status)} of {_rounds(count)}: {periods}"


def learner(status: Status) -> str:
    """Who decides."""
    return PYTHON.sub("", status.learner)


def said(event: Event, names: Sequence[str], gains: bool, undone: bool) -> Said:
    """An entry of the log in words.

    Args:
        event: the entry.
        names: of all options.
        gains: what is entered are gains.
        undone: it was taken back.

    Returns:
        What it says.
    """
    at = datetime.fromisoformat(event.time)
    return Said(event.number, entry(event, names, gains), event.time, f"{at:%Y-%m-%d %H:%M} UTC", event.author, undone)


def entry(event: Event, names: Sequence[str], gains: bool) -> str:
    """What was entered.

    Args:
        event: the entry.
        names: of all options.
        gains: what is entered are gains.

    Returns:
        What somebody did, without who did it.
    """
    data, about = event.data, f"round {event.round:,}" + (f" ({event.period})" if event.period else "")
    if event.kind == CREATED:
        actions = data["problem"]["actions"]
        return f"began the journal with {actions if isinstance(actions, int) else len(actions):,} options"
    if event.kind == OBSERVED:
        return f"entered the {'gains' if gains else 'costs'} of {about}"
    if event.kind == COMMITTED:
        return f"let the decision of {about} stand: {_chosen(data, names)}"
    if event.kind == OVERRIDDEN:
        return f"entered what is really done in {about}: {_chosen(data, names)}"
    if event.kind == PROPOSED:
        return f"proposed for {about}: {_chosen(data, names)}"
    if event.kind == RENAMED:
        return f"renamed {data['option']} to {data['name']}"
    if event.kind in (RETIRED, JOINED):
        return f"{'retired' if event.kind == RETIRED else 'took in'} {data['option']}"
    return f"took entry {event.undoes} back"


def _chosen(data: Mapping[str, Any], names: Sequence[str]) -> str:
    weights = weights_of(data["decision"], len(names))
    return mix(names, np.asarray(weights).tolist())


def _columns(options: Sequence[Option], column: str) -> tuple[list[str], list[float]]:
    return [each.name for each in options], [float(getattr(each, column)) for each in options]


def _unit(status: Status) -> str:
    return "gains" if status.gains else "costs"


def _rounds(count: int) -> str:
    return f"{count:,} round{'s'[: count != 1]}"
