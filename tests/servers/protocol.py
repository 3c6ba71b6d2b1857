"""Servers that break the protocol in one way, in the revision with a handshake."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from tests.servers.base import A_HANDSHAKE, Asked, Fault, Server
from tests.servers.planting import Family
from tests.servers.things import Object, Prompt, Resource, Tool, answers, found, lookup, text

SERVERS = Family("protocol")
plant = SERVERS.plant
QUICK = ("--timeout", "2")


class Shaken(Server):
    """A server that speaks 2025-11-25 alone and has one tool."""

    revisions = (A_HANDSHAKE,)
    tools: Sequence[Tool] | None = (lookup(found),)


@plant("ids-as-strings", "Answers with the id as a string.", "JSONRPC-023")
class IdsAsStrings(Shaken):
    def success(self, asked: Asked, result: Object) -> Object:
        if asked.method == "initialize":
            return super().success(asked, result)
        return super().success(asked._replace(id=str(asked.id)), result)


@plant("ids-off-by-one", "Answers tool calls under the next id.", "JSONRPC-023")
class IdsOffByOne(Shaken):
    def success(self, asked: Asked, result: Object) -> Object:
        is_call = asked.method == "tools/call" and isinstance(asked.id, int)
        return super().success(asked._replace(id=asked.id + 1000) if is_call else asked, result)


@plant("result-and-error", "Sends a result and an error in one answer.", "JSONRPC-009")
class ResultAndError(Shaken):
    def success(self, asked: Asked, result: Object) -> Object:
        error = {"error": {"code": 0, "message": "no error"}}
        return {**super().success(asked, result), **(error if asked.method == "tools/call" else {})}


@plant("no-jsonrpc-member", "Leaves jsonrpc out of its list.", "JSONRPC-002")
class NoJsonrpcMember(Shaken):
    def success(self, asked: Asked, result: Object) -> Object:
        whole = super().success(asked, result)
        return {"id": whole["id"], "result": result} if asked.method == "tools/list" else whole


@plant("answers-twice", "Sends every tool's answer twice.", "JSONRPC-024", exit_code=1)
class AnswersTwice(Shaken):
    def answer(self, asked: Asked) -> Object | None:
        reply = super().answer(asked)
        if asked.method == "tools/call":
            self.write(reply)
        return reply


@plant("answers-notifications", "Answers notifications.", "JSONRPC-036", exit_code=1)
class AnswersNotifications(Shaken):
    def received(self, notification: Object) -> Object | None:
        return {"jsonrpc": "2.0", "error": Fault(-32601, "There is no such method").error}


@plant("error-code-as-string", "Sends error codes as strings.", "JSONRPC-014", exit_code=1)
class ErrorCodeAsString(Shaken):
    def failure(self, id: Any, error: Object) -> Object:
        return super().failure(id, {**error, "code": str(error["code"])})


@plant("echoes-any-version", "Agrees to revisions that do not exist.", "LIFE-008", exit_code=1)
class EchoesAnyVersion(Shaken):
    def initialize(self, asked: Asked) -> Object:
        return {**super().initialize(asked), "protocolVersion": asked.params["protocolVersion"]}


@plant("unreleased-version", "Answers with a revision that was never released.", "LIFE-014")
class UnreleasedVersion(Shaken):
    def initialize(self, asked: Asked) -> Object:
        return {**super().initialize(asked), "protocolVersion": "2025-12-24"}


@plant("no-server-version", "Says its name and not its version.", "LIFE-003", exit_code=1)
def no_server_version() -> Server:
    return Shaken(info={"name": "small-library"})


@plant("declares-resources-in-vain", "Declares resources and serves none.", "CAP-015", exit_code=1)
def declares_resources_in_vain() -> Server:
    return Shaken(more_capabilities={"resources": {}})


@plant("undeclared-prompts", "Serves prompts that it does not declare.", "CAP-002", exit_code=1)
class UndeclaredPrompts(Shaken):
    prompts = (Prompt("surprise"),)

    def capabilities(self) -> Object:
        return {"tools": {}}


@plant("undeclared-tools", "Serves tools that it does not declare.", "CAP-001", exit_code=1)
class UndeclaredTools(Shaken):
    def capabilities(self) -> Object:
        return {}


@plant("unknown-method-ignored", "Never answers an unknown method.", "JSONRPC-033", exit_code=1)
class UnknownMethodIgnored(Shaken):
    def answer(self, asked: Asked) -> Object | None:
        return super().answer(asked) if asked.method in self.methods(False) else None


@plant("unknown-method-succeeds", "Answers any method with {}.", "JSONRPC-033", exit_code=1)
class UnknownMethodSucceeds(Shaken):
    def unknown_method(self, asked: Asked) -> Object:
        return {}


@plant("unknown-method-other-code", "Answers -32603 to it.", "JSONRPC-033", exit_code=1)
class UnknownMethodOtherCode(Shaken):
    def unknown_method(self, asked: Asked) -> Object:
        raise Fault(-32603, "Internal error")


@plant("banner-on-stdout", "Greets on standard output.", "STDIO-001", exit_code=1)
class BannerOnStdout(Shaken):
    def run(self) -> int:
        self.write_bytes(b"Small library server v1.0 is ready\n")
        return super().run()


@plant("logs-on-stdout", "Logs to standard output during calls.", "STDIO-001", exit_code=1)
class LogsOnStdout(Shaken):
    def call_tool(self, asked: Asked) -> Object:
        self.write_bytes(b"DEBUG calling a tool\n")
        return super().call_tool(asked)


@plant("message-over-lines", "Spreads its list of tools over lines.", "STDIO-001", options=QUICK)
class MessageOverLines(Shaken):
    def write(self, message: Any) -> None:
        indent = 2 if "tools" in message.get("result", {}) else None
        self.write_bytes(json.dumps(message, indent=indent).encode() + b"\n")


@plant("two-messages-a-line", "Glues two messages into one line.", "STDIO-002", options=QUICK)
class TwoMessagesALine(Shaken):
    def write(self, message: Any) -> None:
        log = b""
        if "content" in message.get("result", {}):
            log = b'{"jsonrpc":"2.0","method":"notifications/x.invalid/note"}'
        self.write_bytes(log + json.dumps(message).encode() + b"\n")


@plant("carriage-returns", "Ends lines with CR LF.", "STDIO-002", exit_code=0)
class CarriageReturns(Shaken):
    def write_bytes(self, line: bytes) -> None:
        super().write_bytes(line.replace(b"\n", b"\r\n"))


@plant("asks-before-initialized", "Asks for roots before initialized.", "LIFE-006")
class AsksBeforeInitialized(Shaken):
    def answer(self, asked: Asked) -> Object | None:
        if asked.method == "initialize":
            self.write({"jsonrpc": "2.0", "id": "s-1", "method": "roots/list"})
        return super().answer(asked)


@plant("samples-unasked", "Asks for sampling though none was declared.", "CAP-009", exit_code=1)
class SamplesUnasked(Shaken):
    def call_tool(self, asked: Asked) -> Object:
        said = {"role": "user", "content": {"type": "text", "text": "Hello"}}
        params = {"messages": [said], "maxTokens": 10}
        method = "sampling/createMessage"
        self.write({"jsonrpc": "2.0", "id": f"s-{asked.id}", "method": method, "params": params})
        return super().call_tool(asked)


@plant("silent-ping", "Never answers ping.", "PING-001", exit_code=1)
class SilentPing(Shaken):
    def answer(self, asked: Asked) -> Object | None:
        return None if asked.method == "ping" else super().answer(asked)


@plant("wordy-ping", "Answers ping with words.", "PING-001", exit_code=1)
class WordyPing(Shaken):
    def ping(self, asked: Asked) -> Object:
        return {"message": "pong"}


@plant("cursor-loops", "Its second page leads back to the first.", "PAGE-005")
class CursorLoops(Shaken):
    tools = tuple(Tool(f"shelf_{n}", answers("a shelf")) for n in range(4))
    page_size = 2

    def list_tools(self, asked: Asked) -> Object:
        page = super().list_tools(asked)
        return {**page, "nextCursor": page.get("nextCursor", "0")}


@plant("pages-without-end", "Every page has another one after it.", limits=True)
class PagesWithoutEnd(Shaken):
    def list_tools(self, asked: Asked) -> Object:
        page = int(asked.params.get("cursor", "0"))
        tool = Tool(f"shelf_{page}", answers("a shelf")).definition()
        return {"tools": [tool], "nextCursor": str(page + 1)}


@plant("null-cursor", "Ends its list with a cursor of null.", "PAGE-001", exit_code=1)
class NullCursor(Shaken):
    def list_tools(self, asked: Asked) -> Object:
        return {**super().list_tools(asked), "nextCursor": None}


@plant("any-cursor-accepted", "Takes cursors that it never gave.", "PAGE-002")
class AnyCursorAccepted(Shaken):
    def list_tools(self, asked: Asked) -> Object:
        return super().list_tools(asked._replace(params={}))


@plant("dies-on-malformed-line", "Dies when a line is not JSON.", "JSONRPC-035", exit_code=1)
class DiesOnMalformedLine(Shaken):
    def unreadable(self, code: int, words: str, message: Any = None) -> Object | None:
        raise ValueError(words)


@plant("dies-on-notification", "Dies of an unknown notification.", "JSONRPC-036", exit_code=1)
class DiesOnNotification(Shaken):
    def received(self, notification: Object) -> Object | None:
        known = ("notifications/initialized", "notifications/cancelled")
        return None if notification["method"] in known else sys.exit(1)


@plant("malformed-line-ignored", "Says nothing to a line that is not JSON.", "JSONRPC-031")
class MalformedLineIgnored(Shaken):
    def unreadable(self, code: int, words: str, message: Any = None) -> Object | None:
        return None


@plant("serves-before-handshake", "Serves before anything was agreed.", "LIFE-015")
class ServesBeforeHandshake(Shaken):
    def not_agreed(self, asked: Asked) -> None:
        self.agreed = None


@plant("logs-undeclared", "Sends log messages without saying so.", "CAP-004", exit_code=1)
class LogsUndeclared(Shaken):
    def call_tool(self, asked: Asked) -> Object:
        params = {"level": "info", "data": "calling"}
        self.write({"jsonrpc": "2.0", "method": "notifications/message", "params": params})
        return super().call_tool(asked)


@plant("list-changed-undeclared", "Says unannounced that tools changed.", "CAP-007", exit_code=1)
class ListChangedUndeclared(Shaken):
    def call_tool(self, asked: Asked) -> Object:
        self.write({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
        return super().call_tool(asked)


@plant("progress-for-nobody", "Reports progress that nobody follows.", "PROG-002", exit_code=1)
class ProgressForNobody(Shaken):
    def call_tool(self, asked: Asked) -> Object:
        params = {"progressToken": "nobody", "progress": 1}
        self.write({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
        return super().call_tool(asked)


@plant("unknown-tool-succeeds", "Answers calls of tools that do not exist.", "CALL-006")
class UnknownToolSucceeds(Shaken):
    def call_tool(self, asked: Asked) -> Object:
        is_known = asked.params.get("name") == "find_book"
        return super().call_tool(asked) if is_known else text("Done.")


@plant("failure-as-protocol-error", "Reports a tool's failure as -32603.", "CALL-009")
class FailureAsProtocolError(Shaken):
    def call_tool(self, asked: Asked) -> Object:
        if asked.params.get("arguments", {}).get("limit") == 1:
            raise Fault(-32603, "Internal error")
        return super().call_tool(asked)


@plant("lists-what-cannot-be-read", "Lists a resource that it does not have.", "RES-011")
class ListsWhatCannotBeRead(Shaken):
    resources = (Resource("library://hours", "hours"),)

    def read_resource(self, asked: Asked) -> Object:
        raise Fault(-32002, "There is no such resource", {"uri": asked.params.get("uri")})


@plant("prompt-without-its-argument", "Gives a prompt without its argument.", "PROMPT-004")
class PromptWithoutItsArgument(Shaken):
    prompts = (Prompt("recommend", ("mood",)),)

    def get_prompt(self, asked: Asked) -> Object:
        given = {"mood": "any", **asked.params.get("arguments", {})}
        return super().get_prompt(asked._replace(params={**asked.params, "arguments": given}))
