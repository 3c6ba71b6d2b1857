"""`mcp-assay rules` and `mcp-assay explain`: every rule can be found and understood."""

from __future__ import annotations

import json

import pytest

from mcp_assay.rules import load
from mcp_assay.spec.revisions import REVISIONS
from mcp_assay.validate import KNOWN_RULES
from tests.cli.conftest import Cli


@pytest.mark.parametrize("revision", [None, *REVISIONS])
def test_rules_lists_all_rules_of_a_revision(cli: Cli, revision: str | None) -> None:
    options = ["--revision", revision] if revision else []
    listed = json.loads(cli("rules", "--format", "json", *options).out)
    expected = [id for id, e in KNOWN_RULES.items() if revision in (None, *e.revisions)]
    assert [rule["rule"] for rule in listed] == expected


def test_each_rule_says_whether_one_message_decides_it(cli: Cli) -> None:
    for rule in json.loads(cli("rules", "--format", "json").out):
        assert (rule["undecided"] is None) == (
            not {"message", "response"}.isdisjoint(rule["observable"])
        )


def test_every_rule_can_be_explained(cli: Cli) -> None:
    registered = load()
    for id, rule in KNOWN_RULES.items():
        ended = cli("explain", id.lower())
        assert (ended.code, ended.err) == (0, ""), id
        assert ended.out.startswith(id)
        assert rule.statement in ended.out
        parts = ("\nWhy ", "\nBad ", "\nGood ", "\nFix ") if id in registered else ()
        assert [part for part in parts if part not in ended.out] == [], id


def test_the_link_is_that_of_the_revision(cli: Cli) -> None:
    for revision in REVISIONS:
        link = KNOWN_RULES["JSONRPC-005"].url(revision)
        assert link in cli("explain", "JSONRPC-005", "--revision", revision).out


def test_a_rule_can_be_explained_by_its_name_and_by_the_name_that_it_once_had(cli: Cli) -> None:
    by_id = cli("explain", "RESP-007")
    assert "dependency-unavailable" in by_id.out.partition("\n")[0]
    for name in ("dependency-unavailable", "Surroundings-Failed"):
        assert cli("explain", name) == by_id


@pytest.mark.parametrize("name", ["dependency-unavailable", "surroundings-failed", "resp-007"])
def test_rules_are_selected_by_name_and_by_earlier_names(cli: Cli, name: str) -> None:
    listed = json.loads(cli("rules", "--format", "json", "--select", name).out)
    assert [rule["rule"] for rule in listed] == ["RESP-007"]


def test_a_name_that_no_rule_has_or_had_is_refused(cli: Cli) -> None:
    for words in (("explain", "no-such-name"), ("rules", "--select", "no-such-name")):
        assert cli(*words).code == 2


def test_no_earlier_name_is_the_name_of_another_rule() -> None:
    names = {rule.name for rule in load().values()}
    earlier = [name for entry in KNOWN_RULES.values() for name in entry.aliases]
    assert "surroundings-failed" in earlier
    assert names.isdisjoint(earlier)
    assert len(set(earlier)) == len(earlier)
