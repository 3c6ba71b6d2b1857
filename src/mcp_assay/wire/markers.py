"""What stands in a decoded value where there is no JSON value to put."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Marker(Enum):
    """A stand-in that is no JSON value; compare with `is`."""

    UNREAD = "unread"
    DEEP = "too deep"
    NOT_JSON = "not JSON"


UNREAD: Final = Marker.UNREAD
"""The whole value: nothing could be read."""

DEEP: Final = Marker.DEEP
"""An array or object that begins below the deepest level that is read."""

NOT_JSON: Final = Marker.NOT_JSON
"""A Python object that JSON has no form for."""
