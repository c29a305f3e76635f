"""Running the service: uvicorn, signals, and the log."""

import asyncio
import json
import logging
import signal
import socket
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from ...validation import shown
from .app import LOG, Service
from .asked import Limits
from .desk import Desk
from .gate import HEADS, LOCAL
from .metrics import Metrics

SLOW = 10.0  # seconds in which the headers of a request must have come
GRACE = 5  # seconds for answers that are under way when the service stops
TURNS = 0.0005  # seconds after which a thread that computes lets another one on


class _Protocol(H11Protocol):
    """HTTP, with a limit to the time from one answer to the end of the next request's headers."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._late = self.loop.call_later(SLOW, self._give_up)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._late.cancel()
        if not self.transport.is_closing():
            self._late = self.loop.call_later(SLOW, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        self._late.cancel()
        super().connection_lost(exc)

    def _give_up(self) -> None:
        cycle = getattr(self, "cycle", None)
        if cycle is None or cycle.response_complete:
            self.transport.close()


class _Server(uvicorn.Server):
    """Ends streams when it is asked to stop, and is not ended by the signal then.

    Args:
        config: of uvicorn.
        stopping: is called once.
    """

    def __init__(self, config: uvicorn.Config, stopping: Callable[[], None]) -> None:
        super().__init__(config)
        self._stopping = stopping

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for each in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(each, self._stop)
        try:
            yield
        finally:
            for each in (signal.SIGTERM, signal.SIGINT):
                loop.remove_signal_handler(each)

    def _stop(self) -> None:
        self.should_exit = True
        self._stopping()


def run(url: str, host: str, port: int, names: Iterable[str], limits: Limits, told: Callable[[str], None]) -> None:
    """Serve journals until a signal says stop.

    Args:
        url: of the database.
        host: the address to listen on.
        port: likewise; 0: any that is free.
        names: by which it may be called, besides `localhost` and the address.
        limits: what is too much.
        told: is called with the address, once somebody is listening there.

    Raises:
        ValueError: if it would be open to other machines without tokens, or cannot listen there.
        OSError: if the database cannot be reached.
    """
    _logging()
    sys.setswitchinterval(TURNS)
    asyncio.run(_serve(url, host, port, names, limits, told))


async def _serve(
    url: str, host: str, port: int, names: Iterable[str], limits: Limits, told: Callable[[str], None]
) -> None:
    metrics = Metrics()
    desk = Desk(url, metrics.batches.observe)
    try:
        if not await desk.do(desk.tokens.all) and not _is_loopback(host):
            raise ValueError(
                f"other machines reach {shown(host)}, and there are no tokens: make one with `bygones serve token new`"
            )
        listening = _listen(host, port)
        service = Service(desk, [*LOCAL, host, *names], limits, metrics)
        config = uvicorn.Config(
            service,
            http=_Protocol,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            h11_max_incomplete_event_size=HEADS,
            timeout_graceful_shutdown=GRACE,
        )
        server = _Server(config, desk.board.close)
        where = f"[{host}]" if ":" in host else host
        told(f"http://{where}:{listening.getsockname()[1]}/")
        watching = asyncio.create_task(desk.watch())
        await server.serve([listening])
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
    finally:
        await desk.close()


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens."""
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        found = socket.socket(family, kind, proto)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
    except OSError as error:
        raise ValueError(f"cannot listen on {shown(host)}, port {port} ({error.strerror}): give another one") from None
    found.listen(2048)
    found.setblocking(False)
    return found


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _logging() -> None:
    """One JSON object per line, on stderr."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(message)s"))
    LOG.handlers, LOG.propagate = [handler], False
    LOG.setLevel(logging.INFO)
    theirs = logging.getLogger("uvicorn")
    theirs.handlers, theirs.propagate = [_Theirs()], False
    theirs.setLevel(logging.ERROR)


class _Theirs(logging.Handler):
    """What uvicorn has to say, as JSON too."""

    def emit(self, record: logging.LogRecord) -> None:
        """Say it."""
        LOG.error(json.dumps({"error": record.getMessage()}))
