"""Whole reports as bytes: small, and never larger than announced when they are read again."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec import Struct

from mcp_assay.model.report import Report
from mcp_assay.report.as_json import json_line
from mcp_assay.report.report_file import WrongReport, read_report

LEVEL: Final = 1
"""Of zstd; a report is no smaller at 3, which takes longer."""
LARGEST: Final = 128 * 1024 * 1024
"""Bytes of a report, unpacked; more is not read."""
MOST_RATIO: Final = 1_000
"""So many times as large as packed no report gets that is worth reading."""
HARMLESS: Final = 16 * 1024 * 1024
"""Bytes that may come out of however few."""


class PackedReport(Struct, frozen=True):
    """A report, compressed, with its size and what it is known by."""

    body: bytes
    size: int
    digest: str


def packed(report: Report) -> PackedReport:
    """The report as it is stored: compact JSON, compressed."""
    text = _encoded(report)
    return PackedReport(_zstandard().ZstdCompressor(level=LEVEL).compress(text), len(text),
                        sha256(text).hexdigest())  # fmt: skip


def _encoded(report: Report) -> bytes:
    try:
        return msgspec.json.encode(report)
    except UnicodeEncodeError:  # a lone surrogate, which only hostile text has
        return json_line(report).encode()


def unpacked_report(body: bytes) -> Report:
    """The report that was stored; raises WrongReport where it cannot be read."""
    return read_report(unpacked_text(body))


def unpacked_text(body: bytes, most: int = LARGEST) -> bytes:
    """The text that was packed, which says first how long it is; raises WrongReport."""
    zstandard = _zstandard()
    try:
        size = zstandard.frame_content_size(body)
        if size > most or size > max(MOST_RATIO * len(body), HARMLESS):
            raise WrongReport(f"is {size:,} bytes long when it is unpacked, which is too much")
        if size < 0:
            raise WrongReport("does not say how long it is")
        text: bytes = zstandard.ZstdDecompressor().decompress(body)
    except zstandard.ZstdError:
        raise WrongReport("is damaged") from None
    return text


@cache
def _zstandard() -> Any:
    import zstandard  # noqa: PLC0415  most runs pack nothing

    return zstandard
