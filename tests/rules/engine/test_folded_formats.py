"""Every format, key and secret as the fast check asks for it: it may refuse more, never less."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import pytest
from jsonschema_rs import Draft7Validator, RegexOptions

from mcp_assay.rules.message.elicitation import SECRETS_BY_TYPE
from mcp_assay.spec.formats import FORMATS
from mcp_assay.spec.meta_keys import (
    RESERVED_LABELS,
    defined_keys,
    is_prefixed_key,
    key_faults,
    strict_extension_keys,
    strict_keys,
)
from mcp_assay.spec.revisions import REVISIONS
from mcp_assay.text.secrets import ASKED_TEXTS, asked_secret, innocent, near_names, secrets_in

STRINGS: Final = 10_000
LEAST_ACCEPTED: Final = 50

ODD: Final = tuple(
    " \t\n\r\x00\x0b\x0c\x1c\x7f\x85\xa0\xad\u0130\u0131\u017f\u200b\u2028\u212a\ue000\ufdd0"
    "\ufeff\uffffé\u0660\U0001f600\U000e0001"
)
URI: Final = (
    *(
        "http",
        "https",
        "file",
        "FILE",
        "a",
        "urn",
        "1",
        "+",
        ":",
        "/",
        "//",
        "?",
        "#",
        "@",
        "..",
        "~",
    ),
    *(
        "[",
        "]",
        "[::1]",
        "[v1.x]",
        "[::1%25en0]",
        "[::ffff:1.2.3.4]",
        "1.2.3.4",
        "localhost",
        ":80",
    ),
    *(
        "%20",
        "%",
        "%zz",
        "%2",
        "<",
        ">",
        '"',
        "{",
        "}",
        "|",
        "\\",
        "^",
        "`",
        "'",
        "!",
        "$",
        "*",
        "=",
    ),
)
TIME: Final = (
    *(
        "2025",
        "-",
        "11",
        "25",
        "T",
        "t",
        "10",
        ":",
        "00",
        "60",
        "61",
        "24",
        ".",
        ",",
        "5",
        "Z",
        "z",
    ),
    *("+", "02", "2025-11-25", "10:30:00", "20251125", "103000", "+02:00", "-0200"),
)
MEDIA: Final = (
    *(
        "text",
        "/",
        "plain",
        ";",
        "charset=utf-8",
        "=",
        '"',
        "*",
        "IMAGE",
        "image",
        "audio",
        ",",
        "#",
    ),
    *("'", "`", "|", "%", "@", "\\", "(", ":", "[", "+", "png"),
)
TRACE: Final = f"00-{'1f2e3d4c' * 4}-{'0123abcd' * 2}-01"

MATERIAL: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "uri": (("", "http://", "a:", "http://a", "http://a@b:1/"), URI),
    "file-uri": (("file://", "", "FILE://", "file:/"), URI),
    "web-address": (("https://", "", "HTTPS://", "http://"), URI),
    "uri-template": (
        ("", "http://x/"),
        (
            *("{", "}", "{id}", "{+x}", "{#a,b}", "{?q*}", "{x:3}", "{x:0}", "{x:10000}", "{x:03}"),
            *(
                "{a.b}",
                "{a..b}",
                "{.a}",
                "{%20}",
                "{%2}",
                "{é}",
                "{ }",
                "{=a}",
                "{!a}",
                "{$a}",
                "{}",
            ),
            *("{a,}", "{a:3*}", "{a**}", "{a-b}", "{_}", "%20", "%", "<", "'", '"', "^", "`", "|"),
        ),
    ),
    "base64": (
        ("", "AAAA"),
        ("AAAA", "AA==", "AAA=", "A", "AB==", "AAB=", "=", "==", "+", "/", "-", "_", "aGVsbG8="),
    ),
    "media-type": (("", "text/plain", "a/b;"), MEDIA),
    "image-type": (("image/", "IMAGE/", "", "image"), MEDIA),
    "audio-type": (("audio/", "AUDIO/", "", "audio"), MEDIA),
    "timestamp": (("", "2025-11-25T10:30", "2025-11-25T", "20251125"), TIME),
    "last-modified": (("", "2025-11-25T10:30", "2025-11-25T", "20251125"), TIME),
    "filled": (("",), ("a", "", "  ")),
    "revision": (("", *REVISIONS), ("2025", "-")),
    "traceparent": (
        (TRACE, "", f"00-{'0' * 32}-", f"00-{'a' * 32}-"),
        ("00", "-", "ff", "01", "0" * 32, "a" * 32, "0" * 16, "b" * 16, "A", "x", "-01"),
    ),
    "tracestate": (
        ("", "a=", "a=1,"),
        ("a", "=", "1", ",", "@", "A", "*", "/", "_", "0", "x" * 240, "y" * 256, "a=1", "b@c=2"),
    ),
    "baggage": (
        ("", "a=", "a=1,"),
        ("a", "=", "1", ",", ";", "a=1", ";p", ";p=2", '"', "\\", "%20", "(", "/", ":", "~"),
    ),
}
"""For each format how its texts begin, and what they may go on with."""


def texts(
    beginnings: tuple[str, ...], parts: tuple[str, ...], odd: tuple[str, ...] = ODD
) -> Iterator[str]:
    """Texts put together at random; one part in eight is odd."""
    rng = random.Random(repr(parts))
    for _ in range(STRINGS):
        rest = (rng.choice(odd if rng.random() < 0.12 else parts) for _ in range(rng.randrange(6)))
        yield rng.choice(beginnings) + "".join(rest)


def unsound(
    schema: Mapping[str, Any], values: Iterator[Any], is_fine: Callable[[Any], bool]
) -> list[Any]:
    """The values that the schema accepts although there is something to say about them."""
    validator = Draft7Validator(
        dict(schema), validate_formats=True, offline=True, pattern_options=RegexOptions()
    )
    passed = [value for value in values if validator.is_valid(value)]
    assert len(passed) >= LEAST_ACCEPTED
    return [value for value in passed if not is_fine(value)]


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_in_the_fast_check_implies_it_in_the_slow_check(name: str) -> None:
    format = FORMATS[name]
    schema = {"type": "string", **format.schema}
    fine = unsound(
        schema,
        texts(*MATERIAL[name]),
        lambda text: all(check.accepts(text) for check in format.checks),
    )
    assert fine == []


KEYS: Final = (
    ("", "com.example/", "com.", "example/"),
    (
        *("com.", "example", "/", ".", "-", "_", "1", "a", "A", "io.", "COM.", "x", "trace"),
        *RESERVED_LABELS,
        *(f".{label}" for label in RESERVED_LABELS),
        *(f"{label}." for label in RESERVED_LABELS),
    ),
)


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_meta_key_that_the_fast_check_accepts_breaks_no_rule(revision: str) -> None:
    defined = defined_keys(revision)
    keys = texts(*KEYS)
    assert (
        unsound(
            strict_keys(revision, defined),
            keys,
            lambda key: not [*key_faults(key, revision, defined)],
        )
        == []
    )


def test_an_extension_name_that_the_fast_check_accepts_has_a_prefix() -> None:
    assert unsound(strict_extension_keys(), texts(*KEYS), is_prefixed_key) == []


LABELS: Final = (
    ("", "user", "db_", "my"),
    (
        *(
            "pass",
            "word",
            "Pass",
            "WORD",
            "password",
            "secret",
            "Secret",
            "key",
            "Key",
            "KEY",
            "api",
        ),
        *(
            "API",
            "_",
            "-",
            ".",
            " ",
            "9",
            "token",
            "access",
            "private",
            "pin",
            "card",
            "credit",
            "s",
        ),
        *(
            "Social",
            "security",
            "cvv",
            "authorization",
            "passphrase",
            "refresh",
            "for",
            "of",
            "code",
        ),
    ),
)


@pytest.mark.parametrize("type", SECRETS_BY_TYPE)
def test_a_label_that_the_fast_check_accepts_asks_for_no_secret(type: str) -> None:
    schema = {"not": {"pattern": near_names(ASKED_TEXTS)}}
    names = SECRETS_BY_TYPE[type]
    assert unsound(schema, texts(*LABELS), lambda label: asked_secret(label, names) is None) == []


SECRETS: Final = (
    ("", " ", "x", "Authorization: ", "Cloning with "),
    (
        *("ghp_", "a1B2" * 9, "AKIA", "ABCD1234" * 2, "Bearer ", "bearer ", "x1Y2" * 8, "xoxb-"),
        *("-----BEGIN ", "RSA ", "PRIVATE KEY-----", "eyJhbGciOi", ".", "sk-", "sk_live_", "AIza"),
        *(
            "password",
            "api_key",
            "apiKey",
            "secret",
            "=",
            ":",
            "=>",
            "'",
            '"',
            " ",
            "hunter2",
            "token",
        ),
        *("***", "<", "none", "github_pat_", "-proj-", "Basic ", "\\", ",", "passwd", "PASSWORD"),
    ),
)
SECRET_LEVELS: Final = 2


def nested(values: Iterator[str]) -> Iterator[Any]:
    """The texts inside objects whose names may give them away, and inside arrays."""
    names = texts(*LABELS)
    for text, name in zip(values, names, strict=True):
        yield from (text, [text], {name: text}, {"x": {name: [text]}}, {name: {"x": text}})


def test_log_data_that_the_fast_check_accepts_holds_no_secret() -> None:
    values = nested(texts(*SECRETS))
    assert unsound(innocent(SECRET_LEVELS), values, lambda value: not [*secrets_in(value)]) == []
