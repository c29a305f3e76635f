"""What every request must pass: the name of the host, the number of requests, and the token."""

from collections import OrderedDict
from collections.abc import Iterable
from ipaddress import ip_address
from time import monotonic
from urllib.parse import urlsplit

from starlette.requests import Request

from .desk import Desk
from .refusals import RefusedError
from .tokens import NOBODY, Who

COOKIE = "bygones"
OPEN = ("/healthz", "/login", "/api/openapi.json")  # and what is under /static/: for all
LOCAL = ("localhost", "127.0.0.1", "::1")
HEADS = 32_768  # bytes of a request before its body
CLIENTS = 10_000  # of which the numbers of requests are known
PASSED_ON = ("forwarded", "via", "x-forwarded", "x-real-ip", "x-client", "cf-", "true-client")  # headers of proxies
SAFE = ("GET", "HEAD", "OPTIONS")


class Gate:
    """Who may ask at all.

    Args:
        desk: with the tokens.
        hosts: the names by which the service may be called.
        rate: requests per second of one client.
    """

    def __init__(self, desk: Desk, hosts: Iterable[str], rate: float) -> None:
        self.desk, self.rate = desk, rate
        self.hosts = {each.lower() for each in hosts}
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # of each client, and when

    async def admit(self, request: Request) -> Who:
        """Who asks.

        Args:
            request: of HTTP.

        Returns:
            What it may do.

        Raises:
            RefusedError: if it may not ask.
        """
        host = _host(request.headers.get("host", ""))
        if host not in self.hosts:
            raise RefusedError(421, "this service has another name: allow it with --name, or use the one that it has")
        size = sum(len(name) + len(text) for name, text in request.scope["headers"])
        if size + len(request.scope["query_string"]) > HEADS:
            raise RefusedError(431, f"the headers have more than {HEADS:,} bytes: send less", Connection="close")
        self._count(request.client.host if request.client else "")
        path = request.url.path
        if path in OPEN or path.startswith("/static/"):
            self._same_origin(request, strict=False)
            return Who("", frozenset())
        scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
        if scheme:
            if scheme.lower() != "bearer" or not bearer.strip():
                raise RefusedError(401, "the token has another form: send Authorization: Bearer and the token")
            return await self.whose(bearer)
        cookie = request.cookies.get(COOKIE)
        if cookie:
            self._same_origin(request, strict=True)
            return await self.whose(cookie)
        if not self.desk.tokens.looked:
            await self.desk.do(self.desk.tokens.all)
        if len(self.desk.tokens) or host not in LOCAL or not _is_local(request):
            said = "a token is missing: send Authorization: Bearer and the token"
            raise RefusedError(401, said, WWW_Authenticate="Bearer")
        self._same_origin(request, strict=False)
        return NOBODY

    async def whose(self, token: str) -> Who:
        """Whose token it is; one that is not known may be new."""
        if not self.desk.tokens.knows(token):
            await self.desk.do(self.desk.tokens.all)
        return self.desk.tokens.who(token)

    def _count(self, client: str) -> None:
        """Refuse a client that asks too often."""
        now, most = monotonic(), 2 * self.rate
        left, when = self._left.pop(client, (most, now))
        left = min(most, left + (now - when) * self.rate) - 1
        self._left[client] = (max(left, -1.0), now)
        if len(self._left) > CLIENTS:
            self._left.popitem(last=False)
        if left < 0:
            raise RefusedError(429, f"more than {self.rate:g} requests per second: wait a second", Retry_After="1")

    def _same_origin(self, request: Request, strict: bool) -> None:
        """Refuse what a page of somebody else's makes a browser send.

        Args:
            request: of HTTP.
            strict: it must say where it comes from, as every browser does.
        """
        if request.method in SAFE:
            return
        site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
        same = origin is not None and urlsplit(origin).netloc.lower() == request.headers.get("host", "").lower()
        unsaid = site is None and origin is None
        if not (site == "same-origin" or (site is None and same) or (unsaid and not strict)):
            raise RefusedError(403, "this was sent by a page of another site: nothing was entered")


def _host(header: str) -> str:
    """The name in a Host header, without the port."""
    name = header.strip().lower()
    if name.startswith("["):
        return name[1:].partition("]")[0]
    return name.rpartition(":")[0] if ":" in name else name


def _is_local(request: Request) -> bool:
    """Whether it comes from this machine, and was not passed on by a proxy."""
    passed_on = any(name.startswith(PASSED_ON) for name in request.headers)
    if request.client is None or passed_on:
        return False
    try:
        return ip_address(request.client.host).is_loopback
    except ValueError:
        return False
