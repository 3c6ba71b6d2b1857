"""What must not be shown of a server."""

from __future__ import annotations

import pytest

from mcp_assay.client.target import Command, Endpoint
from mcp_assay.client.target_secrets import (
    secrets_of,
    shown_url,
    shown_words,
    watched_variables,
)


@pytest.mark.parametrize(
    ("command", "secrets"),
    [
        ("server --api-key hush-hush --port 80", ["hush-hush"]),
        ("server --token=hush-hush --verbose", ["hush-hush"]),
        ("server --github-token hush-hush", ["hush-hush"]),
        ("server DB_PASSWORD=hush-hush", ["hush-hush"]),
        ("server --api-key --port 80", []),
        ("npx mcp-remote https://h/mcp?access_token=hush-hush", ["hush-hush", "hush-hush"]),
        ("python server.py --tokenizer fast /tmp/token", []),
    ],
)
def test_secrets_in_a_command_are_known_by_their_names(command: str, secrets: list[str]) -> None:
    assert secrets_of(Command(command=tuple(command.split()))) == secrets


@pytest.mark.parametrize(
    ("url", "secrets"),
    [
        ("https://ada:hush%21hush@h/mcp", ["hush%21hush", "hush!hush"]),
        ("https://h/mcp?apiKey=hush%21&page=2", ["hush%21", "hush!"]),
        ("https://h/mcp?page=2", []),
        ("https://[", []),
    ],
)
def test_secrets_in_a_url_are_its_credentials(url: str, secrets: list[str]) -> None:
    assert secrets_of(Endpoint(url=url)) == secrets


def test_every_header_of_the_user_is_a_secret() -> None:
    assert secrets_of(Endpoint(url="https://h", headers={"X-Any": "value"})) == ["value"]


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://notes.example/mcp?page=2", "https://notes.example/mcp?page=2"),
        ("https://ada:pass@notes.example/mcp", "https://redacted@notes.example/mcp"),
        ("https://n.example/mcp?api_key=abcd&x=1", "https://n.example/mcp?api_key=redacted&x=1"),
    ],
)
def test_an_address_is_shown_without_secrets(url: str, shown: str) -> None:
    assert shown_url(url) == shown


def test_a_command_is_shown_without_secrets() -> None:
    words = ("server", "--api-key", "abcd", "--page", "2", "password=hunter22x")
    assert shown_words(words) == [
        *("server", "--api-key", "[redacted]", "--page", "2"),
        "password=[redacted]",
    ]


def test_an_address_in_a_command_is_shown_without_secrets() -> None:
    words = ("npx", "mcp-remote", "https://h/mcp?access_token=hush-hush")
    assert shown_words(words) == ["npx", "mcp-remote", "https://h/mcp?access_token=redacted"]
    assert shown_words(("server", "--github-token", "hush-hush"))[-1] == "[redacted]"


def test_what_stands_behind_a_scheme_is_a_secret_by_itself() -> None:
    headers = {"Authorization": "Bearer hush-hush", "X-Note": "not at all"}
    found = secrets_of(Endpoint(url="https://h", headers=headers))
    assert found == ["Bearer hush-hush", "hush-hush", "not at all"]


@pytest.mark.parametrize(
    ("name", "value", "is_watched"),
    [
        ("API_TOKEN", "qL7vX2mZ9tR4wK8s", True),
        ("DB_PASSWORD", "horse-7battery", True),
        ("SETTING", "ghp_16C7e42F292c6912E7710c838347Ae178B4a", True),
        ("API_TOKEN", "/home/me/token.txt", False),
        ("API_KEY", "localhost", False),
        ("API_KEY", "vault.example.com:8200", False),
        ("API_KEY", "https://vault.example.com/v1", False),
        ("API_KEY", "1234567890", False),
        ("PASSWORD", "correct horse", False),
        ("LOG_LEVEL", "qL7vX2mZ9tR4wK8s", False),
        ("PATH", "/usr/bin:/bin", False),
    ],
)
def test_variables_are_watched_where_they_hold_secrets(
    name: str, value: str, *, is_watched: bool
) -> None:
    assert watched_variables({name: value}) == ({f"${name}": value} if is_watched else {})
