"""What servers answer to names that nobody has: of tools, resources, prompts and completions."""

from __future__ import annotations

from typing import Any, Final

from mcp_assay.model.probe import Ask, Bend, Open, Reply
from mcp_assay.rules.probes.capabilities import gives, to_complete
from mcp_assay.rules.probes.known import Known
from mcp_assay.rules.probes.probe import (
    INVALID_PARAMS,
    KEPT,
    METHOD_NOT_FOUND,
    Dialogue,
    declares,
    fault,
    not_testable,
    probe,
    probe_rule,
    replay,
    undecided,
)
from mcp_assay.rules.probes.surety import NO_TOOL, judge_refusal, must_refuse
from mcp_assay.rules.words import quote
from mcp_assay.spec.revisions import R2025_11_25, R2026_07_28

NO_URI: Final = "mcp-assay://no-such-resource"
NO_PROMPT: Final = "mcp-assay-no-such-prompt"
NO_LEVEL: Final = "mcp-assay-no-such-level"
NO_RESOURCE: Final = -32002
SERVED: Final = "the server gives completions that it does not declare, which CAP-005 tells"
NOT_SERVED: Final = "the server does not know a method that it declares, which CAP-015 tells"
LOG_LEVEL: Final = "io.modelcontextprotocol/logLevel"
REFUSED: Final = Reply(error={"code": INVALID_PARAMS, "message": "There is no such thing"})
INTERNAL: Final = Reply(error={"code": -32603, "message": "Internal error"})


def _knowing(revision: str = R2025_11_25, **more: Any) -> Known:
    everything: dict[str, Any] = {
        name: {} for name in ("tools", "resources", "prompts", "completions", "logging")
    }
    return Known(revision=revision, capabilities=everything, **more)


OLD: Final = _knowing()
MODERN: Final = _knowing(R2026_07_28)


@probe("CALL-006", need=declares("tools"))
def unknown_tool(server: Known) -> Dialogue:
    """Call a tool that does not exist."""
    step = Ask("tools/call", {"name": NO_TOOL, "arguments": {}})
    reply = yield step
    if reply.is_result and reply.result.get("isError") is True:
        text = (
            "The server answers the call of a tool that does not exist with a result that has "
            f"isError, not with error {INVALID_PARAMS}."
        )
        return [fault("CALL-006", text, key="isError", fix=OF_THE_SDK)]
    when = "an unknown tool is called"
    return (yield from judge_refusal(server, "CALL-006", step, reply, when))


OF_THE_SDK: Final = (
    f"Answer with error {INVALID_PARAMS}; where an SDK answers so by itself, refuse names that are "
    "not listed before they reach it."
)

probe_rule(
    "CALL-006",
    "unknown-tool-not-refused",
    """A call of an unknown tool is not answered with an error of the protocol.

    Why: a client cannot tell a mistyped name from a tool that failed, and shows a result to the
    model that no tool has made.

    Instead: answer with error -32602 when there is no tool of that name.
    """,
    of=unknown_tool,
    reason="unknown_tool_not_refused",
    good=[replay(REFUSED, known=OLD)],
    bad=[
        replay(Reply(result={"content": [], "isError": True}), known=OLD),
        replay(Reply(result={"content": [{"type": "text", "text": "Done."}]}), known=OLD),
        replay(INTERNAL, known=OLD),
    ],
)


@probe("RES-006", "RES-007", "RES-008", need=declares("resources"))
def unknown_resource(server: Known) -> Dialogue:
    """Read a resource that nobody has."""
    rule, code = ("RES-007", INVALID_PARAMS) if server.is_modern else ("RES-006", NO_RESOURCE)
    step = Ask("resources/read", {"uri": NO_URI})
    reply = yield step
    if reply.is_result and reply.result.get("contents"):
        reason = f"the server has contents even for {NO_URI}"
        return [undecided(rule, reason), undecided("RES-008", reason)]
    if server.is_modern and reply.is_result:
        text = "The server answers the read of a resource that does not exist with no contents."
        told = undecided(rule, "the server gave empty contents in place of an error")
        return [fault("RES-008", text, fix=f"Answer it with error {code}."), told]
    when = "a resource is read that does not exist"
    verdicts = yield from judge_refusal(server, rule, step, reply, when, code=code)
    both = [undecided("RES-008", it.reason) for it in verdicts if isinstance(it, Open)]
    return [*verdicts, *both]


