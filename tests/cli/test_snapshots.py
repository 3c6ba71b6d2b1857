"""Whole screens, kept as text files. MCP_ASSAY_UPDATE_SNAPSHOTS=1 writes them anew."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tools.consoles import without_rule_counts

HERE = Path(__file__).parent
SAME_REASON = re.compile(
    r"^(  [A-Z]+-\d+ +((?:skipped|undecided) .*)\n)(?:  [A-Z]+-\d+ +\2\n)+", re.MULTILINE
)
"""Checks that say the same, one after the other: a new rule joins such a row."""
SCREENS = {
    "validate-clean": "validate clean.jsonl",
    "validate-pretty": "validate pretty.json",
    "validate-repeats": "validate repeats.jsonl",
    "validate-repeats-verbose": "validate --verbose --select JSONRPC-005 repeats.jsonl",
    "validate-quiet": "validate --quiet repeats.jsonl missing.jsonl",
    "validate-limit": "validate --max-findings 1 repeats.jsonl",
    "validate-hostile": "validate hostile.jsonl",
    "validate-sessions": "validate ../../../examples/gateway.jsonl",
    "validate-nothing": "validate -",
    "validate-envelope": "validate --profile envelope responses.jsonl",
    "lint": "lint ../../../examples/weather-tools.json",
    "lint-quiet": "lint --quiet --revision 2026-07-28 surface.json",
    "lint-verbose": "lint --verbose --select TOOL,RES,PROMPT surface.json",
    "lint-refused": "lint clean.jsonl",
    "rules-family": "rules --select BATCH",
    "rules-json": "rules --select JSONRPC-005 --format json",
    "explain-checked": "explain JSONRPC-005",
    "explain-session": "explain call-003",
    "explain-definition": "explain tool-013",
    "explain-own": "explain ENV-002",
    "explain-envelope": "explain ENV-105",
}


@pytest.mark.parametrize("name", SCREENS)
def test_the_screen_is_as_it_was(name: str, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE / "inputs")
    command = SCREENS[name]
    ended = cli(*command.split())
    shown = each_reason_once(without_rule_counts(f"{ended.out}{ended.err}"))
    screen = f"$ mcp-assay {command}\n{shown}[exit code {ended.code}]\n"
    kept = HERE / "snapshots" / f"{name}.txt"
    if os.environ.get("MCP_ASSAY_UPDATE_SNAPSHOTS"):
        kept.write_text(screen, "utf-8")
    assert screen == kept.read_text("utf-8")


def each_reason_once(screen: str) -> str:
    """A screen without the rules that are undecided or skipped for the reason of the one before."""
    return SAME_REASON.sub(r"\1", screen)


def test_every_kept_screen_is_shown() -> None:
    assert {path.stem for path in (HERE / "snapshots").iterdir()} == set(SCREENS)
