"""A command loads the rules of its subject and no others; the index knows all without loading."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from typing import Final

import pytest

from mcp_assay.rules import MODULES, load, load_rule
from mcp_assay.rules.engine.rule import RuleSubject
from mcp_assay.rules.engine.session_rules import end_watchers
from mcp_assay.rules.index import INDEX, WATCHED_MESSAGES, IndexEntry
from mcp_assay.session.correlation import Pending
from mcp_assay.session.state import RunState, SessionState
from mcp_assay.spec.catalogue import CATALOGUE
from mcp_assay.spec.revisions import REVISIONS

NEEDED: Final[Mapping[RuleSubject, set[str]]] = {
    "message": {"message"},
    "session": {"message", "session"},
    "definition": {"definition"},
    "behaviour": {"behaviour"},
    "envelope": {"envelope"},
    "probe": {"message", "session", "probe"},
}
"""The folders of rules that those of a subject are written with."""

_PROGRAM: Final = """
import sys
from mcp_assay import rules
{does}
names = [name.split(".") for name in sys.modules if name.startswith("mcp_assay.rules.")]
print(*sorted({{".".join(path[2:]) for path in names if path[2] in rules.MODULES}}))
"""


def loaded(does: str) -> set[str]:
    """The modules of rules that are there after a statement, in a process of its own."""
    program = _PROGRAM.format(does=does)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stdout.split())


@pytest.mark.parametrize("subject", MODULES)
def test_the_rules_of_a_subject_load_without_the_others(subject: RuleSubject) -> None:
    modules = loaded(f"rules.load({subject!r})")
    assert {f"{subject}.{name}" for name in MODULES[subject]} <= modules
    assert {module.partition(".")[0] for module in modules} <= NEEDED[subject]


def test_a_section_is_loaded_when_something_comes_that_it_watches() -> None:
    meet = "from mcp_assay.rules.engine.session_rules import watchers; watchers({}, frozenset())"
    ping = loaded(meet.format("'2025-11-25', 'request', 'ping'"))
    call = loaded(meet.format("'2025-11-25', 'request', 'tools/call'"))
    assert {"session.responses", "session.lifecycle"} <= ping
    assert "session.tools" in call - ping
    assert not {"session.http_requests", "session.logging", "session.stdio"} & call


@pytest.mark.parametrize("revision", REVISIONS)
def test_who_is_not_loaded_has_nothing_to_say_at_the_end(revision: str) -> None:
    load("session")
    session = SessionState(RunState(), Pending())
    watching = end_watchers(bare=False)
    assert len(watching) > 5
    assert [list(watcher(session, revision)) for watcher in watching] == [[] for _ in watching]
    assert not session.run.session_rules
    assert not session.run.left_open


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize("section", ["session.responses", "session.lifecycle"])
def test_who_looks_back_at_the_session_itself_watches_what_it_remembers(
    revision: str, section: str
) -> None:
    """A request that waits, and a handshake, are remembered without any section."""
    kinds = {"session.responses": "request", "session.lifecycle": "result"}
    watched = WATCHED_MESSAGES[section]
    assert any(what.concerns(revision, kinds[section], "initialize") for what in watched)


def test_nothing_is_loaded_to_look_into_the_index() -> None:
    assert loaded("rules.INDEX['CAP-001'].name") == set()


def test_one_rule_loads_its_module_alone() -> None:
    assert loaded("assert rules.load_rule('JSONRPC-005').name == 'null-request-id'") == {
        "message",
        "message.jsonrpc",
    }


def test_the_index_has_every_rule_with_its_name_and_module() -> None:
    rules = load().values()
    assert {
        rule.id: IndexEntry(rule.module.removeprefix("mcp_assay.rules."), rule.name)
        for rule in rules
    } == INDEX


def test_the_subjects_share_no_rule_and_leave_none_out() -> None:
    loaded_alone = [load(subject) for subject in MODULES]
    assert sum(map(len, loaded_alone)) == len(load())
    for subject, rules in zip(MODULES, loaded_alone, strict=True):
        assert {rule.module.split(".")[2] for rule in rules.values()} == {subject}


def test_a_rule_that_nothing_decides_is_not_there() -> None:
    (id, *_) = CATALOGUE.keys() - INDEX.keys()
    assert load_rule(id) is None
