"""How two peers begin: initialize, and server/discover since 2026-07-28; and ping."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.rule import Found, On, rule, table_rule
from mcp_assay.rules.engine.samples import (
    CLIENT_META,
    PREFIX,
    bad,
    error,
    good,
    modern_request,
    modern_result,
    request,
    result,
)
from mcp_assay.spec.revisions import R2025_06_18, R2025_11_25, R2026_07_28
from mcp_assay.text.words import listing

MOST_MEMBERS_NAMED: Final = 3

INITIALIZE = {
    "protocolVersion": R2025_11_25,
    "capabilities": {"roots": {"listChanged": True}},
    "clientInfo": {"name": "inspector", "version": "1.0"},
}
INITIALIZED = {
    "protocolVersion": R2025_11_25,
    "capabilities": {"tools": {"listChanged": True}},
    "serverInfo": {"name": "notes", "version": "1.0"},
}
DISCOVERED = {
    "supportedVersions": [R2025_11_25, R2026_07_28],
    "capabilities": {"tools": {}},
    "ttlMs": 3600000,
    "cacheScope": "public",
}


good_discovery = partial(good, revision=R2026_07_28, method="server/discover")
bad_discovery = partial(bad, revision=R2026_07_28, method="server/discover")


def _without(members: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in members.items() if key != name}


table_rule(
    "LIFE-002",
    "incomplete-initialize-request",
    """An initialize request lacks protocolVersion, capabilities or clientInfo.

    Why: the server cannot choose a revision or know the client's capabilities, and rejects the
    request.
    Instead: send all three, and give clientInfo a name and a version.
    """,
    reason="invalid_params",
    good=lambda: [
        good(request("initialize", INITIALIZE)),
        good(
            request("initialize", {**INITIALIZE, "protocolVersion": R2025_06_18}),
            revision=R2025_06_18,
        ),
    ],
    bad=lambda: [
        bad(
            request("initialize", {**INITIALIZE, "clientInfo": {"name": "inspector"}}),
            "/params/clientInfo/version",
        ),
        bad(request("initialize", _without(INITIALIZE, "capabilities")), "/params/capabilities"),
        bad(
            request("initialize", {**INITIALIZE, "protocolVersion": 2025}),
            "/params/protocolVersion",
        ),
    ],
)

table_rule(
    "LIFE-003",
    "incomplete-initialize-result",
    """An initialize result lacks protocolVersion, capabilities or serverInfo.

    Why: the client does not learn the revision or the server's capabilities, and disconnects.
    Instead: send all three, and give serverInfo a name and a version.
    """,
    reason="invalid_result",
    good=lambda: [
        good(result(INITIALIZED), method="initialize"),
        good(
            result({**INITIALIZED, "instructions": "Search before you read."}), method="initialize"
        ),
    ],
    bad=lambda: [
        bad(
            result(_without(INITIALIZED, "protocolVersion")),
            "/result/protocolVersion",
            method="initialize",
        ),
        bad(
            result({**INITIALIZED, "capabilities": ["tools"]}),
            "/result/capabilities",
            method="initialize",
        ),
        bad(
            result({**INITIALIZED, "serverInfo": {"name": "notes"}}),
            "/result/serverInfo/version",
            method="initialize",
        ),
    ],
)

table_rule(
    "LIFE-014",
    "unreleased-protocol-version",
    """A protocolVersion is not the name of a released revision.

    Why: revisions are compared as strings, so a version that was never released matches nothing.
    Instead: send the date of a released revision, such as 2025-11-25.
    """,
    reason="invalid_params",
    good=lambda: [
        good(request("initialize", INITIALIZE)),
        good(result(INITIALIZED), method="initialize"),
    ],
    bad=lambda: [
        bad(
            request("initialize", {**INITIALIZE, "protocolVersion": "1.0"}),
            "/params/protocolVersion",
        ),
        bad(
            result({**INITIALIZED, "protocolVersion": "2025-11-24"}),
            "/result/protocolVersion",
            method="initialize",
        ),
    ],
)

table_rule(
    "LIFE-016",
    "empty-name-or-version",
    """The name or version of a client or server is empty.

    Why: logs and error reports cannot identify the program.
    Instead: send the name and the version of the program, even if the version is 0.0.0.
    """,
    reason="invalid_params",
    good=lambda: [
        good(result(INITIALIZED), method="initialize"),
        good(modern_request("tools/list"), revision=R2026_07_28),
    ],
    bad=lambda: [
        bad(
            result({**INITIALIZED, "serverInfo": {"name": "notes", "version": ""}}),
            "/result/serverInfo/version",
            method="initialize",
        ),
        bad(
            request(
                "tools/list",
                {"_meta": {**CLIENT_META, f"{PREFIX}clientInfo": {"name": " ", "version": "1.0"}}},
            ),
            "/params/_meta/io.modelcontextprotocol~1clientInfo/name",
            revision=R2026_07_28,
        ),
    ],
)

table_rule(
    "VER-002",
    "incomplete-discover-result",
    """A server/discover result lacks supportedVersions or capabilities.

    Why: this is how a client learns which revisions it may use and what the server offers.
    Instead: list every supported revision and the capabilities (an empty object if there are none).
    """,
    reason="invalid_result",
    good=lambda: [good_discovery(modern_result(DISCOVERED))],
    bad=lambda: [
        bad_discovery(
            modern_result(_without(DISCOVERED, "supportedVersions")), "/result/supportedVersions"
        ),
        bad_discovery(
            modern_result({**DISCOVERED, "supportedVersions": R2026_07_28}),
            "/result/supportedVersions",
        ),
        bad_discovery(modern_result({**DISCOVERED, "capabilities": None}), "/result/capabilities"),
    ],
)

table_rule(
    "VER-005",
    "incomplete-version-error",
    """Error -32022 does not say which versions are supported and which was requested.

    Why: the client needs both to retry with a supported version.
    Instead: put the supported versions into data.supported and the rejected one into
    data.requested.
    """,
    reason="invalid_result",
    good=lambda: [
        good(
            error(
                -32022,
                "Unsupported protocol version",
                {"supported": [R2026_07_28], "requested": "2027-01-01"},
            ),
            revision=R2026_07_28,
        )
    ],
    bad=lambda: [
        bad(
            error(-32022, "Unsupported protocol version"),
            "/error/data/supported",
            revision=R2026_07_28,
            also=(("VER-005", "/error/data/requested"),),
        ),
        bad(
            error(
                -32022,
                "Unsupported protocol version",
                {"supported": R2026_07_28, "requested": "2027-01-01"},
            ),
            "/error/data/supported",
            revision=R2026_07_28,
        ),
    ],
)

table_rule(
    "VER-009",
    "incomplete-capability-error",
    """The server does not say which missing client capabilities a request needs.

    Why: the client cannot tell what to declare, so it cannot retry successfully.
    Instead: answer with error -32021, and put the missing capabilities into
    data.requiredCapabilities, in the form in which the client declares them.
    """,
    reason="invalid_result",
    good=lambda: [
        good(
            error(
                -32021,
                "This tool needs to ask the user.",
                {"requiredCapabilities": {"elicitation": {}}},
            ),
            revision=R2026_07_28,
        )
    ],
    bad=lambda: [
        bad(
            error(-32021, "This tool needs to ask the user."),
            "/error/data/requiredCapabilities",
            revision=R2026_07_28,
        ),
        bad(
            error(
                -32021,
                "This tool needs to ask the user.",
                {"requiredCapabilities": ["elicitation"]},
            ),
            "/error/data/requiredCapabilities",
            revision=R2026_07_28,
        ),
    ],
)


@rule(
    "PING-001",
    "ping-result-not-empty",
    reason="invalid_result",
    good=lambda: [
        good(result({}), method="ping"),
        good(result({"_meta": {"com.example/uptime": 3600}}), method="ping"),
    ],
    bad=lambda: [
        bad(result({"status": "ok"}), "/result", method="ping"),
        bad(result({"pong": True}), "/result", revision=R2025_06_18, method="ping"),
    ],
    on=On(("result",), ("ping",)),
    patch={},
)
def ping_result_not_empty(message: Message) -> Iterator[Found]:
    """A ping result has members.

    Why: a ping only checks that the other side is alive; strict clients reject anything but an
    empty result.
    Instead: return an empty object; put extra data into `_meta`.
    """
    named = [name for name in message.result if name != "_meta"]
    if named:
        first = named[:MOST_MEMBERS_NAMED]
        text = f"The result of ping is not empty: it has {listing(first, 'and')}."
        yield Found(("result",), text, details={"members": len(named)})
