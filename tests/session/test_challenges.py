"""What a refusal with status 401 or 403 asks for, by its header WWW-Authenticate."""

from __future__ import annotations

import pytest

from mcp_assay.session.challenges import (
    challenge_in,
    error_in,
    in_words,
    metadata_in,
    missing_in,
    scope_in,
    wants_token,
)

METADATA = "https://example.com/.well-known/oauth-protected-resource"


@pytest.mark.parametrize(
    ("headers", "challenge"),
    [
        ({"WWW-Authenticate": "Bearer"}, "Bearer"),
        ({"content-type": "a/b", "www-authenticate": "Basic"}, "Basic"),
        ({"X-WWW-Authenticate": "Bearer"}, ""),
        ({}, ""),
    ],
)
def test_a_challenge_is_found_however_its_header_is_written(
    headers: dict[str, str], challenge: str
) -> None:
    assert challenge_in(headers) == challenge


@pytest.mark.parametrize(
    ("challenge", "expected"),
    [
        ("Bearer", True),
        ("bearer realm=mcp", True),
        (" BEARER, Basic", True),
        ('Basic realm="a", Bearer', True),
        ("Basic,Bearer\tscope=a", True),
        ("Basic", False),
        ("Basic bearer", False),
        ("Bearers", False),
        ("", False),
    ],
)
def test_a_token_is_asked_for_by_the_scheme_bearer(challenge: str, expected: bool) -> None:
    assert wants_token(challenge) is expected


@pytest.mark.parametrize(
    ("challenge", "metadata", "scope", "error"),
    [
        ("Bearer", None, None, None),
        (f'Bearer resource_metadata="{METADATA}"', METADATA, None, None),
        (f"Bearer Resource_Metadata = {METADATA}, scope=read", METADATA, "read", None),
        ('Bearer scope="read write", error="invalid_token"', None, "read write", "invalid_token"),
        ("Bearer SCOPE = read,ERROR = invalid_token", None, "read", "invalid_token"),
        ('Bearer scope=""', None, "", None),
        ('Bearer error_description="none", my_scope="read"', None, None, None),
    ],
)
def test_a_challenge_says_where_the_metadata_are_which_scope_would_do_and_what_is_wrong(
    challenge: str, metadata: str | None, scope: str | None, error: str | None
) -> None:
    assert metadata_in(challenge) == metadata
    assert scope_in(challenge) == scope
    assert error_in(challenge) == error


@pytest.mark.parametrize(
    ("status", "challenge", "missing"),
    [
        (401, "Bearer scope=read", None),
        (401, "Bearer", "names no scope"),
        (401, "Bearer error=insufficient_scope", "names no scope"),
        (403, "Bearer", "names no scope"),
        (403, "Bearer scope=read", "does not say insufficient_scope"),
        (403, "Bearer scope=read, error=invalid_token", "does not say insufficient_scope"),
        (403, 'Bearer scope="", error="insufficient_scope"', None),
        (None, "Bearer scope=read", None),
    ],
)
def test_a_challenge_lacks_a_scope_or_with_status_403_the_error_that_belongs_to_it(
    status: int | None, challenge: str, missing: str | None
) -> None:
    assert missing_in(status, challenge) == missing


@pytest.mark.parametrize(
    ("challenge", "words"),
    [
        ("", "HTTP status 403"),
        ('Bearer scope=" "', "HTTP status 403"),
        ("Bearer scope=read", 'HTTP status 403, which asks for the scope "read"'),
        (
            'Bearer scope="a b c d e f"',
            'HTTP status 403, which asks for the scope "a", "b", "c", "d" and "e"',
        ),
    ],
)
def test_a_refusal_is_told_with_at_most_five_of_its_scopes(challenge: str, words: str) -> None:
    assert in_words(403, challenge) == words
