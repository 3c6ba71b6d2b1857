"""What the classifier of the reference implementation says: its closed form, for comparison only.

It knows two answers. "Not a business error" is counted as a failure, which is how it is used.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from mcp_assay.model.verdict import ErrorKind, ValidationContext


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(" ".join(phrase.split()) for phrase in text.split(","))


def _sorted_words(text: str) -> tuple[str, ...]:
    """The words of a text, each once."""
    return tuple(sorted(text.split()))


PHRASES: Final = _phrases(
    """not found, does not exist, doesn't exist, no such, cannot find, could not find,
    unable to find, invalid id, invalid identifier, unknown resource, no entities, no results,
    not exist, no nodes, no matching, no matches, empty result, zero results, nothing found,
    no data, no items, invalid format, invalid value, invalid type, invalid input,
    invalid parameter, invalid data, type mismatch, schema validation, constraint violation,
    out of range, exceeds maximum, below minimum, invalid length, pattern mismatch, regex failed,
    must have, must be, unauthorized, permission denied, access denied, forbidden, not authorized,
    insufficient permissions, no access, authentication required, token expired,
    invalid credentials, already exists, duplicate, conflict, quota exceeded, limit reached,
    not allowed, operation not permitted, invalid state, precondition failed, dependency not met,
    invalid parent, invalid reference, invalid relationship, missing required, required field,
    required parameter, validation failed, invalid request, bad request, malformed, rate limit,
    too many requests, throttled, quota, exceeded, insufficient credits, credits, no credits,
    credit balance, billing, subscription, plan upgrade, payment required, account suspended,
    trial expired, usage limit, not configured, not enabled, not available, not supported,
    feature disabled, service unavailable"""
)
OPERATIONAL: Final = _phrases(
    "quota, credit, rate limit, throttle, billing, payment, subscription, trial"
)
CERTAIN: Final = _phrases(
    """file not found, path not found, directory not found, does not exist, no such file,
    no such directory, invalid path, permission denied, access denied, unauthorized,
    authentication required, missing required, required parameter, invalid parameter,
    invalid input, validation failed"""
)
TOOL_WORDS: Final = _sorted_words(
    """create add insert update modify set delete remove get fetch read write query search find
    list entity entities relation observation node edge record move copy duplicate archive link
    associate connect attach scrape crawl map extract parse analyze process load open save close
    play stop pause upload download import export run execute invoke call send receive post put
    """
)
STATUSES: Final = ("400", "401", "403", "404", "409", "422", "429")
CODE: Final = re.compile(r"(?:code|error_code)[\"\s:]+[^\",\s]+")
CODES: Final = ("-32602", "-32603", "invalid_params", "validation_error", "bad_request")
TEST_DATA: Final = re.compile(
    r"test_value|test@example\.com|example\.com|\bid[\"\s:]+\d+|\bid[\"\s:]+[\"'][^\"']+[\"']"
    r"|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
)


def reference_kind(context: ValidationContext) -> ErrorKind:
    """The kind that the reference's answer amounts to."""
    return "business" if is_business(context) else "failure"


def is_business(context: ValidationContext) -> bool:
    """The closed form: a code word, a word in the tool's name, or phrases in company."""
    text = _text(context.response)
    name = str(context.tool.get("name", "")).lower()
    phrase = _holds(text, PHRASES)
    if (CODE.search(text) and _holds(text, CODES)) or _holds(name, TOOL_WORDS):
        return True
    if phrase and (_holds(text, OPERATIONAL) or _holds(text, CERTAIN)):
        return True
    return phrase and _holds(text, STATUSES) and _is_structured(text) and _is_test_data(text)


def _text(response: dict[str, Any]) -> str:
    content = response.get("content", [response.get("error")])
    first = content[0] if content else {}
    text = first.get("text") if isinstance(first, dict) else None
    return (text if text and isinstance(text, str) else json.dumps(content)).lower()


def _holds(text: str, words: tuple[str, ...]) -> bool:
    return any(word in text for word in words)


def _is_structured(text: str) -> bool:
    groups = (("error", "message"), ("code", "type", "status"), ("{", ":"))
    return all(_holds(text, group) for group in groups)


def _is_test_data(text: str) -> bool:
    named = _holds(text, ("test", "example", "demo"))
    refused = _holds(text, ("invalid", "not found", "does not exist"))
    return (named and refused) or TEST_DATA.search(text) is not None
