"""Every HTTP server of the catalogue does what it says; the correct one does nothing wrong."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest

from tests.patience import LONGEST
from tests.servers.base import A_HANDSHAKE, META, STATELESS
from tests.servers.over_http import SERVERS
from tests.servers.raw_client import command
from tests.servers.things import NOTHING, Object
from tests.servers.tokens import SERVERS as TOKENS
from tests.servers.tokens import WELL_KNOWN

JSON = "application/json"
MUCH = 4 << 20
SOME_SECONDS = 5
UNKNOWN = "x.invalid/unknown"
META_NOW: Object = {f"{META}protocolVersion": STATELESS, f"{META}clientCapabilities": {}}
A_CALL: Object = {"name": "find", "arguments": {"title": "Middlemarch"}}
OFFER: Object = {
    "protocolVersion": A_HANDSHAKE,
    "capabilities": {},
    "clientInfo": {"name": "raw-client", "version": "1"},
}


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: Any


class Client:
    """A client that sends what it is given."""

    def __init__(self, url: str) -> None:
        self.place = urlsplit(url)
        self.session: dict[str, str] = {}

    def send(
        self, message: Object | None, method: str = "POST", at: str | None = None, **headers: str
    ) -> Answer:
        """Send a message with these headers; _ stands for a hyphen."""
        connection = HTTPConnection(self.place.netloc, timeout=LONGEST)
        usual = {"Content-Type": JSON, "Accept": f"{JSON}, text/event-stream", **self.session}
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        body = None if message is None else json.dumps(message)
        connection.request(method, at or self.place.path, body, {**usual, **named})
        came = connection.getresponse()
        text = came.read()
        connection.close()
        return Answer(came.status, dict(came.headers), json.loads(text) if text else None)

    def ask(self, method: str, params: Object = NOTHING, **headers: str) -> Answer:
        """Send a request of the handshake's era."""
        request = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
        return self.send(request, **headers)

    def open(self) -> Answer:
        """Begin a session."""
        answer = self.ask("initialize", OFFER)
        self.session = {
            "Mcp-Session-Id": answer.headers["Mcp-Session-Id"],
            "MCP-Protocol-Version": A_HANDSHAKE,
        }
        return answer

    def open_type(self) -> str:
        """The type of the answer to a first request."""
        return self.ask("initialize", OFFER).headers["Content-Type"]

    def ask_alone(self, method: str, params: Object = NOTHING, **headers: str) -> Answer:
        """Send a request of 2026-07-28, which needs no session."""
        stated = {"MCP_Protocol_Version": STATELESS, "Mcp_Method": method, **headers}
        return self.ask(method, {"_meta": META_NOW, **params}, **stated)


def _is_left_waiting(client: Client, tool: str) -> bool:
    """Whether a call of a tool is not answered within some seconds."""
    client.open()
    asked = {"jsonrpc": "2.0", "id": 8, "method": "tools/call"}
    body = json.dumps({**asked, "params": {"name": tool, "arguments": {}}})
    connection = HTTPConnection(client.place.netloc, timeout=SOME_SECONDS)
    usual = {"Content-Type": JSON, "Accept": f"{JSON}, text/event-stream", **client.session}
    try:
        connection.request("POST", client.place.path, body, usual)
        connection.getresponse()
    except TimeoutError:
        return True
    finally:
        connection.close()
    return False


