"""The text of a JSON report -> Report: what is none, or is of another format, is refused."""

from __future__ import annotations

from itertools import accumulate
from typing import Any, Final

import msgspec
from msgspec import Struct

from mcp_assay.drift.statuses import rows
from mcp_assay.drift.surfaces import listed
from mcp_assay.model.report import SCHEMA, Report
from mcp_assay.report.plain import plain, shorten

MOST_DEPTH: Final = 300
"""Arrays and objects inside each other; our own reports stay below it."""
TOO_DEEP: Final = f"is no report of mcp-assay: it is nested deeper than {MOST_DEPTH} levels"
LONGEST_SHOWN: Final = 40
LONGEST_FAULT: Final = 160
FAMILY: Final = SCHEMA.rpartition("/")[0]
HINT: Final = "--report json=PATH writes one"
_MARKS: Final = b'"[]{}'
_OTHERS: Final = bytes(set(range(256)) - set(_MARKS))
_STEPS: Final = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


class WrongReport(ValueError):
    """A text that is no report of ours; its own text says why, and goes on after a file's name."""


class _Head(Struct, frozen=True):
    schema: Any = None


def read_report(text: bytes) -> Report:
    """The report that a text holds; raises WrongReport."""
    try:
        _require_format(msgspec.json.decode(text, type=_Head).schema)
        _require_shallow(text)
        report = msgspec.json.decode(text, type=Report)
        listed(report), rows(report)
    except RecursionError:
        raise WrongReport(TOO_DEEP) from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as fault:
        words = shorten(plain(str(fault)), LONGEST_FAULT)
        raise WrongReport(f"is no JSON report of mcp-assay ({words}); {HINT}") from None
    return report


def _require_format(schema: Any) -> None:
    if schema == SCHEMA:
        return
    shown = shorten(plain(str(schema)), LONGEST_SHOWN)
    if isinstance(schema, str) and schema.startswith(f"{FAMILY}/"):
        raise WrongReport(f"has the format {shown}; this version of mcp-assay reads {SCHEMA}")
    about = "no schema" if schema is None else f"the schema {shown!r}"
    raise WrongReport(f"is no JSON report of mcp-assay: it names {about}, not {SCHEMA!r}; {HINT}")


def _require_shallow(text: bytes) -> None:
    depths = accumulate(_STEPS[byte] for byte in _brackets(text))
    if any(depth > MOST_DEPTH for depth in depths):
        raise WrongReport(TOO_DEEP)


def _brackets(text: bytes) -> bytes:
    """The brackets of a JSON text, without those inside its strings."""
    unescaped = text.replace(rb"\\", b"").replace(rb"\"", b"")
    return b"".join(unescaped.translate(None, _OTHERS).split(b'"')[::2])