probe_rule(
    "RES-006",
    "unknown-resource-other-answer",
    """A read of an unknown resource is not answered with error -32002.

    Why: up to 2025-11-25 clients know a missing resource by this code and treat every other error
    as a fault of the server.

    Instead: answer with error -32002 in these revisions, and with -32602 since 2026-07-28.
    """,
    of=unknown_resource,
    reason="unknown_resource_not_refused",
    good=[replay(Reply(error={"code": NO_RESOURCE, "message": "Resource not found"}), known=OLD)],
    bad=[replay(REFUSED, known=OLD), replay(Reply(result={"contents": []}), known=OLD)],
)
probe_rule(
    "RES-007",
    "unknown-resource-not-refused",
    """A read of an unknown resource is not answered with error -32602.

    Why: since 2026-07-28 clients know a missing resource by this code.

    Instead: answer with error -32602, and name the uri in its data.
    """,
    of=unknown_resource,
    reason="unknown_resource_not_refused",
    good=[replay(REFUSED, known=MODERN)],
    bad=[replay(INTERNAL, known=MODERN)],
)
probe_rule(
    "RES-008",
    "unknown-resource-is-empty",
    """A read of an unknown resource gives empty contents.

    Why: nobody can tell a resource that does not exist from one that is empty.

    Instead: answer with error -32602.
    """,
    of=unknown_resource,
    reason="unknown_resource_is_empty",
    good=[replay(REFUSED, known=MODERN)],
    bad=[replay(Reply(result={"contents": []}), known=MODERN)],
)


@probe("PROMPT-003", need=declares("prompts"))
def unknown_prompt(server: Known) -> Dialogue:
    """Ask for a prompt that does not exist."""
    step = Ask("prompts/get", {"name": NO_PROMPT})
    return (yield from must_refuse(server, "PROMPT-003", step, "an unknown prompt is asked for"))


probe_rule(
    "PROMPT-003",
    "unknown-prompt-not-refused",
    """A request for an unknown prompt is not answered with error -32602.

    Why: a client cannot tell a mistyped name from a fault of the server.

    Instead: answer with error -32602 when there is no prompt of that name.
    """,
    of=unknown_prompt,
    reason="unknown_prompt_not_refused",
    good=[replay(REFUSED, known=OLD)],
    bad=[replay(INTERNAL, known=OLD), replay(Reply(result={"messages": []}), known=OLD)],
)

RECOMMEND: Final = {"name": "recommend", "arguments": [{"name": "mood", "required": True}]}
WITH_PROMPT: Final = _knowing(prompts=[RECOMMEND])


@probe("PROMPT-004", need=declares("prompts"))
def prompt_without_argument(server: Known) -> Dialogue:
    """Ask for a prompt without the arguments that it requires."""
    name = next((prompt["name"] for prompt in server.prompts if _requires(prompt)), None)
    if name is None:
        return [not_testable("PROMPT-004", "no prompt requires an argument")]
    when = f"the prompt {quote(name)} is asked for without its required arguments"
    step = Ask("prompts/get", {"name": name})
    return (yield from must_refuse(server, "PROMPT-004", step, when))


def _requires(prompt: dict[str, Any]) -> bool:
    arguments = prompt.get("arguments")
    listed = arguments if isinstance(arguments, list) else []
    required = [one for one in listed if isinstance(one, dict) and one.get("required") is True]
    return isinstance(prompt.get("name"), str) and bool(required)


