"""Servers over HTTP that want a token; all but the first say so in a wrong way."""

from __future__ import annotations

from typing import Any, ClassVar

from tests.servers.base import A_HANDSHAKE, STATELESS, Server
from tests.servers.http_base import HttpServer, Reply
from tests.servers.over_http import Handshaking
from tests.servers.planting import Family
from tests.servers.things import Object, Tool, answers, found, lookup

SERVERS = Family("tokens", over_http=True)
plant = SERVERS.plant
A_TOKEN = "of-a-reader"
ERAS = (A_HANDSHAKE, STATELESS)
WELL_KNOWN = "/.well-known/oauth-protected-resource"


@plant("http-token", "Wants a token and says whose.", correct=True, exit_code=3)
class HttpToken(Handshaking):
    challenge = 'Bearer scope="books"'
    metadata: ClassVar[Object] = {
        "resource": "https://books.invalid/mcp",
        "authorization_servers": ["https://login.invalid"],
        "scopes_supported": ["books"],
    }

    def page(self, path: str) -> Reply | None:
        return Reply(200, self.metadata) if path.startswith(WELL_KNOWN) else super().page(path)

    def knows(self, token: str) -> bool:
        """Whether this is a token of ours."""
        return token == A_TOKEN

    def handle(self, method: str, headers: Any, body: bytes) -> Reply:
        token = headers.get("Authorization", "").removeprefix("Bearer ")
        if token and self.knows(token):
            return super().handle(method, headers, body)
        return Reply(401, None, **{"WWW-Authenticate": self.challenge})


@plant("http-any-token", "Takes tokens that nobody gave.", "AUTH-002", exit_code=3)
class HttpAnyToken(HttpToken):
    def knows(self, token: str) -> bool:
        return True


@plant("http-401-without-metadata", "Wants a token and says not whose.", "AUTH-001", exit_code=3)
class Http401WithoutMetadata(HttpToken):
    def page(self, path: str) -> Reply | None:
        return None


@plant("http-metadata-of-nobody", "Its metadata name nobody.", "AUTH-001", exit_code=3)
class HttpMetadataOfNobody(HttpToken):
    metadata: ClassVar[Object] = {**HttpToken.metadata, "authorization_servers": []}


@plant("http-token-of-any-scope", "Its challenge names no scope.", "AUTH-003", exit_code=3)
class HttpTokenOfAnyScope(HttpToken):
    challenge = "Bearer"


@plant("http-token-too-small", "Wants more of its token.", correct=True, exit_code=3)
class HttpTokenTooSmall(HttpToken):
    forbidden = 'Bearer error="insufficient_scope", scope="books:read"'

    def post(self, headers: Any, body: bytes) -> Reply:
        return Reply(403, None, **{"WWW-Authenticate": self.forbidden})


class HttpSmallScope(Handshaking):
    """A server that lets everybody list its tools, and call one of them."""

    challenge = 'Bearer error="insufficient_scope", scope="books:write", error_description="No."'

    def __init__(self) -> None:
        HttpServer.__init__(
            self,
            lambda: Server(lookup(found), Tool("list_loans", answers("None.")), revisions=ERAS),
        )

    def post(self, headers: Any, body: bytes) -> Reply:
        if b'"list_loans"' in body:
            return Reply(403, None, **{"WWW-Authenticate": self.challenge})
        return super().post(headers, body)


@plant("http-scope-per-tool", "Wants a larger scope for a tool.", correct=True, exit_code=0)
def http_scope_per_tool() -> HttpSmallScope:
    return HttpSmallScope()


@plant("http-403-without-scope", "Wants a larger scope and says not which.", "AUTH-003")
class Http403WithoutScope(HttpSmallScope):
    challenge = 'Bearer error="insufficient_scope"'


@plant("http-403-of-another-kind", "Names a scope, and not that it is missing.", "AUTH-003")
class Http403OfAnotherKind(HttpSmallScope):
    challenge = 'Bearer scope="books:write"'


@plant(
    *("http-offline-access", "Asks for offline access in its metadata.", "AUTH-007"),
    exit_code=3,
    options=(f"--revision={STATELESS}",),
)
class HttpOfflineAccess(HttpToken):
    metadata: ClassVar[Object] = {
        **HttpToken.metadata,
        "scopes_supported": ["books", "offline_access"],
    }


@plant(
    *("http-challenge-of-2025-06-18", "Its challenge leads nowhere.", "AUTH-002"),
    exit_code=3,
    options=("--revision=2025-06-18",),
)
class HttpChallengeOf20250618(HttpToken):
    """Since 2025-11-25 this is right: the well-known address is enough."""
