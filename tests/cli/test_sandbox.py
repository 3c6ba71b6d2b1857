"""`mcp-assay sandbox`: what works here, tried, for people and for programs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_assay.cli import sandbox
from mcp_assay.cli.sandbox import show_worlds
from mcp_assay.client.sandbox.availability import TriedBackend
from mcp_assay.client.sandbox.backends import Backend


def trying(monkeypatch: pytest.MonkeyPatch, **failed: str) -> list[Backend]:
    """Let attempts fail for these reasons, and the others work; gives those that were made."""
    made: list[Backend] = []

    def attempt(backend: Backend) -> TriedBackend:
        made.append(backend)
        why = failed.get(backend)
        return TriedBackend(backend=backend, works=why is None, why=why, seconds=0.1)

    monkeypatch.setattr(sandbox, "attempt", attempt)
    return made


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    return dict(json.loads(capsys.readouterr().out))


def test_what_works_is_said_with_the_command_to_type(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = trying(monkeypatch, bwrap="old_bwrap")
    assert show_worlds("text", color=False) == 0
    text = capsys.readouterr().out
    assert "works (0.1 s)" in text
    assert "no: bwrap is older than 0.11 and has no overlays" in text
    assert "mcp-assay assess --sandbox -- COMMAND" in text
    assert made == ["namespaces", "bwrap"]  # nobody is bothered by sudo where it is not needed


def test_sudo_is_asked_where_nothing_else_works(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = trying(monkeypatch, namespaces="apparmor", bwrap="no_bwrap")
    assert show_worlds("json", color=False) == 0
    found = told(capsys)
    assert (found["backend"], found["option"]) == ("sudo", "--sandbox=sudo")
    assert made == ["namespaces", "bwrap", "sudo"]
    assert found["attempts"][0]["kind"] == "apparmor"
    assert found["attempts"][0]["remedy"].startswith("sudo sysctl -w kernel.apparmor")


@pytest.mark.parametrize("format", ["text", "json"])
def test_where_nothing_works_the_exit_code_is_two(
    format: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    trying(monkeypatch, namespaces="container", bwrap="no_bwrap", sudo="sudo_password")
    assert show_worlds(format, color=False) == 2
    assert "--security-opt seccomp=unconfined" in capsys.readouterr().out
