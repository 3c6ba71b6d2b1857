"""The text of a JSON report -> Report: what is none, or is of another format, is refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import accumulate
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from mcp_assay.model.report import SCHEMA, Report
from mcp_assay.model.reports import SCHEMA as SCHEMA_OF_ALL
from mcp_assay.model.reports import Reports
from mcp_assay.text.safe import plain, shorten

MOST_DEPTH: Final = 300
"""Arrays and objects inside each other; our own reports stay below it."""
TOO_DEEP: Final = f"is not an mcp-assay report: it is nested deeper than {MOST_DEPTH} levels"
LONGEST_SCHEMA_SHOWN: Final = 40
LONGEST_FAULT: Final = 160
FAMILY: Final = SCHEMA.rpartition("/")[0]
HINT: Final = "--report json=PATH writes one"
_MARKS: Final = b'"[]{}'
_OTHERS: Final = bytes(set(range(256)) - set(_MARKS))
_STEPS: Final = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
Form = TypeVar("Form", Report, Reports)


class WrongReport(ValueError):
    """A text that is no report of ours; its own text says why, and goes on after a file's name."""


class _Head(Struct, frozen=True):
    schema: Any = None


def read_report(text: bytes) -> Report:
    """The report on one server, or on messages, that a text holds; raises WrongReport."""
    with _refusing():
        _require_format(msgspec.json.decode(text, type=_Head).schema)
        return _read(text, Report)


def read_any_report(text: bytes) -> Report | Reports:
    """The report that a text holds, on one server or on several; raises WrongReport."""
    with _refusing():
        if msgspec.json.decode(text, type=_Head).schema == SCHEMA_OF_ALL:
            return _read(text, Reports)
    return read_report(text)


def _read(text: bytes, form: type[Form]) -> Form:
    _require_shallow(text)
    return msgspec.json.decode(text, type=form)


@contextmanager
def _refusing() -> Iterator[None]:
    """Whatever is wrong with a text, as a WrongReport."""
    try:
        yield
    except RecursionError:
        raise WrongReport(TOO_DEEP) from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as fault:
        words = shorten(plain(str(fault)), LONGEST_FAULT)
        raise WrongReport(f"is not an mcp-assay JSON report ({words}); {HINT}") from None


def _require_format(schema: Any) -> None:
    if schema == SCHEMA:
        return
    shown = shorten(plain(str(schema)), LONGEST_SCHEMA_SHOWN)
    if isinstance(schema, str) and schema.startswith(f"{FAMILY}/"):
        raise WrongReport(f"has the format {shown}; this version of mcp-assay reads {SCHEMA}")
    about = "no schema" if schema is None else f"the schema {shown!r}"
    raise WrongReport(f"is not an mcp-assay JSON report: it has {about}, not {SCHEMA!r}; {HINT}")


def _require_shallow(text: bytes) -> None:
    depths = accumulate(_STEPS[byte] for byte in _brackets(text))
    if any(depth > MOST_DEPTH for depth in depths):
        raise WrongReport(TOO_DEEP)


def _brackets(text: bytes) -> bytes:
    """The brackets of a JSON text, without those inside its strings."""
    unescaped = text.replace(rb"\\", b"").replace(rb"\"", b"")
    return b"".join(unescaped.translate(None, _OTHERS).split(b'"')[::2])
