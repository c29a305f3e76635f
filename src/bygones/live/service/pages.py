"""The pages of the service, for people."""

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from .desk import Desk


def routes(desk: Desk) -> list[BaseRoute]:
    """The routes of the pages.

    Args:
        desk: the journals. Whoever asks is `request.state.who`, a `tokens.Who`.

    Returns:
        The routes.
    """

    async def home(request: Request) -> Response:
        names = await desk.names("", 100)
        return PlainTextResponse("\n".join(name for name in names if request.state.who.touches(name)))

    return [Route("/", home)]
