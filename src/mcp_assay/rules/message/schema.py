"""The shapes of params, results and content, and the formats of the values in them.

The tables decide these rules.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from mcp_assay.rules.engine.rule import table_rule
from mcp_assay.rules.engine.samples import (
    bad,
    good,
    modern_request,
    modern_result,
    notification,
    request,
    result,
)
from mcp_assay.spec.revisions import R2024_11_05, R2025_03_26, R2025_06_18, R2026_07_28

PIXEL: Final = "iVBORw0KGgo="
TEXT: Final = {"type": "text", "text": "3 notes"}
IMAGE: Final = {"type": "image", "data": PIXEL, "mimeType": "image/png"}
AUDIO: Final = {"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"}
NOTE: Final = {"uri": "notes://7", "name": "shopping"}
STRUCTURED: Final = {
    "content": [{"type": "text", "text": '{"notes": 3}'}],
    "structuredContent": {"notes": 3},
}
FULL_WIDTH_NAME: Final = "\uff44escription"

good_call = partial(good, method="tools/call")
bad_call = partial(bad, method="tools/call")
good_list = partial(good, method="resources/list")
bad_list = partial(bad, method="resources/list")


def _called(*blocks: Any) -> dict[str, Any]:
    return result({"content": list(blocks)})


def _read(**contents: Any) -> dict[str, Any]:
    return result({"contents": [{"uri": "notes://7", **contents}]})


def _listed(**members: Any) -> dict[str, Any]:
    return result({"resources": [{**NOTE, **members}]})


def _prompt(role: str) -> dict[str, Any]:
    return result({"messages": [{"role": role, "content": TEXT}]})


table_rule(
    "SCHEMA-001",
    "wrong-params",
    """The params do not match the method's schema.

    Why: the receiver rejects the request, ignores the notification, or guesses.
    Instead: send every required member, with the type that the revision defines.
    """,
    reason="invalid_params",
    good=lambda: [
        good(request("tools/call", {"name": "search", "arguments": {"query": "tea"}})),
        good(modern_request("tools/list", {"cursor": "page-2"}), revision=R2026_07_28),
    ],
    bad=lambda: [
        bad(request("tools/call", {"tool": "search"}), "/params/name"),
        bad(request("tools/call", {"name": "search", "arguments": ["tea"]}), "/params/arguments"),
        bad(notification("notifications/progress", {"progressToken": 7}), "/params/progress"),
        bad(
            modern_request("subscriptions/listen", {"notifications": {"toolsListChanged": 1}}),
            "/params/notifications/toolsListChanged",
            revision=R2026_07_28,
        ),
    ],
)

table_rule(
    "SCHEMA-002",
    "wrong-result",
    """A result does not match the method's schema.

    Why: the client misses members, or finds types that it cannot use.
    Instead: send every required member of the result, with the type that the revision defines.
    """,
    reason="invalid_result",
    good=lambda: [
        good(
            result({"tools": [{"name": "search", "inputSchema": {"type": "object"}}]}),
            method="tools/list",
        ),
        good(
            modern_result({"tools": [], "ttlMs": 60_000, "cacheScope": "private"}),
            method="tools/list",
            revision=R2026_07_28,
        ),
    ],
    bad=lambda: [
        bad(result({"items": []}), "/result/tools", method="tools/list"),
        bad(
            result({"tools": [{"name": "search"}]}),
            "/result/tools/0/inputSchema",
            method="tools/list",
            revision=R2024_11_05,
        ),
        bad_call(_called({"type": "text", "text": 3}), "/result/content/0/text"),
        bad(
            modern_result({"messages": "Write a poem."}),
            "/result/messages",
            method="prompts/get",
            revision=R2026_07_28,
        ),
    ],
)

table_rule(
    "SCHEMA-005",
    "member-of-a-later-revision",
    """A member is defined only in a later revision.

    Why: the other side uses the negotiated revision and ignores the member.
    Instead: omit it, or negotiate the revision that defines it.
    """,
    reason="later_revision",
    good=lambda: [
        good_call(result(STRUCTURED), revision=R2025_06_18),
        good_call(_called(TEXT), revision=R2025_03_26),
    ],
    bad=lambda: [
        bad_call(result(STRUCTURED), "/result/structuredContent", revision=R2025_03_26),
        bad(
            request("tools/call", {"name": "search", "task": {"ttl": 60_000}}),
            "/params/task",
            revision=R2025_06_18,
        ),
        bad(result({"tools": [], "ttlMs": 60_000}), "/result/ttlMs", method="tools/list"),
    ],
)

table_rule(
    "SCHEMA-006",
    "not-an-absolute-uri",
    """A value should be an absolute URI but is not.

    Why: without a scheme the URI cannot be resolved, and with spaces or other invalid characters
    programs disagree on where it ends.
    Instead: include the scheme, such as file:// or https://, and percent-encode special characters.
    """,
    reason="invalid_uri",
    good=lambda: [
        good(request("resources/read", {"uri": "file:///notes/my%20list.txt"})),
        good_list(_listed()),
    ],
    bad=lambda: [
        bad(request("resources/read", {"uri": "notes/list.txt"}), "/params/uri"),
        bad(request("resources/read", {"uri": "file:///notes/my list.txt"}), "/params/uri"),
        bad(
            notification("notifications/resources/updated", {"uri": ""}),
            "/params/uri",
            revision=R2026_07_28,
        ),
    ],
)

table_rule(
    "SCHEMA-007",
    "not-base64",
    """Binary data is not canonical base64.

    Why: decoders reject it, or skip invalid characters and produce different bytes.
    Instead: use the standard alphabet with + and /, with padding, without line breaks and without a
    data: prefix.
    """,
    reason="invalid_base64",
    good=lambda: [good_call(_called(IMAGE)), good(_read(blob=PIXEL), method="resources/read")],
    bad=lambda: [
        bad_call(_called({**IMAGE, "data": "iVBORw0KGgo"}), "/result/content/0/data"),
        bad_call(
            _called({**IMAGE, "data": f"data:image/png;base64,{PIXEL}"}), "/result/content/0/data"
        ),
        bad_call(
            _called({**AUDIO, "data": "UklG\nRg=="}), "/result/content/0/data", revision=R2025_03_26
        ),
        bad(_read(blob="_-8="), "/result/contents/0/blob", method="resources/read"),
    ],
)

table_rule(
    "SCHEMA-008",
    "unknown-content-type",
    """A content block has a type that the revision does not allow here.

    Why: the other side cannot show the block or pass it on; strict clients reject the whole result.
    Instead: use text, image, audio, resource or resource_link, as far as the revision defines them;
    tool_use and tool_result are for sampling only.
    """,
    reason="unknown_content_type",
    good=lambda: [
        good_call(_called(TEXT, IMAGE), revision=R2024_11_05),
        good_call(_called(AUDIO, {"type": "resource_link", **NOTE})),
    ],
    bad=lambda: [
        bad_call(_called({"type": "json", "json": {}}), "/result/content/0/type"),
        bad_call(_called(TEXT, {"text": "3"}), "/result/content/1/type"),
        bad_call(_called(AUDIO), "/result/content/0/type", revision=R2024_11_05),
        bad_call(
            _called({"type": "tool_use", "id": "u-7", "name": "search", "input": {}}),
            "/result/content/0/type",
        ),
    ],
)

table_rule(
    "SCHEMA-009",
    "not-exactly-one-of-text-and-blob",
    """Resource contents have both text and blob, or neither.

    Why: with both, it is unclear which one is the resource; with neither, there is nothing to read.
    Instead: send text for text (an empty string if it is empty), and blob for everything else.
    """,
    reason="text_or_blob",
    good=lambda: [
        good(_read(text=""), method="resources/read"),
        good(_read(blob=PIXEL, mimeType="image/png"), method="resources/read"),
    ],
    bad=lambda: [
        bad(_read(text="3 notes", blob=PIXEL), "/result/contents/0", method="resources/read"),
        bad(_read(mimeType="text/plain"), "/result/contents/0", method="resources/read"),
        bad_call(
            _called({"type": "resource", "resource": {"uri": "notes://7"}}),
            "/result/content/0/resource",
            revision=R2024_11_05,
        ),
    ],
)

table_rule(
    "SCHEMA-010",
    "unknown-role",
    """A role is neither "user" nor "assistant".

    Why: the messages go to a model, and MCP defines no other roles.
    Instead: use "user" or "assistant"; a sampling request has its own member for a system prompt.
    """,
    reason="unknown_role",
    good=lambda: [
        good(_prompt("user"), method="prompts/get"),
        good(_prompt("assistant"), method="prompts/get", revision=R2024_11_05),
    ],
    bad=lambda: [
        bad(_prompt("system"), "/result/messages/0/role", method="prompts/get"),
        bad(
            request(
                "sampling/createMessage",
                {"messages": [{"role": "User", "content": TEXT}], "maxTokens": 100},
            ),
            "/params/messages/0/role",
            revision=R2025_06_18,
        ),
    ],
)

table_rule(
    "SCHEMA-011",
    "wrong-annotations",
    """Annotations have a priority outside 0 to 1, or an audience that is not a list of roles.

    Why: clients sort by priority and filter by audience; they ignore invalid values.
    Instead: give the priority as a number from 0 to 1 and the audience as a list of "user" and
    "assistant".
    """,
    reason="invalid_annotations",
    good=lambda: [
        good_list(_listed(annotations={"priority": 0.8, "audience": ["user", "assistant"]}))
    ],
    bad=lambda: [
        bad_list(_listed(annotations={"priority": 10}), "/result/resources/0/annotations/priority"),
        bad_call(
            _called({**TEXT, "annotations": {"audience": ["developer"]}}),
            "/result/content/0/annotations/audience/0",
            revision=R2024_11_05,
        ),
        bad_list(
            _listed(annotations={"audience": "user"}), "/result/resources/0/annotations/audience"
        ),
    ],
)

table_rule(
    "SCHEMA-012",
    "wrong-last-modified",
    """A lastModified is not an ISO 8601 date and time.

    Why: clients cannot tell whether the resource is newer than their copy.
    Instead: write it like 2025-11-25T10:00:00Z.
    """,
    reason="invalid_timestamp",
    good=lambda: [good_list(_listed(annotations={"lastModified": "2025-11-25T10:00:00Z"}))],
    bad=lambda: [
        bad_list(
            _listed(annotations={"lastModified": "25 Nov 2025"}),
            "/result/resources/0/annotations/lastModified",
        ),
        bad_call(
            _called({**TEXT, "annotations": {"lastModified": "1764064800"}}),
            "/result/content/0/annotations/lastModified",
            revision=R2025_06_18,
        ),
    ],
)

table_rule(
    "SCHEMA-013",
    "wrong-media-type",
    """A mimeType is not a valid media type, or does not match its image or audio block.

    Why: clients use it to decide how to show the data, and show nothing if they do not know it.
    Instead: write type and subtype, such as text/plain, image/png or audio/wav.
    """,
    reason="invalid_media_type",
    good=lambda: [
        good_list(_listed(mimeType="text/plain; charset=utf-8")),
        good_call(_called(IMAGE, AUDIO)),
    ],
    bad=lambda: [
        bad_list(_listed(mimeType="text"), "/result/resources/0/mimeType"),
        bad_call(
            _called({**IMAGE, "mimeType": "png"}),
            "/result/content/0/mimeType",
            revision=R2024_11_05,
        ),
        bad_call(_called({**AUDIO, "mimeType": "video/mp4"}), "/result/content/0/mimeType"),
    ],
)

table_rule(
    "LINT-001",
    "look-alike-name",
    """A member's name is a misspelling of a defined one.

    Why: names are compared exactly, so the receiver silently ignores the member.
    Instead: use the exact name of the specification; give your own members clearly different names.
    """,
    reason="look_alike_name",
    good=lambda: [
        good_call(result({"content": [TEXT], "isError": True})),
        good_call(result({"content": [TEXT], "elapsed": 12})),
    ],
    bad=lambda: [
        bad_call(result({"content": [TEXT], "is_error": True}), "/result/is_error"),
        bad(
            request("tools/call", {"name": "search", "Arguments": {"query": "tea"}}),
            "/params/Arguments",
        ),
        bad_list(_listed(**{FULL_WIDTH_NAME: "A list"}), f"/result/resources/0/{FULL_WIDTH_NAME}"),
    ],
)
