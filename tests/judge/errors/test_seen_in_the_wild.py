"""Errors of published servers that were once taken for another kind."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.responses import ResponseValidator, ValidationContext

CALCULATE = {
    "name": "calculate",
    "inputSchema": {"type": "object", "properties": {"expression": {"type": "string"}}},
}
WRITE = {"name": "write_query"}
DESCRIBE = {"name": "describe_table"}
SNAPSHOT = {"name": "browser_snapshot"}
NO_CHROME = (
    "### Error\nError: async initializeServer: Chromium distribution 'chrome' is not found at "
    '/opt/google/chrome/chrome\nRun "npx playwright install chrome"'
)


@pytest.mark.parametrize(
    ("kind", "tool", "arguments", "text"),
    [
        ("business", CALCULATE, {"expression": "yx"}, "Unknown identifier: yx"),
        ("business", CALCULATE, {"expression": ""}, "invalid syntax (<unknown>, line 0)"),
        ("business", CALCULATE, {"expression": "a b"}, "invalid syntax (<unknown>, line 1)"),
        ("business", CALCULATE, {"expression": "é"}, "invalid character '🙂' (<unknown>, line 1)"),
        ("failure", CALCULATE, {"expression": "a b"}, "invalid syntax (helpers.py, line 12)"),
        ("failure", {"name": "greet"}, {"name": "Ada"}, "invalid syntax (<unknown>, line 1)"),
        ("business", WRITE, {"query": "Grüße, 漢字"}, 'Database error: near "Grüße": syntax error'),
        ("failure", DESCRIBE, {"table_name": "a-b"}, 'Database error: near "-": syntax error'),
        ("environment", SNAPSHOT, {"depth": 2}, NO_CHROME),
    ],
)
def test_the_kind_is_told(
    kind: str, tool: dict[str, Any], arguments: dict[str, Any], text: str
) -> None:
    said = f"Error executing tool {tool['name']}: {text}"
    response = {"isError": True, "content": [{"type": "text", "text": said}]}
    verdict = ResponseValidator.explain_error(ValidationContext(tool, arguments, response))
    assert verdict.kind == kind
