"""Headers that repeat what stands in the body of a request, since 2026-07-28."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.rule import Found, session_rule
from mcp_assay.rules.engine.samples import broken, kept, modern_request, modern_result
from mcp_assay.rules.engine.session_rules import watch
from mcp_assay.rules.session.http_exchanges import (
    NO_HEADERS,
    Look,
    Verdict,
    named_version,
    watch_exchange,
)
from mcp_assay.rules.session.http_samples import modern_list, modern_post, reply
from mcp_assay.session.exchanges import (
    ANNOTATION,
    METHOD_HEADER,
    NAME_HEADER,
    NAMED_BY,
    PLAIN_HEADER,
    SPELLING,
    Headers,
    ParamHeaders,
    decoded,
    headers_of,
    is_encoded,
    value_at,
    written,
)
from mcp_assay.session.handshake import VERSION_HEADER
from mcp_assay.session.state import SessionState
from mcp_assay.spec.revisions import R2025_11_25, R2026_07_28
from mcp_assay.text.words import REDACTED, quote


def encoding_fault(shown: str, given: str, wanted: str) -> str | None:
    """How the encoding of a header value is wrong, None where it is not."""
    if not re.fullmatch(PLAIN_HEADER, given):
        return f"The header {shown} has characters that only base64 can carry."
    if is_encoded(given):
        if given == wanted:
            return f"The header {shown} looks like base64, but is the value itself."
        return (
            None if decoded(given) is not None else f"The base64 of the header {shown} is broken."
        )
    if given == wanted or re.fullmatch(PLAIN_HEADER, wanted):
        return None
    return f"The header {shown} must be base64: the raw value is not safe in a header."


MOST_TOOLS: Final = 1000
"""Tools of one conversation whose headers are remembered."""
TOO_MANY: Final = "too many tools to keep their headers"
NOT_LISTED: Final = "the definition of the tool was not seen"
WEATHER: Final[dict[str, Any]] = {
    "name": "weather",
    "inputSchema": {
        "type": "object",
        "properties": {"city": {"type": "string", ANNOTATION: "City"}},
    },
}


class ToolHeaders:
    """Which arguments of which tools are repeated in headers."""

    __slots__ = ("is_full", "of")

    def __init__(self) -> None:
        self.of: Final[dict[str, ParamHeaders]] = {}
        self.is_full = False


def _call(name: str = "weather", **arguments: Any) -> dict[str, Any]:
    return modern_request("tools/call", {"name": name, "arguments": arguments}, id=2)


_LISTED: Final = (
    modern_post(modern_list()),
    reply(modern_result({"tools": [WEATHER], "ttlMs": 0, "cacheScope": "private"})),
)
_SAID: Final = reply(modern_result({"content": []}, id=2), 2)

session_rule(
    "HTTP-029",
    "version-header",
    """The header MCP-Protocol-Version is missing, or differs from `_meta`.

    Why: servers and gateways use the header to decide how to handle the request before reading it.
    Instead: send in the header the same version as in `_meta`.
    """,
    reason="version_header",
    good=lambda: [kept(_LISTED)],
    bad=lambda: [
        broken(
            modern_post(modern_list(), MCP_Protocol_Version=R2025_11_25),
            reply(modern_result({"tools": [], "ttlMs": 0, "cacheScope": "private"})),
            at=0,
            also=((1, "HTTP-034", ""),),
        )
    ],
)

session_rule(
    "HTTP-030",
    "mirrored-headers",
    """The headers Mcp-Method and Mcp-Name do not match the request.

    Why: gateways route and count by these headers; a server must reject a request whose headers and
    body differ.
    Instead: copy the method into Mcp-Method and the name or uri, if any, into Mcp-Name.
    """,
    reason="header_mismatch",
    good=lambda: [kept(_LISTED, modern_post(_call(city="Rome"), 2, Mcp_Param_City="Rome"), _SAID)],
    bad=lambda: [
        broken(
            modern_post(_call(), 2, Mcp_Name="forecast"),
            _SAID,
            at=0,
            also=((1, "HTTP-034", ""),),
        ),
        broken(
            modern_post(_call(), 2, Mcp_Method=None),
            _SAID,
            at=0,
            also=((1, "HTTP-034", ""),),
        ),
    ],
)

session_rule(
    "HTTP-031",
    "header-encoding",
    """A header value should be base64 but is not, or its base64 is invalid.

    Why: non-ASCII characters are changed or rejected in transit, and leading or trailing spaces are
    lost.
    Instead: send =?base64?, the base64 of the value in UTF-8, and ?= for such a value.
    """,
    reason="header_encoding",
    good=lambda: [
        kept(modern_post(_call("wetter-für"), 2, Mcp_Name="=?base64?d2V0dGVyLWbDvHI=?="), _SAID)
    ],
    bad=lambda: [
        broken(
            modern_post(_call("wetter-für"), 2, Mcp_Name="wetter-für"),
            _SAID,
            at=0,
            also=((1, "HTTP-034", ""),),
        ),
    ],
)

session_rule(
    "HTTP-032",
    "argument-headers",
    """The Mcp-Param headers of a tool call do not match its arguments.

    Why: gateways route by these headers, and the server must reject a call without them.
    Instead: repeat each argument whose schema has x-mcp-header in the latest listing, and omit the
    header if the argument is missing or null.
    """,
    reason="argument_header",
    good=lambda: [kept(_LISTED, modern_post(_call(city="Rome"), 2, Mcp_Param_City="Rome"), _SAID)],
    bad=lambda: [
        broken(
            _LISTED,
            modern_post(_call(city="Rome"), 2),
            _SAID,
            at=2,
            also=((3, "HTTP-034", ""),),
        ),
        broken(
            _LISTED,
            modern_post(_call(city="Rome"), 2, Mcp_Param_City="Oslo"),
            _SAID,
            at=2,
            also=((3, "HTTP-034", ""),),
        ),
    ],
)


@watch_exchange("asked", "HTTP-029", since=R2026_07_28)
def version_header(look: Look) -> Verdict:
    """Decide HTTP-029."""
    question, headers = look.exchange.question, look.exchange.request_headers
    if question is None:
        return None
    if headers is None:
        return look.leave_open("HTTP-029", because=NO_HEADERS)
    given, named = headers.get(VERSION_HEADER), named_version(question)
    if given is None:
        text = "The request has no header MCP-Protocol-Version."
    elif isinstance(named, str) and named != given:
        text = f"The header MCP-Protocol-Version is {quote(given)}, but _meta has {quote(named)}."
    else:
        return ()
    return _fault(look, VERSION_HEADER, text, "HTTP-029")


@watch_exchange("asked", "HTTP-030", "HTTP-031", since=R2026_07_28)
def wrong_method_or_name_header(look: Look) -> Verdict:
    """Decide HTTP-030, and HTTP-031 for the name."""
    question, headers = look.exchange.question, look.exchange.request_headers
    if question is None or question.method is None:
        return None
    if headers is None:
        return look.leave_open("HTTP-030", "HTTP-031", because=NO_HEADERS)
    return [
        *_compared(look, METHOD_HEADER, question.method, headers),
        *_compared(look, NAME_HEADER, _name(question), headers),
    ]


@watch_exchange("asked", "HTTP-032", since=R2026_07_28)
def wrong_argument_headers(look: Look) -> Verdict:
    """Decide HTTP-032, and HTTP-031 for arguments."""
    question, headers = look.exchange.question, look.exchange.request_headers
    if question is None or question.method != "tools/call":
        return None
    if headers is None:
        return look.leave_open("HTTP-032", because=NO_HEADERS)
    known = look.session.recall(ToolHeaders)
    tool = known.of.get(str(question.params.get("name")))
    if tool is None:
        return look.leave_open("HTTP-032", because=TOO_MANY if known.is_full else NOT_LISTED)
    arguments = question.params.get("arguments")
    return [
        found
        for path, name in tool.items()
        for found in _argument(look, name, value_at(arguments, path), headers)
    ]


@watch("result", methods=("tools/list",), since=R2026_07_28)
def remember_tool_headers(session: SessionState, message: Message) -> Iterable[Found]:
    """Remember which arguments of which tools are repeated in headers."""
    if session.delivery.http is None and session.delivery.exchange is None:
        return ()
    tools, known = message.result.get("tools"), session.recall(ToolHeaders)
    for tool in tools if isinstance(tools, list) else ():
        name = tool.get("name") if isinstance(tool, dict) else None
        if not isinstance(name, str):
            continue
        if len(known.of) >= MOST_TOOLS and name not in known.of:
            known.is_full = True
            return ()
        known.of[name] = headers_of(tool)
    return ()


def _compared(look: Look, header: str, wanted: object, headers: Headers) -> tuple[Found, ...]:
    """What is wrong with a header that repeats a text of the request."""
    if not isinstance(wanted, str):
        return ()
    given, shown = headers.get(header), SPELLING[header]
    if _is_redacted(given, wanted):
        return ()
    if given is None:
        return _fault(look, header, f"The request has no header {shown}.", "HTTP-030")
    if header == NAME_HEADER and (text := encoding_fault(shown, given, wanted)):
        return _fault(look, header, text, "HTTP-031")
    if (decoded(given) if header == NAME_HEADER else given) == wanted:
        return ()
    text = f"The header {shown} is {quote(given)}, but the request has {quote(wanted)}."
    return _fault(look, header, text, "HTTP-030")


def _argument(look: Look, header: str, value: object, headers: Headers) -> tuple[Found, ...]:
    """What is wrong with the header of an argument."""
    given, wanted = headers.get(header.lower()), written(value)
    if _is_redacted(given, wanted) or (given is None and wanted is None):
        return ()
    if given is not None and wanted is not None:
        return _argument_faults(look, header, given, wanted)
    if given is None:
        text = f"The call lacks the header {header}, which repeats an argument."
    elif value is None:
        text = f"The header {header} is present, but the call has no such argument."
    else:
        return ()
    return _fault(look, header, text, "HTTP-032")


def _argument_faults(look: Look, header: str, given: str, wanted: str) -> tuple[Found, ...]:
    if text := encoding_fault(header, given, wanted):
        return _fault(look, header, text, "HTTP-031")
    if decoded(given) == wanted:
        return ()
    text = f"The header {header} is {quote(given)}, but the argument is {quote(wanted)}."
    return _fault(look, header, text, "HTTP-032")


def _is_redacted(*texts: str | None) -> bool:
    """Whether one of the texts is, or has a part, that was made unreadable."""
    return any(text is not None and REDACTED in text for text in texts)


def _name(question: Message) -> object:
    member = NAMED_BY.get(question.method or "")
    return question.params.get(member) if member else None


def _fault(look: Look, header: str, text: str, rule: str) -> tuple[Found, ...]:
    look.exchange.header_faults |= {header.lower()}
    return (Found((), text, rule, key=header),)
