"""How a fault becomes a Finding: the catalogue's words, the place, a glimpse, a fingerprint."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final

from msgspec import Struct

from mcp_assay.model.finding import NOWHERE, Finding, Subject, Where
from mcp_assay.model.message import Direction, Message
from mcp_assay.rules import load, load_message_rules
from mcp_assay.rules.evidence import evidence
from mcp_assay.rules.rule import Found, MapKey
from mcp_assay.session.correlation import OPPOSITE
from mcp_assay.spec.catalogue import CATALOGUE, Entry
from mcp_assay.spec.methods import methods_in
from mcp_assay.wire.pointer import pointer

SENDERS: Final[Mapping[Direction | None, Subject | None]] = {
    "c2s": "client",
    "s2c": "server",
    None: None,
}
MOST_FINGERPRINTS: Final = 4096
"""Fingerprints that are kept: the same fault mostly comes again."""
LONGEST_KEPT: Final = 1000
"""The fingerprint of a longer text, which holds a name of the sender's, is not kept."""


class _Words(Struct, frozen=True):
    """What all findings of a rule in a revision say."""

    entry: Entry
    name: str
    reason: str | None
    fix: str | None
    url: str


def tell(
    found: Found,
    revision: str,
    *,
    value: object = None,
    message: Message | None = None,
    direction: Direction | None = None,
    where: Where = NOWHERE,
) -> Finding:
    """The finding that reports a fault of a message, or of a value that is none."""
    method = message.method if message else None
    known = method if method in methods_in(revision) else None
    words = _words(found.rule, revision)
    subject = _subject(words.entry, message, direction)
    seen = evidence(value, found.path)
    return _finding(found, words, revision, subject=subject, method=known, where=where, seen=seen)


def answer(found: Found, revision: str, name: str) -> Finding:
    """The finding that answers a question which only callers of the Python API ask."""
    entry = CATALOGUE[found.rule]
    words = _Words(entry, name, found.reason, None, entry.url(revision))
    return _finding(found, words, revision)


def _finding(
    found: Found,
    words: _Words,
    revision: str,
    *,
    subject: Subject | None = None,
    method: str | None = None,
    where: Where = NOWHERE,
    seen: str | None = None,
) -> Finding:
    entry, place = words.entry, pointer(found.path)
    pattern = _pattern(found, place)
    return Finding(
        rule=entry.id,
        name=words.name,
        severity=entry.severity_of(found.grade),
        subject=subject,
        message=found.text,
        pointer=place,
        where=where,
        revision=revision,
        statement=entry.statement,
        url=words.url,
        reason=found.reason or words.reason,
        details=found.details,
        evidence=seen,
        fix=found.fix or words.fix,
        cause=" ".join(part for part in (entry.id, method, pattern) if part),
        fingerprint=fingerprint(entry.id, subject, method, pattern, found.key),
    )


@cache
def _words(rule: str, revision: str) -> _Words:
    entry, words = CATALOGUE[rule], load_message_rules().get(rule) or load()[rule]
    return _Words(entry, words.name, words.reason, words.instead, entry.url(revision))


def _pattern(found: Found, place: str) -> str:
    """The place without what differs from message to message: indexes and freely chosen names."""
    if not any(step.__class__ is not str for step in found.path):
        return place
    return pointer(tuple("*" if isinstance(s, int | MapKey) else s for s in found.path))


def _subject(entry: Entry, message: Message | None, direction: Direction | None) -> Subject | None:
    if entry.subject != "both":
        return entry.subject
    return SENDERS[direction or (_sender(message) if message else None)]


def _sender(message: Message) -> Direction | None:
    """Who must have sent the message, where its method leaves no choice."""
    method = methods_in(message.revision).get(message.method or "")
    if method is None or len(method.senders) != 1:
        return None
    asked = method.senders[0]
    return OPPOSITE[asked] if message.kind in ("result", "error") else asked


def fingerprint(*parts: str | None) -> str:
    """What findings with the same cause have in common: 16 hexadecimal digits."""
    text = "\0".join([part or "" for part in parts])
    return _known_digest(text) if len(text) <= LONGEST_KEPT else _digest(text)


@lru_cache(maxsize=MOST_FINGERPRINTS)
def _known_digest(text: str) -> str:
    return _digest(text)


def _digest(text: str) -> str:
    from hashlib import sha256  # noqa: PLC0415  slow to import, needed where something is wrong

    return sha256(text.encode(errors="replace")).hexdigest()[:16]