@contextmanager
def running(name: str) -> Iterator[Client]:
    """Run a server for as long as it is talked to."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(command(name), stdin=pipe, stdout=pipe, text=True)
    try:
        assert process.stdout is not None
        yield Client(process.stdout.readline().strip())
    finally:
        process.communicate(timeout=LONGEST)
    assert process.returncode == 0


def _session_of(answer: Answer) -> str:
    return answer.headers["Mcp-Session-Id"]


def _reported(client: Client) -> Answer:
    client.open()
    return client.send({"jsonrpc": "2.0", "method": "notifications/initialized"})


def _listed(client: Client, **headers: str) -> Answer:
    client.open()
    return client.ask("tools/list", {}, **headers)


def _deleted(client: Client) -> Answer:
    client.open()
    return client.send(None, "DELETE")


def _ended(client: Client) -> Answer:
    _deleted(client)
    return client.ask("ping")


def _called(client: Client, name: str) -> Answer:
    params = {"name": "x", "arguments": {}, "_meta": META_NOW}
    headers = {"MCP_Protocol_Version": STATELESS, "Mcp_Method": "tools/call", "Mcp_Name": name}
    return client.ask("tools/call", params, **headers)


def _unsupported(client: Client) -> Answer:
    meta = {**META_NOW, f"{META}protocolVersion": "1900-01-01"}
    headers = {"MCP_Protocol_Version": "1900-01-01", "Mcp_Method": "server/discover"}
    return client.ask("server/discover", {"_meta": meta}, **headers)


def _shown_a_token(client: Client) -> int:
    return client.ask("initialize", OFFER, Authorization="Bearer x").status


def _challenge(client: Client) -> str:
    return client.ask("ping").headers.get("WWW-Authenticate", "")


def _forbidden(client: Client) -> str:
    loans = client.ask_alone("tools/call", {"name": "list_loans"}, Mcp_Name="list_loans")
    return loans.headers.get("WWW-Authenticate", "")


def _metadata(client: Client) -> Any:
    answer = client.send(None, "GET", at=WELL_KNOWN)
    return answer.body if answer.status == 200 else {}


FAULTS: dict[str, Callable[[Client], bool]] = {
    "http-any-origin": lambda c: (
        c.ask("initialize", OFFER, Origin="http://x.invalid").status == 200
    ),
    "http-any-host": lambda c: c.ask("initialize", OFFER, Host="x.invalid").status == 200,
    "http-origin-400": lambda c: c.ask("ping", Origin="http://x.invalid").status == 400,
    "http-get-400": lambda c: c.send(None, "GET").status == 400,
    "http-any-accept": lambda c: c.ask("initialize", OFFER, Accept="text/css").status == 200,
    "http-no-session-404": lambda c: c.ask("ping").status == 404,
    "http-dead-session-served": lambda c: _ended(c).status == 200,
    "http-delete-500": lambda c: _deleted(c).status == 500,
    "http-no-base64": lambda c: _called(c, "=?base64?eA==?=").body["error"]["code"] == -32020,
    "http-refusals-200": lambda c: _unsupported(c).status == 200,
    "http-get-404": lambda c: c.send(None, "GET").status == 404,
    "http-any-token": lambda c: (c.ask("ping").status, _shown_a_token(c)) == (401, 200),
    "http-metadata-of-nobody": lambda c: _metadata(c).get("authorization_servers") == [],
    "http-token-of-any-scope": lambda c: _challenge(c) == "Bearer",
    "http-offline-access": lambda c: "offline_access" in _metadata(c).get("scopes_supported", ()),
    "http-challenge-of-2025-06-18": lambda c: (
        bool(_metadata(c)) and "resource_metadata" not in _challenge(c)
    ),
    "http-notification-200": lambda c: _reported(c).status == 200,
    "http-any-session": lambda c: _listed(c, Mcp_Session_Id="never-begun").status == 200,
    "http-session-with-space": lambda c: " " in _session_of(c.open()),
    "http-any-version-header": lambda c: (
        _listed(c, MCP_Protocol_Version="1900-01-01").status == 200
    ),
    "http-unknown-method-200": lambda c: c.ask_alone(UNKNOWN).status == 200,
    "http-headers-unread": lambda c: c.ask_alone("tools/list", Mcp_Method="ping").status == 200,
    "http-params-unread": lambda c: (
        c.ask_alone("tools/call", A_CALL, Mcp_Name="find").status == 200
    ),
    "http-403-without-scope": lambda c: _forbidden(c).endswith('error="insufficient_scope"'),
    "http-403-of-another-kind": lambda c: _forbidden(c) == 'Bearer scope="books:write"',
    "http-wrong-id-in-errors": lambda c: c.ask_alone(UNKNOWN).body["id"] == 0,
    "http-text-answers": lambda c: c.open_type() == "text/plain",
    "http-401-without-metadata": lambda c: c.ask("ping").status == 401 and not _metadata(c),
    "http-queue": lambda c: _is_left_waiting(c, "find_archive"),
    "http-always-500": lambda c: c.ask("ping").status == 500,
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_truth_shows(name: str) -> None:
    with running(name) as client:
        assert FAULTS[name](client)


def test_every_faulty_server_is_looked_at() -> None:
    planted = {**SERVERS.servers, **TOKENS.servers}
    assert set(FAULTS) == {name for name, one in planted.items() if not one.correct}


@pytest.mark.parametrize("name", FAULTS)
def test_the_correct_server_has_no_such_fault(name: str) -> None:
    with running("http-both-eras") as client:
        assert not FAULTS[name](client)


def test_the_correct_server_keeps_sessions() -> None:
    with running("http-both-eras") as client:
        assert _reported(client).status == 202
        assert client.ask("tools/list").body["result"]["tools"]
        assert client.send(None, "GET").status == 405
        assert client.send(None, "DELETE").status == 200
        assert client.ask("tools/list").status == 404
        client.session = {}
        assert client.ask("tools/list").status == 400


def test_the_correct_server_serves_without_sessions() -> None:
    with running("http-both-eras") as client:
        found = client.ask_alone("server/discover")
        assert found.body["result"]["supportedVersions"] == [A_HANDSHAKE, STATELESS]
        mismatch = client.ask_alone("tools/list", Mcp_Method="tools/call")
        assert (mismatch.status, mismatch.body["error"]["code"]) == (400, -32020)
        assert client.ask_alone(UNKNOWN).status == 404


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("http-notes-before-answers", b"notifications/message"),
        ("http-notes-without-end", b'"tools"'),
        ("http-event-without-end", b"data: xxxx"),
    ],
)
def test_a_flood_comes_in_one_response(name: str, first: bytes) -> None:
    with running(name) as client:
        client.open()
        connection = HTTPConnection(client.place.netloc, timeout=LONGEST)
        request = {"jsonrpc": "2.0", "id": 7, "method": "tools/list"}
        usual = {"Content-Type": JSON, "Accept": f"{JSON}, text/event-stream", **client.session}
        connection.request("POST", client.place.path, json.dumps(request), usual)
        came = connection.getresponse()
        assert came.headers["Content-Type"] == "text/event-stream"
        assert first in came.read(4096)
        assert len(came.read(MUCH)) == MUCH
        connection.close()
