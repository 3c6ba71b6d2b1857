"""What servers answer to names that nobody has: of tools, resources, prompts and completions."""

from __future__ import annotations

from typing import Any, Final

from mcp_assay.model.probe import Ask, Bend, OpenStep, Reply
from mcp_assay.rules.probe.capabilities import gives, to_complete
from mcp_assay.rules.probe.confirmation import NO_TOOL, judge_refusal, must_refuse
from mcp_assay.rules.probe.rule import (
    INVALID_PARAMS,
    KEPT,
    METHOD_NOT_FOUND,
    Dialogue,
    Known,
    declares,
    fault,
    how_it_ended,
    not_testable,
    probe,
    probe_rule,
    replay,
    undecided,
)
from mcp_assay.spec.revisions import R2025_11_25, R2026_07_28
from mcp_assay.text.words import quote

NO_URI: Final = "mcp-assay://no-such-resource"
NO_PROMPT: Final = "mcp-assay-no-such-prompt"
NO_LEVEL: Final = "mcp-assay-no-such-level"
NO_RESOURCE: Final = -32002
SERVED: Final = "the server returns completions without declaring them; see CAP-005"
NOT_SERVED: Final = "the server does not implement a method that it declares; see CAP-015"
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
            "Calling an unknown tool returns an isError result instead of JSON-RPC error "
            f"{INVALID_PARAMS}."
        )
        return [fault("CALL-006", text, key="isError", fix=OF_THE_SDK)]
    what, key = "a call to an unknown tool", "an unknown tool is called"
    return (yield from judge_refusal(server, "CALL-006", step, reply, what, key=key))


OF_THE_SDK: Final = (
    f"Return error {INVALID_PARAMS}. If the SDK returns the isError result, reject unknown names "
    "before they reach it."
)

