"""A service in the test's own process, without a network: for what a test has to break or to look into."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

import httpx
from serving import keyed

from bygones.live.service.app import Service
from bygones.live.service.asked import Limits
from bygones.live.service.desk import Desk


async def _keyed(request):
    keyed(request)


@asynccontextmanager
async def inside(db, limits=Limits(rate=1e6), base="http://127.0.0.1:8765", peer="127.0.0.1"):  # noqa: B008
    """A client, and the service; its desk is `service.desk`."""
    desk = Desk(str(db))
    service = Service(desk, limits=limits)
    watching = asyncio.create_task(desk.watch())
    transport = httpx.ASGITransport(app=service, client=(peer, 1234))
    try:
        async with httpx.AsyncClient(transport=transport, base_url=base) as client:
            client.headers["User-Agent"] = "test"
            client.event_hooks = {"request": [_keyed]}
            yield client, service
    finally:
        watching.cancel()
        await desk.close()


def run(test):
    """Run an asynchronous test, in a thread: a browser of other tests keeps a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, test).result()


PARTS = {"name": "parts", "memory": "window:4", "options": ["rail", "road"], "cost_range": 5.0}
