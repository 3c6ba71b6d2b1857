"""Results of 2026-07-28 that ask the client for input before they are complete."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from mcp_assay.model.message import Message
from mcp_assay.rules.examples import bad, good, modern_result
from mcp_assay.rules.rule import Found, MapKey, On, rule
from mcp_assay.rules.words import listing
from mcp_assay.spec.revisions import R2026_07_28
from mcp_assay.wire.pointer import Path

ASKING: Final = On(("result",))
ASKING_OR_REQUEST: Final = On(
    ("request", "result"),
    request_methods=("elicitation/create", "sampling/createMessage"),
    results_since=R2026_07_28,
)
"""Where sampling and elicitation are asked for: requests and, since 2026-07-28, results."""

ENVELOPE_MEMBERS: Final = ("jsonrpc", "id")


def asks_for_input(message: Message) -> bool:
    """Whether the message is a result that asks for input."""
    return (
        message.revision >= R2026_07_28
        and message.kind == "result"
        and message.result.get("resultType") == "input_required"
    )


def input_requests(message: Message) -> Iterator[tuple[Path, dict[str, Any]]]:
    """What a result asks for, each with its place; entries that are no objects are left out."""
    entries = message.result.get("inputRequests") if asks_for_input(message) else None
    if isinstance(entries, dict):
        for key, entry in entries.items():
            if isinstance(entry, dict):
                yield ("result", "inputRequests", MapKey(key)), entry


def asked(message: Message, method: str) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The params of each request of `method`: the message itself, or one inside a result."""
    if message.kind == "request" and message.method == method:
        yield ("params",), message.params
    for path, entry in input_requests(message):
        params = entry.get("params")
        if entry.get("method") == method and isinstance(params, dict):
            yield (*path, "params"), params


good_asking = partial(good, revision=R2026_07_28, method="tools/call")
bad_asking = partial(bad, revision=R2026_07_28, method="tools/call")


def asking(**entries: Any) -> dict[str, Any]:
    """A result that asks for these inputs."""
    return modern_result({"inputRequests": entries}, result_type="input_required")


NAME = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
FORM = {
    "method": "elicitation/create",
    "params": {"message": "Who owns this note?", "requestedSchema": NAME},
}


@rule(
    "MRTR-001",
    "asks-for-nothing",
    reason="invalid_result",
    good=[
        good_asking(asking(owner=FORM)),
        good_asking(modern_result({"requestState": "step-2"}, result_type="input_required")),
    ],
    bad=[bad_asking(modern_result({}, result_type="input_required"), "/result")],
    on=ASKING,
    patch={
        "InputRequiredResult": {
            "anyOf": [{"required": ["inputRequests"]}, {"required": ["requestState"]}]
        },
    },
)
def asks_for_nothing(message: Message) -> Iterator[Found]:
    """A result that says it needs input and has neither inputRequests nor a requestState.

    Why: the client has nothing to ask its user and nothing to send back, so the call cannot go on.
    Instead: send inputRequests, a requestState or both, or complete the result.
    """
    if asks_for_input(message) and not {"inputRequests", "requestState"} & message.result.keys():
        text = "The result asks for input but has neither inputRequests nor a requestState."
        yield Found(("result",), text)


@rule(
    "MRTR-003",
    "wrong-input-request",
    reason="invalid_result",
    good=[good_asking(asking(owner=FORM))],
    bad=[
        bad_asking(
            asking(owner={"method": "tools/call", "params": {"name": "search"}}),
            "/result/inputRequests/owner/method",
        ),
        bad_asking(asking(owner="Who owns this note?"), "/result/inputRequests/owner"),
        bad_asking(
            asking(owner={"jsonrpc": "2.0", "id": 1, **FORM}), "/result/inputRequests/owner"
        ),
    ],
    on=ASKING,
    patch={},
)
def wrong_input_request(message: Message) -> Iterator[Found]:
    """An input request that is no elicitation, sampling or roots request, or looks like a message.

    Why: clients answer only these three kinds; jsonrpc and id mean nothing here, because the answer
    is matched by its key.
    Instead: send {"method": ..., "params": ...} with elicitation/create, sampling/createMessage or
    roots/list.
    """
    for path, entry in input_requests(message):
        extra = [name for name in ENVELOPE_MEMBERS if name in entry]
        if extra:
            text = f"The input request has {listing(extra, 'and')}, which only messages have."
            yield Found(path, text, grade="extra members", details={"members": extra})
