"""What a tool answers: content for people and models, structuredContent for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.rule import Found, On, rule, table_rule
from mcp_assay.rules.engine.samples import bad, good, modern_result, result
from mcp_assay.spec.revisions import R2024_11_05, R2025_06_18, R2026_07_28

WEATHER = {"temperature": 18.5, "sky": "cloudy"}
WEATHER_TEXT = {"type": "text", "text": '{"temperature": 18.5, "sky": "cloudy"}'}
CHART = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}

table_rule(
    "CALL-001",
    "no-content-array",
    """A tools/call result has no content, or its content is not an array of blocks.

    Why: clients pass content to the model; without the array many of them fail.
    Instead: always send content as an array of content blocks, empty if there are none.
    """,
    reason="invalid_result",
    good=lambda: [
        good(result({"content": [{"type": "text", "text": "3 notes"}]}), method="tools/call"),
        good(result({"content": []}), revision=R2024_11_05, method="tools/call"),
    ],
    bad=lambda: [
        bad(result({}), "/result/content", method="tools/call"),
        bad(result({"content": "3 notes"}), "/result/content", method="tools/call"),
        bad(
            result({"content": {"type": "text", "text": "3 notes"}}),
            "/result/content",
            method="tools/call",
        ),
        bad(
            modern_result({"content": ["3 notes"]}),
            "/result/content/0",
            revision=R2026_07_28,
            method="tools/call",
        ),
    ],
)

table_rule(
    "CALL-005",
    "structured-content-not-an-object",
    """structuredContent is not an object, in a revision before 2026-07-28.

    Why: up to 2025-11-25 it must be an object, and clients reject the whole result if it is not.
    Instead: put the value into an object, such as {"result": [1, 2, 3]}.
    """,
    reason="invalid_result",
    good=lambda: [
        good(
            result({"content": [WEATHER_TEXT], "structuredContent": WEATHER}), method="tools/call"
        ),
        good(
            modern_result({"content": [{"type": "text", "text": "[1]"}], "structuredContent": [1]}),
            revision=R2026_07_28,
            method="tools/call",
        ),
    ],
    bad=lambda: [
        bad(
            result({"content": [WEATHER_TEXT], "structuredContent": [WEATHER]}),
            "/result/structuredContent",
            method="tools/call",
        ),
        bad(
            result({"content": [{"type": "text", "text": "done"}], "structuredContent": None}),
            "/result/structuredContent",
            revision=R2025_06_18,
            method="tools/call",
        ),
    ],
)

HAS_TEXT = {"contains": {"required": ["type"], "properties": {"type": {"const": "text"}}}}
FAILED = {"required": ["isError"], "properties": {"isError": {"const": True}}}


@rule(
    "CALL-004",
    "structured-content-without-text",
    reason="invalid_result",
    good=lambda: [
        good(
            result({"content": [WEATHER_TEXT], "structuredContent": WEATHER}), method="tools/call"
        ),
        good(
            modern_result({"content": [WEATHER_TEXT, CHART], "structuredContent": WEATHER}),
            revision=R2026_07_28,
            method="tools/call",
        ),
    ],
    bad=lambda: [
        bad(
            result({"content": [], "structuredContent": WEATHER}),
            "/result/content",
            method="tools/call",
        ),
        bad(
            modern_result({"content": [CHART], "structuredContent": WEATHER}),
            "/result/content",
            revision=R2026_07_28,
            method="tools/call",
        ),
    ],
    on=On(("result",), ("tools/call",)),
    patch={
        "CallToolResult": {
            "anyOf": [
                {"properties": {"structuredContent": False}},
                {"properties": {"content": HAS_TEXT}},
                FAILED,
            ]
        }
    },
)
def structured_content_without_text(message: Message) -> Iterator[Found]:
    """A tool result has structuredContent but no text block.

    Why: clients and models that read only content see nothing of the result.
    Instead: also send the same JSON, or a rendering of it, as a text block.
    """
    if _is_structured_success(message.result) and _lacks_text(message.result.get("content")):
        text = "The result has structuredContent but its content has no text block."
        if message.result["structuredContent"] == {"result": []}:
            text = "The result is an empty list, of which its content has no text block."
        yield Found(("result", "content"), text)


def _is_structured_success(members: dict[str, Any]) -> bool:
    return "structuredContent" in members and members.get("isError") is not True


def _lacks_text(content: object) -> bool:
    return isinstance(content, list) and not any(map(_is_text, content))


def _is_text(block: object) -> bool:
    return isinstance(block, dict) and block.get("type") == "text"
