"""Authorization as HTTP shows it: what is a fault, and what cannot be known."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.model.entry import Delivery
from mcp_assay.rules.engine.rule import Step
from mcp_assay.rules.engine.samples import c2s, initialize, modern_result, request, result
from mcp_assay.rules.session.http_samples import (
    VERSION,
    Headers,
    get,
    http_opening,
    modern_list,
    modern_post,
    post,
    reply,
)
from tests.rules.session.playing import JUNK, left_open, reported

RULES = "AUTH"
TOOLS: dict[str, Any] = {"tools": {}}
LIST: dict[str, Any] = {"tools": []}
OPEN = http_opening(server=TOOLS)
IN_SESSION: Headers = {"Mcp-Session-Id": "s"}
BEARER: Headers = {"Authorization": "Bearer x"}
METADATA = 'Bearer resource_metadata="https://notes.example/meta"'
GOOD = (
    "response_type=code&client_id=c&redirect_uri=https%3A%2F%2Fnotes.example%2Fback"
    "&code_challenge=abc&code_challenge_method=S256&resource=https%3A%2F%2Fnotes.example"
)


def listing(id: int, headers: Headers | None = None, **http: Any) -> list[Step]:
    asked = post(request("tools/list", id=id), id, headers, **http)
    return [asked, reply(result(LIST, id=id), id)]


def refused(words: str | None, revision: str, status: int = 401) -> list[Step]:
    return [
        *http_opening(server=TOOLS, revision=revision),
        post(request("tools/list"), 1, {VERSION: revision}),
        reply(status=status, type=None, headers={"WWW-Authenticate": words}),
    ]


def authorizing(query: str) -> Step:
    http = {"method": "GET", "path": f"/authorize?{query}"}
    return c2s(delivery=Delivery(transport="http", exchange=7, http=http))


@pytest.mark.parametrize("words", [None, "Bearer", 'Basic realm="x"', "Bearer resource=x"])
def test_2025_06_18_wants_the_metadata_in_the_challenge(words: str | None) -> None:
    assert reported(refused(words, "2025-06-18"), rules="AUTH-002") == [(5, "AUTH-002")]
    assert reported(refused(METADATA, "2025-06-18"), rules="AUTH-002") == []


def test_later_revisions_may_publish_it_at_a_known_address() -> None:
    steps = refused("Bearer", "2025-11-25")
    assert reported(steps, rules="AUTH-002") == []
    assert "AUTH-002" in left_open(steps)


def test_a_server_that_has_not_answered_yet_may_be_of_an_earlier_revision() -> None:
    asked = post(initialize(revision="2025-06-18"), 1, {VERSION: None})
    steps = [asked, reply(status=401, headers={"WWW-Authenticate": "Bearer"})]
    assert reported(steps, rules=RULES) == []
    assert "AUTH-002" in left_open(steps)


@pytest.mark.parametrize("status", [401, 403])
def test_a_challenge_names_the_scope(status: int) -> None:
    plain = refused(METADATA, "2025-11-25", status)
    assert reported(plain, rules="AUTH-003") == [(5, "AUTH-003")]
    words = f'{METADATA}, error="insufficient_scope", scope="notes:read"'
    scoped = refused(words, "2025-11-25", status)
    assert reported(scoped, rules="AUTH-003") == []
    assert reported(refused(METADATA, "2025-06-18", status), rules="AUTH-003") == []
    assert reported(refused(None, "2025-11-25", status), rules="AUTH-003") == []


def test_a_scope_that_is_too_small_is_reported_as_such() -> None:
    challenge = 'Bearer error="invalid_token", scope="notes:write"'
    assert reported(refused(challenge, "2025-11-25", 403), rules="AUTH-003") == [(5, "AUTH-003")]
    assert reported(refused(challenge, "2025-11-25", 401), rules="AUTH-003") == []


def test_a_modern_server_is_known_by_its_results() -> None:
    listed = {"tools": [], "ttlMs": 0, "cacheScope": "private"}
    first = [modern_post(modern_list()), reply(modern_result(listed))]
    challenge = reply(exchange=2, status=401, type=None, headers={"WWW-Authenticate": "Bearer"})
    asked = modern_post(modern_list(2), 2)
    assert reported(first, asked, challenge, rules="AUTH-003") == [(3, "AUTH-003")]
    assert reported([asked, challenge], rules="AUTH-003") == []


@pytest.mark.parametrize("query", ["access_token=x", "a=b&access_token=x", "access_token="])
def test_a_token_in_the_address_is_reported(query: str) -> None:
    assert reported(OPEN, listing(1, path=f"/mcp?{query}"), rules=RULES) == [(4, "AUTH-004")]


def test_other_words_in_the_address_are_fine() -> None:
    assert reported(OPEN, listing(1, path="/mcp?session=access_token"), rules=RULES) == []


def test_a_token_is_shown_with_every_request() -> None:
    begun = (*http_opening(server=TOOLS, session="s"), *listing(1, {**IN_SESSION, **BEARER}))
    assert reported(begun, listing(2, {**IN_SESSION, **BEARER}), rules=RULES) == []
    assert reported(begun, listing(2, IN_SESSION), rules=RULES) == [(6, "AUTH-004")]
    assert reported(begun, get(2, IN_SESSION), rules=RULES) == [(6, "AUTH-004")]
    assert reported(OPEN, listing(1), listing(2, BEARER), rules=RULES) == []


def test_outside_of_a_session_another_client_may_have_no_token() -> None:
    anew = post(initialize(id=2), 2, {VERSION: None})
    for other in (listing(2), get(2), anew):
        assert reported(OPEN, listing(1, BEARER), other, rules=RULES) == []
        assert "AUTH-004" in left_open(OPEN, listing(1, BEARER), other)


def test_other_ways_to_prove_oneself_are_not_judged() -> None:
    basic: Headers = {"Authorization": "Basic x"}
    assert reported(OPEN, listing(1, basic), listing(2), rules=RULES) == []


def test_a_token_that_was_refused_may_be_left_out() -> None:
    lost = [post(request("tools/list"), 1, BEARER), reply(status=401, type=None)]
    assert reported(OPEN, lost, listing(2), rules=RULES) == []


def test_requests_elsewhere_need_no_token() -> None:
    http = {"method": "GET", "path": "/.well-known/x", "request_headers": {}}
    elsewhere = c2s(delivery=Delivery(transport="http", exchange=9, http=http))
    assert reported(OPEN, listing(1, BEARER), elsewhere, rules=RULES) == []


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("", "", None),
        ("&resource=https%3A%2F%2Fnotes.example", "", "AUTH-005"),
        ("&code_challenge=abc", "", "AUTH-006"),
        ("S256", "plain", "AUTH-006"),
        ("&code_challenge_method=S256", "", "AUTH-006"),
        ("https%3A%2F%2Fnotes.example%2Fback", "http%3A%2F%2Fnotes.example", "AUTH-006"),
        ("https%3A%2F%2Fnotes.example%2Fback", "http%3A%2F%2F127.0.0.1%3A9", None),
        ("https%3A%2F%2Fnotes.example%2Fback", "http%3A%2F%2F%5B%3A%3A1%5D%3A9", None),
        ("https%3A%2F%2Fnotes.example%2Fback", "http%3A%2F%2F%5Bbroken", None),
        ("https%3A%2F%2Fnotes.example%2Fback", "notes%3A%2F%2Fback", None),
        ("response_type=code", "response_type=token", None),
        ("client_id=c&", "", None),
    ],
)
def test_a_request_for_an_authorization_is_protected(old: str, new: str, rule: str | None) -> None:
    found = reported(OPEN, authorizing(GOOD.replace(old, new)), rules=RULES)
    assert found == ([(4, rule)] if rule else [])


def test_a_client_that_was_not_received_of_is_not_judged() -> None:
    assert reported(authorizing("response_type=code&client_id=c"), rules=RULES) == []


@pytest.mark.parametrize("junk", [*JUNK, "?" * 20_000, "&".join(["a=b"] * 500)])
def test_paths_of_any_form_are_read_without_harm(junk: Any) -> None:
    path = f"/mcp?{junk}" if isinstance(junk, str) else junk
    assert reported(OPEN, listing(1, path=path), rules=RULES) == []
