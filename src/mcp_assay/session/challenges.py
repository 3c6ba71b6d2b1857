"""What the header WWW-Authenticate asks of those who are refused with status 401 or 403."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from mcp_assay.text.words import MOST_NAMED, listing

UNAUTHORIZED: Final = 401
FORBIDDEN: Final = 403
REFUSALS: Final = (UNAUTHORIZED, FORBIDDEN)
INSUFFICIENT: Final = "insufficient_scope"

_BEARER: Final = r"(?i)(?:^|,)\s*bearer(?:\s|,|$)"
_METADATA: Final = r'(?i)\bresource_metadata\s*=\s*"?([^",\s]+)'
_SCOPE: Final = r'(?i)\bscope\s*=\s*(?:"([^"]*)"|([^",\s]+))'
_ERROR: Final = r'(?i)\berror\s*=\s*"?([^",\s]+)'


_DESCRIPTION: Final = r'(?i)\berror_description\s*=\s*"([^"]{1,200})"'
_SCHEME: Final = r"(?:^|,)\s*([A-Za-z][A-Za-z0-9-]{0,30})(?=\s+[^=\s]|\s*$|\s*,)"


def challenge_in(headers: Mapping[str, str]) -> str:
    """The challenge among the headers of a response, empty where there is none."""
    return next((it for name, it in headers.items() if name.lower() == "www-authenticate"), "")


def wants_token(challenge: str) -> bool:
    """Whether a challenge asks for an OAuth token."""
    return re.search(_BEARER, challenge) is not None


def metadata_in(challenge: str) -> str | None:
    """Where the metadata of the server are, by a challenge."""
    found = re.search(_METADATA, challenge)
    return found[1] if found else None


def scope_in(challenge: str) -> str | None:
    """The scope that a challenge names."""
    found = re.search(_SCOPE, challenge)
    return (found[1] or found[2] or "") if found else None


def error_in(challenge: str) -> str | None:
    """The error that a challenge names."""
    found = re.search(_ERROR, challenge)
    return found[1] if found else None


def description_in(challenge: str) -> str | None:
    """What a challenge says about the error."""
    found = re.search(_DESCRIPTION, challenge)
    return found[1] if found else None


def schemes_in(challenge: str) -> list[str]:
    """The schemes that a challenge asks for, in the server's own spelling."""
    return list(dict.fromkeys(re.findall(_SCHEME, challenge)))


def missing_in(status: int | None, challenge: str) -> str | None:
    """What a challenge that asks for a token should say and does not, as the end of a sentence."""
    if scope_in(challenge) is None:
        return "names no scope"
    is_vague = status == FORBIDDEN and error_in(challenge) != INSUFFICIENT
    return f"does not say {INSUFFICIENT}" if is_vague else None


def in_words(status: int, challenge: str) -> str:
    """What a refusal says, in words: its status, and the scope that would do."""
    scopes = (scope_in(challenge) or "").split()[:MOST_NAMED]
    if not scopes:
        return f"HTTP status {status}"
    return f"HTTP status {status}, which asks for the scope {listing(scopes, 'and')}"
