"""No probe says that a rule is kept where the reply is missing that could have broken it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from mcp_assay.model.probe import Anew, Ask, Http, Notify, Raw, Reply, Step
from mcp_assay.rules import load
from mcp_assay.rules.engine.rule import Found
from mcp_assay.rules.probe.rule import PROBES, Known, Probe
from mcp_assay.spec.catalogue import CATALOGUE
from mcp_assay.spec.revisions import R2025_03_26, R2026_07_28
from tests.truth.model_server import URL, Fault, conversation, known

load("probe")
PUBLIC = "https://notes.example/mcp"
SERVERS = {
    "stdio": known(),
    "stdio-modern": known(R2026_07_28),
    "stdio-batches": known(R2025_03_26),
    "http": known(is_http=True, url=URL, has_session=True),
    "http-modern": known(R2026_07_28, is_http=True, url=URL),
    "closed": known(is_http=True, url=PUBLIC, is_closed=True),
    "closed-modern": known(R2026_07_28, is_http=True, url=PUBLIC, is_closed=True),
}
LOST = {"silence": Reply(ending="timed_out"), "death": Reply(ending="died")}
LOST_OVER_HTTP = {
    "failure": Reply(ending="http_status", status=503),
    "connection cut": Reply(ending="closed"),
}
BY_DECLARATION = {"CAP-001", "CAP-002", "CAP-003", "CAP-005"}
"""Kept by what the server declares, whatever it answers."""
NOT_SHOWN = {"HTTP-019", "HTTP-040", "LINT-005"}
"""Not kept here: no request shows all addresses of a server, and this one tells no session id and
has no streams that could be resumed."""

CALL, INITIALIZE = "tools/call", "initialize"
SHOWN_BY_OTHERS: dict[str, dict[str, set[str]]] = {
    "answers": {
        "validate list_notes": {"TVAL-007"},
        "validate list_notes wrong": {"TVAL-002", "TVAL-004", "TVAL-005", "TVAL-006", "TVAL-007"},
        "validate add_note wrong": {"TVAL-002", "TVAL-004", "TVAL-005", "TVAL-006", "TVAL-007"},
        "validate weather": {"TVAL-007"},
        "validate weather wrong": {"TVAL-002", "TVAL-004", "TVAL-005", "TVAL-006", "TVAL-007"},
        "validate several": {"TVAL-002", "TVAL-003", "TVAL-004", "TVAL-005", "TVAL-007"},
        "call list_notes": {"TVAL-002", "TVAL-003", "TVAL-004", "TVAL-006"},
        "call add_note": {"TVAL-002", "TVAL-003", "TVAL-004", "TVAL-006", "TVAL-007"},
        "call weather": {"TVAL-002", "TVAL-003", "TVAL-004", "TVAL-006", "TVAL-007"},
    },
    "asks_for_input": {
        "call list_notes": {"MRTR-009", "MRTR-010", "VER-009"},
        "call add_note": {"MRTR-009", "MRTR-010", "VER-009"},
        "call export": {"MRTR-009", "MRTR-010", "VER-009"},
        "call ask_user again": {"MRTR-009", "VER-009"},
        "call ask_user again wrong": {"MRTR-009", "VER-009"},
        "call ask_user altered": {"MRTR-010", "VER-009"},
        "call ask_user unable": {"MRTR-009", "MRTR-010"},
    },
    "batches": {"batch of notifications": {"BATCH-004"}},
    "bent_requests": {
        "without clientInfo": {"VER-004", "VER-007"},
        "without clientCapabilities": {"VER-004", "VER-008"},
        "without all": {"VER-004", "VER-008"},
        "in no version": {"VER-007", "VER-008"},
    },
    "cancelled_tasks": {"tasks/result": {"TASK-006"}},  # a cancelled task is over, too
    "declared_and_served": {"completion/complete": {"VER-016"}},
    "first_words": {
        "tools/list": {"LIFE-007", "LIFE-008", "LIFE-009"},
        "initialize 1900-01-01": {"LIFE-015"},
        "initialize 2025-11-25": {"LIFE-008", "LIFE-009", "LIFE-015"},
    },
    "foreign_page": {"POST Host": {"HTTP-039"}},
    "fresh_connection": {"anew": {"VER-014"}, "call list_notes": {"VER-014"}},  # another is called
    "headers_and_body": {
        "Mcp-Method": {"HTTP-035"},
        "MCP-Protocol-Version": {"HTTP-035"},
        "Mcp-Name": {"HTTP-035"},
        "Mcp-Param-City": {"HTTP-035"},
        "MCP-METHOD": {"HTTP-034"},
        "base64": {"HTTP-034"},
        "call weather": {"HTTP-035"},
    },
    "lists_stay_the_same": {
        "prompts/list": {"TOOL-030"},
        "resources/list": {"TOOL-030"},
        "resources/templates/list": {"TOOL-030"},
        "call list_notes": {"TOOL-030"},
    },
    "malformed_input": {
        "not JSON": {"JSONRPC-032", "JSONRPC-035"},
        "no request": {"JSONRPC-031", "JSONRPC-035"},
        "other": {"JSONRPC-031", "JSONRPC-032", "JSONRPC-035"},
    },
    "sessions": {
        "POST without session": {"HTTP-024", "HTTP-026"},
        "POST unknown session": {"HTTP-023", "HTTP-026"},
        "anew": {"HTTP-023", "HTTP-024"},
        "DELETE": {"HTTP-023", "HTTP-024"},
        "POST": {"HTTP-023", "HTTP-026"},
    },
    "stranger": {
        "POST with token": {"AUTH-001", "AUTH-003", "AUTH-007"},
        "GET metadata": {"AUTH-001", "AUTH-002", "AUTH-003", "AUTH-007"},  # at the next place
    },
    "unknown_cursor": {
        "tools/list": {"PAGE-002"},
        "prompts/list": {"PAGE-002"},
        "resources/list": {"PAGE-002"},
        "resources/templates/list": {"PAGE-002"},
    },
    "unreported_changes": {
        "call export": {"SUB-009"},
        "call ask_user": {"SUB-009"},
        "call list_notes": {"SUB-009"},
        "call weather": {"SUB-009"},
    },
}
"""By probe and step: the rules that other steps of the probe show."""


class Talk(NamedTuple):
    """A probe of one of the servers."""

    name: str
    probe: Probe
    server: Known

    def kept(self, fault: Fault = lambda _, reply: reply) -> set[str]:
        """The rules that the probe says are kept."""
        _, verdicts = conversation(self.probe.start, self.server, fault)
        judged = {
            it for it in self.probe.decides if self.server.revision in CATALOGUE[it].revisions
        }
        return judged - {it.rule for it in verdicts}

    def steps(self) -> list[Step]:
        """What a good server is sent, each step once."""
        found: list[Step] = []
        for step in conversation(self.probe.start, self.server)[0]:
            found += [] if step in found else [step]
        return found

    def losses(self) -> dict[str, Reply]:
        """The ways in which a reply can be missing."""
        return {**LOST, **(LOST_OVER_HTTP if self.server.is_http else {})}


def talks() -> Iterator[Talk]:
    for name, server in SERVERS.items():
        for probe in PROBES:
            is_of_it = any(server.revision in CATALOGUE[it].revisions for it in probe.decides)
            if is_of_it and probe.reason_against(server) is None:
                yield Talk(f"{probe.start.__name__}-{name}", probe, server)


TALKS = list(talks())
each_talk = pytest.mark.parametrize("talk", TALKS, ids=[talk.name for talk in TALKS])


def test_every_rule_of_a_probe_is_kept_by_a_good_server() -> None:
    kept = set[str]().union(*(talk.kept() for talk in TALKS))
    assert {rule for probe in PROBES for rule in probe.decides} - kept == NOT_SHOWN


@each_talk
def test_a_good_server_is_not_blamed(talk: Talk) -> None:
    _, verdicts = conversation(talk.probe.start, talk.server)
    faults = [it for it in verdicts if isinstance(it, Found)]
    assert [it for it in faults if talk.server.revision in CATALOGUE[it.rule].revisions] == []


@each_talk
def test_nothing_is_kept_by_a_server_that_never_replies(talk: Talk) -> None:
    if not talk.steps():
        return
    for lost in talk.losses().values():
        assert talk.kept(lambda _, __, lost=lost: lost) <= BY_DECLARATION  # type: ignore[misc]


@each_talk
def test_a_reply_that_is_missing_leaves_what_it_shows_undecided(talk: Talk) -> None:
    shown = SHOWN_BY_OTHERS.get(talk.probe.start.__name__, {})
    for step in talk.steps():
        if _has_no_reply(step, talk.server):
            continue
        for how, lost in talk.losses().items():
            still = talk.kept(lambda it, reply, lost=lost, step=step: lost if it == step else reply)  # type: ignore[misc]
            allowed = BY_DECLARATION | shown.get(label(step), set())
            assert still <= allowed, (label(step), how)


@pytest.mark.parametrize("talk", [it for it in TALKS if it.server.is_http], ids=lambda it: it.name)
def test_a_response_without_its_headers_shows_no_media_type(talk: Talk) -> None:
    of_types = {"HTTP-015", "HTTP-043"} & {*talk.probe.decides}
    bare = talk.kept(lambda _, reply: Reply(status=reply.status, ending=reply.ending))
    assert not of_types & bare


def _has_no_reply(step: Step, server: Known) -> bool:
    """Whether nothing comes of a step by itself: over stdio, what is no request has no reply."""
    return isinstance(step, Raw | Notify) and not server.is_http


def label(step: Step) -> str:
    """What a step is called in the table."""
    if isinstance(step, Ask):
        return _of_request(step)
    if isinstance(step, Http):
        return _of_http(step)
    if isinstance(step, Raw):
        return _of_text(step.text)
    return "anew" if isinstance(step, Anew) else type(step).__name__


def _of_request(step: Ask) -> str:
    params, bend = dict(step.params or {}), step.bend
    if step.method == INITIALIZE:
        return f"{INITIALIZE} {params['protocolVersion']}"
    if bend.headers and not bend.meta:
        name, value = list(bend.headers.items())[-1]
        return "base64" if value is not None and value.startswith("=?") else name
    if step.method == CALL:
        return _of_call(params, is_unable=bool(bend.meta) and {} in bend.meta.values())
    if not bend.meta:
        return step.method if "cursor" not in params else f"{step.method} with cursor"
    left_out = [name.rpartition("/")[2] for name, value in bend.meta.items() if value is None]
    return (
        f"without {left_out[0] if len(left_out) == 1 else 'all'}" if left_out else "in no version"
    )


def _of_call(params: dict[str, object], *, is_unable: bool) -> str:
    name, given = params.get("name"), params.get("arguments")
    if name == "validate" and isinstance(given, dict):
        is_right = given.get("arguments") in ({}, {"city": "Oslo"})
        about = f"validate {given['tool']}" if "tool" in given else "validate several"
        return about if is_right or "calls" in given else f"{about} wrong"
    if not str(name).isascii():
        return "base64"
    if "requestState" not in params:
        return f"call {name} unable" if is_unable else f"call {name}"
    if params["requestState"] != "signed":
        return f"call {name} altered"
    return f"call {name} again{' wrong' if 'inputResponses' in params else ''}"


def _of_http(step: Http) -> str:
    if step.path is not None:
        return "GET metadata"
    for header, word in (("Authorization", "with token"), ("Host", "Host"), ("Origin", "Origin")):
        if header in step.headers:
            return f"POST {word}"
    session = step.headers.get("Mcp-Session-Id")
    if step.verb == "POST" and session != "(our session)":
        return "POST without session" if session is None else "POST unknown session"
    return step.verb


def _of_text(text: str) -> str:
    if text.startswith("["):
        return (
            "batch of requests"
            if "id" in text and "requestId" not in text
            else "batch of notifications"
        )
    if not text.endswith("}") and text.startswith("{"):
        return "not JSON"
    return "no request" if '"method": 5' in text else "other"
