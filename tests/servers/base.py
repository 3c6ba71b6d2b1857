"""A small correct MCP server over standard streams; a server of the catalogue changes one thing.

It speaks revisions with a handshake and the stateless 2026-07-28, with the standard library alone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from tests.servers.checking import faults
from tests.servers.things import NOTHING, Object, Prompt, Resource, Tool, refusal

INFO: Object = {"name": "small-library", "version": "1.0.0"}
A_HANDSHAKE = "2025-11-25"
STATELESS = "2026-07-28"
META = "io.modelcontextprotocol/"
CACHEABLE = frozenset(
    [
        "server/discover",
        "tools/list",
        "resources/list",
        "resources/templates/list",
        "resources/read",
        "prompts/list",
    ]
)
UNREADABLE, INVALID, UNKNOWN_METHOD, WRONG_PARAMS = -32700, -32600, -32601, -32602
NO_RESOURCE, UNSUPPORTED_VERSION = -32002, -32022


class Fault(Exception):
    """A request that is answered with an error."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.error: Object = {"code": code, "message": message}
        if data is not None:
            self.error["data"] = data


class Asked(NamedTuple):
    """A request that is well formed."""

    id: Any
    method: str
    params: Object
    modern: bool


class Server:
    """A correct server; what is planted overrides one of its methods or settings."""

    tools: Sequence[Tool] | None = None
    to_come: Sequence[Tool] = ()
    """Tools that it has not yet."""
    resources: Sequence[Resource] | None = None
    templates: Sequence[Object] = ()
    prompts: Sequence[Prompt] | None = None
    revisions: Sequence[str] = (A_HANDSHAKE, STATELESS)
    page_size = 1000
    escapes = True
    """Whether what is not ASCII is written as escapes."""
    more_capabilities: Object = NOTHING
    info: Object = INFO

    def __init__(self, *tools: Tool, **settings: Any) -> None:
        self.tools = tools or self.tools
        self.agreed: str | None = None
        for name, value in settings.items():
            setattr(self, name, value)

    # Bytes

    def run(self) -> int:
        """Serve until standard input ends; give back the exit code."""
        for line in sys.stdin.buffer:
            self.hear(line)
        return 0

    def hear(self, line: bytes) -> None:
        """Take one line."""
        reply = self.reply_to_text(line)
        if reply is not None:
            self.write(reply)

    def write(self, message: Any) -> None:
        """Send one message."""
        self.write_bytes(json.dumps(message, ensure_ascii=self.escapes).encode() + b"\n")

    def write_bytes(self, line: bytes) -> None:
        """Send bytes as they are."""
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()

    # Messages

    def reply_to_text(self, line: bytes) -> Object | None:
        """The answer to a message in its text."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return self.unreadable(UNREADABLE, "This is not JSON")
        return self.reply(message)

    def reply(self, message: Any) -> Object | None:
        """The answer to a message; None where none is due."""
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return self.unreadable(INVALID, "This is not a JSON-RPC message", message)
        if "method" in message and "id" not in message:
            return self.received(message)
        if "method" not in message and ("result" in message or "error" in message):
            return None
        id, method, params = message.get("id"), message.get("method"), message.get("params", {})
        well_formed = isinstance(method, str) and isinstance(params, dict) and _is_id(id)
        if not well_formed:
            return self.unreadable(INVALID, "This is not a request", message)
        modern = f"{META}protocolVersion" in _meta(params) and STATELESS in self.revisions
        return self.answer(Asked(id, str(method), params, modern))

    def received(self, notification: Object) -> Object | None:
        """Take note of a notification; nothing is answered."""
        return None

    def unreadable(self, code: int, words: str, message: Any = None) -> Object | None:
        """The answer to what is no message; before 2025-11-25 none can go without an id."""
        id = message.get("id") if isinstance(message, dict) else None
        if _is_id(id):
            return self.failure(id, Fault(code, words).error)
        if (self.agreed or max(self.revisions)) < A_HANDSHAKE:
            return None
        return {"jsonrpc": "2.0", "error": Fault(code, words).error}

    def answer(self, asked: Asked) -> Object | None:
        """The answer to a request."""
        try:
            return self.success(asked, self.result(asked))
        except Fault as fault:
            return self.failure(asked.id, fault.error)

    def success(self, asked: Asked, result: Object) -> Object:
        """A result as a message, with what the revision wants in it."""
        if asked.modern:
            cached = {"ttlMs": 1000, "cacheScope": "private"} if asked.method in CACHEABLE else {}
            meta = {"_meta": {f"{META}serverInfo": self.info}}
            result = {"resultType": "complete", **cached, **meta, **result}
        return {"jsonrpc": "2.0", "id": asked.id, "result": result}

    def failure(self, id: Any, error: Object) -> Object:
        """An error as a message."""
        return {"jsonrpc": "2.0", "id": id, "error": error}

    # Methods

    def result(self, asked: Asked) -> Object:
        """The result of a request, by the rules of its era."""
        if asked.modern:
            self.require_meta(asked)
        elif self.agreed is None and asked.method not in ("initialize", "ping"):
            self.not_agreed(asked)
        serve = self.methods(asked.modern).get(asked.method, self.unknown_method)
        return serve(asked)

    def unknown_method(self, asked: Asked) -> Object:
        """Refuse a method that the server does not have."""
        if asked.method == "initialize" and not asked.modern:
            data = {"supported": list(self.revisions), "requested": _version(asked.params)}
            raise Fault(UNSUPPORTED_VERSION, "There is no handshake here", data)
        raise Fault(UNKNOWN_METHOD, "There is no such method")

    def not_agreed(self, asked: Asked) -> None:
        """Refuse a request that names no revision before one was agreed on."""
        if asked.method == "server/discover":
            raise Fault(UNKNOWN_METHOD, "There is no such method")
        raise Fault(WRONG_PARAMS, "Say which revision this is")

    def require_meta(self, asked: Asked) -> None:
        """Refuse what does not say its revision and its sender's capabilities."""
        meta = _meta(asked.params)
        version = meta.get(f"{META}protocolVersion")
        if not isinstance(version, str) or not isinstance(
            meta.get(f"{META}clientCapabilities"), dict
        ):
            raise Fault(WRONG_PARAMS, "_meta lacks the revision or the capabilities")
        if version != STATELESS:
            data = {"supported": list(self.revisions), "requested": version}
            raise Fault(UNSUPPORTED_VERSION, "This revision is not spoken here", data)

    def methods(self, modern: bool) -> Mapping[str, Callable[[Asked], Object]]:
        """What can be asked for in an era."""
        served: dict[str, Callable[[Asked], Object]] = {}
        if modern:
            served["server/discover"] = self.discover
        elif any(revision < STATELESS for revision in self.revisions):
            served |= {"initialize": self.initialize, "ping": self.ping}
        if self.tools is not None:
            served |= {"tools/list": self.list_tools, "tools/call": self.call_tool}
        if self.resources is not None:
            served["resources/list"] = self.list_resources
            served["resources/templates/list"] = self.list_templates
            served["resources/read"] = self.read_resource
        if self.prompts is not None:
            served |= {"prompts/list": self.list_prompts, "prompts/get": self.get_prompt}
        return served

    def capabilities(self) -> Object:
        """What the server says it has."""
        kinds = {"tools": self.tools, "resources": self.resources, "prompts": self.prompts}
        declared: Object = {name: {} for name, things in kinds.items() if things is not None}
        return {**declared, **self.more_capabilities}

    def initialize(self, asked: Asked) -> Object:
        """Agree on a revision."""
        wanted, known = _version(asked.params), [one for one in self.revisions if one < STATELESS]
        self.agreed = wanted if wanted in known else max(known)
        return {
            "protocolVersion": self.agreed,
            "capabilities": self.capabilities(),
            "serverInfo": self.info,
        }

    def discover(self, asked: Asked) -> Object:
        """Say what is spoken and offered."""
        return {"supportedVersions": list(self.revisions), "capabilities": self.capabilities()}

    def ping(self, asked: Asked) -> Object:
        """Say that somebody is here."""
        return {}

    def page(self, name: str, things: Sequence[Object], params: Object) -> Object:
        """One page of a list; a cursor is the number of things before it."""
        cursor = params.get("cursor", "0")
        starts = [str(start) for start in range(0, max(1, len(things)), self.page_size)]
        if cursor not in starts:
            raise Fault(WRONG_PARAMS, "There is no page with this cursor")
        end = int(cursor) + self.page_size
        following = {"nextCursor": str(end)} if end < len(things) else {}
        return {name: list(things[int(cursor) : end]), **following}

    def list_tools(self, asked: Asked) -> Object:
        """A page of the tools."""
        return self.page("tools", [one.definition() for one in self.tools or ()], asked.params)

    def call_tool(self, asked: Asked) -> Object:
        """Call a tool, if its arguments fit its inputSchema."""
        name, arguments = asked.params.get("name"), asked.params.get("arguments", {})
        tool = next((one for one in self.tools or () if one.name == name), None)
        if tool is None or not isinstance(arguments, dict):
            raise Fault(WRONG_PARAMS, "There is no such tool, or its arguments are no object")
        wrong = faults(tool.input_schema, arguments, tool.unchecked)
        return refusal(f"Invalid arguments: {'; '.join(wrong)}.") if wrong else tool.run(arguments)

    def list_resources(self, asked: Asked) -> Object:
        """A page of the resources."""
        return self.page(
            "resources", [one.definition() for one in self.resources or ()], asked.params
        )

    def list_templates(self, asked: Asked) -> Object:
        """A page of the templates."""
        return self.page("resourceTemplates", self.templates, asked.params)

    def read_resource(self, asked: Asked) -> Object:
        """The text of a resource."""
        uri = asked.params.get("uri")
        for one in self.resources or ():
            if one.uri == uri:
                return {"contents": [{"uri": uri, "mimeType": "text/plain", "text": one.body}]}
        code = WRONG_PARAMS if asked.modern else NO_RESOURCE
        raise Fault(code, "There is no such resource", {"uri": uri})

    def list_prompts(self, asked: Asked) -> Object:
        """A page of the prompts."""
        return self.page("prompts", [one.definition() for one in self.prompts or ()], asked.params)

    def get_prompt(self, asked: Asked) -> Object:
        """A prompt with its arguments filled in."""
        name, given = asked.params.get("name"), asked.params.get("arguments", {})
        prompt = next((one for one in self.prompts or () if one.name == name), None)
        if (
            prompt is None
            or not isinstance(given, dict)
            or any(name not in given for name in prompt.arguments)
        ):
            raise Fault(WRONG_PARAMS, "There is no such prompt, or an argument is missing")
        words = ", ".join(f"{name} {given[name]}" for name in prompt.arguments)
        block = {"type": "text", "text": f"Recommend a book: {words}."}
        return {"messages": [{"role": "user", "content": block}]}


def _is_id(id: Any) -> bool:
    return isinstance(id, str | int) and not isinstance(id, bool)


def _meta(params: Object) -> Object:
    meta = params.get("_meta")
    return meta if isinstance(meta, dict) else {}


def _version(params: Object) -> str:
    version = params.get("protocolVersion")
    return version if isinstance(version, str) else ""
