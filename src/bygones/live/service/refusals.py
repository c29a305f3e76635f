"""What goes wrong, as a status and a sentence that says nothing of the machine."""

from typing import Any

import msgspec
from starlette.responses import Response

from ..ledger import ConflictError, DamagedError, UnknownError
from ..schema import FullError

RETRY = 1  # seconds after which to try again


class RefusedError(Exception):
    """A request that is refused.

    Args:
        status: of HTTP.
        said: why, as a sentence.
        headers: of the answer.
    """

    def __init__(self, status: int, said: str, **headers: str) -> None:
        super().__init__(said)
        self.status, self.said = status, said
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


def as_refusal(error: Exception) -> RefusedError:
    """What is said of an error.

    Args:
        error: what the library, or the database, has raised.

    Returns:
        The status and the sentence; 500 if nobody expected it.
    """
    if isinstance(error, RefusedError):
        return error
    if isinstance(error, UnknownError):
        return RefusedError(404, "there is no such journal, or it was renamed: see /api/journals")
    if isinstance(error, ConflictError):
        return RefusedError(409, str(error))
    if isinstance(error, DamagedError):
        return RefusedError(500, str(error))
    if isinstance(error, ValueError):
        return RefusedError(422, str(error))
    if isinstance(error, FullError):
        return RefusedError(507, "the disk of the database is full, and nothing was entered: make room, and try again")
    if isinstance(error, TimeoutError):
        return RefusedError(503, "the database is busy, and nothing was entered: try again", Retry_After=str(RETRY))
    if isinstance(error, OSError):
        said = "the database cannot be reached, and it is not known whether this was entered: "
        return RefusedError(503, f"{said}send the same again, with the same headers", Retry_After=str(RETRY))
    return RefusedError(500, "something went wrong that should not: tell whoever runs this service")


def answer(status: int, body: Any, **headers: str) -> Response:  # noqa: ANN401
    """A JSON answer.

    Args:
        status: of the answer.
        body: plain values, or structs.
        headers: by name, with _ for -.

    Returns:
        The answer.
    """
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(msgspec.json.encode(body), status, named, media_type="application/json")


def refusal(error: Exception) -> Response:
    """The answer to a request that failed."""
    found = as_refusal(error)
    return answer(found.status, {"error": found.said}, **found.headers)
