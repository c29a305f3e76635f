"""What may be entered in a journal: each request is checked against the game, and becomes an event or a sentence."""

import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

import numpy as np
import sqlalchemy as sa

from ..learners.player.guarded import GuardedPlayer
from ..validation import shown
from .events import COMMITTED, JOINED, OBSERVED, OVERRIDDEN, PROPOSED, RETIRED, UNDONE, Event, plain
from .game import Game
from .ledger import ConflictError, Ledger
from .schema import LABEL, rounds

NAME = re.compile(r"[^\W_][\w .-]{0,99}")  # of a journal; it stands in addresses
HIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")  # what nobody can see in a label


class Request(NamedTuple):
    """Something to be entered.

    Args:
        kind: as of an event, `created` left out.
        value: costs, a decision, or the name of an option.
        period: what the round is called: a date or any text.
        name: the new name of an option.
        clip: let the learner see costs beyond the range as cut off there.
        key: what the request is called, so that it can be sent again.
        author: who says so.
    """

    kind: str
    value: Any = None
    period: str | date | None = None
    name: str = ""
    clip: bool = False
    key: str | None = None
    author: str = ""


def enter(ledger: Ledger, connection: sa.Connection, asked: Request) -> Event:
    """Enter what is asked for, once.

    Args:
        ledger: of the journal, caught up with.
        connection: within a transaction that writes.
        asked: the request.

    Returns:
        The event, new or of the first time.

    Raises:
        ConflictError: if the period is there with other costs, or the key was used for something else.
        ValueError: if it does not fit; nothing has changed.
    """
    digest = None
    if asked.key is not None:
        digest = _digest(asked)
        known = ledger.of_key(connection, label("the key", asked.key))
        if known is not None:
            if known.data.get("request") == digest:
                return known
            raise ConflictError(
                f"the key {shown(asked.key)} was used for event {known.number}, which asked for something else: "
                "use a new key"
            )
    if asked.kind == UNDONE:
        return ledger.undo(connection, asked.author, asked.key, digest)
    period, body = asked.period, dict[str, Any]()
    if asked.kind == OBSERVED:
        called = _observed_period(ledger, connection, asked)
        if isinstance(called, Event):
            return called
        costs = ledger.game.checked_costs(asked.value, asked.clip)
        period, body = called, ledger.game.observation(costs, asked.clip)
    elif asked.kind == COMMITTED:
        period, body = _committed_period(ledger, connection, asked), {"decision": plain(ledger.game.decision())}
    elif asked.kind in (PROPOSED, OVERRIDDEN):
        body = decided(ledger.game, asked.kind, asked.value)
    else:
        body = _changed(ledger.game, asked)
    body |= {} if digest is None else {"request": digest}
    return ledger.enter(connection, asked.kind, body, author=asked.author, period=str(period or ""), key=asked.key)


def enter_all(
    ledger: Ledger, connection: sa.Connection, rows: Sequence[tuple[str, Mapping[str, float]]], clip: bool, author: str
) -> list[Event]:
    """Observe many periods. In those that are known, options that came later or have gone are not compared.

    Dates before the first period of the journal are passed over: a table may begin earlier than it.

    Args:
        ledger: of the journal, caught up with.
        connection: within a transaction that writes.
        rows: the periods, and what each option cost; those that run out of the state on the way are left out then.
        clip: as in `Request`.
        author: likewise.

    Returns:
        The events, those that were there already included.

    Raises:
        ValueError: if one does not fit: the transaction is to be rolled back.
    """
    found, first = [], _first(ledger, connection)
    for period, costs in rows:
        game, known = ledger.game, ledger.of_period(connection, period_label(period))
        if known is None and (_between(first, period) or timedelta(0)) < timedelta(0):
            continue
        if known is None:
            given = {name: cost for name, cost in costs.items() if game.counts(game.names.index(name))}
        else:
            there = _there(game, known)
            given = there | {name: cost for name, cost in costs.items() if name in there}
        found.append(enter(ledger, connection, Request(OBSERVED, given, period, clip=clip, author=author)))
    return found


def _first(ledger: Ledger, connection: sa.Connection) -> str:
    """What the first round is called, observed or waiting; empty if there is none."""
    chosen = sa.select(rounds.c.period).where(rounds.c.journal == ledger.id, rounds.c.round == 1)
    waiting = ledger.game.waiting
    return connection.execute(chosen).scalar() or (waiting[0].period if waiting else "")


def decided(game: Game, kind: str, decision: Any) -> dict[str, Any]:  # noqa: ANN401
    """The body of an event that proposes or overrides.

    Args:
        game: what the journal has come to.
        kind: `proposed` or `overridden`.
        decision: for the round at hand.

    Returns:
        The body.

    Raises:
        ConflictError: if the round has one already.
        ValueError: if it is not a decision, or the round has one already.
    """
    checked = game.checked_decision(decision)
    if kind == PROPOSED and not isinstance(game.player, GuardedPlayer):
        raise ValueError(
            f"the learner is {game.learner!r}, which takes no proposals: begin a journal with Guarded, or override"
        )
    for have, what in ((game.proposal, "a proposal"), (game.real, "an override")):
        if have is not None and (kind == PROPOSED or what == "an override"):
            raise ConflictError(f"round {game.round} has {what} already: undo it, or enter the round's costs first")
    game.ahead.ready(1)
    return {"decision": plain(checked)}


