"""What JSON-RPC asks of a server that gets something it does not know, or cannot read."""

from __future__ import annotations

from typing import Final

from mcp_assay.model.probe import Ask, Reply
from mcp_assay.rules.probes.known import Known
from mcp_assay.rules.probes.probe import (
    KEPT,
    METHOD_NOT_FOUND,
    Dialogue,
    fault,
    how_it_ended,
    probe,
    probe_rule,
    replay,
)

NO_METHOD: Final = "mcp-assay/no-such-method"


@probe("JSONRPC-033")
def unknown_method(server: Known) -> Dialogue:
    """Ask for a method that nobody has."""
    reply = yield Ask(NO_METHOD)
    if reply.code == METHOD_NOT_FOUND:
        return KEPT
    text = f"The server {how_it_ended(reply)} when it is asked for a method that does not exist."
    return [fault("JSONRPC-033", text, fix=f"Answer it with error {METHOD_NOT_FOUND}.")]


probe_rule(
    "JSONRPC-033",
    "unknown-method-not-refused",
    """An unknown method is not refused as such.

    Why: clients try newer methods and fall back where a server says that it does not know them;
    another answer, or none, looks like a fault of the server or leaves the client waiting.

    Instead: answer a request for a method that you do not have with error -32601.
    """,
    of=unknown_method,
    reason="unknown_method_not_refused",
    good=[replay(Reply(error={"code": -32601, "message": "Method not found"}))],
    bad=[replay(Reply(result={})), replay(Reply(ending="timed_out"))],
)
