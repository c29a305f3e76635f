"""A request of a program: its words and its body, read within limits and checked."""

import asyncio
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request

from ...memory import Memory
from .desk import Desk
from .refusals import RefusedError

if TYPE_CHECKING:
    from .tokens import Who

T = TypeVar("T")


class Limits(NamedTuple):
    """What is too much.

    Args:
        body: bytes of a body.
        patience: seconds until a body must have come.
        options: of a journal.
        kept: numbers in the decisions that count in a state, of a journal.
        periods: of a table; they are entered in one transaction, for which others wait.
        values: of a file that is sent, times included; a few bytes can stand for any number of them.
        rate: requests per second of one client; it may save up those of two seconds.
        streams: at the same time.
    """

    body: int = 8_000_000
    patience: float = 20.0
    options: int = 10_000
    kept: int = 1_000_000
    periods: int = 20_000
    values: int = 4_000_000
    rate: float = 500.0
    streams: int = 1000


class Asked:
    """What was asked for, and by whom.

    Args:
        desk: the journals.
        limits: what is too much.
        request: of HTTP.
    """

    def __init__(self, desk: Desk, limits: Limits, request: Request) -> None:
        self.desk, self.limits, self.request = desk, limits, request
        self.who: Who = request.state.who

    @property
    def journal(self) -> str:
        """The journal that it is about."""
        return str(self.request.path_params["name"])

    def header(self, name: str) -> str | None:
        """A header, if it is there."""
        found: str | None = self.request.headers.get(name)
        return found

    def query(self, kind: type[T]) -> T:
        """What stands after the question mark.

        Raises:
            RefusedError: if something else stands there.
        """
        given = self.request.query_params.multi_items()
        twice = {name for name, _ in given if sum(name == each for each, _ in given) > 1}
        if twice:
            raise RefusedError(422, f"{sorted(twice)[0]!r} is given twice: give it once")
        try:
            return msgspec.convert(dict(given), kind, strict=False)
        except msgspec.ValidationError as error:
            raise RefusedError(422, f"the address has something wrong in it: {_told(error)}") from None

    async def content(self) -> bytes:
        """The body.

        Raises:
            RefusedError: if it is too large, or does not come.
        """
        most, pieces, size = self.limits.body, list[bytes](), 0
        declared = self.header("content-length")
        if declared is not None and declared.isdecimal() and int(declared) > most:
            raise _large(most)
        try:
            async with asyncio.timeout(self.limits.patience):
                async for piece in self.request.stream():
                    size += len(piece)
                    if size > most:
                        raise _large(most)
                    pieces.append(piece)
        except TimeoutError:
            said = f"the body did not come within {self.limits.patience:g} seconds: send it again, and at once"
            raise RefusedError(408, said, Connection="close") from None
        except ClientDisconnect:
            raise RefusedError(400, "the body was broken off: send it again") from None
        return b"".join(pieces)

    async def body(self, kind: type[T]) -> T:
        """The body, which is JSON.

        Raises:
            RefusedError: if it is something else.
        """
        if (self.header("content-type") or "").partition(";")[0].strip().lower() != "application/json":
            raise RefusedError(415, "the body must be JSON: send it with Content-Type: application/json")
        content = await self.content()
        try:
            return msgspec.json.decode(content, type=kind)
        except msgspec.ValidationError as error:
            raise RefusedError(422, f"the body has something wrong in it: {_told(error)}") from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise RefusedError(400, f"the body is not JSON: {_told(error)}") from None


def _large(most: int) -> RefusedError:
    return RefusedError(413, f"the body has more than {most:,} bytes: send less", Connection="close")


def _told(error: Exception) -> str:
    """What msgspec says, whose first letter is large."""
    said = str(error)
    return said[:1].lower() + said[1:300]


def check_periods(limits: Limits, count: int) -> None:
    """Refuse a table that is entered for so long that others wait.

    Args:
        limits: what a service allows.
        count: how many periods it has.

    Raises:
        RefusedError: if they are too many.
    """
    if count > limits.periods:
        said = f"the table has {count:,} periods: send at most {limits.periods:,}, the oldest that are new first"
        raise RefusedError(422, said)


def quoted(tag: str) -> str:
    """A hash as an ETag."""
    return f'"{tag}"'


def tags(header: str) -> list[str]:
    """The hashes of If-Match or If-None-Match; a weak one counts as a strong one."""
    return [each.strip().removeprefix("W/").strip('"') for each in header.split(",")]


def size_within(limits: Limits, n: int, memory: Memory) -> None:
    """Refuse a journal that would take too much memory.

    Args:
        limits: what a service allows.
        n: how many options it would have.
        memory: how past decisions count.

    Raises:
        RefusedError: if it has too many options, or too many decisions count.
    """
    if n > limits.options:
        raise RefusedError(422, f"there are {n:,} options: give at most {limits.options:,}")
    kept = memory.support or 1
    if n * kept > limits.kept:
        most = limits.kept // n
        raise RefusedError(422, f"the last {kept:,} decisions would be kept: let at most {most:,} count")