def _observed_period(ledger: Ledger, connection: sa.Connection, asked: Request) -> str | Event:
    """What the round that is observed is called; or the event that has observed it already."""
    game, given = ledger.game, asked.period
    waits = game.waiting[0].period if game.waiting else ""
    called = period_label(given) if given is not None else waits or str(game.rounds + 1)
    known = ledger.of_period(connection, called)
    if known is not None:
        if given is None:
            raise ValueError(f"{called} is what another round is called: give period=")
        if _same(game, asked.value, known):
            return known
        raise ConflictError(
            f"{called} has other costs already: {_costs_of(game, known)}, not {_told(asked.value)}; "
            "undo what was entered since then, or give another period"
        )
    if waits and called != waits:
        raise ValueError(f"the costs of {waits} come first, and {called} was given: costs are entered in order")
    if not waits and _falls(game.period, called):
        raise ValueError(f"{called} is before the last period, {game.period}: costs are entered in order")
    return called


def _committed_period(ledger: Ledger, connection: sa.Connection, asked: Request) -> str:
    """What the round at hand is called from now on."""
    game = ledger.game
    called = period_label(asked.period) if asked.period is not None else str(game.round)
    if any(each.period == called for each in game.waiting) or ledger.of_period(connection, called) is not None:
        raise ConflictError(f"{called} was decided already: give another period")
    before = game.waiting[-1].period if game.waiting else game.period
    if _falls(before, called):
        raise ValueError(f"{called} is before the last period, {before}: periods are decided in order")
    return called


def _changed(game: Game, asked: Request) -> dict[str, Any]:
    """The body of an event that changes which options there are."""
    option = label("the option", asked.value)
    for have, what in ((game.real, "an override"), (game.proposal, "a proposal")):
        if have is not None and asked.kind in (RETIRED, JOINED):
            raise ConflictError(f"round {game.round} has {what}: undo it, or enter the round's costs first")
    if asked.kind == JOINED:
        if option in game.current:
            raise ConflictError(f"there is an option {shown(option)} already: give another name")
        return {"option": option}
    game.number(option)
    if asked.kind == RETIRED:
        if len(game.current) <= 2:
            raise ValueError(f"{option} is one of the last two options: take a new one in first")
        return {"option": option}
    if label("the name", asked.name) in game.names:
        raise ConflictError(f"there is or was an option {shown(asked.name)} already: give another name")
    return {"option": option, "name": asked.name}


def label(what: str, text: object, empty: bool = False) -> str:
    """A text that people can tell apart, and that a database keeps as it is.

    Args:
        what: what it is, as messages call it.
        text: what was given.
        empty: it may be empty.

    Returns:
        The text.

    Raises:
        ValueError: if it is no text, too long, empty, or has hidden characters or spaces at an end.
    """
    if not isinstance(text, str) or HIDDEN.search(text) or text != text.strip() or not (text or empty):
        raise ValueError(
            f"{what} is {shown(text)}: give a text without line breaks, hidden characters, or spaces around it"
        )
    if len(text) > LABEL:
        raise ValueError(f"{what} has {len(text):,} characters: give at most {LABEL}")
    return text


def journal_name(name: object) -> str:
    """The name of a journal, which stands in addresses too."""
    if not isinstance(name, str) or not NAME.fullmatch(name) or name != name.strip() or ".." in name:
        raise ValueError(
            f"the journal's name is {shown(name)}: give up to 100 letters, digits, spaces, '-', '_' and '.', "
            "beginning with a letter or a digit"
        )
    return name


def period_label(period: object) -> str:
    """What a round is called: a date, or any text."""
    if isinstance(period, datetime | date):
        return period.isoformat()
    if isinstance(period, int | float | np.number) and not isinstance(period, bool):
        period = str(period)
    return label("the period", period)


def _falls(before: str, after: str) -> bool:
    """Whether two periods are dates, and the second is not after the first."""
    between = _between(before, after)
    return between is not None and between <= timedelta(0)


def _between(one: str, other: str) -> timedelta | None:
    """The time from one period to another; None: they are not both dates."""
    try:
        begun, ended = (datetime.fromisoformat(text).replace(tzinfo=None) for text in (one, other))
    except ValueError:
        return None
    return ended - begun


def _digest(asked: Request) -> str:
    """What tells a request from others of the same key."""
    said = asked._replace(key=None, author="")
    text = json.dumps([*said], default=_simple, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _simple(value: Any) -> Any:  # noqa: ANN401
    return value.tolist() if hasattr(value, "tolist") else str(value)


def _same(game: Game, costs: Any, known: Event) -> bool:  # noqa: ANN401
    """Whether costs are those of a round that was observed."""
    there = _there(game, known)
    try:
        if isinstance(costs, Mapping):
            return {str(name): float(each) for name, each in costs.items()} == there
        given = [math.nan if each is None else float(each) for each in costs]
    except (TypeError, ValueError):
        return False
    return [each for each in given if not math.isnan(each)] == [*there.values()]


def _costs_of(game: Game, known: Event) -> str:
    """The costs of a round that was observed, in words."""
    return _told(_there(game, known))


def _there(game: Game, known: Event) -> dict[str, float]:
    pairs = zip(game.names, known.data["costs"], strict=False)
    return {name: each for name, each in pairs if each is not None}


def _told(costs: Any) -> str:  # noqa: ANN401
    """Costs in words: not too many of them."""
    if isinstance(costs, Mapping):
        return shown(
            ", ".join(
                f"{name}={each:.10g}" if isinstance(each, float) else f"{name}={each}" for name, each in costs.items()
            )
        )
    return shown(np.asarray(costs).tolist())
