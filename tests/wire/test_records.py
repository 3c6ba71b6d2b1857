"""What was read stays as it was: the same records are handed to every message and every caller."""

from __future__ import annotations

import pytest
from msgspec import Struct

from mcp_assay.wire.notes import Oddity, TextPosition
from mcp_assay.wire.reader import Reading, read
from mcp_assay.wire.sse import NO_EVENT, EventBlock


@pytest.mark.parametrize(
    ("record", "member"),
    [
        (NO_EVENT, "data"),
        (EventBlock(b"\n\n", NO_EVENT, 2), "event"),
        (Reading({}), "value"),
        (read(b"\xef\xbb\xbf{}").notes[0], "offset"),
        (Oddity("syntax", (), 0, "odd"), "position"),
        (TextPosition(0, 1, 1), "line"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_record_cannot_be_changed(record: Struct, member: str) -> None:
    with pytest.raises(AttributeError):
        setattr(record, member, None)
