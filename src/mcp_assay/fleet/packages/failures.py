"""Why a package could not be installed, by what pip or npm wrote: words of strangers, all of it."""

from __future__ import annotations

import re
from typing import Final

from mcp_assay.fleet.job import Reason, ReasonKind
from mcp_assay.text.safe import plain, shorten

LONGEST: Final = 300
AWAY: Final = re.compile(
    r"NewConnectionError|Connection (?:refused|reset|aborted|broken)|ConnectionResetError"
    r"|RemoteDisconnected|Temporary failure in name resolution|Name or service not known"
    r"|[Tt]imed? ?out|SSLEOFError|UNEXPECTED_EOF|IncompleteRead|ProtocolError"
    r"|HTTP error (?:429|5\d\d)|(?:429|50[0234]) (?:Client|Server) Error|too many 50\d"
    r"|\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH"
    r"|E429|E5\d\d|ERR_SOCKET_TIMEOUT|FETCH_ERROR)\b"
)
"""What is said where a registry cannot be reached, or is too busy: later it may be."""
FULL: Final = re.compile(r"No space left on device|\bENOSPC\b")
STARVED: Final = re.compile(r"MemoryError|Cannot allocate memory|heap out of memory|\bENOMEM\b")
UNKNOWN: Final = re.compile(r"No matching distribution found for (\S+)|\b(?:E404|ETARGET)\b")
CLOSED: Final = re.compile(r"\b(?:401|403)\b (?:Client )?Error|\b(?:E401|E403|ENEEDAUTH)\b")
LAST_WORDS: Final = re.compile(r"(?im)^\s*(?:npm )?(?:error|err!):?\s+(.*\S)\s*$")
NO_NEWS: Final = re.compile(r"^(?:code \w+|A complete log|errno |syscall |\d{3}\s*$)")


def reason_of(package: str, output: str) -> Reason:
    """What kept a package from being installed."""
    if FULL.search(output):
        return _reason("over_disk", f"{package} needs more disk than a job may have")
    if STARVED.search(output):
        return _reason("over_memory", f"{package} needs more memory than a job may have")
    if AWAY.search(output):
        text = f"the registry of {package} was not there, or too busy: {_said(output)}"
        return _reason("not_prepared", text, is_passing=True)
    if CLOSED.search(output):
        text = f"the registry of {package} wants to know who asks, and workers do not say it"
        return _reason("not_prepared", text)
    if UNKNOWN.search(output):
        return _reason("not_prepared", f"no registry has {package}: {_said(output)}")
    return _reason("not_prepared", f"{package} could not be installed: {_said(output)}")


def unknown_requirement(output: str) -> str | None:
    """The requirement that pip found no file for."""
    found = UNKNOWN.search(output)
    return found[1] if found else None


def _reason(kind: ReasonKind, text: str, *, is_passing: bool = False) -> Reason:
    return Reason(kind=kind, text=shorten(plain(text), LONGEST), is_passing=is_passing)


def _said(output: str) -> str:
    """The most telling line of what was written."""
    lines = [line for line in LAST_WORDS.findall(output) if not NO_NEWS.match(line)]
    rest = [line.strip() for line in output.splitlines() if line.strip()]
    return (lines or rest or ["it failed without a word"])[-1 if not lines else 0][:LONGEST]
