"""Schemathesis plays what the document allows, and what it does not: never a 500, and every answer as described."""

import base64
from collections import Counter
from contextlib import suppress

import httpx
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import integers, just
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from serving import begin, observe, served

from bygones.live.service.calls import CALLS

CHECKS = [
    *(not_a_server_error, content_type_conformance, response_headers_conformance),
    *(response_schema_conformance, status_code_conformance),
]

ABOUT = ["a", "b"]
FILE = {"filename": "a.csv", "content": base64.b64encode(b"day,a,b\n2026-01-01,1,2\n2026-01-02,2,1\n").decode()}
LIKELY = {  # bodies that mean something; texts drawn at random seldom do
    "create": [
        {"memory": "window:4", "learner": "adahedge", "options": ABOUT, "name": "parts"},
        {"memory": "full", "learner": "guarded", "options": ABOUT, "table": None, "held": None, "cost_range": 1.5},
        {"memory": "full", "options": None, "table": "day,a,b\n2026-01-01,1,2\n2026-01-02,2,1\n", "held": None},
        {"memory": "full", "options": None, "table": FILE, "held": None},
    ],
    "entry": [
        {"kind": "observed", "value": [1, 2], "period": None},
        {"kind": "overridden", "value": "rail"},
        {"kind": "undone"},
    ],
    "preview": [{"value": "rail"}, {"value": {"road": 1}}],
}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    folder = tmp_path_factory.mktemp("openapi")
    with served(folder / "journals.db", "--rate", "1000000", log=folder / "log") as found:
        with found.client() as client:
            begin(client)
            for t in range(3):
                observe(client, [float(t), 1.0])
        yield found


@pytest.fixture(scope="module")
def schema(service):
    document = httpx.get(f"{service.url}/api/openapi.json").json()
    del document["paths"]["/api/stream"]
    return schemathesis.openapi.from_dict(document)


def likely(case, draw):
    """Let a case be about a journal that is there, and mean something."""
    if "name" in case.path_parameters:
        case.path_parameters["name"] = "parts"
    bodies = LIKELY.get(case.operation.definition.raw["operationId"])
    if bodies and isinstance(case.body, dict):
        case.body = case.body | bodies[draw % len(bodies)]
    for name in ("If-Match", "If-None-Match") if draw < 6 else ():
        case.headers.pop(name, None)
    if case.headers.get("If-None-Match") is not None:
        case.headers["If-None-Match"] = "*"


def play(service, schema, cases):
    """So many cases, over all operations: some as the document says, and some not. Gives the statuses."""
    operations = [each.ok() for each in schema.get_all_operations()]
    ways = [(each, mode) for each in operations for mode in schemathesis.GenerationMode]
    statuses = Counter()
    session = requests.Session()
    for operation, mode in ways:
        fits = mode == schemathesis.GenerationMode.POSITIVE

        @settings(
            max_examples=-(-cases // len(ways)),
            derandomize=True,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(operation.as_strategy(generation_mode=mode), integers(0, 9) if fits else just(9))
        def play_one(case, draw):
            if draw < 8:
                likely(case, draw)
            response = case.call(base_url=service.url, session=session)
            statuses[response.status_code] += 1
            case.validate_response(response, checks=CHECKS)

        with suppress(Unsatisfiable):  # nothing could be wrong in it
            play_one()
    session.close()
    return statuses


def test_no_answer_is_otherwise_than_described(service, schema):
    statuses = play(service, schema, 200)
    assert {200, 201, 404, 422} <= set(statuses)


@pytest.mark.slow
def test_no_answer_of_2000_is_otherwise_than_described(service, schema):
    statuses = play(service, schema, 2400)
    assert statuses.total() >= 2000
    assert {200, 201, 304, 400, 404, 409, 412, 422} <= set(statuses)


def test_the_document_names_every_address(schema):
    answers = {f"{method} {path}" for path, about in schema.raw_schema["paths"].items() for method in about}
    assert "post /api/journals/{name}/entries" in answers
    assert len(answers) == len(CALLS)  # all but the stream, which never ends, and /healthz beside them
