"""Batches, which 2025-03-26 has and no other revision wants to receive."""

from __future__ import annotations

import json
from typing import Any, Final

from mcp_assay.model.probe import Raw, Reply
from mcp_assay.rules.probe.confirmation import (
    FIRST_REFUSAL,
    NO_RESPONSE,
    UNSURE,
    Aftermath,
    Part,
    aftermath,
    ordinary,
)
from mcp_assay.rules.probe.jsonrpc import CANCELLED
from mcp_assay.rules.probe.rule import (
    KEPT,
    Dialogue,
    Known,
    Verdicts,
    fault,
    probe,
    probe_rule,
    replay,
    undecided,
)
from mcp_assay.spec.revisions import R2025_03_26

IDS: Final = ("mcp-assay-batch-1", "mcp-assay-batch-2")
ACCEPTED: Final = 202


@probe("BATCH-004", "BATCH-005")
def batches(server: Known) -> Dialogue:
    """Send a batch of two requests, then one of two notifications."""
    requests = [{"jsonrpc": "2.0", "id": id, "method": ordinary(server)} for id in IDS]
    found = yield from aftermath(server, _batch(requests))
    missing = set(IDS) - {one.get("id") for one in found.responses if _is_legible(one)}
    if found.fate == "unclear":
        return [undecided("BATCH-004", UNSURE), undecided("BATCH-005", UNSURE)]
    if not missing:
        return (yield from _only_notifications(server))
    how = found.how or _how_it_failed(found, len(missing))
    text = f"The server {how} when it gets a batch of two requests."
    taken = "the server does not support batches"
    return [fault("BATCH-004", text), undecided("BATCH-005", taken)]


def _how_it_failed(found: Aftermath, missing: int) -> str:
    if missing < len(IDS):
        return "answers only part of it"
    if found.codes and found.codes[0] is not None:
        return f"rejects it with error {found.codes[0]}"
    refused = (found.status or 0) >= FIRST_REFUSAL
    return f"rejects it with HTTP status {found.status}" if refused else "answers nothing"


def _only_notifications(server: Known) -> Part[Verdicts]:
    said = {"jsonrpc": "2.0", "method": CANCELLED.method, "params": CANCELLED.params}
    found = yield from aftermath(server, _batch([said, said]))
    if found.fate == "unclear":
        return [undecided("BATCH-005", UNSURE)]
    if found.fate == "goes on" and server.is_http and found.status is None:
        return [undecided("BATCH-005", NO_RESPONSE)]
    wrong = _wrong_reply(found)
    return [fault("BATCH-005", f"The server {wrong}.")] if wrong else KEPT


def _wrong_reply(found: Aftermath) -> str | None:
    if found.fate == "falls":
        return f"{found.how} after a batch of notifications"
    if any(one.get("id") is None for one in found.responses):
        return "answers a batch of notifications"
    if found.status not in (None, ACCEPTED):
        return f"answers a batch of notifications with HTTP status {found.status}"
    return None


def _batch(messages: list[Any]) -> Raw:
    return Raw(json.dumps(messages))


def _is_legible(response: dict[str, Any]) -> bool:
    return isinstance(response.get("id"), str)


_TOOLS: Final = Known(capabilities={"tools": {}}, revision=R2025_03_26)
_ALIVE: Final = Reply(result={"tools": []})
_BOTH: Final[list[Any]] = [{"jsonrpc": "2.0", "id": id, "result": {"tools": []}} for id in IDS]
_TAKEN: Final = (Reply(), Reply(result={"tools": []}, strays=_BOTH))
_IGNORED: Final = (Reply(), _ALIVE, _ALIVE)
_REFUSED: Final = {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Empty batch"}}

probe_rule(
    "BATCH-004",
    "batch-not-taken",
    """The server does not answer a batch of requests.

    Why: in 2025-03-26 every client may send several messages as one array.
    Instead: handle each message of the array, and answer the requests among them.
    """,
    of=batches,
    reason="batch_not_taken",
    good=lambda: [replay(*_TAKEN, *_IGNORED, known=_TOOLS)],
    bad=lambda: [
        replay(*_IGNORED, known=_TOOLS),
        replay(Reply(), Reply(result={"tools": []}, strays=[_REFUSED]), known=_TOOLS),
    ],
)

probe_rule(
    "BATCH-005",
    "batch-of-notifications-answered",
    """The server answers a batch of notifications.

    Why: the batch contains no request, so the client expects no response and cannot use one.
    Instead: send no response; over HTTP, return status 202 with an empty body.
    """,
    of=batches,
    reason="batch_of_notifications_answered",
    good=lambda: [replay(*_TAKEN, *_IGNORED, known=_TOOLS)],
    bad=lambda: [replay(*_TAKEN, Reply(), Reply(result={}, strays=[_REFUSED]), known=_TOOLS)],
)