probe_rule(
    "PROMPT-004",
    "required-argument-not-enforced",
    """A request for a prompt without a required argument is not answered with error -32602.

    Why: the model is given a prompt with a hole in it, or the client an error that does not say
    what is missing.

    Instead: answer with error -32602, and name the arguments that are missing.
    """,
    of=prompt_without_argument,
    reason="required_argument_not_enforced",
    good=[replay(REFUSED, known=WITH_PROMPT)],
    bad=[
        replay(Reply(result={"messages": []}), known=WITH_PROMPT),
        replay(INTERNAL, known=WITH_PROMPT),
    ],
)

COMPLETION: Final = Ask(
    "completion/complete",
    {
        "ref": {"type": "ref/prompt", "name": NO_PROMPT},
        "argument": {"name": "mood", "value": ""},
    },
)


@probe("COMP-003")
def unknown_completion(server: Known) -> Dialogue:
    """Ask for completions of a prompt that does not exist, and of no argument."""
    if server.declares("completions"):
        when = "a completion is for an unknown prompt"
        reply = yield COMPLETION
        if reply.code == METHOD_NOT_FOUND:
            return [undecided("COMP-003", NOT_SERVED)]
        verdicts = yield from judge_refusal(server, "COMP-003", COMPLETION, reply, when)
        return verdicts or (yield from _without_argument(server))
    step = Ask("completion/complete", to_complete(server))
    reply = yield step
    if reply.is_result and gives(reply.result):
        return [undecided("COMP-003", SERVED)]
    when = "it is asked for completions, which it does not declare"
    return (yield from judge_refusal(server, "COMP-003", step, reply, when, code=METHOD_NOT_FOUND))


def _without_argument(server: Known) -> Dialogue:
    name = next((one["name"] for one in server.prompts if isinstance(one.get("name"), str)), None)
    if name is None:
        return KEPT
    step = Ask("completion/complete", {"ref": {"type": "ref/prompt", "name": name}})
    when = "a completion names no argument"
    return (yield from must_refuse(server, "COMP-003", step, when))


probe_rule(
    "COMP-003",
    "unknown-completion-not-refused",
    """A completion that the server cannot give is not refused as such.

    Why: an empty list says that there are no values, where the prompt itself does not exist.

    Instead: answer with error -32602 where the prompt or template is unknown, and with -32601
    where you do not declare completions.
    """,
    of=unknown_completion,
    reason="unknown_completion_not_refused",
    good=[
        replay(REFUSED, known=OLD),
        replay(REFUSED, REFUSED, known=WITH_PROMPT),
        replay(Reply(error={"code": METHOD_NOT_FOUND, "message": "Unknown"}), known=Known()),
    ],
    bad=[
        replay(REFUSED, Reply(result={"completion": {"values": []}}), known=WITH_PROMPT),
        replay(Reply(result={"completion": {"values": []}}), known=OLD),
        replay(Reply(result={"completion": {"values": []}}), known=Known()),
    ],
)


@probe("LOG-005", need=declares("logging"))
def unknown_level(server: Known) -> Dialogue:
    """Ask for a log level that does not exist."""
    step = Ask("logging/setLevel", {"level": NO_LEVEL})
    if server.is_modern:
        step = Ask("server/discover", bend=Bend(meta={LOG_LEVEL: NO_LEVEL}))
    reply = yield step
    if reply.code == METHOD_NOT_FOUND:
        return [undecided("LOG-005", NOT_SERVED)]
    when = "a log level is set that does not exist"
    return (yield from judge_refusal(server, "LOG-005", step, reply, when))


probe_rule(
    "LOG-005",
    "unknown-level-accepted",
    """A log level that does not exist is not answered with error -32602.

    Why: the client believes that it set a level, and gets more or less than it asked for.

    Instead: answer with error -32602 to every level but the eight that there are.
    """,
    of=unknown_level,
    reason="unknown_level_accepted",
    good=[replay(REFUSED, known=OLD), replay(REFUSED, known=MODERN)],
    bad=[replay(Reply(result={}), known=OLD), replay(INTERNAL, known=OLD)],
)
