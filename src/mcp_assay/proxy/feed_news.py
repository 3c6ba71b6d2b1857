"""What a proxy tells those who look at its traffic: the records on its private socket.

Each record is msgpack with its length before it, in four bytes; a reader passes over
members that it does not know.
"""

from __future__ import annotations

import struct
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct

from mcp_assay.model.finding import Finding, Severity, Subject
from mcp_assay.text.safe import shorten

KIND: Final = "traffic"
"""The word with which the names of these sockets begin."""
LONGEST_LINE: Final = 4 << 20
"""Bytes of a trace line that are kept for readers; of a longer message only its beginning is."""
BEGINNING: Final = 4096
"""So many bytes of the line of a longer message are told."""
MOST_OF_A_RECORD: Final = 2 * LONGEST_LINE
"""No record is longer than this."""
MOST_FINDINGS: Final = 100
"""So many findings are told in one record."""
LONGEST_WORDS: Final = 500
"""Characters of what a finding says."""

HEAD: Final = struct.Struct(">I")
"""The length of a record, before it."""


class FoundNews(Struct, frozen=True, array_like=True):
    """A finding in few words, and the number of the message that it is about."""

    number: int
    rule: str
    name: str
    severity: Severity
    subject: Subject | None
    words: str
    pointer: str = ""


class OpenedNews(Struct, frozen=True, tag="opened"):
    """Whose traffic this is, and how many of its messages are no longer kept."""

    name: str
    session: str
    pid: int
    began: float
    forgotten: int = 0


class PassedNews(Struct, frozen=True, tag="passed"):
    """One message or event, as its recording has it; secrets are redacted."""

    number: int
    line: bytes
    size: int = 0
    """The bytes of its line; those of a long one are more than there are here."""
    beginning: bytes = b""
    """How a line that is too long to be told begins; `line` is then one without the message."""
    found: tuple[FoundNews, ...] = ()


class FoundLateNews(Struct, frozen=True, tag="found"):
    """Findings about messages that passed before."""

    found: tuple[FoundNews, ...]


class MissedNews(Struct, frozen=True, tag="missed"):
    """So many messages passed here that this reader was too slow for."""

    count: int


class OverNews(Struct, frozen=True, tag="over"):
    """Nothing more comes, and why."""

    how: str


News: TypeAlias = OpenedNews | PassedNews | FoundLateNews | MissedNews | OverNews


def packed(news: News) -> bytes:
    """A record as it is sent, with its length before it."""
    text = msgspec.msgpack.encode(news)
    return HEAD.pack(len(text)) + text


unpack: Final = msgspec.msgpack.Decoder(News).decode
"""Reads a record that came without its length; msgspec.MsgspecError for what is none."""


def in_few_words(finding: Finding, number: int) -> FoundNews:
    """A finding as it is told; `number` is that of its message where it names none itself."""
    return FoundNews(
        finding.where.line or number,
        finding.rule,
        finding.name,
        finding.severity,
        finding.subject,
        shorten(finding.message, LONGEST_WORDS),
        shorten(finding.pointer, LONGEST_WORDS),
    )
