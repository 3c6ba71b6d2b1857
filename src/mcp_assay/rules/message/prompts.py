"""Prompts: the arguments that a client sends and the messages that a server gives."""

from __future__ import annotations

from typing import Any

from mcp_assay.rules.engine.rule import table_rule
from mcp_assay.rules.engine.samples import (
    bad,
    good,
    modern_request,
    modern_result,
    request,
    result,
)
from mcp_assay.spec.revisions import R2024_11_05, R2025_03_26, R2026_07_28

PIXEL = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}
CLIP = {"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"}
NOTE = {"uri": "file:///notes/tea.md", "mimeType": "text/markdown", "text": "# Tea"}


def _prompt(content: dict[str, Any]) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": content}]}


def _embedded(**contents: Any) -> dict[str, Any]:
    return _prompt({"type": "resource", "resource": contents})


table_rule(
    "PROMPT-002",
    "prompt-argument-not-a-string",
    """A prompts/get request has arguments that are not strings.

    Why: servers insert the arguments into text, and typed servers reject anything but strings.
    Instead: send every value as a string, such as "5" and not 5.
    """,
    reason="invalid_params",
    good=lambda: [
        good(request("prompts/get", {"name": "summarize", "arguments": {"lines": "5"}})),
        good(modern_request("prompts/get", {"name": "summarize"}), revision=R2026_07_28),
    ],
    bad=lambda: [
        bad(
            request("prompts/get", {"name": "summarize", "arguments": {"lines": 5}}),
            "/params/arguments/lines",
        ),
        bad(
            request("prompts/get", {"name": "summarize", "arguments": ["5"]}),
            "/params/arguments",
            revision=R2024_11_05,
        ),
    ],
)

table_rule(
    "PROMPT-005",
    "unusable-prompt-media",
    """An image or audio clip in a prompt has invalid base64 data or an invalid media type.

    Why: the client cannot decode it, and the prompt fails or loses its image or sound.
    Instead: use standard base64 with padding, and a type such as image/png or audio/wav.
    """,
    reason="invalid_result",
    good=lambda: [
        good(result(_prompt(PIXEL)), method="prompts/get"),
        good(result(_prompt(CLIP)), revision=R2025_03_26, method="prompts/get"),
    ],
    bad=lambda: [
        bad(
            result(_prompt({**PIXEL, "data": "data:image/png;base64,iVBORw0KGgo="})),
            "/result/messages/0/content/data",
            method="prompts/get",
        ),
        bad(
            result(_prompt({**PIXEL, "mimeType": "png"})),
            "/result/messages/0/content/mimeType",
            revision=R2024_11_05,
            method="prompts/get",
        ),
        bad(
            modern_result(_prompt({**CLIP, "data": "UklGRg"})),
            "/result/messages/0/content/data",
            revision=R2026_07_28,
            method="prompts/get",
        ),
    ],
)

table_rule(
    "PROMPT-006",
    "incomplete-prompt-resource",
    """A resource in a prompt lacks a valid URI, a media type, or text or a blob.

    Why: the client cannot tell what the resource is or how to show it to the model.
    Instead: give it a uri, a mimeType, and either text or a base64 blob.
    """,
    reason="invalid_result",
    good=lambda: [
        good(result(_embedded(**NOTE)), method="prompts/get"),
        good(
            modern_result(_embedded(uri="notes://7", mimeType="image/png", blob="iVBORw0KGgo=")),
            revision=R2026_07_28,
            method="prompts/get",
        ),
    ],
    bad=lambda: [
        bad(
            result(_embedded(uri="file:///notes/tea.md", text="# Tea")),
            "/result/messages/0/content/resource/mimeType",
            method="prompts/get",
        ),
        bad(
            result(_embedded(uri="file:///notes/tea.md", mimeType="text/markdown")),
            "/result/messages/0/content/resource",
            method="prompts/get",
        ),
        bad(
            modern_result(_embedded(**{**NOTE, "uri": "notes/tea.md"})),
            "/result/messages/0/content/resource/uri",
            revision=R2026_07_28,
            method="prompts/get",
        ),
    ],
)
