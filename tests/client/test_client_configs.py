"""The servers in a client's configuration file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.client.client_configs import (
    ConfigServer,
    WrongClientConfig,
    client_server,
    placeholders,
    read_client_config,
)

VARIABLES = {"TOKEN": "t-12345", "HOME": "/home/ada"}


def server_of(path: Path, entry: dict[str, Any]) -> ConfigServer:
    path.write_text(json.dumps({"mcpServers": {"books": entry}}))
    entries = read_client_config(str(path))
    return client_server(str(path), "books", entries["books"], VARIABLES)


@pytest.mark.parametrize(
    "text",
    [
        '{"mcpServers": {"a": {"command": "x"}}}',
        '{"servers": {"a": {"command": "x"}}, "inputs": []}',
        '{"mcp": {"servers": {"a": {"command": "x"}}}}',
        '\ufeff{"mcpServers": {"a": {"command": "x"}}}',
        '{ // the first\n"servers": {"a": {"command": "x",},}, /* and\nthe last */ }',
    ],
)
def test_every_client_has_its_own_place_for_servers(tmp_path: Path, text: str) -> None:
    (tmp_path / "mcp.json").write_text(text, "utf-8")
    assert read_client_config(str(tmp_path / "mcp.json")) == {"a": {"command": "x"}}


def test_what_looks_like_a_comment_in_a_string_stays(tmp_path: Path) -> None:
    text = '{"servers": {"a": {"url": "http://h/*x*/", "args": ["\\"//", ",]"]}}}'
    (tmp_path / "mcp.json").write_text(text)
    entry = read_client_config(str(tmp_path / "mcp.json"))["a"]
    assert entry == {"url": "http://h/*x*/", "args": ['"//', ",]"]}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is not JSON"),
        ("// a\n// b\n{x}", "(line 3, column 2)"),
        ("[]", "has neither mcpServers nor servers"),
        ('{"servers": []}', "has neither mcpServers nor servers"),
        ("[" * 100_000, "is nested too deeply"),
    ],
)
def test_another_file_is_refused_with_a_sentence(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "mcp.json"
    path.write_text(text)
    with pytest.raises(WrongClientConfig) as refusal:
        read_client_config(str(path))
    assert words in str(refusal.value)
    assert str(refusal.value).startswith(str(path))


def test_a_file_that_is_not_there_or_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongClientConfig, match="cannot be read"):
        read_client_config(str(tmp_path / "none.json"))
    (tmp_path / "odd.json").write_bytes(b"\xff\xfe")
    with pytest.raises(WrongClientConfig, match="is not UTF-8"):
        read_client_config(str(tmp_path / "odd.json"))


def test_a_command_has_arguments_and_variables(tmp_path: Path) -> None:
    variables = {"A": "b", "N": 1, "Z": None}
    entry = {"type": "stdio", "command": "npx", "args": ["-y", 7], "env": variables, "cwd": "/x"}
    found = server_of(tmp_path / "mcp.json", entry)
    assert (found.command, found.environment) == (("npx", "-y", "7"), {"A": "b", "N": "1"})
    assert found.unheeded == ("cwd",)


@pytest.mark.parametrize("key", ["url", "serverUrl"])
def test_a_url_has_headers(tmp_path: Path, key: str) -> None:
    entry = {"type": "http", key: "https://h/mcp", "headers": {"A": "b"}}
    found = server_of(tmp_path / "mcp.json", entry)
    assert (found.url, found.headers, found.command) == ("https://h/mcp", {"A": "b"}, ())


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({}, "neither a command nor an http"),
        ({"url": "ftp://h"}, "neither a command nor an http"),
        ({"command": 7}, "neither a command nor an http"),
        ({"command": "x", "args": "y"}, "args must be a list"),
        ({"command": "x", "args": [{}]}, "args contains something that is not a string"),
        ({"command": "x", "env": ["y"]}, "env must be an object"),
        ({"url": "http://h", "headers": {"A": []}}, "headers.A contains something that is not"),
    ],
)
def test_an_entry_that_names_no_server_is_refused(
    tmp_path: Path, entry: dict[str, Any], words: str
) -> None:
    with pytest.raises(WrongClientConfig, match=words):
        server_of(tmp_path / "mcp.json", entry)


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("${env:TOKEN}", "t-12345"),
        ("Bearer ${TOKEN}", "Bearer t-12345"),
        ("${NONE:-other}", "other"),
        ("${TOKEN:-other}", "t-12345"),
        ("${userHome}/x", "/home/ada/x"),
        ("${env:NONE}", "${env:NONE}"),
        ("${input:key}", "${input:key}"),
        ("$TOKEN", "$TOKEN"),
    ],
)
def test_placeholders_are_filled_where_their_values_are_known(
    tmp_path: Path, text: str, filled: str
) -> None:
    found = server_of(tmp_path / "mcp.json", {"command": "x", "args": [text]})
    assert found.command == ("x", filled)
    assert found.filled == (("t-12345",) if "t-12345" in filled else ())
    assert bool(placeholders(found.command[1])) is filled.startswith("${")


def test_the_workspace_is_the_folder_above_an_editors_own(tmp_path: Path) -> None:
    (tmp_path / ".vscode").mkdir()
    entry = {"command": "${workspaceFolder}/run", "args": ["${workspaceFolderBasename}"]}
    found = server_of(tmp_path / ".vscode" / "mcp.json", entry)
    assert found.command == (f"{tmp_path}/run", tmp_path.name)
