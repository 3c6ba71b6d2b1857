"""The formats of strings: what each accepts, which rule it belongs to, and its JSON Schema.

`schema` is what the fast check asks; it may refuse more than `checks`, never less. Patterns are
compiled when they are first used (re keeps them): most runs need few of them.
"""

from __future__ import annotations

import re
from binascii import Error as Base64Error
from binascii import a2b_base64, b2a_base64
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Final

from msgspec import Struct

from mcp_assay.spec.revisions import REVISIONS


class FormatCheck(Struct, frozen=True):
    """One demand of a format; without a rule of its own it counts under the field's."""

    accepts: Callable[[str], bool]
    words: str
    rule: str | None = None


class Format(Struct, frozen=True):
    """The demands of a format, the gravest first: only the first one missed is reported."""

    checks: tuple[FormatCheck, ...]
    schema: Mapping[str, Any]


_PCHAR = r"[A-Za-z0-9._~!$&'()*+,;=:@-]"
_ESCAPED = r"%[0-9A-Fa-f]{2}"
_REG_NAME = rf"(?:[A-Za-z0-9._~!$&'()*+,;=-]++|{_ESCAPED})*+"
_USER = rf"(?:[A-Za-z0-9._~!$&'()*+,;=:-]++|{_ESCAPED})*+@"
_AUTHORITY = rf"(?:{_USER})?(?:\[[0-9A-Za-z:.~!$&'()*+,;=_-]+\]|{_REG_NAME})(?::[0-9]*)?"
_TAIL = rf"(?:{_PCHAR}++|[/?]++|{_ESCAPED})*+"
_PATH = rf"(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]++|{_ESCAPED})*+"
_URI = (
    rf"[A-Za-z][A-Za-z0-9+.-]*:(?://{_AUTHORITY}(?:/{_PATH})?|(?!//){_PATH})"
    rf"(?:\?{_TAIL})?(?:#{_TAIL})?"
)
_VARIABLE = r"(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*+"
_SPEC = rf"{_VARIABLE}(?::[1-9][0-9]{{0,3}}|\*)?"
_TEMPLATE = (
    rf"(?:[^\x00-\x20\x7f\"%<>\\^`{{|}}]++|{_ESCAPED}"
    rf"|\{{[+#./;?&=,!@|]?{_SPEC}(?:,{_SPEC})*+\}})*+"
)

_TOKEN = r"[A-Za-z0-9!#$&^_.+*'`|~%-]+"
_PARAMETERS = r"(?:[ \t]*;[^\x00-\x08\x0a-\x1f\x7f]*)?"
_MEDIA_TYPE = rf"{_TOKEN}/{_TOKEN}{_PARAMETERS}"
_IMAGE_TYPE = rf"(?i:image)/{_TOKEN}{_PARAMETERS}"
_AUDIO_TYPE = rf"(?i:audio)/{_TOKEN}{_PARAMETERS}"
_CLOCK = r"(?:[01][0-9]|2[0-4])(?::?[0-5][0-9](?::?(?:[0-5][0-9]|60)(?:[.,][0-9]+)?)?)?"
_ZONE = r"(?:[Zz]|[+-](?:[01][0-9]|2[0-3])(?::?[0-5][0-9])?)?"
_TIMESTAMP = rf"[0-9]{{4}}-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12][0-9]|3[01])(?:[Tt ]{_CLOCK}{_ZONE})?"
_ZONED_CLOCK = r"[Tt](?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\.[0-9]+)?"
RFC3339: Final = (
    r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
    rf"{_ZONED_CLOCK}(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
)
"""Matches every moment as RFC 3339 writes it, and some days that no calendar has."""

_TRACEPARENT = "[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?"
_TRACE_KEY = r"[a-z0-9][a-z0-9_*/-]{0,240}(?:@[a-z][a-z0-9_*/-]{0,13})?"
_TRACE_MEMBER = rf"{_TRACE_KEY}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{{0,255}}[\x21-\x2b\x2d-\x3c\x3e-\x7e]"
_HTTP_TOKEN = r"[A-Za-z0-9!#$%&'*+.^_`|~-]+"
_BAGGAGE_VALUE = r"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*"
_PAIR = rf"{_HTTP_TOKEN}[ \t]*=[ \t]*{_BAGGAGE_VALUE}"
_PROPERTY = rf"(?:{_PAIR}|{_HTTP_TOKEN})"
_MOST_TRACESTATE_MEMBERS: Final = 32
_SHAPELESS_TRACE = "ff-.*|..-0{32}-.*|..-[0-9a-f]{32}-0{16}-.*|00-.{52}.+"


def is_uri(text: str) -> bool:
    """Whether the text is an absolute URI (RFC 3986)."""
    return re.fullmatch(_URI, text) is not None


def is_base64(text: str) -> bool:
    """Whether the text is canonical base64: what an encoder would write, padding included."""
    try:
        return b2a_base64(a2b_base64(text), newline=False) == text.encode("ascii")
    except (Base64Error, ValueError):
        return False


def is_moment(text: str) -> bool:
    """Whether the text is a date with time and offset (RFC 3339) that the calendar has."""
    if re.fullmatch(RFC3339, text) is None:
        return False
    try:
        date.fromisoformat(text[:10])
    except ValueError:
        return False
    return True


