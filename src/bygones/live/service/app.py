"""The service: routes, what every request passes, and what is counted and logged."""

import json
import logging
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from time import perf_counter
from traceback import format_exc
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router

from . import pages
from .asked import Asked, Limits
from .bodies import Health
from .calls import CALLS, Call
from .desk import Desk
from .gate import LOCAL, Gate
from .metrics import KIND, Metrics
from .openapi import document
from .refusals import RefusedError, answer, as_refusal, refusal
from .tokens import READ

LOG = logging.getLogger("bygones.live.service")
WRONG = {404: "there is nothing at this address: see /api/openapi.json", 405: "this address takes other methods"}
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class Service:
    """The service as an ASGI application.

    Args:
        desk: the journals.
        hosts: the names by which it may be called.
        limits: what is too much.
        metrics: what is counted.
    """

    def __init__(
        self, desk: Desk, hosts: Iterable[str] = LOCAL, limits: Limits | None = None, metrics: Metrics | None = None
    ) -> None:
        self.desk, self.limits, self.metrics = desk, limits or Limits(), metrics or Metrics()
        self.gate = Gate(desk, hosts, self.limits.rate)
        self._document = document(CALLS)
        mine = [Route(each.path, self._answering(each), methods=[each.method]) for each in CALLS]
        mine += [Route("/api/openapi.json", self._openapi), Route("/metrics", self._metrics)]
        self._routes = [*mine, Route("/healthz", self._health), *pages.routes(desk)]
        self._paths = {each.endpoint: each.path for each in self._routes if isinstance(each, Route)}
        self._router = Router(self._routes, redirect_slashes=False)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401
        """Answer a request."""
        if scope["type"] != "http":  # nothing else is spoken here
            return
        scope["app"] = self  # so that the router raises what it does not find
        begun, status = perf_counter(), 0
        request = Request(scope, receive)
        request.state.entered = 0

        async def sending(message: Any) -> None:  # noqa: ANN401
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                have = {name.lower() for name, _ in message["headers"]}
                extra = [(name.encode(), text.encode()) for name, text in HEADERS.items() if name.encode() not in have]
                message = message | {"headers": [*message["headers"], *extra]}
            await send(message)

        who = ""
        try:
            request.state.who = await self.gate.admit(request)
            who = request.state.who.name
            await self._router(scope, receive, sending)
        except Exception as error:
            said = self._refused(request, error)
            if status:  # half an answer has gone out already
                raise
            await said(scope, receive, sending)
        finally:
            self._count(request, status, perf_counter() - begun, who)

    def _refused(self, request: Request, error: Exception) -> Response:
        """The answer to what failed: a page, where a browser asked for one."""
        if isinstance(error, HTTPException):
            error = RefusedError(
                error.status_code, WRONG.get(error.status_code, error.detail), **dict(error.headers or {})
            )
        if not isinstance(error, RefusedError | ValueError | OSError):
            LOG.error(json.dumps({"time": _now(), "error": repr(error), "where": format_exc()}))
        if "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/"):
            return pages.refused(as_refusal(error), request.url.path)
        return refusal(error)

    def _answering(self, call: Call) -> Callable[[Request], Any]:
        async def answering(request: Request) -> Response:
            return await call.do(Asked(self.desk, self.limits, request))

        return answering

    async def _openapi(self, _: Request) -> Response:
        return answer(200, self._document)

    async def _metrics(self, request: Request) -> Response:
        request.state.who.check(READ)
        self.metrics.streams.set(len(self.desk.board))
        return Response(self.metrics.text(), media_type=KIND)

    async def _health(self, _: Request) -> Response:
        await self.desk.names("", 1)
        return answer(200, Health(True))

    def _count(self, request: Request, status: int, seconds: float, who: str) -> None:
        route = self._template(request)
        self.metrics.answered(route, request.method, status, seconds)
        self.metrics.entries.inc(request.state.entered)
        said = {"time": _now(), "method": request.method, "route": route}
        LOG.info(json.dumps(said | {"status": status, "ms": round(seconds * 1000, 2), "who": who}))

    def _template(self, request: Request) -> str:
        """The path of a route, with the names of its parameters: never what was asked for."""
        endpoint: Any = request.scope.get("endpoint")
        return self._paths.get(endpoint, "unknown")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
