"""The fix belongs to the fault that was seen, not to its rule; a place keeps its last word."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from mcp_assay.protocol import validate_jsonrpc
from mcp_assay.rules.definition.linter import lint
from mcp_assay.rules.definition.surface import surface_of
from mcp_assay.text.words import LONGEST_SPOT, spot
from tests.truth.recorded import META, asked, c2s, found, judged, opened, s2c, the, tool

IMAGE: Final = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}
LINK: Final = {"type": "resource_link", "uri": "notes://1", "name": "first"}
CONTENTS: Final = {"uri": "notes://1", "mimeType": "text/plain", "text": "Tea"}


def schema(**members: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"city": {"type": "string"}}, **members}


@pytest.mark.parametrize(
    ("member", "definition", "rule", "fix"),
    [
        ("tools", tool("get weather"), "TOOL-003", 'Rename "get weather" to "get_weather".'),
        (
            "tools",
            tool("notes/read all"),
            "TOOL-003",
            'Rename "notes/read all" to "notes_read_all".',
        ),
        ("tools", tool("café"), "TOOL-003", 'Rename "café" to "cafe".'),
        ("tools", tool("a b " * 20), "TOOL-003", f'to "{"a_b_" * 19}a_b".'),
        ("tools", tool("天気"), "TOOL-003", "Use letters, digits, _, - and . only."),
        (
            "tools",
            tool(inputSchema=schema(required=["citty"])),
            "TOOL-015",
            'Write "city" instead of "citty" in required.',
        ),
        (
            "tools",
            tool(inputSchema=schema(required=["zip"])),
            "TOOL-015",
            'Add "zip" to properties, or remove it from required.',
        ),
        (
            "tools",
            tool(inputSchema=schema(properties={"days": {"type": "integer", "default": "3"}})),
            "TOOL-015",
            "Correct the default, or let the schema allow it.",
        ),
        (
            "tools",
            {"name": "a", "description": "b", "input_schema": schema()},
            "TOOL-006",
            'Rename "input_schema" to "inputSchema".',
        ),
        (
            "tools",
            tool(annotations={"readOnlyHint": "true"}),
            "TOOL-017",
            "Send readOnlyHint as true, or omit it.",
        ),
        (
            "tools",
            tool(annotations={"title": 7}),
            "TOOL-017",
            "Send title as a string, or omit it.",
        ),
        ("resources", {"uri": "my_notes://1", "name": "n"}, "RES-004", '"my-notes" instead of'),
        ("resources", {"uri": "notes://1"}, "RES-001", "Give it a name."),
    ],
)
def test_a_definition_is_mended_where_it_is_wrong(
    member: str, definition: Any, rule: str, fix: str
) -> None:
    (finding,) = [one for one in lint(surface_of({member: [definition]})) if one.rule == rule]
    assert fix in (finding.fix or "")


@pytest.mark.parametrize(
    ("block", "rule", "place", "fix"),
    [
        ({**LINK, "uri": "notes/1"}, "SCHEMA-006", "/uri", "Include the scheme"),
        ({**LINK, "mimeType": "plain"}, "SCHEMA-013", "/mimeType", "Write type and subtype"),
        ({**LINK, "icons": [{"src": "icon"}]}, "SCHEMA-006", "/icons/0/src", "Include the scheme"),
        ({**IMAGE, "data": "not base64"}, "PROMPT-005", "/data", "Use the standard alphabet"),
        ({**IMAGE, "mimeType": "png"}, "PROMPT-005", "/mimeType", "Write type and subtype"),
        (
            {"type": "audio", "data": "UklGRg==", "mimeType": "mp3"},
            "PROMPT-005",
            "/mimeType",
            "Write type and subtype",
        ),
        (
            {"type": "resource", "resource": {**CONTENTS, "uri": "notes/1"}},
            "PROMPT-006",
            "/resource/uri",
            "Include the scheme",
        ),
        (
            {"type": "resource", "resource": {**CONTENTS, "mimeType": "plain"}},
            "PROMPT-006",
            "/resource/mimeType",
            "Write type and subtype",
        ),
        (
            {"type": "resource", "resource": {**CONTENTS, "blob": "VGVh"}},
            "PROMPT-006",
            "/resource",
            "Send text for text",
        ),
        (
            {"type": "resource", "resource": {"uri": "notes://1", "text": "Tea"}},
            "PROMPT-006",
            "/resource/mimeType",
            "Send mimeType as a media type",
        ),
        (
            {
                "type": "resource",
                "resource": {"uri": "notes://1", "mimeType": "image/png", "blob": "no base64"},
            },
            "PROMPT-006",
            "/resource/blob",
            "Use the standard alphabet",
        ),
    ],
)
def test_a_fault_in_a_prompt_has_the_rule_and_the_fix_of_its_block(
    tmp_path: Path, block: Any, rule: str, place: str, fix: str
) -> None:
    messages = {"messages": [{"role": "user", "content": block}]}
    lines = [*opened(), *asked(1, "prompts/get", {"name": "p"}, messages)]
    report = judged(tmp_path, lines)
    assert found(report) == [(rule, 5, f"/result/messages/0/content{place}")]
    assert (the(report, rule).fix or "").startswith(fix)
    assert the(report, rule).severity == ("warning" if rule == "SCHEMA-013" else "error")


@pytest.mark.parametrize(
    "block",
    [
        {"type": "text", "text": "Hello"},
        LINK,
        {**LINK, "mimeType": "text/plain", "size": 3},
        IMAGE,
        {"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"},
        {"type": "resource", "resource": CONTENTS},
        {
            "type": "resource",
            "resource": {"uri": "notes://1", "mimeType": "image/png", "blob": "VGVh"},
        },
    ],
)
def test_good_blocks_of_a_prompt_are_silent(tmp_path: Path, block: Any) -> None:
    messages = {"messages": [{"role": "user", "content": block}]}
    report = judged(tmp_path, [*opened(), *asked(1, "prompts/get", {"name": "p"}, messages)])
    assert found(report) == []


@pytest.mark.parametrize(
    ("message", "fix"),
    [
        ({"method": "tools/call", "params": {"arguments": {}}}, "Send name as a string."),
        ({"method": "tools/call", "params": {"name": 7}}, "Send name as a string."),
        (
            {"method": "logging/setLevel", "params": {"level": "loud"}},
            "Use debug, info, notice, warning, error, critical, alert or emergency.",
        ),
        (
            {"method": "prompts/get", "params": {"name": "p", "arguments": {"days": 5}}},
            'Send "days" as a string.',
        ),
        ({"method": "tools/call", "params": {"Name": "x"}}, 'Rename "Name" to "name".'),
    ],
)
def test_a_message_is_mended_where_it_is_wrong(message: Any, fix: str) -> None:
    outcome = validate_jsonrpc({"jsonrpc": "2.0", "id": 1, **message})
    assert fix in [one.fix for one in outcome.findings]


BARE: Final = {key: META[key] for key in list(META)[:1]}


@pytest.mark.parametrize(
    ("line", "rules"),
    [
        (s2c({"id": 1, "method": "ping"}), set()),
        (s2c({"id": 1, "method": "roots/list"}), set()),
        (s2c({"id": 1, "method": "sampling/createMessage", "params": {}}), {"VER-010"}),
        (c2s({"id": 1, "result": {}}), set()),
        (c2s({"id": 1, "result": {"roots": [{"uri": "https://a.example"}]}}), set()),
        (c2s({"method": "notifications/message", "params": {"level": "info", "data": 1}}), set()),
        (c2s({"id": 1, "method": "tools/list", "params": {"_meta": BARE}}), {"META-008"}),
        (c2s({"id": 1, "method": "tools/list"}), {"META-007", "META-008"}),
        (s2c({"id": 1, "result": {}}), {"META-010", "META-012"}),
    ],
)
def test_only_who_sent_a_message_is_blamed_for_it(
    tmp_path: Path, line: Any, rules: set[str]
) -> None:
    report = judged(tmp_path, [line], revision="2026-07-28", partial=True)
    sender = {"c2s": "client", "s2c": "server"}[line["dir"]]
    assert {one.subject for one in report.findings} <= {sender}
    named = {one.rule for one in report.findings}
    assert named >= rules
    assert rules or not any(rule.startswith(("META-", "LOG-")) for rule in named)


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        (
            ("params", "_meta", "io.modelcontextprotocol/clientCapabilities"),
            "/params/_meta/io.modelcontextprotocol~1clientCapabilities",
        ),
        (("result", "tools", 3, "name"), "/result/tools/3/name"),
        (("result", *["properties", "x"] * 40, "type"), "/properties/x/type"),
        (("result", "content", 0, "y" * 500, "text"), "y/text"),
    ],
)
def test_a_place_keeps_its_end(path: tuple[str | int, ...], shown: str) -> None:
    text = spot(path)
    assert text.endswith(shown)
    assert text.startswith(f"/{path[0]}/")
    assert len(text) <= LONGEST_SPOT + 20


def test_a_long_place_is_cut_between_steps() -> None:
    path = ("result", *(f"step-{number}" for number in range(40)), "type")
    steps = spot(path).split("/")[1:]
    assert "…" in steps
    assert {step for step in steps if step != "…"} <= {*map(str, path)}


@pytest.mark.parametrize(
    ("member", "definition", "rule", "words"),
    [
        ("tools", tool("list orders"), "TOOL-003", "weather"),
        ("tools", tool("a/b"), "TOOL-003", "get_"),
        ("tools", tool(inputSchema=schema(required=["citty"])), "TOOL-015", "default"),
        ("tools", tool(inputSchema=schema(required=["zip"])), "TOOL-015", "city"),
        (
            "tools",
            tool(inputSchema=schema(properties={"n": {"type": "integer", "default": "3"}})),
            "TOOL-015",
            "required",
        ),
        ("tools", tool(annotations={"readOnlyHint": "true"}), "TOOL-017", "title"),
        ("tools", tool(annotations={"title": 7}), "TOOL-017", "Hint"),
        ("resources", {"uri": "notes://1"}, "RES-001", "uri"),
    ],
)
def test_a_fix_says_nothing_of_other_faults(
    member: str, definition: Any, rule: str, words: str
) -> None:
    (finding,) = [one for one in lint(surface_of({member: [definition]})) if one.rule == rule]
    assert finding.fix
    assert words not in finding.fix
