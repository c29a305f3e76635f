"""A service as its users have it: a process of its own, on 127.0.0.1 and a free port."""

import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import httpx


class Served:
    """A service that runs."""

    def __init__(self, db, *options, log, environment=None):
        command = [sys.executable, "-m", "bygones", "serve", "--db", str(db), "--port", "0", *options]
        self.log = Path(log)
        with self.log.open("ab") as errors:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, text=True, env=os.environ | (environment or {})
            )
        line = self.process.stdout.readline()
        if not line.startswith("Serving"):
            self.process.wait(30)
            raise RuntimeError(self.log.read_text())
        self.url = line.split()[-1].rstrip("/")

    def client(self, token=None, **options):
        """A client of it, which calls each request something else, as one does who may have to send it again."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        hooks = {"request": [keyed]}
        return httpx.Client(base_url=self.url, headers=headers, timeout=60, event_hooks=hooks, **options)

    def stop(self):
        """Ask it to stop; gives the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)

    def kill(self):
        """End it at once."""
        self.process.kill()
        self.process.wait()

    def said(self):
        """What it has logged."""
        return [json.loads(line) for line in self.log.read_text().splitlines() if line.startswith("{")]


def keyed(request):
    """Call a request something that no other is called, unless it has a key."""
    if request.method == "POST":
        request.headers.setdefault("Idempotency-Key", uuid4().hex)


@contextmanager
def served(db, *options, log, environment=None):
    """A service for a while."""
    found = Served(db, *options, log=log, environment=environment)
    try:
        yield found
    finally:
        if found.process.poll() is None:
            found.process.kill()
        found.process.wait()
        found.process.stdout.close()


def begin(client, name="parts", **about):
    """Begin a journal."""
    body = {"name": name, "memory": "window:4", "options": ["rail", "road"], "cost_range": 5.0} | about
    return client.post("/api/journals", json=body)


def observe(client, costs, name="parts", key=None, **about):
    """Enter a round's costs."""
    headers = {} if key is None else {"Idempotency-Key": key}
    body = {"kind": "observed", "value": costs} | about
    return client.post(f"/api/journals/{name}/entries", json=body, headers=headers)
