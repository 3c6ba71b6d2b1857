"""What a server asks of its client -> an answer from the examples, or a proper refusal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

METHOD_NOT_FOUND: Final = -32601
REFUSAL: Final = "mcp-assay does not do this; it can be answered from --examples"
DECLINED: Final[Mapping[str, dict[str, Any]]] = {
    "elicitation/create": {"action": "decline"},
    "roots/list": {"roots": []},
}
"""How input is refused since 2026-07-28, where there are no errors to refuse it with."""


def reply(id: object, method: object, answers: Mapping[str, Any]) -> dict[str, Any]:
    """The response to a request of the server."""
    response: dict[str, Any] = {"jsonrpc": "2.0", "id": id}
    if method == "ping":
        return {**response, "result": {}}
    if isinstance(method, str) and method in answers:
        return {**response, "result": answers[method]}
    return {**response, "error": {"code": METHOD_NOT_FOUND, "message": REFUSAL}}


def inputs(requests: object, answers: Mapping[str, Any]) -> dict[str, Any] | None:
    """The inputs that a result asks for, None where one of them cannot even be refused."""
    if requests is None:
        return {}
    if not isinstance(requests, dict):
        return None
    found: dict[str, Any] = {}
    for name, request in requests.items():
        method = request.get("method") if isinstance(request, dict) else None
        answer = answers.get(method, DECLINED.get(method)) if isinstance(method, str) else None
        if answer is None:
            return None
        found[name] = answer
    return found
