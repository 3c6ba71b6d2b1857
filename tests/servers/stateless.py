"""Servers that break the protocol in one way, in the stateless revision 2026-07-28."""

from __future__ import annotations

from collections.abc import Sequence

from tests.servers.base import META, STATELESS, Asked, Fault, Server
from tests.servers.planting import Family
from tests.servers.things import NOTHING, Object, Resource, Tool, answers, found, lookup

SERVERS = Family("stateless")
MODERN = ("--revision", STATELESS)
LOGGING: Object = {"logging": {}}
LIST_CHANGED: Object = {"tools": {"listChanged": True}}
OPEN = ("--allow=open_shelf",)
plant = SERVERS.plant


class Stateless(Server):
    """A server that speaks 2026-07-28 alone and has one tool."""

    revisions = (STATELESS,)
    tools: Sequence[Tool] | None = (lookup(found),)


@plant("no-discover", "Has no server/discover.", "VER-001", options=MODERN)
class NoDiscover(Stateless):
    def discover(self, asked: Asked) -> Object:
        raise Fault(-32601, "There is no such method")


@plant("serves-any-version", "Serves revisions that do not exist.", "VER-004", exit_code=1)
class ServesAnyVersion(Stateless):
    def require_meta(self, asked: Asked) -> None:
        stated = {**asked.params["_meta"], f"{META}protocolVersion": STATELESS}
        super().require_meta(asked._replace(params={"_meta": stated}))


@plant("unsupported-without-data", "Refuses a revision without naming its own.", "VER-005")
class UnsupportedWithoutData(Stateless):
    def failure(self, id: object, error: Object) -> Object:
        return super().failure(id, {"code": error["code"], "message": error["message"]})


@plant("remembers-the-sender", "Serves later requests without their _meta.", "VER-007", exit_code=1)
class RemembersTheSender(Stateless):
    def answer(self, asked: Asked) -> Object | None:
        self.agreed = STATELESS if asked.modern else self.agreed
        return super().answer(asked._replace(modern=True) if self.agreed else asked)

    def require_meta(self, asked: Asked) -> None:
        if f"{META}protocolVersion" in asked.params.get("_meta", {}):
            super().require_meta(asked)


@plant("insists-on-client-info", "Refuses whoever does not say a name.", "VER-008", exit_code=1)
class InsistsOnClientInfo(Stateless):
    def require_meta(self, asked: Asked) -> None:
        super().require_meta(asked)
        if f"{META}clientInfo" not in asked.params["_meta"]:
            raise Fault(-32602, "Say who you are")


@plant("no-result-type", "Leaves resultType out of tool results.", "META-012", exit_code=1)
class NoResultType(Stateless):
    def success(self, asked: Asked, result: Object) -> Object:
        reply = super().success(asked, result)
        if asked.method == "tools/call":
            del reply["result"]["resultType"]
        return reply


@plant("no-cache-hints", "Leaves ttlMs and cacheScope out of its list.", "CACHE-001", exit_code=1)
class NoCacheHints(Stateless):
    def success(self, asked: Asked, result: Object) -> Object:
        reply = super().success(asked, result)
        if asked.method == "tools/list":
            del reply["result"]["ttlMs"], reply["result"]["cacheScope"]
        return reply


@plant("asks-on-stdout", "Sends a request of its own.", "STDIO-005", "VER-010", exit_code=1)
class AsksOnStdout(Stateless):
    def call_tool(self, asked: Asked) -> Object:
        self.write({"jsonrpc": "2.0", "id": f"s-{asked.id}", "method": "roots/list"})
        return super().call_tool(asked)


@plant("logs-unasked", "Logs though no level was asked for.", "LOG-002", exit_code=1)
class LogsUnasked(Stateless):
    more_capabilities = LOGGING

    def call_tool(self, asked: Asked) -> Object:
        params = {"level": "info", "data": "calling"}
        self.write({"jsonrpc": "2.0", "method": "notifications/message", "params": params})
        return super().call_tool(asked)


@plant("answers-removed-ping", "Still answers ping.", "VER-012", exit_code=1)
class AnswersRemovedPing(Stateless):
    def unknown_method(self, asked: Asked) -> Object:
        return {} if asked.method == "ping" else super().unknown_method(asked)


@plant("unknown-resource-is-empty", "Gives nothing for what it lacks.", "RES-008", exit_code=1)
class UnknownResourceIsEmpty(Stateless):
    resources = (Resource("library://hours", "hours"),)

    def read_resource(self, asked: Asked) -> Object:
        known = asked.params.get("uri") == "library://hours"
        return super().read_resource(asked) if known else {"contents": []}


@plant("forbidden-error-code", "Uses a code that the specification keeps.", "JSONRPC-028")
class ForbiddenErrorCode(Stateless):
    def unknown_method(self, asked: Asked) -> Object:
        raise Fault(-32050, "There is no such method")


class Announcing(Stateless):
    """A server that gets another tool by a call, and tells whoever listens."""

    more_capabilities = LIST_CHANGED
    tools: Sequence[Tool] | None = (
        Tool("open_shelf", answers("A shelf was opened."), annotations=NOTHING),
        lookup(found),
    )

    def __init__(self) -> None:
        super().__init__()
        self.listening: object = None

    def answer(self, asked: Asked) -> Object | None:
        if asked.method != "subscriptions/listen":
            return super().answer(asked)
        self.listening = asked.id
        self.announce("subscriptions/acknowledged", notifications={"toolsListChanged": True})
        return None

    def announce(self, what: str, **params: object) -> None:
        """Tell whoever listens."""
        meta = {"_meta": {f"{META}subscriptionId": self.listening}}
        reported = {"method": f"notifications/{what}", "params": {**meta, **params}}
        self.write({"jsonrpc": "2.0", **reported})

    def call_tool(self, asked: Asked) -> Object:
        result = super().call_tool(asked)
        if asked.params.get("name") == "open_shelf" and len(self.tools or ()) < 3:
            self.tools = (*(self.tools or ()), Tool("close_shelf", answers("It is closed.")))
            if self.listening is not None:
                self.notify()
        return result

    def notify(self) -> None:
        """Say that the tools have changed."""
        self.announce("tools/list_changed")


@plant("tells-of-changes", "Tells that its tools changed.", correct=True, exit_code=0, options=OPEN)
def unreported_changes() -> Announcing:
    return Announcing()


@plant("changes-silently", "Tells nobody that its tools changed.", "SUB-009", options=OPEN)
class ChangesSilently(Announcing):
    def notify(self) -> None:
        """Say nothing."""


class ManyShelves(Stateless):
    """A server that counts how often its tools were listed."""

    tools = tuple(Tool(f"shelf_{n}", answers(f"shelf {n}")) for n in range(4))

    def __init__(self) -> None:
        super().__init__()
        self.lists = 0


@plant("order-changes", "Lists its tools in another order each time.", "TOOL-030")
class OrderChanges(ManyShelves):
    def list_tools(self, asked: Asked) -> Object:
        self.lists += 1
        page = super().list_tools(asked)
        turn = self.lists % 4
        return {"tools": page["tools"][turn:] + page["tools"][:turn]}


@plant("tools-appear-later", "Lists a tool only after a call.", "TOOL-031", exit_code=1)
class ToolsAppearLater(ManyShelves):
    def call_tool(self, asked: Asked) -> Object:
        self.lists += 1
        return super().call_tool(asked)

    def list_tools(self, asked: Asked) -> Object:
        page = super().list_tools(asked)
        return page if self.lists else {"tools": page["tools"][:3]}
