"""The description of the API that programs read (OpenAPI 3.1), made of the table of calls."""

import inspect
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from ...version import __version__
from ..entries import NAME
from .bodies import Health, Refusal

if TYPE_CHECKING:
    from .calls import Call

REF = "#/components/schemas/{name}"
REFUSED = {
    400: "The request is not what HTTP or JSON knows.",
    401: "A token is missing, wrong, revoked or expired.",
    403: "The token may not do this.",
    404: "There is no such journal.",
    405: "The address takes other methods.",
    408: "The body did not come in time.",
    409: "It is there already, and is something else.",
    412: "Somebody has entered something since.",
    413: "The body is too large.",
    415: "The body is of another kind.",
    421: "The service has another name.",
    422: "What was sent does not fit.",
    428: "Sent again, it would be entered twice: a period, a key or If-Match is missing.",
    429: "Too many requests.",
    431: "The headers are too large.",
    500: "The journal is damaged, or something went wrong that should not.",
    503: "The database cannot be reached, or is busy: try again.",
    507: "The disk is full.",
}
HEADERS = {
    "If-None-Match": "The ETag of an earlier answer: the answer is 304 if nothing was entered since.",
    "If-Match": "The hash of the last entry that you know: refused (412) if somebody has entered something since.",
    "Idempotency-Key": "What you call this request: sent again with the same key, it is done once.",
}
SPOKEN = {"ending": ["csv", "parquet", "jsonl"]}  # all that a part of a path may be


def document(calls: Iterable["Call"]) -> dict[str, Any]:
    """The document.

    Args:
        calls: all that can be asked for.

    Returns:
        Plain values.
    """
    listed = list(calls)
    kinds: list[Any] = [Refusal, Health]
    for call in listed:
        kinds += [each for each in (call.takes, *call.answers.values()) if _is_struct(each)]
    kinds = list(dict.fromkeys(kinds))
    schemas, components = msgspec.json.schema_components(kinds, ref_template=REF)
    for each in components.values():
        each["description"] = each["description"].partition("\n")[0]
    known = dict(zip(kinds, schemas, strict=True))
    paths: dict[str, Any] = {}
    for call in listed:
        paths.setdefault(call.path, {})[call.method.lower()] = _operation(call, known)
    healthy = {"description": "It answers.", "content": {"application/json": {"schema": known[Health]}}}
    paths["/healthz"] = {
        "get": {
            "operationId": "health",
            "summary": "Whether the service answers.",
            "security": [],
            "responses": {"200": healthy, **_refused(known)},
        }
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "bygones", "version": __version__, "description": "Decision journals over HTTP."},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}, {}],
    }


def _is_struct(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _operation(call: "Call", known: dict[Any, Any]) -> dict[str, Any]:
    """What is said of one call."""
    summary = (inspect.getdoc(call.do) or "").partition("\n")[0]
    found: dict[str, Any] = {"operationId": call.do.__name__, "summary": summary, "parameters": _parameters(call)}
    if call.takes is not None:
        kinds = (
            {"application/octet-stream": {}}
            if call.takes is bytes
            else {"application/json": {"schema": known[call.takes]}}
        )
        found["requestBody"] = {"required": True, "content": kinds}
    answers: dict[str, Any] = {}
    for status, body in call.answers.items():
        answers[str(status)] = {"description": "Nothing has changed." if body is None else "Done."}
        if isinstance(body, tuple):
            answers[str(status)]["content"] = {kind: {} for kind in body}
        elif body is not None:
            answers[str(status)]["content"] = {"application/json": {"schema": known[body]}}
    return found | {"responses": answers | _refused(known)}


def _refused(known: dict[Any, Any]) -> dict[str, Any]:
    content = {"application/json": {"schema": known[Refusal]}}
    return {str(status): {"description": why, "content": content} for status, why in REFUSED.items()}


def _parameters(call: "Call") -> list[dict[str, Any]]:
    """What stands in the path, after the question mark, and in headers."""
    found: list[dict[str, Any]] = []
    for name in re.findall(r"{(\w+)}", call.path):
        schema = {"type": "string"} | ({"enum": SPOKEN[name]} if name in SPOKEN else {"pattern": f"^{NAME.pattern}$"})
        found.append({"name": name, "in": "path", "required": True, "schema": schema})
    kinds = msgspec.json.schema(call.query)["$defs"][call.query.__name__]
    for name, schema in kinds["properties"].items():
        place = {"name": name, "in": "query", "required": name in kinds["required"], "schema": schema}
        found.append(place)
    for name in call.headers:
        found.append({"name": name, "in": "header", "schema": {"type": "string"}, "description": HEADERS[name]})
    return found
