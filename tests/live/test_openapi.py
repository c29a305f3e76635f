"""Schemathesis plays what the document allows, and what it does not: never a 500, and every answer as described."""

from collections import Counter
from contextlib import suppress

import httpx
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
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

LIKELY = {  # texts that mean something are half of those that are sent
    "NewJournal": {
        "memory": ["window:4", "full"],
        "learner": ["guarded", "adahedge"],
        "options": [["a", "b"]],
        "table": ["day,a,b\n2026-01-01,1,2\n2026-01-02,2,1\n", None],
        "held": [None],
        "time": [None],
    },
    "Entry": {
        "kind": ["observed", "overridden", "undone"],
        "value": [[1, 2], {"rail": 1, "road": 2}, "rail"],
        "period": [None],
    },
    "Preview": {"value": ["rail", [0.5, 0.5]]},
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
    kinds = document["components"]["schemas"]
    for name, fields in LIKELY.items():
        for field, values in fields.items():
            kinds[name]["properties"][field] = {"anyOf": [{"enum": values}, kinds[name]["properties"][field]]}
    for path, about in document["paths"].items():  # half of the cases are about a journal that is there
        for operation in about.values():
            for each in operation.get("parameters", ()):
                if path.startswith("/api/journals/{name}") and each["name"] == "name":
                    each["schema"] = {"anyOf": [{"enum": ["parts"]}, each["schema"]]}
    return schemathesis.openapi.from_dict(document)


def play(service, schema, cases):
    """So many cases, over all operations: some as the document says, and some not. Gives the statuses."""
    operations = [each.ok() for each in schema.get_all_operations()]
    ways = [(each, mode) for each in operations for mode in schemathesis.GenerationMode]
    statuses = Counter()
    session = requests.Session()
    for operation, mode in ways:

        @settings(
            max_examples=-(-cases // len(ways)),
            derandomize=True,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def play_one(case):
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
    assert {200, 201, 400, 404, 409, 415, 422} <= set(statuses)


def test_the_document_names_every_address(schema):
    answers = {f"{method} {path}" for path, about in schema.raw_schema["paths"].items() for method in about}
    assert "post /api/journals/{name}/entries" in answers
    assert len(answers) == len(CALLS)  # all but the stream, which never ends, and /healthz beside them
