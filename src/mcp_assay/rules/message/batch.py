"""What a message may be as a whole: one object or, in 2025-03-26 alone, a batch of them.

The engine decides these rules: what breaks them never becomes a Message.
"""

from __future__ import annotations

from mcp_assay.rules.engine.rule import table_rule
from mcp_assay.rules.engine.samples import (
    bad,
    good,
    modern_request,
    notification,
    request,
    result,
)
from mcp_assay.spec.revisions import R2024_11_05, R2025_03_26, R2025_06_18, R2026_07_28

INITIALIZE = {
    "protocolVersion": R2025_03_26,
    "capabilities": {},
    "clientInfo": {"name": "inspector", "version": "1.0"},
}

table_rule(
    "JSONRPC-003",
    "message-not-an-object",
    """A message is not a JSON object.

    Why: it has no method, id or result, so it can be neither answered nor matched.
    Instead: send one object per message; only 2025-03-26 allows arrays, as batches.
    """,
    reason="not_map",
    good=lambda: [
        good(request("tools/list")),
        good([request("ping"), request("tools/list", id=2)], revision=R2025_03_26),
    ],
    bad=lambda: [
        bad(b'"tools/list"', ""),
        bad(42, ""),
        bad(None, "", revision=R2026_07_28),
        bad([request("ping")], "", revision=R2024_11_05),
    ],
)

table_rule(
    "BATCH-001",
    "batch-not-allowed",
    """A batch is sent in a revision without batches.

    Why: batches were removed in 2025-06-18, so receivers reject the whole array and answer none of
    its requests.
    Instead: send each message on its own.
    """,
    reason="not_map",
    good=lambda: [
        good(request("tools/list"), revision=R2025_06_18),
        good([request("tools/list"), request("ping", id=2)], revision=R2025_03_26),
    ],
    bad=lambda: [
        bad([request("tools/list"), request("ping", id=2)], "", revision=R2025_06_18),
        bad([result({})], ""),
        bad([], ""),
        bad([modern_request("tools/list")], "", revision=R2026_07_28),
    ],
)

table_rule(
    "BATCH-002",
    "empty-or-mixed-batch",
    """A batch is empty, or mixes responses with requests or notifications.

    Why: an empty batch has no defined response; receivers reject a mixed one or lose part of it.
    Instead: put requests and notifications in one batch and responses in another; never send an
    empty one.
    """,
    reason="invalid_message_structure",
    good=lambda: [
        good(
            [request("tools/list"), notification("notifications/roots/list_changed")],
            revision=R2025_03_26,
        ),
        good([result({}, id=1), result({}, id=2)], revision=R2025_03_26, method="ping"),
    ],
    bad=lambda: [
        bad([], "", revision=R2025_03_26),
        bad([request("tools/list"), result({}, id=2)], "", revision=R2025_03_26),
        bad(
            [notification("notifications/initialized"), result({}, id=2)],
            "",
            revision=R2025_03_26,
        ),
    ],
)

table_rule(
    "BATCH-003",
    "initialize-in-batch",
    """An initialize request is part of a batch.

    Why: batches are allowed only once both sides have agreed on a revision, and initialize is how
    they agree.
    Instead: send initialize alone and wait for the response before sending batches.
    """,
    reason="invalid_message_structure",
    good=lambda: [
        good(request("initialize", INITIALIZE), revision=R2025_03_26),
        good([request("tools/list", id=2), request("ping", id=3)], revision=R2025_03_26),
    ],
    bad=lambda: [
        bad([request("initialize", INITIALIZE)], "/0", revision=R2025_03_26),
        bad(
            [request("ping"), request("initialize", INITIALIZE, id=2)],
            "/1",
            revision=R2025_03_26,
        ),
    ],
)
