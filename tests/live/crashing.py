"""A client that plays rounds through a service which is killed again and again, and never gives up."""

import random
import time

import httpx
from serving import Served, begin

import bygones as by

NAMES = ("rail", "road", "sea")
PROBLEM = {"memory": "window:6", "options": list(NAMES), "cost_range": 9.0, "learner": "guarded"}


def plan(rounds, seed):
    """What is entered: costs each round, before some of them an override, and after some an undo and the same again."""
    draw = random.Random(seed)  # noqa: S311
    for t in range(1, rounds + 1):
        if draw.random() < 0.1:
            yield f"{t} override", {"kind": "overridden", "value": draw.choice(NAMES)}
        costs = {"kind": "observed", "value": {name: draw.randint(0, 9) / 1.0 for name in NAMES}, "period": f"day {t}"}
        yield f"{t} observe", costs
        if draw.random() < 0.05:
            yield f"{t} undo", {"kind": "undone"}
            yield f"{t} again", costs


def undisturbed(path, rounds, seed):
    """The decisions of a journal that nothing happens to, after every entry."""
    problem = by.Problem(list(NAMES), None, by.Window(6), 9.0)
    with by.Journal.create(path, "parts", problem, "guarded") as journal:
        for _, entry in plan(rounds, seed):
            if entry["kind"] == "overridden":
                journal.override(entry["value"])
            elif entry["kind"] == "undone":
                journal.undo()
            else:
                journal.observe(entry["value"], entry["period"])
        frame = journal.history()
        return frame.select(
            r for r in frame.columns if r.startswith(("decision", "state", "cost", "period"))
        ), journal.decide()


class Client:
    """Sends each entry with a key until it is acknowledged, and keeps what was."""

    def __init__(self, address):
        self.address = address  # gives the address of a service that may be there
        self.acknowledged = {}
        self.client = httpx.Client(timeout=30)

    def send(self, key, entry):
        while True:
            try:
                url = f"{self.address()}/api/journals/parts/entries"
                answer = self.client.post(url, json=entry, headers={"Idempotency-Key": key})
            except httpx.HTTPError:
                time.sleep(0.02)
                continue
            if answer.status_code in (200, 201):
                self.acknowledged[key] = answer.json()
                return
            assert answer.status_code == 503, answer.text
            time.sleep(0.05)


def check(url, client, expected, last):
    """Nothing acknowledged is lost, nothing is there twice, and all was decided as if nothing had happened."""
    with by.Journal.open(url, "parts") as journal:
        verdict = journal.verify()
        assert verdict.sound, verdict
        assert verdict.notes == []
        log = {event.number: event for event in journal.events()}
        assert len(log) == len(client.acknowledged) + 1
        for key, event in client.acknowledged.items():
            there = log[event["number"]]
            assert (there.key, there.hash) == (key, event["hash"])
        frame = journal.history()
        assert frame.select(expected.columns).equals(expected)
        assert (journal.decide() == last).all()


class Killed:
    """A service that is started again after each kill."""

    def __init__(self, url, log):
        self.db, self.log = url, log
        self.served = Served(url, "--rate", "1000000", log=log)
        with self.served.client() as client:
            begun = begin(client, **PROBLEM)
            assert begun.status_code == 201, begun.text

    def address(self):
        return self.served.url

    def kill(self):
        self.served.kill()
        self.served.process.stdout.close()
        self.served = Served(self.db, "--rate", "1000000", log=self.log)

    def close(self):
        assert self.served.stop() == 0
        self.served.process.stdout.close()
