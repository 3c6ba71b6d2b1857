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
ROOT = {
    "name": "root",
    "inputSchema": {"type": "object", "properties": {"max_workers": {"type": "integer"}}},
}
CLOCK = {
    "name": "current_time",
    "inputSchema": {"type": "object", "properties": {"timezone": {"type": "string"}}},
}
ROUTE = {
    "name": "route",
    "description": "Compute a route.\n\n    points: JSON array of [lon, lat] pairs.\n",
    "inputSchema": {"type": "object", "properties": {"points": {"type": "string"}}},
}
NO_JSON = "Expecting value: line 1 column 1 (char 0)"
OUTSIDE = "Exit code: 128\nstderr: fatal: '/' is outside repository at '/srv/notes'"
NO_REBASE = "Exit code: 128\nstderr: fatal: No rebase in progress?"
SHEET_NAME = "failed to create the sheet: the name can not contain any of the characters :/?*"
NO_PIP = "/srv/venv/bin/python: No module named pip"
OTHER_TOOL = "Project path not set. Please use set_project_path to set a project directory first."
ODD_FILE = "Path does not exist: /srv/notes/[a-z(*+?{\\"
LINES_FILE = "[Errno 2] No such file or directory: '/srv/n/100%s %(a)s {0} <b>&amp;</b>\\n${a}'"
PARENT = "Parent directory does not exist: /srv/project/notes/srv/project/notes"
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
        ("business", ROOT, {"number": -1}, "math domain error"),
        ("failure", ROOT, {"number": 5}, "math domain error"),
        ("failure", ROOT, {"name": "Ada"}, "math domain error"),
        ("business", ROOT, {"n": -1}, "factorial() not defined for negative values"),
        ("business", ROOT, {"n": 5, "of": 2**31}, "(34, 'Numerical result out of range')"),
        ("failure", ROOT, {"n": 5, "of": 3}, "(34, 'Numerical result out of range')"),
        ("business", ROOT, {"max_workers": 0}, "Error: max_workers must be >= 1, got 0"),
        ("failure", VALIDATE, {"path": "x"}, "max_workers must be greater than 0"),
        ("business", CLOCK, {"timezone": "a"}, "Invalid time zone specified: a"),
        ("business", CLOCK, {"timezone": "Grüße"}, "Invalid time zone specified: GrÃ¼Ãe"),
        ("failure", SEARCH, {"query": "b"}, "Invalid time zone specified: UTC+99"),
        ("business", ROUTE, {"points": "example"}, NO_JSON),
        ("business", ROUTE, {"points": "example " * 500}, NO_JSON),
        ("failure", SEARCH, {"query": "example"}, NO_JSON),
        ("business", SEARCH, {"data": "example"}, f"{NO_JSON}. Data must be valid JSON."),
        ("business", SEARCH, {"path": "/"}, OUTSIDE),
        ("unclear", SEARCH, {"mode": "abort"}, NO_REBASE),
        ("failure", SEARCH, {"mode": "abort"}, "a fatal crash"),
        ("business", SEARCH, {"sheet": "[a"}, SHEET_NAME),
        ("environment", SEARCH, {"package": "example"}, NO_PIP),
        ("failure", SEARCH, {"package": "example"}, "No module named 'pip'"),
        ("business", SEARCH, {"pattern": "example"}, OTHER_TOOL),
        ("environment", SEARCH, {"pattern": "example"}, "Project path not set."),
        ("business", SEARCH, {"path": "[a-z(*+?{\\"}, ODD_FILE),
        ("environment", SEARCH, {"pattern": "example"}, ODD_FILE),
        ("business", SEARCH, {"file": "100%s %(a)s {0} <b>&amp;</b>\n${a}"}, LINES_FILE),
        ("business", SEARCH, {"paths": ["/srv/project/notes/a.md"]}, PARENT),
        (
            "business",
            SEARCH,
            {"path": "100%s <b>\n${a}"},
            "Path does not exist: /n/100%s <b>\n${a}",
        ),
        ("business", SEARCH, {"paths": ["/"]}, "Could not find config file."),
        ("business", SEARCH, {"file_path": "/srv/tea.md"}, "File is not a zip file"),
        ("failure", SEARCH, {"query": "tea"}, "File is not a zip file"),
        ("business", SEARCH, {"path": "/srv"}, "Failed from template: file must be a .pptx file"),
        ("failure", SEARCH, {"path": "/srv"}, "template: note.tmpl:14:22: executing it failed"),
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


@pytest.mark.parametrize(
    ("said", "sent", "kind"),
    [
        ("File path must be a non-empty string, got <class 'str'>", {"path": ""}, "business"),
        ("Path must be a string, got <class 'NoneType'>", {"path": "a"}, "failure"),
        ("illegal lunar year: NaN", {"date": "tea"}, "business"),
        ("SyntaxError: Empty expression", {"expr": ""}, "business"),
        ("SyntaxError: Empty expression", {"expr": "1+1"}, "failure"),
        ("mean requires at least one data point", {"data": []}, "business"),
        ("mean requires at least one data point", {"year": 7}, "failure"),
        ("SyntaxError: Unexpected token 'A' is not valid JSON", {"file": "/a/b.txt"}, "business"),
        ("SyntaxError: Unexpected token 'A' is not valid JSON", {"id": "b"}, "failure"),
        ("Cannot find package 'x' imported from /srv/own.mjs", {"file": "/a/b.txt"}, "failure"),
        ("math domain error", {"x": -1}, "business"),
        ("math domain error", {"limit": -1}, "failure"),
        ("invalid syntax (<unknown>, line 1)", {"expressions": ["[a-z(*+?{\\"]}, "business"),
    ],
)
def test_what_was_sent_is_owed_to_who_sent_it(said: str, sent: dict[str, Any], kind: str) -> None:
    response = {"content": [{"type": "text", "text": said}], "isError": True}
    context = ValidationContext({"name": "try_it"}, sent, response)
    assert ResponseValidator.explain_error(context).kind == kind
