"""Whether one schema admits all that another one admits, for a process that can be stopped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import json

from mcp_assay.schema.judging import Answer
from mcp_assay.schema.verdict import INVALID, VALID, Verdict, undecided

NOT_KNOWN: Final = "Nobody can tell whether the one schema admits all that the other admits."


def containment(larger: bytes, smaller: bytes) -> Iterator[Answer]:
    """Compare two schemas, both as JSON texts."""
    yield Answer(_verdict(larger, smaller), final=True)


def _verdict(larger: bytes, smaller: bytes) -> Verdict:
    import jsonschema_rs  # noqa: PLC0415  slow to import

    try:
        one, other = (jsonschema_rs.canonicalize(json.decode(it)) for it in (larger, smaller))
        found = str(one.covers(other))
    except Exception:  # noqa: BLE001  the comparison is experimental: whatever it raises says nothing
        return undecided(NOT_KNOWN)
    return {"yes": VALID, "no": INVALID}.get(found, undecided(NOT_KNOWN))