def _is_traceparent(text: str) -> bool:
    return bool(re.fullmatch(_TRACEPARENT, text)) and not re.fullmatch(_SHAPELESS_TRACE, text)


def _is_tracestate(text: str) -> bool:
    members = [member.strip(" \t") for member in text.split(",")]
    filled = [member for member in members if member]
    return len(filled) <= _MOST_TRACESTATE_MEMBERS and all(
        re.fullmatch(_TRACE_MEMBER, member) for member in filled
    )


def _is_baggage(text: str) -> bool:
    return all(_is_baggage_member(*member.split(";")) for member in text.split(","))


def _is_baggage_member(pair: str, *properties: str) -> bool:
    return bool(re.fullmatch(_PAIR, pair.strip(" \t"))) and all(
        re.fullmatch(_PROPERTY, text.strip(" \t")) for text in properties
    )


def _matching(pattern: str) -> Callable[[str], bool]:
    return lambda text: re.fullmatch(pattern, text) is not None


def _by_pattern(pattern: str, words: str, rule: str | None = None) -> Format:
    return Format((FormatCheck(_matching(pattern), words, rule),), {"pattern": f"^(?:{pattern})$"})


def _is_filled(text: str) -> bool:
    return bool(text.strip(" \t\r\n"))


_ABSOLUTE_URI = FormatCheck(is_uri, "an absolute URI", "SCHEMA-006")

FORMATS: Final[Mapping[str, Format]] = {
    "uri": Format((_ABSOLUTE_URI,), {"format": "uri"}),
    "file-uri": Format(
        (
            _ABSOLUTE_URI,
            FormatCheck(lambda text: text[:7].lower() == "file://", "a file:// URI", "ROOT-001"),
        ),
        {"format": "uri", "pattern": "^file://"},
    ),
    "web-address": Format(
        (
            FormatCheck(is_uri, "an absolute URL", "ELIC-003"),
            FormatCheck(
                lambda text: text[:8].lower() == "https://",
                "an https:// address",
                "ELIC-003/not https",
            ),
        ),
        {"format": "uri", "pattern": "^https://"},
    ),
    "uri-template": Format(
        (
            FormatCheck(
                lambda text: re.fullmatch(_TEMPLATE, text) is not None, "a URI template (RFC 6570)"
            ),
        ),
        {"format": "uri-template"},
    ),
    "base64": Format(
        (FormatCheck(is_base64, "canonical base64", "SCHEMA-007"),),
        {"contentEncoding": "base64", "not": {"pattern": "=[^=]"}},
    ),
    "media-type": _by_pattern(_MEDIA_TYPE, "a media type such as text/plain", "SCHEMA-013"),
    "image-type": _by_pattern(_IMAGE_TYPE, "an image media type such as image/png", "SCHEMA-013"),
    "audio-type": _by_pattern(_AUDIO_TYPE, "an audio media type such as audio/wav", "SCHEMA-013"),
    "timestamp": _by_pattern(_TIMESTAMP, "an ISO 8601 timestamp"),
    "last-modified": _by_pattern(_TIMESTAMP, "an ISO 8601 timestamp", "SCHEMA-012"),
    "filled": Format(
        (FormatCheck(_is_filled, "a non-empty string", "LIFE-016"),),
        {"pattern": "[^ \\t\\r\\n]"},
    ),
    "revision": Format(
        (FormatCheck(REVISIONS.__contains__, "a released revision", "LIFE-014"),),
        {"enum": list(REVISIONS)},
    ),
    "traceparent": Format(
        (FormatCheck(_is_traceparent, "a W3C traceparent"),),
        {
            "pattern": "^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$",
            "not": {"pattern": "^..-0{32}-|-0{16}-..$"},
        },
    ),
    "tracestate": Format(
        (FormatCheck(_is_tracestate, "a W3C tracestate"),),
        {"pattern": f"^(?:{_TRACE_MEMBER})(?:,(?:{_TRACE_MEMBER})){{0,3}}$"},
    ),
    "baggage": Format(
        (FormatCheck(_is_baggage, "a W3C baggage list"),),
        {"pattern": f"^{_PAIR}(?:,{_PAIR}){{0,7}}$"},
    ),
}
"""Every format by its name."""


BOM: Final = 3
"""Bytes of a byte order mark, which readers take off."""


def bytes_in(contents: Any) -> int | None:
    """How many bytes were read, None where that is not to be told: several parts, or none."""
    if not isinstance(contents, list) or len(contents) != 1 or not isinstance(contents[0], dict):
        return None
    text, blob = contents[0].get("text"), contents[0].get("blob")
    if isinstance(text, str):
        return len(text.encode("utf-8", "replace"))
    return len(blob) // 4 * 3 - blob[-2:].count("=") if isinstance(blob, str) else None


def possible_sizes(contents: Any) -> tuple[int, ...]:
    """The sizes that what was read may have where it lies: readers change texts, but no blobs."""
    length = bytes_in(contents)
    if length is None:
        return ()
    text = contents[0].get("text")
    if not isinstance(text, str):
        return (length,)
    return (length, length + BOM, length + text.count("\n"))


def has_bytes(size: int, contents: Any) -> bool:
    """Whether contents have this many bytes, but for what readers change, or cannot be compared."""
    sizes = possible_sizes(contents)
    return not sizes or size in sizes
