"""What the read of a resource and the request for a prompt show: whether each can be fetched."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias
from urllib.parse import unquote

from mcp_assay.model.ending import LOST, OURS
from mcp_assay.model.probe import Ask, Reply, Step
from mcp_assay.model.report import OfferStatus
from mcp_assay.model.tool import NotCalled
from mcp_assay.rules.engine.rule import Found
from mcp_assay.rules.probe.http_requests import is_about_something_else
from mcp_assay.rules.probe.rule import Dialogue, Known, fault, how_it_ended, probe_rule, replay
from mcp_assay.spec.formats import bytes_in, has_bytes, is_base64
from mcp_assay.text.endings import what_it_did
from mcp_assay.text.words import quote

INPUT_REQUIRED: Final = "input_required"
ROLES: Final = ("user", "assistant")
DECIDED: Final = ("RES-011", "RESP-020", "RESP-021")
"""The rules that only these dialogues decide."""
MAY_REFUSE: Final = NotCalled.VALUES_REFUSED.value


class ReadOutcome(NamedTuple):
    """Whether something could be had, why that is said, and what is wrong with it."""

    status: OfferStatus
    reason: str
    faults: Sequence[Found] = ()
    shows: Literal["all", "an answer", "nothing"] = "all"
    """Whether it shows that the rules were kept, only that an answer came, or not even that."""
    measures: bool = False
    """Whether what was read was compared with the size that is listed."""


Having: TypeAlias = Generator[Step, Reply, ReadOutcome]


def read_listed(resource: dict[str, Any]) -> Having:
    """Read a resource that is listed, and compare its size with what the list says."""
    uri, size = resource["uri"], resource.get("size")
    reply = yield Ask("resources/read", {"uri": uri})
    had = judge_read(uri, reply, is_listed=True)
    if not isinstance(size, int) or isinstance(size, bool) or size < 0:
        return had
    if had.status != "fully_working":
        return had
    if has_bytes(size, reply.result["contents"]):
        return had._replace(measures=True)
    return (yield from _of_other_size(resource, reply))


def read_filled_in(uri: str) -> Having:
    """Read a resource whose URI was made from a template."""
    reply = yield Ask("resources/read", {"uri": uri})
    return judge_read(uri, reply, is_listed=False)


def get_prompt(name: str, arguments: dict[str, str]) -> Having:
    """Ask for a prompt with these arguments."""
    more = {"arguments": arguments} if arguments else {}
    reply = yield Ask("prompts/get", {"name": name, **more})
    return judge_prompt(name, reply, is_made_up=bool(arguments))


def judge_read(uri: str, reply: Reply, *, is_listed: bool) -> ReadOutcome:
    """What came of a read; a URI that was made up may be refused."""
    shown = f"the resource {quote(uri)} is read"
    lost = _lost(reply, shown)
    if lost is not None:
        return lost
    if not reply.is_result:
        return (
            _unreadable(uri, reply)
            if is_listed
            else ReadOutcome("unproven", MAY_REFUSE, shows="an answer")
        )
    contents = reply.result.get("contents")
    if not isinstance(contents, list):
        return ReadOutcome("broken", "the result has no contents")
    if not contents:
        return ReadOutcome("unproven", "it has no contents, which is allowed for an empty resource")
    return _judge_contents(uri, contents)


def judge_prompt(name: str, reply: Reply, *, is_made_up: bool) -> ReadOutcome:
    """What came of a request for a prompt; arguments that were made up may be refused."""
    shown = f"the prompt {quote(name)} is requested"
    lost = _lost(reply, shown)
    if lost is not None:
        return lost
    if not reply.is_result:
        return (
            ReadOutcome("unproven", MAY_REFUSE, shows="an answer")
            if is_made_up
            else _not_given(reply, shown)
        )
    messages = reply.result.get("messages")
    if not isinstance(messages, list):
        return ReadOutcome("broken", "the result has no messages")
    if not messages:
        text = f"The server returns no messages when {shown}."
        return ReadOutcome("broken", "it has no messages", [fault("RESP-021", text, key="empty")])
    if not all(map(_is_message, messages)):
        return ReadOutcome("partially_working", "a message in it is malformed")
    return ReadOutcome("fully_working", "it was fetched, and its messages are valid")


def _lost(reply: Reply, shown: str) -> ReadOutcome | None:
    """The verdict where no answer came that could be judged, None where one did."""
    if reply.unread:
        reason = f"its {reply.unread:,} bytes were too long to decode"
        return ReadOutcome("unproven", reason, shows="an answer")
    if reply.ending in OURS:
        reason = f"the server {what_it_did(reply.ending)}"
        return ReadOutcome("unproven", reason, shows="nothing")
    if reply.ending == "http_status" and is_about_something_else(reply):
        reason = f"the server returned HTTP status {reply.status}"
        return ReadOutcome("unproven", reason, shows="nothing")
    if reply.ending in LOST:
        text = f"The server {how_it_ended(reply)} when {shown}."
        reason = "it timed out" if reply.ending == "timed_out" else "the server crashed"
        return ReadOutcome("broken", reason, [fault("RESP-020", text, key=reply.ending)])
    if reply.is_result and reply.result.get("resultType") == INPUT_REQUIRED:
        reason = "it asks for input that was not provided"
        return ReadOutcome("unproven", reason, shows="an answer")
    return None


def _unreadable(uri: str, reply: Reply) -> ReadOutcome:
    text = (
        f"The resource {quote(uri)} is listed, but the server {how_it_ended(reply)} for "
        "resources/read."
    )
    return ReadOutcome(
        "broken", f"the server {how_it_ended(reply)}", [fault("RES-011", text, key="read")]
    )


def _not_given(reply: Reply, shown: str) -> ReadOutcome:
    text = f"The server {how_it_ended(reply)} when {shown}, which requires no arguments."
    reason = f"the server {how_it_ended(reply)}"
    return ReadOutcome("broken", reason, [fault("RESP-021", text, key="refused")])


def _judge_contents(uri: str, contents: list[Any]) -> ReadOutcome:
    if not all(map(_is_content, contents)):
        return ReadOutcome("partially_working", "its contents are malformed")
    strange = next((one["uri"] for one in contents if not _is_beneath(one["uri"], uri)), None)
    if strange is not None:
        text = f"The contents of the resource {quote(uri)} have the uri {quote(strange)}."
        return ReadOutcome("partially_working", "its contents have a different uri",
                   [fault("RES-011", text, key="uri")])  # fmt: skip
    return ReadOutcome("fully_working", "it was read, and its contents are valid")


def _is_content(content: Any) -> bool:
    """Whether contents have a uri, and text or a blob that can be decoded."""
    if not isinstance(content, dict) or not isinstance(content.get("uri"), str):
        return False
    blob = content.get("blob")
    return isinstance(content.get("text"), str) or (isinstance(blob, str) and is_base64(blob))


def _is_message(message: Any) -> bool:
    content = message.get("content") if isinstance(message, dict) else None
    return isinstance(content, dict) and "type" in content and message.get("role") in ROLES


def _is_beneath(uri: str, asked: str) -> bool:
    """Whether a URI is the one that was asked for, written otherwise perhaps, or beneath it."""
    one, other = _settled(uri), _settled(asked)
    return one == other or one.startswith(tuple(other + joint for joint in "/?#"))


def _settled(uri: str) -> str:
    """The URI without what parsers change: case, escapes, the slash at its end."""
    return unquote(uri).rstrip("/").casefold()


def _length(reply: Reply) -> int | None:
    return bytes_in(reply.result["contents"])


def _of_other_size(resource: dict[str, Any], before: Reply) -> Having:
    """List and read once more: a resource that changes meanwhile has no one size."""
    uri, size = resource["uri"], resource["size"]
    listed = yield Ask("resources/list")
    after = yield Ask("resources/read", {"uri": uri})
    had = judge_read(uri, after, is_listed=True)
    length = _length(after)
    if had.status != "fully_working" or length is None or _length(before) != length:
        return had
    if _listed_size(resource, listed) != size:
        return ReadOutcome("fully_working", "it was read; its size changes")
    text = f"The resource {quote(uri)} is listed with {size:,} bytes but has {length:,}."
    wrong = fault("RES-005", text, key="read")
    reason = "its size differs from what is listed"
    return ReadOutcome("partially_working", reason, [wrong], measures=True)


def _listed_size(resource: dict[str, Any], listed: Reply) -> Any:
    """The size on the first page of a new list; where it is not there, what was listed before."""
    found = listed.result.get("resources") if listed.is_result else None
    for one in found if isinstance(found, list) else ():
        if isinstance(one, dict) and one.get("uri") == resource["uri"]:
            return one.get("size")
    return resource["size"]


def all_listed(server: Known) -> Dialogue:
    """Read every resource and ask for every prompt that is listed; for the examples of rules."""
    found: list[Found] = []
    for resource in server.resources:
        found += (yield from read_listed(resource)).faults
    for prompt in server.prompts:
        found += (yield from get_prompt(prompt["name"], {})).faults
    return list(found)


HOURS: Final = Known(
    capabilities={"resources": {}, "prompts": {}},
    resources=[{"uri": "library://hours", "name": "hours"}],
)
SURPRISE: Final = Known(capabilities={"prompts": {}}, prompts=[{"name": "surprise"}])
SAID: Final = {"role": "user", "content": {"type": "text", "text": "Surprise me."}}


def _contents(uri: str) -> Reply:
    return Reply(result={"contents": [{"uri": uri, "text": "9 to 17"}]})


def _failure(code: int) -> Reply:
    return Reply(error={"code": code, "message": "It is not available"})


probe_rule(
    "RES-011",
    "listed-resource-unreadable",
    """A resource is listed and cannot be read, or its contents have a different uri.

    Why: clients show the list and read what people choose from it; contents with a different uri
    cannot be matched to the request.
    Instead: list only resources that can be read, and repeat the requested uri in the contents.
    """,
    of=all_listed,
    reason="listed_resource_unreadable",
    good=lambda: [
        replay(_contents("library://hours"), known=HOURS),
        replay(_contents("library://hours/monday"), known=HOURS),
    ],
    bad=lambda: [
        replay(_failure(-32002), known=HOURS),
        replay(_contents("library://rules"), known=HOURS),
    ],
)
probe_rule(
    "RESP-020",
    "read-breaks-the-server",
    """The server crashes on, or never answers, resources/read or prompts/get.

    Why: clients fetch resources and prompts while people wait, often all of them at startup; one
    that hangs or crashes the server takes the others with it.
    Instead: return an error if something is not available.
    """,
    of=all_listed,
    reason="read_breaks_the_server",
    good=lambda: [replay(_failure(-32002), known=HOURS), replay(_failure(-32603), known=SURPRISE)],
    bad=lambda: [
        replay(Reply(ending="died"), known=HOURS),
        replay(Reply(ending="timed_out"), known=SURPRISE),
    ],
)
probe_rule(
    "RESP-021",
    "listed-prompt-not-given",
    """A listed prompt that requires no arguments cannot be fetched.

    Why: clients offer it to people as a command, which then always fails.
    Instead: return at least one message, and mark the arguments that the prompt needs as required.
    """,
    of=all_listed,
    reason="listed_prompt_not_given",
    good=lambda: [replay(Reply(result={"messages": [SAID]}), known=SURPRISE)],
    bad=lambda: [
        replay(_failure(-32603), known=SURPRISE),
        replay(Reply(result={"messages": []}), known=SURPRISE),
    ],
)
