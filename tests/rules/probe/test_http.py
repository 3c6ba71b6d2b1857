"""Probes over HTTP blame nobody for what a reply does not show."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.model.probe import OUR_SESSION, Http, Reply, Step
from mcp_assay.rules import load
from mcp_assay.rules.engine.rule import Found
from mcp_assay.rules.probe.authorization import stranger
from mcp_assay.rules.probe.http_headers import (
    headers_and_body,
    other_verbs,
    status_of_refusals,
    status_of_unknown_method,
)
from mcp_assay.rules.probe.http_origins import foreign_page, is_local, is_loopback, one_type_only
from mcp_assay.rules.probe.http_sessions import sessions, stream_of_its_own, unknown_version
from mcp_assay.rules.probe.rule import PROBES, ArgumentSample, Known, StartDialogue, replayed
from mcp_assay.spec.catalogue import CATALOGUE

load()
URL = "http://127.0.0.1:8000/mcp"
PUBLIC = "https://notes.example/mcp"
OLD = Known(is_http=True, url=URL, has_session=True)
NEW = Known(is_http=True, url=URL, revision="2026-07-28", capabilities={"tools": {}})
CLOSED = Known(is_http=True, url=PUBLIC, is_closed=True)
SILENCE = Reply(ending="timed_out")
MISMATCH = Reply(status=400, error={"code": -32020, "message": "?"})
GREETED = Reply(status=200, messages=[{"result": {}}])
TYPED = {"content-type": "text/event-stream"}


def of(status: int | None, code: int | None = None, **members: Any) -> Reply:
    """A reply with a status and, with a code, an error of ours."""
    error = None if code is None else {"code": code, "message": "?"}
    return Reply(status=status, error=error, **members)


def outcomes(conversation: StartDialogue, known: Known, *replies: Reply) -> dict[str, str]:
    """What is said of each rule: its severity where it is broken."""
    _, verdicts = replayed(conversation, known, replies)
    return {
        it.rule: CATALOGUE[it.rule].severity_of(it.grade) if isinstance(it, Found) else it.outcome
        for it in verdicts
    }


def http_steps(conversation: StartDialogue, known: Known, *replies: Reply) -> list[Http]:
    steps: list[Step] = replayed(conversation, known, replies)[0]
    return [step for step in steps if isinstance(step, Http)]


@pytest.mark.parametrize(
    ("url", "replies", "reported"),
    [
        (URL, (of(500),), {"HTTP-039": "undecided", "HTTP-040": "undecided"}),
        (
            URL,
            (of(200), SILENCE, of(200), of(403), SILENCE),
            {"HTTP-039": "undecided", "HTTP-040": "undecided"},
        ),
        (URL, (of(200), SILENCE, of(200), SILENCE, SILENCE), {"HTTP-039": "error"}),
        (URL, (of(200), of(500), of(200), of(500), of(421)), {"HTTP-039": "error"}),
        (URL, (of(200), of(500), of(500), of(500), of(421)), {"HTTP-039": "undecided"}),
        (PUBLIC, (of(200), of(200)), {"HTTP-039": "undecided", "HTTP-040": "not_testable"}),
        (PUBLIC, (of(200), of(403)), {"HTTP-040": "not_testable"}),
        ("http://192.168.1.5/mcp", (of(200), of(200)), {"HTTP-039": "error"}),
        (URL, (of(202), of(202), of(202)), {"HTTP-039": "error", "HTTP-040": "warning"}),
    ],
)
def test_foreign_pages(url: str, replies: tuple[Reply, ...], reported: dict[str, str]) -> None:
    known = Known(is_http=True, url=url)
    assert reported.items() <= outcomes(foreign_page, known, *replies).items()


def test_only_since_2025_11_25_must_a_foreign_page_get_403() -> None:
    replies = (of(200), of(400), of(421))
    earlier = Known(is_http=True, url=URL, revision="2025-06-18")
    assert "HTTP-039" not in outcomes(foreign_page, earlier, *replies)
    assert outcomes(foreign_page, OLD, *replies)["HTTP-039"] == "error"


@pytest.mark.parametrize(
    ("host", "loopback", "local"),
    [
        ("127.0.0.1", True, True),
        ("::1", True, True),
        ("localhost", True, True),
        ("notes.localhost", True, True),
        ("10.0.0.7", False, True),
        ("printer.local", False, True),
        ("192.0.2.1.example", False, False),
        ("localhost.example", False, False),
        ("", False, False),
    ],
)
def test_who_is_near(host: str, loopback: bool, local: bool) -> None:
    assert (is_loopback(host), is_local(host)) == (loopback, local)


@pytest.mark.parametrize(
    ("conversation", "known", "replies", "reported"),
    [
        (one_type_only, OLD, (of(200, headers=TYPED), of(406)), {"HTTP-043": "warning"}),
        (one_type_only, OLD, (of(406), of(200, headers=TYPED)), {}),
        (one_type_only, OLD, (SILENCE, of(406)), {"HTTP-043": "undecided"}),
        (stream_of_its_own, OLD, (of(405),), {}),
        (stream_of_its_own, OLD, (of(200, headers=TYPED),), {}),
        (stream_of_its_own, OLD, (of(409),), {"HTTP-015": "undecided"}),
        (stream_of_its_own, OLD, (of(401),), {"HTTP-015": "undecided"}),
        (stream_of_its_own, OLD, (SILENCE, SILENCE), {"HTTP-015": "undecided"}),
        (stream_of_its_own, OLD, (of(500), of(200), of(200), of(405)), {"HTTP-015": "undecided"}),
        (stream_of_its_own, OLD, (of(500), of(200), of(200), of(500)), {"HTTP-015": "error"}),
        (stream_of_its_own, OLD, (SILENCE, of(200), of(200), SILENCE), {"HTTP-015": "error"}),
        (stream_of_its_own, OLD, (of(200),), {"HTTP-015": "error"}),
        (unknown_version, OLD, (of(200), of(400)), {}),
        (unknown_version, OLD, (of(200), of(200)), {"HTTP-028": "error"}),
        (unknown_version, OLD, (of(200), of(404)), {"HTTP-028": "error"}),
        (unknown_version, OLD, (of(200), of(403)), {"HTTP-028": "undecided"}),
        (unknown_version, OLD, (of(404),), {"HTTP-028": "undecided"}),
        (status_of_unknown_method, NEW, (of(404, -32601),), {}),
        (status_of_unknown_method, NEW, (of(200, -32601),), {"HTTP-033": "error"}),
        (status_of_unknown_method, NEW, (of(400, -32600),), {"HTTP-033": "undecided"}),
        (
            status_of_unknown_method,
            NEW,
            (of(404, -32601, is_misnamed=True),),
            {"HTTP-042": "error"},
        ),
        (status_of_refusals, NEW, (of(400, -32022), of(400, -32602)), {}),
        (status_of_refusals, NEW, (of(200, -32022), of(400, -32602)), {"HTTP-036": "error"}),
        (status_of_refusals, NEW, (of(200), SILENCE), {"HTTP-036": "undecided"}),
        (status_of_refusals, NEW, (of(None, -32022), of(None, -32602)), {"HTTP-036": "undecided"}),
        (other_verbs, NEW, (of(405), of(405)), {}),
        (other_verbs, NEW, (of(404), of(405), of(400)), {"HTTP-037": "warning"}),
        (other_verbs, NEW, (of(404), of(405), GREETED), {"HTTP-037": "not_testable"}),
        (other_verbs, NEW, (of(403), of(405), of(400)), {"HTTP-037": "undecided"}),
    ],
)
def test_single_questions(
    conversation: StartDialogue, known: Known, replies: tuple[Reply, ...], reported: dict[str, str]
) -> None:
    assert outcomes(conversation, known, *replies) == reported


@pytest.mark.parametrize(
    ("without", "unknown", "deleted", "ended", "reported"),
    [
        (of(400), of(404), of(200), of(404), {}),
        (of(200), of(404), of(204), of(404), {"HTTP-023": "not_testable"}),
        (of(404), of(404), of(200), of(404), {"HTTP-023": "warning"}),
        (of(401), of(404), of(200), of(404), {"HTTP-023": "undecided"}),
        (of(400), of(400), of(200), of(404), {}),
        (of(400), of(400), of(405), None, {"HTTP-024": "undecided"}),
        (of(400), of(404), of(405), None, {}),
        (of(400), of(404), of(403), None, {"HTTP-026": "undecided"}),
        (of(400), of(404), of(200), of(200), {"HTTP-024": "error"}),
        (of(400), of(404), of(200), of(400), {"HTTP-024": "error"}),
        (of(400), of(200), of(200), of(404), {"HTTP-024": "error"}),
    ],
)
def test_sessions(
    without: Reply, unknown: Reply, deleted: Reply, ended: Reply | None, reported: dict[str, str]
) -> None:
    last = () if ended is None else (ended,)
    assert outcomes(sessions, OLD, without, unknown, Reply(), deleted, *last) == reported


@pytest.mark.parametrize(
    ("replies", "reported"),
    [
        ((of(500), of(200), of(200), of(500)), {"HTTP-023": "warning"}),
        ((of(500), of(200), of(200), of(400)), {"HTTP-023": "undecided"}),
        ((of(500), of(500)), {"HTTP-023": "undecided"}),
        ((SILENCE, of(200), of(200), SILENCE), {"HTTP-023": "warning"}),
    ],
)
def test_a_failure_counts_where_the_ordinary_request_is_served(
    replies: tuple[Reply, ...], reported: dict[str, str]
) -> None:
    rest = (of(404), Reply(), of(200), of(404))
    assert outcomes(sessions, OLD, *replies, *rest) == reported


@pytest.mark.parametrize(
    ("ended", "reported"),
    [
        ((of(500), of(500), Reply(), of(200)), {"HTTP-024": "error"}),
        ((of(500), of(500), Reply(), of(500)), {"HTTP-024": "undecided"}),
        ((of(500), of(404)), {"HTTP-024": "undecided"}),
        ((SILENCE, SILENCE, Reply(), of(200)), {"HTTP-024": "error"}),
        ((SILENCE, of(404)), {"HTTP-024": "undecided"}),
    ],
)
def test_a_failure_in_an_ended_session_counts_where_it_comes_again(
    ended: tuple[Reply, ...], reported: dict[str, str]
) -> None:
    begun = (of(400), of(404), Reply(), of(200))
    assert outcomes(sessions, OLD, *begun, *ended) == reported


@pytest.mark.parametrize(
    ("deleted", "reported"),
    [
        ((of(500), of(200), of(200), of(500)), {"HTTP-026": "warning"}),
        ((of(500), of(200), of(200), of(405)), {"HTTP-026": "undecided"}),
        ((of(503), of(503)), {"HTTP-026": "undecided"}),
    ],
)
def test_a_failing_deletion_counts_where_it_comes_again(
    deleted: tuple[Reply, ...], reported: dict[str, str]
) -> None:
    begun = (of(400), of(404), Reply())
    assert outcomes(sessions, OLD, *begun, *deleted) == reported


def test_a_server_without_sessions_is_not_asked_about_them() -> None:
    known = Known(is_http=True, url=URL)
    assert set(outcomes(sessions, known).values()) == {"not_testable"}


def test_the_session_is_ours_until_it_is_ended() -> None:
    replies = (of(400), of(404), Reply(), of(200), of(404))
    named = [step.headers.get("Mcp-Session-Id") for step in http_steps(sessions, OLD, *replies)]
    assert named == [None, "mcp-assay-no-such-session", OUR_SESSION, OUR_SESSION]


def headers_reported(
    *,
    missing: Reply = MISMATCH,
    version: Reply = MISMATCH,
    spelt: Reply = Reply(status=200, result={}),  # noqa: B008  it is frozen
    named: Reply = MISMATCH,
    far: Reply = of(400, -32602),  # noqa: B008  it is frozen
    handshake: tuple[Reply, ...] = (),
) -> dict[str, str]:
    usual, plain = Reply(status=200, result={}), of(400, -32602)
    replies = (usual, missing, missing, version, spelt, *handshake, plain, named, far)
    return outcomes(headers_and_body, NEW, *replies)


def test_headers_that_are_compared_as_they_should_be() -> None:
    assert headers_reported() == {}


WEATHER = {
    "name": "weather",
    "inputSchema": {"properties": {"city": {"type": "string", "x-mcp-header": "City"}}},
}
WITH_HEADERS = replace(
    NEW,
    tools=[WEATHER],
    callable=["weather"],
    samples={"weather": ArgumentSample(valid={"city": "Rome"})},
)
SERVED = Reply(status=200, result={"content": []})


def arguments_reported(known: Known, *replies: Reply) -> dict[str, str]:
    """What is said of a server that compares its other headers well."""
    usual, plain = Reply(status=200, result={}), of(400, -32602)
    standard = (usual, MISMATCH, MISMATCH, MISMATCH, usual, plain, MISMATCH, plain)
    return outcomes(headers_and_body, known, *standard, *replies)


@pytest.mark.parametrize(
    ("replies", "reported"),
    [
        ((SERVED, MISMATCH, MISMATCH, SERVED), {}),
        ((SERVED, SERVED, MISMATCH, SERVED), {"HTTP-034": "error"}),
        ((SERVED, MISMATCH, SERVED, SERVED), {"HTTP-034": "error"}),
        ((SERVED, MISMATCH, MISMATCH, MISMATCH), {"HTTP-035": "error"}),
        ((of(400, -32602),), {"HTTP-034": "undecided"}),
    ],
)
def test_the_headers_of_arguments(replies: tuple[Reply, ...], reported: dict[str, str]) -> None:
    assert arguments_reported(WITH_HEADERS, *replies) == reported


def test_a_tool_that_may_not_be_called_leaves_its_headers_open() -> None:
    assert arguments_reported(replace(WITH_HEADERS, callable=[])) == {"HTTP-034": "undecided"}


@pytest.mark.parametrize(
    ("given", "reported"),
    [
        ({"missing": of(200, -32020)}, {"HTTP-034": "error"}),
        ({"missing": Reply(status=200, result={})}, {"HTTP-034": "error"}),
        ({"missing": of(400, -32600)}, {"HTTP-034": "error"}),
        ({"named": of(400, -32602)}, {"HTTP-034": "error"}),
        ({"missing": of(400)}, {"HTTP-034": "undecided"}),
        ({"spelt": MISMATCH}, {"HTTP-035": "error"}),
        ({"far": MISMATCH}, {"HTTP-035": "error"}),
        ({"version": of(400, -32600), "handshake": (of(404),)}, {"HTTP-034": "error"}),
        ({"version": of(400, -32600), "handshake": (GREETED,)}, {"HTTP-034": "warning"}),
        ({"version": of(400, -32022)}, {}),
        ({"version": of(200, -32020)}, {"HTTP-034": "error"}),
    ],
)
def test_headers_that_are_not(given: dict[str, Any], reported: dict[str, str]) -> None:
    assert headers_reported(**given) == reported


def test_a_session_that_was_begun_to_find_out_is_ended() -> None:
    begun = Reply(status=200, headers={"mcp-session-id": "s1"}, messages=[{"result": {}}])
    last = http_steps(other_verbs, NEW, of(404), of(405), begun, of(200))[-1]
    assert (last.verb, last.headers["Mcp-Session-Id"]) == ("DELETE", "s1")


def challenge(words: str | None) -> Reply:
    return Reply(status=401, headers={} if words is None else {"www-authenticate": words})


BEARER = challenge('Bearer scope="notes"')
FOUND = Reply(status=200, messages=[{"authorization_servers": ["https://login.example"]}])
GONE = Reply(status=404)


@pytest.mark.parametrize(
    ("replies", "reported"),
    [
        ((Reply(), BEARER, BEARER, FOUND), {}),
        ((Reply(), BEARER, BEARER, GONE, FOUND), {}),
        ((Reply(), BEARER, of(200), FOUND), {"AUTH-002": "error"}),
        ((Reply(), BEARER, of(400), FOUND), {"AUTH-002": "undecided"}),
        ((Reply(), challenge("Bearer"), BEARER, FOUND), {"AUTH-003": "warning"}),
        ((Reply(), challenge(None), BEARER, FOUND), {"AUTH-003": "undecided"}),
        (
            (Reply(), BEARER, BEARER, GONE, GONE, Reply(status=200, messages=[{"issuer": "x"}])),
            {"AUTH-001": "undecided", "AUTH-002": "undecided", "AUTH-007": "undecided"},
        ),
        (
            (Reply(), BEARER, BEARER, GONE, GONE, GONE),
            {"AUTH-001": "error", "AUTH-002": "undecided", "AUTH-007": "undecided"},
        ),
    ],
)
def test_servers_that_want_a_token(replies: tuple[Reply, ...], reported: dict[str, str]) -> None:
    assert outcomes(stranger, CLOSED, *replies) == reported


@pytest.mark.parametrize("words", ['Basic realm="notes"', "ApiKey"])
def test_other_credentials_than_tokens_are_nobodys_business(words: str) -> None:
    reported = outcomes(stranger, CLOSED, Reply(), challenge(words))
    assert set(reported.values()) == {"not_testable"}


def test_an_open_server_is_fine_with_and_without_headers_of_the_user() -> None:
    assert set(outcomes(stranger, OLD).values()) == {"not_testable"}
    known = Known(is_http=True, url=URL, has_credentials=True)
    assert set(outcomes(stranger, known, Reply(), of(200)).values()) == {"not_testable"}


def test_a_refusal_is_about_the_token_only_where_it_has_a_challenge() -> None:
    known = Known(is_http=True, url=URL, has_credentials=True)
    assert set(outcomes(stranger, known, Reply(), of(403)).values()) == {"undecided"}
    refused = of(403, headers={"www-authenticate": "Bearer"})
    assert outcomes(stranger, known, Reply(), refused)["AUTH-002"] == "error"


@pytest.mark.parametrize(
    ("named", "paths"),
    [
        ("https://notes.example/meta?of=mcp", ["/meta?of=mcp"]),
        ("https://elsewhere.example/meta", []),
        ("https://notes.example:8443/meta", []),
        ("http://notes.example/meta", []),
        ("https://notes.example@elsewhere.example/meta", []),
        ("https://[/meta", []),
    ],
)
def test_metadata_are_looked_for_on_the_servers_own_host_only(named: str, paths: list[str]) -> None:
    words = challenge(f'Bearer resource_metadata="{named}", scope="notes"')
    usual = ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"]
    lost = (GONE,) * (len(paths) + len(usual) + bool(paths))
    steps = http_steps(stranger, CLOSED, Reply(), words, words, *lost)
    assert [step.path for step in steps if step.path][: len(paths) + 2] == [*paths, *usual]
    reported = outcomes(stranger, CLOSED, Reply(), words, words, *lost)
    assert reported["AUTH-001"] == ("error" if paths else "undecided")


def test_over_the_old_transport_only_the_door_is_tried() -> None:
    known = Known(is_http=True, is_old_http=True, url=URL, revision="2025-11-25")
    tried = {
        rule
        for probe in PROBES
        if probe.over is not None and probe.reason_against(known) is None
        for rule in probe.decides
    }
    assert tried == {"HTTP-039", "HTTP-040"}


def test_of_a_closed_server_only_the_door_is_tried() -> None:
    tried = [probe.decides for probe in PROBES if probe.reason_against(CLOSED) is None]
    assert tried == [("AUTH-001", "AUTH-002", "AUTH-003", "AUTH-007")]
