"""Events as they are entered, to whoever listens (server-sent events)."""

from collections.abc import AsyncIterator

import msgspec
from starlette.responses import Response, StreamingResponse

from .asked import Asked
from .bodies import Name, News
from .refusals import RefusedError
from .tokens import READ

BEAT = 15.0  # seconds after which a line is sent anyway, so that a connection that is dead is noticed


class Which(msgspec.Struct, forbid_unknown_fields=True):
    """Of which journal.

    Args:
        journal: its name; None: all that the token may touch.
    """

    journal: Name | None = None


async def stream(asked: Asked) -> Response:
    """What is entered from now on, also by others."""
    which = asked.query(Which)
    asked.who.check(READ, which.journal)
    if len(asked.desk.board) >= asked.limits.streams:
        raise RefusedError(503, "too many listen already: try again later", Retry_After="10")
    only = asked.who.journals if which.journal is None else frozenset((which.journal,))
    await asked.desk.attend(only)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_told(asked, only), 200, headers, "text/event-stream")


async def _told(asked: Asked, only: frozenset[str] | None) -> AsyncIterator[bytes]:
    with asked.desk.board.listening(asked.who, only) as listener:
        yield b": listening\n\n"
        while not listener.closed:
            found = await listener.take(BEAT)
            for name, events, tag in [] if listener.closed else found:
                yield b"data: " + msgspec.json.encode(News(name, events, tag)) + b"\n\n"
            if not found and not listener.closed:
                yield b": \n\n"
