"""Verifying a journal: every event against its digest, every round against a replay from the beginning."""

from functools import partial
from itertools import pairwise
from typing import NamedTuple

import sqlalchemy as sa

from . import saving
from .events import CREATED, OBSERVED, START, UNDONE, Event
from .game import Game
from .ledger import Ledger, UnknownError
from .records import Past, past_of, weights_of
from .schema import journals, rounds, snapshots


class Verdict(NamedTuple):
    """What `verify` found.

    Args:
        events: how many there are.
        rounds: how many were observed and not undone.
        faults: what is wrong, in sentences that name the event.
        notes: what is odd, and may be right.
    """

    events: int
    rounds: int
    faults: list[str]
    notes: list[str]

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults

    def __str__(self) -> str:
        head = f"{self.events:,} events and {self.rounds:,} rounds: " + ("sound" if self.sound else "damaged")
        return "\n".join([head, *self.faults, *(f"note: {each}" for each in self.notes)])


def verify(ledger: Ledger, connection: sa.Connection) -> Verdict:
    """Check a journal; it need not be one that can be opened.

    Args:
        ledger: of the journal.
        connection: within a transaction.

    Returns:
        What was found.

    Raises:
        UnknownError: if there is no such journal.
    """
    row = connection.execute(sa.select(journals).where(journals.c.name == ledger.name)).first()
    if row is None:
        raise UnknownError(f"there is no journal {ledger.name!r}")
    ledger.id = row.id
    log = ledger.log(connection)
    faults = _chain(log)
    notes = [] if faults else _clock(log)
    if not faults and (len(log), log[-1].hash if log else START) != (row.events, row.hash):
        faults.append(
            f"the log ends with event {len(log)}, and {row.events} were entered: events are missing at its end"
        )
    standing: list[Event] = []
    if not faults:
        standing = _standing(log)
        observed = [event for event in standing if event.kind == OBSERVED]
        chosen = sa.select(rounds.c.round, rounds.c.number, rounds.c.period).where(rounds.c.journal == row.id)
        found = [tuple(each) for each in connection.execute(chosen.order_by(rounds.c.round))]
        if found != [(event.round, event.number, event.period) for event in observed]:
            faults.append("the index of the rounds is not that of the log")
        kept = sa.select(snapshots.c.number, snapshots.c.content).where(snapshots.c.journal == row.id)
        more, said = _replayed(ledger, standing, {each.number: each.content for each in connection.execute(kept)})
        faults, notes = faults + more, notes + said
    return Verdict(len(log), sum(event.kind == OBSERVED for event in standing), faults, notes)


def _chain(log: list[Event]) -> list[str]:
    """The first event that is not what was written; those after it cannot be judged."""
    if not log:
        return ["event 1 is missing"]
    previous = START
    for place, event in enumerate(log, 1):
        if event.number != place:
            return [f"event {place} is missing"]
        if event.chained(previous).hash != event.hash:
            return [f"event {place} ({event.kind}, {event.time}, {event.author}) is not what was entered"]
        previous = event.hash
    return []


def _clock(log: list[Event]) -> list[str]:
    """Where the clock went back."""
    return [
        f"the clock went back before event {after.number}, from {before.time} to {after.time}"
        for before, after in pairwise(log)
        if after.time < before.time
    ]


def _standing(log: list[Event]) -> list[Event]:
    """The events that were not taken back."""
    undone = {event.undoes for event in log if event.kind == UNDONE}
    return [event for event in log if event.kind != UNDONE and event.number not in undone]


def _replayed(ledger: Ledger, standing: list[Event], kept: dict[int, bytes]) -> tuple[list[str], list[str]]:
    """Replay from the beginning; what was decided then, and is not decided now, is a note: a release may differ."""
    game: Game | None = None
    faults = list[str]()
    notes, past = list[str](), list[Event]()
    for event in standing:
        if event.kind == CREATED:
            game = ledger.begun(event.data)
            continue
        assert game is not None  # noqa: S101 - the first event creates
        if event.kind == OBSERVED:
            done = weights_of(event.data["decision"], game.n)
            now = game.waiting[0].decision if game.waiting else game.decision()
            if (now != done).any() and not notes:
                notes.append(
                    f"from event {event.number} on, this release of bygones decides otherwise than what was entered; "
                    "what was entered stands"
                )
        try:
            game.apply(event, partial(_past, past, game))
        except ValueError as error:
            return [f"event {event.number} cannot be replayed: {error}"], notes
        if event.kind == OBSERVED:
            past.append(event)
        if event.number in kept and not _is_of(kept[event.number], game, ledger.begun(standing[0].data)):
            said = f"the snapshot after event {event.number} is "
            if notes:
                notes.append(f"{said}what was decided then; it cannot be compared")
            else:
                faults.append(f"{said}damaged, or is not what the log leads to")
    return faults, notes


def _is_of(content: bytes, game: Game, begun: Game) -> bool:
    """Whether a snapshot is of a game; one of another release may have been written otherwise."""
    try:
        return content == saving.to_bytes(game) or saving.to_bytes(
            saving.from_bytes(content, begun)
        ) == saving.to_bytes(game)
    except ValueError:
        return False


def _past(observed: list[Event], game: Game) -> Past:
    return past_of(observed, game.n)
