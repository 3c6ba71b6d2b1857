"""How a fault becomes a Finding: the catalogue's words, the place, a glimpse, a fingerprint."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.model.entry import Direction, Message
from mcp_assay.model.finding import NOWHERE, Finding, Severity, Subject, Where
from mcp_assay.rules import load_rule
from mcp_assay.rules.engine.rule import Found, MapKey
from mcp_assay.session.correlation import OPPOSITE
from mcp_assay.spec.catalogue import CATALOGUE, SENDERS, CatalogueEntry, Party
from mcp_assay.spec.methods import methods_in
from mcp_assay.text.digests import sha256
from mcp_assay.text.words import evidence
from mcp_assay.wire.pointer import Path, pointer

_FIXED: Final = frozenset((str,))
"""The steps of a path that are the same in all messages: names that nobody chose freely."""
MOST_KEPT: Final = 4096
"""Causes that are kept with their fingerprints: the same fault mostly comes again."""
SERVER_INFO: Final = ("result", "_meta", "io.modelcontextprotocol/serverInfo")
LONGEST_KEPT: Final = 1000
"""A cause with longer names of the sender's is not kept."""


class _Words(Struct, frozen=True):
    """What all findings of a rule and grade say in a revision."""

    rule: str
    name: str
    severity: Severity
    subject: Party
    revision: str
    statement: str
    url: str
    reason: str | None
    fix: str | None = None


def to_finding(
    found: Found,
    revision: str,
    *,
    value: object = None,
    message: Message | None = None,
    direction: Direction | None = None,
    where: Where = NOWHERE,
    request: Message | None = None,
) -> Finding:
    """The finding that reports a fault of a message, or of a value that is none.

    `request` is what a text answers that is at fault as a text, and so is no message here.
    """
    words = _words(found.rule, found.grade, revision)
    subject = words.subject if words.subject != "both" else _sender(message, direction)
    method = message.method if message and message.method in methods_in(revision) else None
    about_call = None if is_of_every_response(found.path) else message or request
    tool = about_call.called_tool if about_call and subject == "server" else None
    method = method if about_call else None
    if tool is not None:
        where = replace(where, tool=tool)
    about, seen = method if tool is None else tool, evidence(value, found.path)
    return _finding(found, words, subject, about, where=where, seen=seen)


def is_of_every_response(path: Path) -> bool:
    """Whether a place holds what a server says of itself in each response, whatever was asked."""
    return path[: len(SERVER_INFO)] == SERVER_INFO


def sharing_causes(findings: Sequence[Finding], others: Sequence[Finding]) -> Sequence[Finding]:
    """Findings about definitions; what others say of the same place goes by the same fix."""
    causes = {one.pointer: one.cause for one in others}
    return [
        replace(one, cause=causes[one.pointer])
        if one.pointer in causes and "definitions" in CATALOGUE[one.rule].observable
        else one
        for one in findings
    ]


def answer(found: Found, revision: str, name: str) -> Finding:
    """The finding that answers a question which only callers of the Python API ask."""
    words = _said(CATALOGUE[found.rule], found.grade, revision, name, found.reason)
    return _finding(found, words, None, None)


def _finding(
    found: Found,
    words: _Words,
    subject: Subject | None,
    about: str | None,
    *,
    where: Where = NOWHERE,
    seen: str | None = None,
) -> Finding:
    path = found.path
    place = pointer(path)
    pattern = place if _FIXED.issuperset(map(type, path)) else _pattern(path)
    kept = len(pattern) + len(found.key) <= LONGEST_KEPT
    identity = _known_identity if kept else _identity
    cause, fingerprint = identity(words.rule, subject, about, pattern, found.key)
    return Finding(
        rule=words.rule,
        name=words.name,
        severity=words.severity,
        subject=subject,
        message=found.text,
        pointer=place,
        where=where,
        revision=words.revision,
        statement=words.statement,
        url=words.url,
        reason=found.reason or words.reason,
        details=found.details,
        evidence=seen,
        fix=found.fix or words.fix,
        cause=found.cause or cause,
        fingerprint=fingerprint,
    )


@cache
def _words(rule: str, grade: str | None, revision: str) -> _Words:
    words = load_rule(rule)
    assert words is not None, f"{rule} is not registered"
    said = _said(CATALOGUE[rule], grade, revision, words.name, words.reason)
    return replace(said, fix=words.instead)


def _said(
    entry: CatalogueEntry, grade: str | None, revision: str, name: str, reason: str | None
) -> _Words:
    return _Words(
        rule=entry.id,
        name=name,
        severity=entry.severity_of(grade),
        subject=entry.subject,
        revision=revision,
        statement=entry.statement,
        url=entry.url(revision),
        reason=reason,
    )


def _pattern(path: Path) -> str:
    """The place without what differs from message to message: indexes and freely chosen names."""
    return pointer(tuple("*" if isinstance(step, int | MapKey) else step for step in path))


def _sender(message: Message | None, direction: Direction | None) -> Subject | None:
    """Who must have sent the message, where that is known or its method leaves no choice."""
    if direction is not None or message is None:
        return SENDERS[direction]
    method = methods_in(message.revision).get(message.method or "")
    if method is None or len(method.senders) != 1:
        return None
    asked = method.senders[0]
    return SENDERS[OPPOSITE[asked] if message.kind in ("result", "error") else asked]


def _identity(
    rule: str, subject: Subject | None, about: str | None, pattern: str, key: str
) -> tuple[str, str]:
    """The cause of a finding, and the fingerprint that findings of the same cause share."""
    cause = " ".join(filter(None, (rule, about, pattern)))
    return cause, fingerprint(rule, subject, about, pattern, key)


_known_identity: Final = lru_cache(maxsize=MOST_KEPT)(_identity)


def fingerprint(*parts: str | None) -> str:
    """What findings with the same cause have in common: 16 hexadecimal digits."""
    text = "\0".join([part or "" for part in parts])
    return sha256(text.encode(errors="replace")).hexdigest()[:16]
