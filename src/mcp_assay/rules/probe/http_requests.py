"""Requests over HTTP with exactly the headers that a probe wants, and what statuses say."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

import mcp_assay
from mcp_assay.model.probe import OUR_SESSION, Http, Reply, Step
from mcp_assay.rules.probe.rule import Known
from mcp_assay.session.handshake import CLIENT_CAPABILITIES, VERSION_KEY
from mcp_assay.spec.revisions import R2025_06_18, R2025_11_25
from mcp_assay.text.endings import what_it_gave

JSON: Final = "application/json"
EVENT_STREAM: Final = "text/event-stream"
VERSION: Final = "MCP-Protocol-Version"
SESSION: Final = "Mcp-Session-Id"
METHOD: Final = "Mcp-Method"
NAME: Final = "Mcp-Name"
CLIENT_INFO: Final = "io.modelcontextprotocol/clientInfo"
US: Final = {"name": "mcp-assay", "version": mcp_assay.__version__}
PROBE_ID: Final = "mcp-assay-probe"
OTHER_REASONS: Final = (401, 403, 429)
"""Statuses that say that somebody, or so much, is not let in, whatever was asked."""
FIRST_SERVER_ERROR: Final = 500

Headers: TypeAlias = Mapping[str, str | None]
"""Headers to send; None leaves one out that a good client sends."""
NO_CHANGES: Final[Headers] = {}
POSTED: Final[Headers] = {"Content-Type": JSON, "Accept": f"{JSON}, {EVENT_STREAM}"}


def post(server: Known, headers: Headers = NO_CHANGES, id: str = PROBE_ID) -> Http:
    """The POST of a harmless request as a good client makes it, but for these headers."""
    sent: Headers = {
        **POSTED,
        **_of_the_conversation(server),
        METHOD: _method(server) if server.is_modern else None,
        **headers,
    }
    return Http("POST", _sent(sent), body=_body(server, id))


def bare(server: Known, verb: str, **headers: str) -> Http:
    """A request without a body, in our session."""
    return Http(verb, _sent({**_of_the_conversation(server), **headers}))


def _method(server: Known) -> str:
    return "server/discover" if server.is_modern else "ping"


def _of_the_conversation(server: Known) -> Headers:
    return {
        VERSION: server.revision if server.revision >= R2025_06_18 else None,
        SESSION: OUR_SESSION if server.has_session else None,
    }


def _sent(headers: Headers) -> dict[str, str]:
    return {name: it for name, it in headers.items() if it is not None}


def _body(server: Known, id: str) -> str:
    params = {"_meta": _meta(server.revision)} if server.is_modern else None
    return _text(_method(server), params, id)


def _text(method: str, params: dict[str, Any] | None, id: str = PROBE_ID) -> str:
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": id, "method": method}
    return json.dumps(message if params is None else {**message, "params": params})


def _meta(revision: str) -> dict[str, Any]:
    return {
        VERSION_KEY: revision,
        CLIENT_INFO: US,
        CLIENT_CAPABILITIES: {},
    }


def knocking(server: Known, token: str | None = None) -> Http:
    """The POST with which a conversation would begin, by somebody whom nobody knows."""
    version = server.revision if server.is_modern else None
    opening = "server/discover" if server.is_modern else "initialize"
    headers: Headers = {
        **POSTED,
        VERSION: version,
        METHOD: opening if version else None,
        "Authorization": None if token is None else f"Bearer {token}",
    }
    params = {"_meta": _meta(server.revision)} if version else _greeting(server.revision)
    return Http("POST", _sent(headers), body=_text(opening, params))


def _greeting(revision: str) -> dict[str, Any]:
    return {"protocolVersion": revision, "capabilities": {}, "clientInfo": US}


def takes_handshakes(server: Known) -> Generator[Step, Reply, bool]:
    """Find out whether a server of 2026-07-28 serves earlier revisions too, unlisted."""
    if server.has_both_eras:
        return True
    body = _text("initialize", _greeting(R2025_11_25))
    reply = yield Http("POST", _sent(POSTED), body=body)
    if session := reply.headers.get(SESSION.lower()):
        yield Http("DELETE", {SESSION: session, VERSION: R2025_11_25})
    return succeeded(reply) and error_code(reply) is None


def error_code(reply: Reply) -> int | None:
    """The code of the error in the response, whatever id it has."""
    if reply.is_error:
        return reply.code
    for message in reply.messages:
        error = message.get("error") if isinstance(message, dict) else None
        code = error.get("code") if isinstance(error, dict) else None
        if isinstance(code, int):
            return code
    return None


def succeeded(reply: Reply) -> bool:
    """Whether the status is one of success."""
    return reply.status is not None and 200 <= reply.status < 300


def is_about_something_else(reply: Reply) -> bool:
    """Whether there was no status, or one that has nothing to do with what was asked."""
    status = reply.status
    return status is None or status in OTHER_REASONS or status >= FIRST_SERVER_ERROR


def media_type(reply: Reply) -> str:
    """The type of the response, in small letters and without parameters."""
    return reply.headers.get("content-type", "").partition(";")[0].strip().lower()


def in_words(reply: Reply) -> str:
    """What came back, for a reason: a status or nothing."""
    return what_it_gave(reply.ending) if reply.status is None else f"status {reply.status}"


def host_of(server: Known) -> str:
    """The host of the server's address."""
    try:
        return urlsplit(server.url or "").hostname or ""
    except ValueError:
        return ""
