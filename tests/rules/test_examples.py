"""Every rule's own examples: good ones are silent, bad ones give exactly what is announced."""

from __future__ import annotations

import json
from functools import partial
from typing import SupportsBytes

import msgspec
import pytest

from mcp_assay.model.finding import Finding
from mcp_assay.rules import load
from mcp_assay.rules.engine.rule import REGISTRY, Example, On, Rule, rule, table_rule
from mcp_assay.rules.engine.slow import Setting, asked_by, judge
from mcp_assay.spec.catalogue import CATALOGUE, applies
from mcp_assay.wire.reader import read
from tests.rules.examples import values, without_examples

RULES = load()
GOOD = [
    pytest.param(example, id=f"{rule.id}-good-{index}")
    for rule in load("message").values()
    for index, example in enumerate(values(rule.good))
]
BAD = [
    pytest.param(rule, example, id=f"{rule.id}-bad-{index}")
    for rule in load("message").values()
    for index, example in enumerate(values(rule.bad))
]


def findings(example: Example) -> list[Finding]:
    text = example.value
    raw = bytes(text) if isinstance(text, SupportsBytes) else json.dumps(text).encode()
    setting = Setting(
        revision=example.revision,
        direction=example.direction,
        request_of=asked_by(example.method, example.revision),
    )
    return judge(read(raw), setting)


@pytest.mark.parametrize("example", GOOD)
def test_nothing_is_said_about_a_good_example(example: Example) -> None:
    assert [(one.rule, one.pointer, one.message) for one in findings(example)] == []


@pytest.mark.parametrize(("rule", "example"), BAD)
def test_a_bad_example_gives_exactly_the_findings_it_announces(
    rule: Rule, example: Example
) -> None:
    seen = {(one.rule, one.pointer) for one in findings(example)}
    assert seen == {(rule.id, example.pointer), *example.also}


def test_a_finding_has_words_a_link_and_a_reason() -> None:
    bad = [example for known in load("message").values() for example in values(known.bad)]
    found = [one for example in bad for one in findings(example)]
    assert len(found) >= len(bad)
    for one in found:
        assert one.message.endswith((".", "?")), one
        assert one.url.startswith("https://"), one
        assert one.statement, one
        assert one.reason, one
        assert len(one.fingerprint) == 16, one


def test_examples_belong_to_revisions_that_have_the_rule() -> None:
    for known in load("message").values():
        assert all(applies(known.id, example.revision) for example in values(known.bad)), known.id


def test_every_rule_that_a_message_shows_is_registered() -> None:
    shown = {id for id, entry in CATALOGUE.items() if "message" in entry.observable}
    assert shown - RULES.keys() == set()


def test_names_are_unique_and_kebab_case() -> None:
    names = [rule.name for rule in RULES.values()]
    assert len(names) == len(set(names))
    assert all(name == name.lower() and " " not in name and "_" not in name for name in names)


def test_every_rule_shows_what_it_forbids_and_what_it_allows() -> None:
    assert without_examples(list(RULES.values())) == []


@pytest.mark.parametrize("member", ["good", "bad"])
def test_a_rule_without_examples_is_noticed(member: str) -> None:
    whole = RULES["JSONRPC-005"]
    bare = msgspec.structs.replace(whole, **{member: list})
    assert without_examples([whole, bare]) == ["JSONRPC-005"]


def test_a_rule_registers_once_and_with_words() -> None:
    examples = RULES["JSONRPC-005"].good
    shown = partial(table_rule, reason="no", good=examples, bad=examples)
    with pytest.raises(ValueError, match="JSONRPC-005 is registered twice"):
        shown("JSONRPC-005", "again", "Title.\n\nWhy: so.\n\nInstead: not.")
    with pytest.raises(ValueError, match="the words need a title line"):
        shown("JSONRPC-999", "wordless", "Title.")
    assert "JSONRPC-999" not in REGISTRY


def test_a_predicate_says_how_the_fast_check_keeps_its_rule() -> None:
    examples = RULES["JSONRPC-005"].good
    with pytest.raises(ValueError, match="say how the fast check keeps this rule"):
        rule("JSONRPC-999", "open", reason="no", good=examples, bad=examples, on=On(("request",)))
