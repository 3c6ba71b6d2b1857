"""What a server asks of its client: an answer from the examples, or a remembered refusal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from mcp_assay.client.era import CAPABILITY_OF

if TYPE_CHECKING:
    from mcp_assay.schema.checker import Schemas

METHOD_NOT_FOUND: Final = -32601
REFUSAL: Final = "mcp-assay does not answer this unless --examples provides a result"
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


MISSING_CAPABILITY: Final = -32021
MOST_UNMET: Final = 10
"""So many of one call are remembered."""
LONGEST_WORDS: Final = 2_000
FEW: Final = 10
"""Scenarios among which a valid one is looked for."""
ANSWERS: Final[Mapping[str, dict[str, Any]]] = {
    "sampling": {"text": "A short answer."},
    "elicitation": {"action": "accept", "content": {}},
    "roots": {"uris": ["file:///tmp"]},
}
"""What the user may write into each table, where the server does not say more."""
_LACKING: Final = (
    r"(?i)\bclient (?:does not|doesn't|did not|didn't|has no|lacks|must)\b[^.\n]{0,80}?"
    r"\b(sampling|elicitation|roots)\b"
)


class UnmetRequest(Struct, frozen=True):
    """Something that a server asked its client for."""

    table: str
    """Where the user can give it: sampling, elicitation or roots."""
    schema: Any = None
    """What an input of the user must fit."""
    given: Any = None
    """What was given; None where it was refused."""


def unmet_request(
    method: object, params: object, answers: Mapping[str, Any]
) -> UnmetRequest | None:
    """What a request of a server asks for, None where it is nothing that the user could give."""
    table = CAPABILITY_OF.get(method) if isinstance(method, str) else None
    if table is None:
        return None
    schema = params.get("requestedSchema") if isinstance(params, dict) else None
    return UnmetRequest(table, schema, answers.get(str(method)))


def unmet_in(requests: object, answers: Mapping[str, Any]) -> Iterator[UnmetRequest]:
    """What a result asks for that is not complete yet."""
    for one in list(requests.values())[:MOST_UNMET] if isinstance(requests, dict) else ():
        if isinstance(one, dict) and (
            found := unmet_request(one.get("method"), one.get("params"), answers)
        ):
            yield found


def unmet_of(error: object, texts: Iterable[str]) -> Iterator[UnmetRequest]:
    """What a server says that its client lacks: in an error for that, or in words."""
    said = error if isinstance(error, dict) else {}
    data = said.get("data") if said.get("code") == MISSING_CAPABILITY else None
    needed = data.get("requiredCapabilities") if isinstance(data, dict) else None
    for table in ANSWERS:
        if isinstance(needed, dict) and table in needed:
            yield UnmetRequest(table)
    for text in texts:
        if lacking := re.search(_LACKING, text[:LONGEST_WORDS]):
            yield UnmetRequest(lacking[1].lower())


def answer_to(unmet: UnmetRequest, schemas: Schemas) -> dict[str, Any] | None:
    """What the user may write down to meet it, None where what was given is good enough."""
    if unmet.table != "elicitation" or not isinstance(unmet.schema, dict):
        return None if unmet.given is not None else dict(ANSWERS[unmet.table])
    content = unmet.given.get("content") if isinstance(unmet.given, dict) else None
    if (
        unmet.given is not None
        and schemas.prepare(unmet.schema).check(content).outcome != "invalid"
    ):
        return None
    from mcp_assay.scenario.known_values import Values  # noqa: PLC0415  few servers ask for input
    from mcp_assay.scenario.plan import plan  # noqa: PLC0415  so do few plan it

    form = {"name": "", "inputSchema": unmet.schema}
    made = plan(form, seed=0, budget=FEW, values=Values(), schemas=schemas, at_random=False)
    fitting = (one.arguments for one in made.scenarios if one.valid)
    return {**ANSWERS[unmet.table], "content": next(fitting, {})}
