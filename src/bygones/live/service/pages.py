"""The pages of the service, for people."""

import asyncio
import hashlib
import re
from collections import OrderedDict
from functools import cache
from importlib.resources import files
from urllib.parse import parse_qs, quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from ... import datasets
from ..pages import Trail, Visitor, journal_page, journals_page, login_page, new_page, refused_page, seen
from .asked import tags
from .desk import Desk
from .gate import COOKIE
from .reads import at_a_glance
from .refusals import RefusedError
from .seats import Seat
from .tokens import ADMIN, READ, SCOPES, Who

TRAILS = 100  # journals whose rounds are kept for charts; the one that was looked at longest ago goes first
SHOWN = 24  # journals on a page
LONGEST = 4096  # bytes of a form with a token
PATIENCE = 20.0  # seconds until it must have come
KINDS = {"css": "text/css", "js": "text/javascript", "csv": "text/csv"}
OWN = re.compile(r"/(new|journals/[^\\]*)?")  # where a visitor may go on after signing in


def routes(desk: Desk) -> list[BaseRoute]:
    """The routes of the pages.

    Args:
        desk: the journals. Whoever asks is `request.state.who`, a `tokens.Who`.

    Returns:
        The routes.
    """
    trails = OrderedDict[str, tuple[Seat, Trail]]()

    async def home(request: Request) -> Response:
        who: Who = request.state.who
        who.check(READ)
        found = await at_a_glance(desk, who, request.query_params.get("after", ""), SHOWN)
        return _page(await desk.do(lambda: journals_page(_visitor(who), found.items, found.next, found.closed)))

    async def journal(request: Request) -> Response:
        who, name = request.state.who, str(request.path_params["name"])
        who.check(READ, name)
        seat, trail = trails.get(name) or (desk.apart(name), Trail())
        found = await desk.study(seat, lambda ledger, connection: seen(ledger, connection, trail))
        trails[name] = seat, trail
        trails.move_to_end(name)
        if len(trails) > TRAILS:
            trails.popitem(last=False)
        return _page(await desk.do(lambda: journal_page(_visitor(who), found)))

    async def new(request: Request) -> Response:
        request.state.who.check(ADMIN)
        return _page(new_page(_visitor(request.state.who)))

    async def login(request: Request) -> Response:
        if request.method == "GET":
            return _page(login_page(to=_own(request.query_params.get("to", "/"))))
        given = await _form(request)
        token, to = given.get("token", "").strip(), _own(given.get("to", "/"))
        try:
            if not desk.tokens.knows(token):
                await desk.do(desk.tokens.all)
            desk.tokens.who(token)
        except RefusedError as error:
            return _page(login_page(f"{error.said[:1].upper()}{error.said[1:]}.", to), 401)
        answer = RedirectResponse(to, 303)
        safe = "https" in (request.url.scheme, request.headers.get("x-forwarded-proto"))
        answer.set_cookie(COOKIE, token, max_age=400 * 86400, httponly=True, samesite="strict", secure=safe)
        return answer

    return [
        Route("/", home),
        Route("/journals/{name}", journal),
        Route("/new", new),
        Route("/login", login, methods=["GET", "POST"]),
        Route("/static/{name}", _static),
    ]


def refused(error: RefusedError, path: str) -> Response:
    """What a person sees where a page is refused.

    Args:
        error: why.
        path: of the page.

    Returns:
        A page; or the way to the one that asks for a token.
    """
    if error.status == 401:
        return RedirectResponse(f"/login?to={quote(_own(path))}", 303)
    said = "there is no such page or journal" if error.status == 404 else error.said
    return _page(refused_page(said), error.status)


async def _static(request: Request) -> Response:
    name = str(request.path_params["name"])
    content = _files().get(name)
    if content is None:
        raise RefusedError(404, "there is no such file")
    tag = hashlib.sha256(content).hexdigest()[:16]
    headers = {"ETag": f'"{tag}"', "Cache-Control": "no-cache"}
    if tag in tags(request.headers.get("if-none-match", "")):
        return Response(None, 304, headers)
    return Response(content, 200, headers, KINDS[name.rpartition(".")[2]])


@cache
def _files() -> dict[str, bytes]:
    """What the pages need: all that there is, so that no name can lead elsewhere."""
    found = {name: files("bygones.live") / "static" / name for name in ("live.css", "live.js")}
    found["style.css"] = files("bygones.report") / "templates" / "style.css"
    found |= {f"{name}.csv": files(datasets.__name__) / f"{name}.csv" for name in datasets.names()}
    return {name: place.read_bytes() for name, place in found.items()}


async def _form(request: Request) -> dict[str, str]:
    """What a small form has sent."""
    content = b""
    try:
        async with asyncio.timeout(PATIENCE):
            async for piece in request.stream():
                content += piece
                if len(content) > LONGEST:
                    raise RefusedError(413, "the form is too large: send only a token")
    except TimeoutError:
        raise RefusedError(408, "the form came too slowly: send it again", Connection="close") from None
    return {name: values[0] for name, values in parse_qs(content.decode("utf-8", "replace")).items()}


def _page(html: str, status: int = 200) -> Response:
    return HTMLResponse(html, status, {"Cache-Control": "private, no-cache"})


def _visitor(who: Who) -> Visitor:
    return Visitor(who.name, {scope for scope in SCOPES if who.may(scope)})


def _own(path: str) -> str:
    """A page of this service; a text that leads elsewhere leads to the first one."""
    return path if OWN.fullmatch(path) else "/"
