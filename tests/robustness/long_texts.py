"""Run by a process of its own: every pattern against long texts that would trip a careless one.

Prints the slowest pairs of pattern and text, one per line: seconds, pattern, text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import cycle
from time import process_time
from typing import Any, Final

from jsonschema_rs import Draft7Validator, RegexOptions

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.method_names import method_faults
from mcp_assay.rules.engine.samples import error, request
from mcp_assay.rules.engine.slow import Setting, judge
from mcp_assay.rules.message.error_codes import error_message_not_a_sentence
from mcp_assay.spec.formats import FORMATS
from mcp_assay.spec.meta_keys import (
    defined_keys,
    is_prefixed_key,
    key_faults,
    strict_extension_keys,
    strict_keys,
)
from mcp_assay.spec.revisions import R2025_06_18, R2025_11_25, R2026_07_28
from mcp_assay.text.secrets import (
    ASKED_TEXTS,
    asked_secret,
    holds_secret,
    innocent,
    names_secret,
    near_names,
    secrets_in,
)
from mcp_assay.text.words import folded, nearest, quote
from mcp_assay.wire.reader import Reading

Taker = Callable[[str], object]

LENGTH: Final = 200_000
SHOWN: Final = 5

REPEATED: Final = (
    *("a", "A", "0", "9", "-", "_", ".", "/", ":", "@", "%", "=", ",", ";", " ", "\t", "~", "*"),
    *(
        "a.",
        "a-",
        "a/",
        "a:",
        "a@",
        "a=",
        "a,",
        "a;",
        "a ",
        "aA",
        "a0",
        "0a",
        "-a",
        ".a",
        "%4",
        "%41",
    ),
    *(
        "aa-",
        "Ab_12/",
        "//",
        "::",
        "[:",
        "[::1]",
        "{a",
        "{a,",
        "{a}",
        "{a.b.",
        "{a:1",
        "a=1,",
        "a=1;b,",
        "a@b=1,",
    ),
    *("T1", "10:", "+1", "00-", "0-", "AA==", "A=", "=A", "eyJaaaaa.", ".eyJaaaaa", "sk-", "sk-a"),
    *("ghp_", "xoxb-", "AKIA", "AIza", "bearer ", "Bearer a", "-----BEGIN A ", "-----BEGIN "),
    *(
        "password",
        "password=",
        "password: ",
        "api key",
        "api_",
        "secret\\",
        "authorization: basic ",
    ),
    *("goroutine 1", "goroutine 1 [", "Traceback ", "Stack trace", "at Object.", "panicked at"),
    *("\n", "\r\n", "é", "\u0130", "\ud800", "mcp.", ".mcp", "modelcontextprotocol"),
)
BEGINNINGS: Final = ("http://", "a:", "image/", "text/a;", "com.example/", "00-", "2025-11-25T")


def plain_texts() -> Iterator[tuple[str, str]]:
    """Long texts that end in something unfitting, each with a short description."""
    for part in REPEATED:
        yield f"{part!r} * n", part * (LENGTH // len(part)) + "!"


def begun_texts() -> Iterator[tuple[str, str]]:
    """The same with a fitting beginning."""
    for number, (words, text) in enumerate(plain_texts()):
        beginning = BEGINNINGS[number % len(BEGINNINGS)]
        yield f"{beginning!r} + {words}", f"{beginning}{text}\n"


def takers() -> Iterator[tuple[str, Taker]]:
    """Everything that looks at a text with a pattern."""
    for name, format in FORMATS.items():
        for number, check in enumerate(format.checks):
            yield f"format {name} {number}", check.accepts
        yield f"format {name} compiled", _compiled({"type": "string", **format.schema})
    for revision in (R2025_06_18, R2025_11_25):
        defined = defined_keys(revision)
        yield f"key {revision}", _keys(revision)
        yield f"key {revision} compiled", _compiled(strict_keys(revision, defined))
    yield "extension", is_prefixed_key
    yield "extension compiled", _compiled(strict_extension_keys())
    yield "secret name", names_secret
    yield "asked secret", lambda text: asked_secret(text, ASKED_TEXTS)
    yield "innocent compiled", _compiled(innocent(1))
    yield "near names compiled", _compiled({"not": {"pattern": near_names(ASKED_TEXTS)}})
    yield "quote", quote
    yield "folded", folded
    yield "nearest", lambda text: nearest(text, ["name", text])
    yield "method", lambda text: [*method_faults(text, "request", R2025_11_25, None)]
    yield "error message", _error_message
    yield "whole message", _whole_message


def _keys(revision: str) -> Taker:
    defined = defined_keys(revision)
    return lambda text: [*key_faults(text, revision, defined)]


def _compiled(schema: Mapping[str, Any]) -> Taker:
    validator = Draft7Validator(
        dict(schema), validate_formats=True, offline=True, pattern_options=RegexOptions()
    )
    return lambda text: validator.is_valid(text.encode(errors="replace").decode())


def _error_message(text: str) -> object:
    message = Message(value=error(1, text), kind="error", method=None, revision=R2025_11_25)
    return [*error_message_not_a_sentence(message)]


def _whole_message(text: str) -> object:
    params = {"name": text, text: text, "_meta": {text: text, "traceparent": text}}
    message = request(text, params, id=text)
    return judge(Reading(message), Setting(revision=R2026_07_28))


def searchers() -> Iterator[tuple[str, Taker]]:
    """What reads a text to its end in any case, and so takes longer."""
    yield "secret in text", holds_secret
    yield "secret in value", lambda text: [*secrets_in({text: text})]


def main() -> None:
    """Time every pair and print the slowest ones."""
    plain, begun = list(plain_texts()), list(begun_texts())
    times = [
        *(_timed(taker, text) for taker in takers() for text in (*plain, *begun)),
        *(_timed(taker, text) for taker, text in zip(cycle(searchers()), plain, strict=False)),
    ]
    for seconds, name, words in sorted(times, reverse=True)[:SHOWN]:
        print(f"{seconds:.3f}\t{name}\t{words}")


def _timed(taker: tuple[str, Taker], text: tuple[str, str]) -> tuple[float, str, str]:
    started = process_time()
    taker[1](text[1])
    return process_time() - started, taker[0], text[0]


if __name__ == "__main__":
    main()