probe_rule(
    "CALL-006",
    "unknown-tool-not-refused",
    """Calling an unknown tool does not return JSON-RPC error -32602.

    Why: a client cannot tell a mistyped name from a failed tool, and shows the model a result that
    no tool produced.
    Instead: return error -32602 if there is no tool with that name.
    """,
    of=unknown_tool,
    reason="unknown_tool_not_refused",
    good=lambda: [replay(REFUSED, known=OLD)],
    bad=lambda: [
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
        reason = f"the server returns contents even for {NO_URI}"
        return [undecided(rule, reason), undecided("RES-008", reason)]
    if server.is_modern and reply.is_result:
        text = "Reading an unknown resource returns empty contents instead of an error."
        open_rule = undecided(rule, "the server returned empty contents instead of an error")
        return [fault("RES-008", text, fix=f"Return error {code}."), open_rule]
    what, key = "a read of an unknown resource", "a resource is read that does not exist"
    verdicts = yield from judge_refusal(server, rule, step, reply, what, key=key, code=code)
    both = [undecided("RES-008", it.reason) for it in verdicts if isinstance(it, OpenStep)]
    if not both and not reply.is_error and not reply.is_result:
        both = [undecided("RES-008", f"the server {how_it_ended(reply)}")]
    return [*verdicts, *both]


probe_rule(
    "RES-006",
    "unknown-resource-other-answer",
    """Reading an unknown resource does not return error -32002.

    Why: up to 2025-11-25 clients recognise a missing resource by this code and treat every other
    error as a server failure.
    Instead: return error -32002 in these revisions, and -32602 since 2026-07-28.
    """,
    of=unknown_resource,
    reason="unknown_resource_not_refused",
    good=lambda: [
        replay(Reply(error={"code": NO_RESOURCE, "message": "Resource not found"}), known=OLD)
    ],
    bad=lambda: [replay(REFUSED, known=OLD), replay(Reply(result={"contents": []}), known=OLD)],
)
probe_rule(
    "RES-007",
    "unknown-resource-not-refused",
    """Reading an unknown resource does not return error -32602.

    Why: since 2026-07-28 clients recognise a missing resource by this code.
    Instead: return error -32602 with the uri in its data.
    """,
    of=unknown_resource,
    reason="unknown_resource_not_refused",
    good=lambda: [replay(REFUSED, known=MODERN)],
    bad=lambda: [replay(INTERNAL, known=MODERN)],
)
probe_rule(
    "RES-008",
    "unknown-resource-is-empty",
    """Reading an unknown resource returns empty contents.

    Why: a missing resource looks like an empty one.
    Instead: answer with error -32602.
    """,
    of=unknown_resource,
    reason="unknown_resource_is_empty",
    good=lambda: [replay(REFUSED, known=MODERN)],
    bad=lambda: [replay(Reply(result={"contents": []}), known=MODERN)],
)


@probe("PROMPT-003", need=declares("prompts"))
def unknown_prompt(server: Known) -> Dialogue:
    """Ask for a prompt that does not exist."""
    step = Ask("prompts/get", {"name": NO_PROMPT})
    what, key = "a request for an unknown prompt", "an unknown prompt is asked for"
    return (yield from must_refuse(server, "PROMPT-003", step, what, key=key))


probe_rule(
    "PROMPT-003",
    "unknown-prompt-not-refused",
    """Requesting an unknown prompt does not return error -32602.

    Why: a client cannot tell a mistyped name from a server failure.
    Instead: return error -32602 if there is no prompt with that name.
    """,
    of=unknown_prompt,
    reason="unknown_prompt_not_refused",
    good=lambda: [replay(REFUSED, known=OLD)],
    bad=lambda: [replay(INTERNAL, known=OLD), replay(Reply(result={"messages": []}), known=OLD)],
)

RECOMMEND: Final = {"name": "recommend", "arguments": [{"name": "mood", "required": True}]}
WITH_PROMPT: Final = _knowing(prompts=[RECOMMEND])


@probe("PROMPT-004", need=declares("prompts"))
def prompt_without_argument(server: Known) -> Dialogue:
    """Ask for a prompt without the arguments that it requires."""
    name = next((prompt["name"] for prompt in server.prompts if _requires(prompt)), None)
    if name is None:
        return [not_testable("PROMPT-004", "no prompt requires an argument")]
    key = f"the prompt {quote(name)} is asked for without its required arguments"
    what = f"prompts/get for {quote(name)} without its required arguments"
    step = Ask("prompts/get", {"name": name})
    return (yield from must_refuse(server, "PROMPT-004", step, what, key=key))


def _requires(prompt: dict[str, Any]) -> bool:
    arguments = prompt.get("arguments")
    listed = arguments if isinstance(arguments, list) else []
    required = [one for one in listed if isinstance(one, dict) and one.get("required") is True]
    return isinstance(prompt.get("name"), str) and bool(required)


probe_rule(
    "PROMPT-004",
    "required-argument-not-enforced",
    """Requesting a prompt without a required argument does not return error -32602.

    Why: the model gets an incomplete prompt, or the client an error that does not say what is
    missing.
    Instead: return error -32602 and name the missing arguments.
    """,
    of=prompt_without_argument,
    reason="required_argument_not_enforced",
    good=lambda: [replay(REFUSED, known=WITH_PROMPT)],
    bad=lambda: [
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
        what, key = "a completion for an unknown prompt", "a completion is for an unknown prompt"
        reply = yield COMPLETION
        if reply.code == METHOD_NOT_FOUND:
            return [undecided("COMP-003", NOT_SERVED)]
        verdicts = yield from judge_refusal(server, "COMP-003", COMPLETION, reply, what, key=key)
        return verdicts or (yield from _without_argument(server))
    step = Ask("completion/complete", to_complete(server))
    reply = yield step
    if reply.is_result and gives(reply.result):
        return [undecided("COMP-003", SERVED)]
    key = "it is asked for completions, which it does not declare"
    what, code = "completion/complete without declaring completions", METHOD_NOT_FOUND
    return (yield from judge_refusal(server, "COMP-003", step, reply, what, key=key, code=code))


def _without_argument(server: Known) -> Dialogue:
    name = next((one["name"] for one in server.prompts if isinstance(one.get("name"), str)), None)
    if name is None:
        return KEPT
    step = Ask("completion/complete", {"ref": {"type": "ref/prompt", "name": name}})
    what, key = "a completion without an argument", "a completion names no argument"
    return (yield from must_refuse(server, "COMP-003", step, what, key=key))


probe_rule(
    "COMP-003",
    "unknown-completion-not-refused",
    """The server does not reject a completion that it cannot provide.

    Why: an empty list means that there are no values, although the prompt itself does not exist.
    Instead: return error -32602 if the prompt or template is unknown, and -32601 if you do not
    declare completions.
    """,
    of=unknown_completion,
    reason="unknown_completion_not_refused",
    good=lambda: [
        replay(REFUSED, known=OLD),
        replay(REFUSED, REFUSED, known=WITH_PROMPT),
        replay(Reply(error={"code": METHOD_NOT_FOUND, "message": "Unknown"}), known=Known()),
    ],
    bad=lambda: [
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
    what, key = "an unknown log level", "a log level is set that does not exist"
    return (yield from judge_refusal(server, "LOG-005", step, reply, what, key=key))


probe_rule(
    "LOG-005",
    "unknown-level-accepted",
    """Setting an unknown log level does not return error -32602.

    Why: the client believes that the level was set, and gets more or fewer messages than it asked
    for.
    Instead: return error -32602 for everything except the eight defined levels.
    """,
    of=unknown_level,
    reason="unknown_level_accepted",
    good=lambda: [replay(REFUSED, known=OLD), replay(REFUSED, known=MODERN)],
    bad=lambda: [replay(Reply(result={}), known=OLD), replay(INTERNAL, known=OLD)],
)
