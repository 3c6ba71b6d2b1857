"""Absolute paths of any root are told; what was sent, addresses and routes are none."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.rules.behaviour.rule import called, judge_tool_run, tool_run_of
from mcp_assay.spec.revisions import DEFAULT_REVISION

PATHS = [
    "Saved to /srv/library/books.db",
    "Loaded /opt/library/settings",
    "Error in /app/main.py:12",
    "ENOENT: no such file or directory, open '/data/notes/emma.txt'",
    "Using /etc/library/config",
    "Wrote /tmp/tmpx1y2/out",
    "at Object.<anonymous> (/usr/src/app/index.js:3:1)",
    "(/workspace/server/handlers/find.js:88)",
    "File /lambda/handler.py, line 3",
    "/var/task/node_modules/x/index.js",
    "/nix/store/abc-python/lib",
    r"C:\Program Files\Library\books.db",
    r"cannot read D:\data\emma.txt",
    r"{\"path\": \"C:\\Users\\ada\\notes\"}",
    r"\\fileserver\library\books",
    "file:///home/ada/notes.md",
    "/Users/ada/Library/Caches/x",
    "Permission denied: /code/secrets/list",
    "Read from D:/data/emma.txt",
    "The key is in /run/secrets/db_password",
    "Taken from /proc/1/environ",
]
NO_PATHS = [
    "See https://example.com/home/ada/a.html",
    "https://example.com/opt/tool.py",
    "GET /data/items",
    "POST /app/users/1",
    "The route /data/items returns a list",
    "Call /app/users/{id} with the id",
    "/api/v1/books",
    "/books/emma.html and /assets/app.js",
    "either/or and km/h/day",
    "2026/11/18/emma",
    "./data/emma.py and ../app/main.py",
    "application/json, text/html",
    "#!/usr/bin/env python",
    "2>/dev/null",
    "github.com/ada/library/main.go",
    "<a href='/home'>home</a>",
    "/home",
    "r/books/new",
    "Ratio 3:/4/5",
    "{base}/srv/notes",
    "C: is a letter",
    "See /etc/hosts on your machine",
    "Plan B:/ nothing",
    "POST /run/jobs/7",
]


def leaks(text: str, arguments: dict[str, Any] | None = None) -> list[str]:
    answer = {"content": [{"type": "text", "text": text}]}
    run = tool_run_of({"tool": {"name": "find"}, "calls": [called(arguments, result=answer)]})
    return [it.rule for it in judge_tool_run(run, DEFAULT_REVISION) if it.rule == "LEAK-002"]


@pytest.mark.parametrize("text", PATHS)
def test_a_path_of_the_machine_is_told(text: str) -> None:
    assert leaks(text) == ["LEAK-002"]


@pytest.mark.parametrize("text", NO_PATHS)
def test_what_is_no_path_of_the_machine_is_not_told(text: str) -> None:
    assert leaks(text) == []


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ("/srv/library/books.db", "Opened /srv/library/books.db"),
        ("/srv/library", "Found /srv/library/emma.txt"),
        ("/srv/library/", "Found /srv/library/emma.txt"),
        ("cat /etc/hosts", "No such file or directory: /etc/hosts"),
        (r"C:\notes", r"Found C:\notes\emma.txt"),
        ("/tmp/a /tmp/b", "/tmp/b is missing"),
    ],
)
def test_what_the_caller_sent_is_not_told(sent: str, said: str) -> None:
    assert leaks(said, {"where": [sent]}) == []


def test_a_path_beside_what_was_sent_is_told() -> None:
    assert leaks("Moved /srv/a to /opt/library/b", {"path": "/srv/a"}) == ["LEAK-002"]


@pytest.mark.parametrize(
    "tool",
    [
        {"name": "list_directory", "inputSchema": {"type": "object"}},
        {"name": "listAllowedDirectories", "inputSchema": {"type": "object"}},
        {"name": "search", "inputSchema": {"properties": {"root": {"type": "string"}}}},
        {"name": "git_status", "inputSchema": {"properties": {"repo_path": {"type": "string"}}}},
        {"name": "open", "inputSchema": {"properties": {"fileName": {"type": "string"}}}},
        {"name": "run", "inputSchema": {"properties": {"cwd": {"type": "string"}}}},
    ],
)
def test_tools_about_files_may_name_them(tool: dict[str, Any]) -> None:
    answer = {"content": [{"type": "text", "text": "Saved to /srv/library/books.db"}]}
    run = tool_run_of({"tool": tool, "calls": [called(result=answer)]})
    assert "LEAK-002" not in {one.rule for one in judge_tool_run(run, DEFAULT_REVISION)}


@pytest.mark.parametrize("name", ["get_weather", "profile", "pathology_report", "refile_claim"])
def test_tools_about_other_things_may_not(name: str) -> None:
    answer = {"content": [{"type": "text", "text": "Saved to /srv/library/books.db"}]}
    run = tool_run_of({"tool": {"name": name}, "calls": [called(result=answer)]})
    assert "LEAK-002" in {one.rule for one in judge_tool_run(run, DEFAULT_REVISION)}
