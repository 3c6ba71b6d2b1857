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
SEARCH = {"name": "search_papers"}
PARSE = {
    "name": "parse_page",
    "inputSchema": {"type": "object", "properties": {"API_KEY": {"type": "string"}}},
}
REPLIES = {"name": "get_thread_replies"}
DATABASES = {"name": "list_databases"}
NO_CONNECTION = (
    'Connection "c-1" does not exist or has expired. Please use one of the following tools: '
    '"connect" to connect to an instance or update the MCP server configuration to include a '
    "connection string."
)
VALIDATE = {"name": "validate"}
NO_VERSION = "Version 'v9' is not available for API 'a'. Available versions for 'a': v2, v1."
LONG = "assay " * 400
NO_PRO = "Error: Pro feature dependency missing. Install with `uv tool install 'papers[pro]'`."
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
        ("environment", SEARCH, {"query": "hello"}, NO_PRO),
        ("business", SEARCH, {"query": ""}, "No search criteria provided"),
        ("business", SEARCH, {"query": ""}, "Empty search query provided"),
        ("environment", SEARCH, {"query": "a"}, "it requires PAPERS_API_URL to be set to a host"),
        ("environment", SEARCH, {"query": "a"}, "Please set PAPERS_API_KEY first"),
        ("business", PARSE, {"url": "a"}, "API_KEY is required"),
        ("business", SEARCH, {"apiKey": ""}, "API_KEY is required"),
        ("business", SEARCH, {"query": "a"}, "MISSING_TOKEN: a token is required"),
        ("business", SEARCH, {"query": "a"}, "SORT_ORDER is required"),
        ("business", DATABASES, {"connection": "c-1"}, NO_CONNECTION),
        ("environment", DATABASES, {}, "Update your configuration: no API key was found"),
        ("business", REPLIES, {"thread": ""}, "Missing required arguments: channel and thread"),
        ("business", REPLIES, {}, "Missing required parameters: channel"),
        ("failure", REPLIES, {}, "get() missing 2 required positional arguments: 'a' and 'b'"),
        ("business", DESCRIBE, {"tables": [""]}, "NoSuchTableError"),
        ("business", DESCRIBE, {"tables": ["   "]}, "NoSuchTableError:    "),
        ("business", DESCRIBE, {"tables": ["lg"]}, "NoSuchTableError: lg   \n"),
        ("business", DESCRIBE, {"tables": [LONG]}, f"NoSuchTableError: {LONG}"),
        ("business", DESCRIBE, {"tables": ["notes"]}, "NoSuchTableError: notes"),
        ("failure", DESCRIBE, {"tables": ["notes"]}, "NoSuchTableError: cache"),
        ("business", VALIDATE, {"version": "v9"}, NO_VERSION),
        ("environment", VALIDATE, {"port": 9}, "No tools on port 9. The server may not be running"),
        ("business", VALIDATE, {}, "No running containers found"),
        ("business", VALIDATE, {}, "NotImplementedError: Changelogs are only available on Cloud."),
        ("failure", VALIDATE, {}, "NotImplementedError: Changelogs are available"),
    ],
)
def test_the_kind_is_reported(
    kind: str, tool: dict[str, Any], arguments: dict[str, Any], text: str
) -> None:
    said = f"Error executing tool {tool['name']}: {text}"
    response = {"isError": True, "content": [{"type": "text", "text": said}]}
    verdict = ResponseValidator.explain_error(ValidationContext(tool, arguments, response))
    assert verdict.kind == kind


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("failure", "get_cashflow() missing 1 required positional argument: 'symbol'"),
        ("failure", "'int' object has no attribute 'lower'"),
        ("business", "No historical data found for ACME"),
        ("environment", "Could not resolve host: finance.example.invalid"),
        ("environment", "It did not go as it should"),
    ],
)
def test_a_code_for_everything_says_less_than_the_words_beside_it(kind: str, text: str) -> None:
    error = {"error": {"code": "UPSTREAM_ERROR", "message": text}}
    content = [{"type": "text", "text": text}]
    response = {"isError": True, "content": content, "structuredContent": error}
    context = ValidationContext({"name": "get_cashflow"}, {"symbol": "ACME"}, response)
    assert ResponseValidator.explain_error(context).kind == kind
