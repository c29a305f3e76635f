"""What happened to a journal, event by event, each chained to the one before it by a digest."""

import hashlib
import json
from typing import Any, NamedTuple

import numpy as np

from ..kernels import Array
from ..version import __version__

CREATED, PROPOSED, OVERRIDDEN, COMMITTED = "created", "proposed", "overridden", "committed"
OBSERVED, RENAMED, RETIRED, JOINED, UNDONE = "observed", "renamed", "retired", "joined", "undone"
KINDS = (CREATED, PROPOSED, OVERRIDDEN, COMMITTED, OBSERVED, RENAMED, RETIRED, JOINED, UNDONE)
START = "0" * 64  # what the first event is chained to


class Event(NamedTuple):
    """Something that was entered in a journal. Nothing in it ever changes: `undo` is an event of its own.

    Args:
        number: the events of a journal are numbered from 1 on.
        kind: `created`, `proposed`, `overridden`, `committed`, `observed`, `renamed`, `retired`, `joined` or `undone`.
        round: which round it is about; 0 for the first event.
        period: what that round is called, such as a date; empty if it has no name yet.
        time: when it was entered, in UTC, by the clock of whoever entered it.
        author: who entered it.
        key: what whoever entered it calls the request, so that it can be sent again; None: nothing.
        body: what was entered, as JSON.
        undoes: the number of the event that it takes back; None: it is no `undone`.
        hash: the digest of all this and of the hash of the event before.
    """

    number: int
    kind: str
    round: int
    period: str
    time: str
    author: str
    key: str | None
    body: str
    undoes: int | None
    hash: str = ""

    @property
    def data(self) -> dict[str, Any]:
        """What was entered."""
        found: dict[str, Any] = json.loads(self.body)
        return found

    def chained(self, previous: str) -> "Event":
        """The event with its hash.

        Args:
            previous: the hash of the event before.

        Returns:
            The same event, chained to that one.

        >>> first = Event(1, CREATED, 0, "", "2026-11-16T08:00:00Z", "ann", None, "{}", None).chained(START)
        >>> first.hash[:8], first.chained(START) == first, first.chained(first.hash) == first
        ('a94303a1', True, False)
        """
        text = json.dumps([previous, *self[:-1]], ensure_ascii=True, separators=(",", ":"), default=repr)  # of damage
        return self._replace(hash=hashlib.sha256(text.encode()).hexdigest())

    def public(self) -> dict[str, Any]:
        """The event as plain values, for programs."""
        return self._asdict() | {"body": self.data}


def canonical(data: dict[str, Any]) -> str:
    """Plain values as JSON, the same text for the same values; numbers to the last digit."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)


def plain(decision: Array) -> int | list[float]:
    """A decision as it is written down: one action by its number, else the weights."""
    chosen = int(decision.argmax())
    return chosen if decision[chosen] == 1.0 and np.count_nonzero(decision) == 1 else decision.tolist()


def made_by() -> str:
    """Who writes: the release of the library, kept with the first event."""
    return __version__
