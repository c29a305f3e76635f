"""All that a program can ask for: one table, of which the routes are made, and the document that describes them."""

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from starlette.responses import Response

from ..status import Status
from . import reads, stream, writes
from .asked import Asked
from .bodies import Checked, Decided, Entered, Entry, Events, History, Journals, NewJournal, News, Preview, Taken
from .reads import Nothing

J = "/api/journals/{name}"
BYTES = "application/octet-stream"
FILES = tuple(kind.partition(";")[0] for kind in reads.EXPORTS.values())


class Call(NamedTuple):
    """One thing that can be asked for.

    Args:
        method: of HTTP.
        path: with the names of its parameters in braces.
        do: answers it.
        answers: the body of each good answer, by its status; None: none. A text: it is no JSON, but of that kind.
        query: what may stand after the question mark.
        takes: the body; bytes: any.
        headers: which it understands.
    """

    method: str
    path: str
    do: Callable[[Asked], Awaitable[Response]]
    answers: dict[int, Any]
    query: type = Nothing
    takes: Any = None
    headers: tuple[str, ...] = ()


CALLS = (
    Call("GET", "/api/journals", reads.journals, {200: Journals}, reads.Some),
    Call("POST", "/api/journals", writes.create, {201: Status}, takes=NewJournal),
    Call("GET", J, reads.journal, {200: Status, 304: None}, headers=("If-None-Match",)),
    Call("GET", f"{J}/decision", reads.decision, {200: Decided, 304: None}, headers=("If-None-Match",)),
    Call(
        *("POST", f"{J}/entries", writes.entry, {200: Entered, 201: Entered}),
        takes=Entry,
        headers=("Idempotency-Key", "If-Match"),
    ),
    Call("POST", f"{J}/preview", reads.preview, {200: Status}, takes=Preview),
    Call("POST", f"{J}/table", writes.table, {200: Taken}, writes.File, takes=bytes, headers=("If-Match",)),
    Call("GET", f"{J}/events", reads.events, {200: Events}, reads.Between),
    Call("GET", f"{J}/history", reads.rounds, {200: History}, reads.Last),
    Call("GET", f"{J}/export.{{ending}}", reads.export, {200: FILES}),
    Call("GET", f"{J}/verify", reads.checked, {200: Checked}),
    Call("GET", "/api/stream", stream.stream, {200: ("text/event-stream",)}, stream.Which),
)
TOLD = (News,)  # what the stream says, which no answer holds
