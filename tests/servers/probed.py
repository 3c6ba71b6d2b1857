"""Servers whose one fault shows only when they are asked what no ordinary client asks."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.servers.base import (
    A_HANDSHAKE,
    INVALID,
    META,
    STATELESS,
    UNKNOWN_METHOD,
    Asked,
    Fault,
    Server,
)
from tests.servers.planting import Family
from tests.servers.things import Object, Prompt, Resource, Tool, found, lookup

SERVERS = Family("probed")
plant = SERVERS.plant
WITH_BATCHES = "2025-03-26"
LONGEST = 64 * 1024


class Shaken(Server):
    """A server that speaks 2025-11-25 alone and has one tool."""

    revisions: Sequence[str] = (A_HANDSHAKE,)
    tools: Sequence[Tool] | None = (lookup(found),)


class Stateless(Server):
    """A server that speaks 2026-07-28 alone and has one tool."""

    revisions = (STATELESS,)
    tools: Sequence[Tool] | None = (lookup(found),)


@plant("no-batches", "Speaks 2025-03-26 and takes no batches.", "BATCH-004", exit_code=1)
class NoBatches(Shaken):
    revisions = (WITH_BATCHES,)


@plant("batches", "Speaks 2025-03-26 with its batches.", correct=True, exit_code=0)
class Batches(NoBatches):
    def reply(self, message: Any) -> Any:
        if not isinstance(message, list) or not message:
            return super().reply(message)
        replies = [reply for each in message if (reply := super(Batches, self).reply(each))]
        return replies or self.nothing_to_say()

    def nothing_to_say(self) -> Any:
        """The answer to a batch in which nothing is asked."""
        return None


@plant("answers-empty-batch", "Answers batches of notifications.", "BATCH-005", exit_code=1)
class AnswersEmptyBatch(Batches):
    def nothing_to_say(self) -> Any:
        return self.failure(None, Fault(-32600, "Nothing is asked here").error)


@plant("disowns-its-version", "Offers one version, then gives another.", "LIFE-007", exit_code=1)
class DisownsItsVersion(Shaken):
    revisions = ("2025-06-18", A_HANDSHAKE)

    def initialize(self, asked: Asked) -> Object:
        wanted = asked.params.get("protocolVersion")
        version = "2025-06-18" if wanted in (WITH_BATCHES, A_HANDSHAKE) else A_HANDSHAKE
        return {**super().initialize(asked), "protocolVersion": version}


@plant("offers-an-older-version", "Offers less than it speaks.", "LIFE-009", exit_code=0)
class OffersAnOlderVersion(Shaken):
    revisions = ("2025-06-18", A_HANDSHAKE)

    def initialize(self, asked: Asked) -> Object:
        result, wanted = super().initialize(asked), asked.params.get("protocolVersion")
        version = wanted if wanted in self.revisions else min(self.revisions)
        return {**result, "protocolVersion": version}


@plant("undeclared-resources", "Serves undeclared resources.", "CAP-003", exit_code=1)
class UndeclaredResources(Shaken):
    resources = (Resource("library://hours", "hours"),)

    def capabilities(self) -> Object:
        return {"tools": {}}


@plant("undeclared-completions", "Completes without saying so.", "CAP-005", exit_code=1)
class UndeclaredCompletions(Shaken):
    prompts = (Prompt("recommend", ("mood",)),)

    def methods(self, modern: bool) -> Mapping[str, Callable[[Asked], Object]]:
        return {**super().methods(modern), "completion/complete": self.complete}

    def complete(self, asked: Asked) -> Object:
        """The moods that there are."""
        return {"completion": {"values": ["calm", "merry"]}}


@plant("logging-in-vain", "Declares logging, knows no level.", "CAP-015", exit_code=1)
def logging_in_vain() -> Server:
    return Shaken(more_capabilities={"logging": {}})


@plant("wrong-params-code", "Answers -32603 to missing params.", "JSONRPC-034", exit_code=0)
class WrongParamsCode(Shaken):
    def call_tool(self, asked: Asked) -> Object:
        if "name" not in asked.params:
            raise Fault(-32603, "KeyError: 'name'")
        return super().call_tool(asked)


@plant("cancelling-is-answered", "Answers cancellations.", "CANC-007", exit_code=0)
class CancellingIsAnswered(Shaken):
    def received(self, notification: Object) -> Object | None:
        if notification["method"] != "notifications/cancelled":
            return None
        return {"jsonrpc": "2.0", "error": Fault(-32602, "There is no such request").error}


@plant("falls-over-bytes", "Dies of what is not UTF-8.", "JSONRPC-035", exit_code=1)
class FallsOverBytes(Shaken):
    def hear(self, line: bytes) -> None:
        super().hear(line.decode().encode())


@plant("repeats-what-it-hears", "Repeats odd ids and bytes.", correct=True, exit_code=0)
class RepeatsWhatItHears(Shaken):
    def reply_to_text(self, line: bytes) -> Object | None:
        try:
            message = json.loads(line.decode("utf-8", "surrogateescape"))
        except ValueError:
            return super().reply_to_text(line)
        if not isinstance(message, dict) or message.get("id", "") is not None:
            return self.reply(message)
        return self.failure(None, Fault(INVALID, "An id must not be null").error)

    def unknown_method(self, asked: Asked) -> Object:
        raise Fault(UNKNOWN_METHOD, f"There is no method {asked.method}")


@plant("cuts-long-lines", "Reads no line beyond 64 KiB.", "STDIO-007", exit_code=0)
class CutsLongLines(Shaken):
    def hear(self, line: bytes) -> None:
        if len(line) <= LONGEST:
            super().hear(line)


@plant("reads-latin-1", "Reads letters as Latin-1.", "STDIO-007", exit_code=0)
class ReadsLatin1(Shaken):
    def hear(self, line: bytes) -> None:
        super().hear(line.decode("latin-1").encode())

    def call_tool(self, asked: Asked) -> Object:
        if asked.params.get("name") != "find_book":
            raise Fault(-32602, f"Unknown tool: {asked.params.get('name')}")
        return super().call_tool(asked)


@plant("wants-discovery-first", "Serves who has discovered it.", "VER-014", exit_code=1)
class WantsDiscoveryFirst(Stateless):
    is_discovered = False

    def result(self, asked: Asked) -> Object:
        if asked.method == "server/discover":
            self.is_discovered = True
        elif not self.is_discovered and asked.method in self.methods(True):
            raise Fault(-32600, "Discover this server first")
        return super().result(asked)


@plant("empty-list-undeclared", "Lists no prompts, undeclared.", "VER-016", exit_code=0)
class EmptyListUndeclared(Stateless):
    def methods(self, modern: bool) -> Mapping[str, Callable[[Asked], Object]]:
        return {**super().methods(modern), "prompts/list": self.list_prompts}


@plant("forgets-to-name-versions", "Refuses initialize tersely.", "VER-013", exit_code=0)
class ForgetsToNameVersions(Stateless):
    def unknown_method(self, asked: Asked) -> Object:
        raise Fault(-32601, "There is no such method")


@plant("lacks-capabilities", "Serves who declares none.", "VER-007", exit_code=1)
class LacksCapabilities(Stateless):
    def require_meta(self, asked: Asked) -> None:
        declared = {f"{META}clientCapabilities": {}, **asked.params["_meta"]}
        super().require_meta(asked._replace(params={"_meta": declared}))
