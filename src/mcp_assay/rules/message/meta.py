"""`_meta` and what 2026-07-28 asks of every message: versions, capabilities, names, resultType.

The tables decide these rules.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from mcp_assay.rules.engine.rule import table_rule
from mcp_assay.rules.engine.samples import (
    CLIENT_META,
    PREFIX,
    SERVER_META,
    bad,
    good,
    modern_request,
    modern_result,
    notification,
    request,
    result,
)
from mcp_assay.spec.revisions import R2024_11_05, R2025_06_18, R2026_07_28

META: Final = "/params/_meta"
VERSION: Final = f"{PREFIX}protocolVersion"
CAPABILITIES: Final = f"{PREFIX}clientCapabilities"
CLIENT: Final = f"{PREFIX}clientInfo"
SERVER: Final = f"{PREFIX}serverInfo"
TRACE: Final = "00-1f2e3d4c5b6a79880123456789abcdef-0123456789abcdef-01"
EMPTY_LIST: Final = {"tools": [], "ttlMs": 60_000, "cacheScope": "private"}
EMPTY_PAGE: Final = {"resultType": "complete", **EMPTY_LIST}

modern_good = partial(good, revision=R2026_07_28)
modern_bad = partial(bad, revision=R2026_07_28)


def _at(key: str, place: str = META) -> str:
    return f"{place}/{key.replace('/', '~1')}"


def _keyed(**meta: Any) -> dict[str, Any]:
    return request("tools/list", {"_meta": meta})


def _with(meta: dict[str, Any]) -> dict[str, Any]:
    return modern_request("tools/list", {"_meta": {**CLIENT_META, **meta}})


def _without(key: str) -> dict[str, Any]:
    meta = {name: value for name, value in CLIENT_META.items() if name != key}
    return modern_request("tools/list", {"_meta": meta})


table_rule(
    "META-001",
    "meta-not-an-object",
    """`_meta` is not an object.

    Why: receivers look up keys in it, and some fail where they cannot.
    Instead: send an object, or omit `_meta`.
    """,
    reason="type_mismatch",
    good=lambda: [
        good(_keyed(progressToken="p-7")),
        good(result({"_meta": {}, "tools": []}), method="tools/list", revision=R2024_11_05),
    ],
    bad=lambda: [
        bad(request("tools/list", {"_meta": ["p-7"]}), META),
        bad(notification("notifications/initialized", {"_meta": None}), META),
        bad(result({"_meta": "cached", "tools": []}), "/result/_meta", method="tools/list"),
    ],
)

table_rule(
    "META-002",
    "malformed-meta-prefix",
    """The prefix of a `_meta` key is not a dotted series of labels.

    Why: the prefix identifies the owner of the key; an invalid one may collide with keys of others.
    Instead: begin the key with your domain in reverse order and a slash, such as com.example/.
    """,
    reason="invalid_meta_key",
    good=lambda: [
        good(_keyed(**{"com.example/trace": "7f"}), revision=R2025_06_18),
        good(_keyed(**{"com..example/trace": "7f"}), revision=R2024_11_05),
    ],
    bad=lambda: [
        bad(_keyed(**{"com..example/trace": "7f"}), _at("com..example/trace")),
        bad(_keyed(**{"com.3m/trace": "7f"}), _at("com.3m/trace"), revision=R2025_06_18),
        modern_bad(_with({"/trace": "7f"}), _at("/trace")),
    ],
)

table_rule(
    "META-003",
    "malformed-meta-name",
    """The name of a `_meta` key has invalid characters.

    Why: receivers may reject the key or read it as another one.
    Instead: use letters, digits, hyphens, underscores and dots, with a letter or digit at both
    ends; at most one slash, behind the prefix.
    """,
    reason="invalid_meta_key",
    good=lambda: [good(_keyed(**{"com.example/trace_id": "7f", "trace.id": "7f"}))],
    bad=lambda: [
        bad(_keyed(**{"com.example/trace id": "7f"}), _at("com.example/trace id")),
        bad(_keyed(_trace="7f"), _at("_trace"), revision=R2025_06_18),
        modern_bad(_with({"com.example/trace/id": "7f"}), _at("com.example/trace/id")),
    ],
)

table_rule(
    "META-004",
    "meta-prefix-not-reverse-dns",
    """The prefix of a `_meta` key is not a reversed domain name.

    Why: only a domain identifies the owner; two vendors may choose the same short word.
    Instead: use your domain in reverse order, such as com.example/.
    """,
    reason="invalid_meta_key",
    good=lambda: [
        good(_keyed(**{"com.example/trace": "7f", "trace": "7f"})),
        good(_keyed(**{"example/trace": "7f"}), revision=R2025_06_18),
    ],
    bad=lambda: [
        bad(_keyed(**{"example/trace": "7f"}), _at("example/trace")),
        modern_bad(_with({"example.com/trace": "7f"}), _at("example.com/trace")),
    ],
)

table_rule(
    "META-005",
    "reserved-meta-key",
    """A `_meta` key uses a prefix reserved for MCP, but MCP does not define it.

    Why: a later revision may give the key a different meaning.
    Instead: put your own key under your own domain, such as com.example/.
    """,
    reason="reserved_meta_key",
    good=lambda: [
        good(_keyed(**{f"{PREFIX}related-task": {"taskId": "t-7"}})),
        good(_keyed(**{"com.example.mcp.notes/trace": "7f"})),
    ],
    bad=lambda: [
        bad(_keyed(**{f"{PREFIX}trace": "7f"}), _at(f"{PREFIX}trace")),
        bad(_keyed(**{"com.mcp.notes/trace": "7f"}), _at("com.mcp.notes/trace")),
        bad(
            _keyed(**{"com.example.mcp.notes/trace": "7f"}),
            _at("com.example.mcp.notes/trace"),
            revision=R2025_06_18,
        ),
    ],
)

table_rule(
    "META-006",
    "malformed-trace-context",
    """A traceparent, tracestate or baggage value is not in W3C format.

    Why: tracing tools drop what they cannot read, and the trace ends here.
    Instead: pass on what your tracing library writes, unchanged.
    """,
    reason="invalid_trace_context",
    good=lambda: [
        modern_good(_with({"traceparent": TRACE, "tracestate": "notes=7f", "baggage": "user=7"})),
        good(_keyed(traceparent="7f")),
    ],
    bad=lambda: [
        modern_bad(_with({"traceparent": "7f"}), _at("traceparent")),
        modern_bad(_with({"traceparent": TRACE.upper()}), _at("traceparent")),
        modern_bad(_with({"tracestate": "notes"}), _at("tracestate")),
        modern_bad(_with({"baggage": {"user": 7}}), _at("baggage")),
    ],
)

table_rule(
    "META-007",
    "missing-protocol-version",
    """A request has no protocol version.

    Why: 2026-07-28 has no handshake; without the version the server must reject the request.
    Instead: put io.modelcontextprotocol/protocolVersion, a string, into the `_meta` of every
    request.
    """,
    reason="invalid_params",
    good=lambda: [modern_good(modern_request("tools/list")), good(request("tools/list"))],
    bad=lambda: [
        modern_bad(_without(VERSION), _at(VERSION)),
        modern_bad(_with({VERSION: 20260728}), _at(VERSION)),
        modern_bad(
            request("tools/list"),
            _at(VERSION),
            also=(("META-008", _at(CAPABILITIES)), ("META-009", _at(CLIENT))),
        ),
    ],
)

table_rule(
    "META-008",
    "missing-client-capabilities",
    """A request has no client capabilities.

    Why: 2026-07-28 has no handshake; without the capabilities the server must reject the request.
    Instead: put io.modelcontextprotocol/clientCapabilities, an object that may be empty, into the
    `_meta` of every request.
    """,
    reason="invalid_params",
    good=lambda: [
        modern_good(_with({CAPABILITIES: {"elicitation": {"form": {}}}})),
        good(request("tools/list")),
    ],
    bad=lambda: [
        modern_bad(_without(CAPABILITIES), _at(CAPABILITIES)),
        modern_bad(_with({CAPABILITIES: ["elicitation"]}), _at(CAPABILITIES)),
    ],
)

table_rule(
    "META-009",
    "unnamed-client",
    """A request has no clientInfo, or clientInfo lacks its name or version.

    Why: server operators cannot tell which client sent the request, nor which version has a bug.
    Instead: put io.modelcontextprotocol/clientInfo with a name and a version into the `_meta` of
    every request.
    """,
    reason="invalid_params",
    good=lambda: [modern_good(_with({CLIENT: {"name": "inspector", "version": "2.1"}}))],
    bad=lambda: [
        modern_bad(_without(CLIENT), _at(CLIENT)),
        modern_bad(_with({CLIENT: "inspector"}), _at(CLIENT)),
        modern_bad(_with({CLIENT: {"name": "inspector"}}), f"{_at(CLIENT)}/version"),
    ],
)

table_rule(
    "META-010",
    "unnamed-server",
    """A result has no serverInfo, or serverInfo lacks its name or version.

    Why: without a handshake, logs cannot show which server answered, nor which version of it.
    Instead: put io.modelcontextprotocol/serverInfo with a name and a version into the `_meta` of
    every result.
    """,
    reason="invalid_result",
    good=lambda: [modern_good(modern_result(EMPTY_LIST), method="tools/list")],
    bad=lambda: [
        modern_bad(result(EMPTY_PAGE), _at(SERVER, "/result/_meta"), method="tools/list"),
        modern_bad(
            result({**EMPTY_PAGE, "_meta": {SERVER: {"name": 7, "version": "1.0"}}}),
            f"{_at(SERVER, '/result/_meta')}/name",
            method="tools/list",
        ),
    ],
)

table_rule(
    "META-011",
    "wrong-progress-token-type",
    """A progressToken is neither a string nor an integer.

    Why: progress notifications must repeat the token exactly, which is not reliable for other
    types.
    Instead: use a string, or an integer.
    """,
    reason="type_mismatch",
    good=lambda: [good(_keyed(progressToken=7)), modern_good(_with({"progressToken": "p-7"}))],
    bad=lambda: [
        bad(_keyed(progressToken=True), _at("progressToken"), revision=R2024_11_05),
        bad(_keyed(progressToken=1.5), _at("progressToken")),
        modern_bad(_with({"progressToken": None}), _at("progressToken")),
    ],
)

table_rule(
    "META-012",
    "missing-result-type",
    """A result has no resultType.

    Why: in 2026-07-28 a result is either complete or a request for input, and only resultType says
    which.
    Instead: send "resultType": "complete" with every ordinary result.
    """,
    reason="invalid_result",
    good=lambda: [
        modern_good(modern_result({"content": []}), method="tools/call"),
        good(result({"content": []}), method="tools/call"),
    ],
    bad=lambda: [
        modern_bad(
            result({"_meta": SERVER_META, "content": []}), "/result/resultType", method="tools/call"
        )
    ],
)

table_rule(
    "META-013",
    "wrong-result-type",
    """A resultType is not a string, or is a misspelt defined value.

    Why: clients must not use a result of an unknown type.
    Instead: use exactly "complete" or "input_required", or the value of an extension that both
    sides advertise.
    """,
    reason="invalid_result",
    good=lambda: [
        modern_good(modern_result({"content": []}), method="tools/call"),
        modern_good(
            modern_result({"requestState": "s-7"}, result_type="input_required"),
            method="tools/call",
        ),
        modern_good(modern_result({"taskId": "t-7"}, result_type="task"), method="tools/call"),
    ],
    bad=lambda: [
        modern_bad(
            modern_result({"content": []}, result_type="Complete"),
            "/result/resultType",
            method="tools/call",
        ),
        modern_bad(
            modern_result({"requestState": "s-7"}, result_type="inputRequired"),
            "/result/resultType",
            method="tools/call",
        ),
        modern_bad(
            result({"_meta": SERVER_META, "resultType": None, "content": []}),
            "/result/resultType",
            method="tools/call",
        ),
    ],
)

table_rule(
    "META-014",
    "malformed-extension",
    """An extension's name has no prefix, or its settings are not an object.

    Why: the other side looks for the exact name and an object, so it treats this extension as
    absent.
    Instead: use the extension's full name, such as com.example/notes, and {} if there are no
    settings.
    """,
    reason="invalid_extension",
    good=lambda: [modern_good(_with({CAPABILITIES: {"extensions": {"com.example/notes": {}}}}))],
    bad=lambda: [
        modern_bad(
            _with({CAPABILITIES: {"extensions": {"notes": {}}}}),
            f"{_at(CAPABILITIES)}/extensions/notes",
        ),
        modern_bad(
            _with({CAPABILITIES: {"extensions": {"com.example/notes": True}}}),
            f"{_at(CAPABILITIES)}/extensions/com.example~1notes",
        ),
        modern_bad(
            modern_result(
                {
                    "supportedVersions": [R2026_07_28],
                    "capabilities": {"extensions": ["com.example/notes"]},
                    "ttlMs": 0,
                    "cacheScope": "public",
                }
            ),
            "/result/capabilities/extensions",
            method="server/discover",
        ),
    ],
)
