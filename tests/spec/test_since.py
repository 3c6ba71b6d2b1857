"""Every rule says which version of mcp-assay first had it, and people and programs are shown it."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from mcp_assay import __version__
from mcp_assay.report.about_rules import facts, story
from mcp_assay.rules import load
from mcp_assay.spec.catalogue import CATALOGUE, RULES
from mcp_assay.spec.catalogue.row import FIRST_VERSION
from mcp_assay.spec.revisions import DEFAULT_REVISION
from tools.changelog import released
from tools.rule_pages import pages

RULES_OF_THE_FIRST_VERSION: Final = 389
"""It stays so: an id is never given away again, and a new rule names another version."""
NEWER: Final = "9.9.9"


def test_every_rule_is_of_a_version_that_is_released_or_coming() -> None:
    known = {*released(), __version__}
    assert {rule.id: rule.since for rule in RULES if rule.since not in known} == {}


def test_a_new_rule_does_not_pass_for_an_old_one() -> None:
    first = [rule.id for rule in RULES if rule.since == FIRST_VERSION]
    assert len(first) == RULES_OF_THE_FIRST_VERSION


def test_programs_are_shown_it() -> None:
    entry = replace(CATALOGUE["JSONRPC-005"], since=NEWER)
    assert facts(entry, "null-request-id")["since"] == NEWER


def test_people_are_shown_it_with_and_without_a_predicate() -> None:
    entry = replace(CATALOGUE["JSONRPC-005"], since=NEWER)
    for rule in (load()["JSONRPC-005"], None):
        lines = story(entry, "null-request-id", rule, DEFAULT_REVISION)
        shown = ["".join(text for text, _ in line) for line in lines]
        assert f"Since    mcp-assay {NEWER}" in shown


def test_every_page_of_a_rule_shows_it() -> None:
    missing = [
        name
        for name, text in pages().items()
        if name != "index.md"
        and f"\n- since: mcp-assay {CATALOGUE[name.removesuffix('.md')].since}\n" not in text
    ]
    assert missing == []
