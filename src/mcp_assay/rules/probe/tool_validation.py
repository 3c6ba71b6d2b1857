"""What a server that announces toolValidation does with calls that it is asked about."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from typing import Any, Final, NamedTuple, TypeAlias

from mcp_assay.model.probe import Ask, OpenStep, Reply, Step
from mcp_assay.model.tool_check import (
    NoVerdict,
    ToolCheck,
    content_of,
    read_verdict,
    read_verdicts,
)
from mcp_assay.rules.engine.rule import Found
from mcp_assay.rules.probe.rule import (
    ArgumentSample,
    Dialogue,
    Known,
    Verdicts,
    fault,
    how_it_ended,
    not_testable,
    probe,
    probe_rule,
    replay,
    undecided,
)
from mcp_assay.spec.tool_validation import (
    EVENTS,
    LEVELS,
    RESOURCE_CHANGE,
    TOOL_UPDATE,
    ToolValidationCapability,
    announced_in,
)
from mcp_assay.text.names import name_words
from mcp_assay.text.words import quote

Part: TypeAlias = Generator[Step, Reply, ToolCheck | Found | None]
"""A question to the validation: its verdict, what is wrong with the answer, or None for neither."""

RULES: Final = ("TVAL-002", "TVAL-003", "TVAL-004", "TVAL-005", "TVAL-006", "TVAL-007")
NOT_ALLOWED: Final = "the validation tool may not be called; use --allow {}"
NO_SAMPLE: Final = "no tool may be called for which arguments could be generated"
NO_READER: Final = (
    "this needs permission to call a tool that changes something and one that only reads"
)
NO_ANSWER: Final = "the validation tool did not respond"
NO_INVALID: Final = "no tool has invalid arguments to test with"
MOST_IN_A_BATCH: Final = 10
MOST_TOOLS: Final = 5
"""So many tools are asked about, of as many kinds as there are."""
MOST_READERS: Final = 3
"""So many tools that only read are asked whether something changed."""
NOTIFYING: Final = {
    TOOL_UPDATE: ("tools", ("listChanged",)),
    RESOURCE_CHANGE: ("resources", ("listChanged", "subscribe")),
}
"""The capability that each event needs, and the members one of which says that it is reported."""


def announced(server: Known) -> str | None:
    """What is missing for the validation to be tested."""
    capability = ToolValidationCapability.from_capabilities(server.capabilities)
    return None if capability.supported else "the server does not announce toolValidation"


@probe("TVAL-001", need=announced)
def unlisted_validation_tool(server: Known) -> Dialogue:
    """Look for the tool that validates in the list of tools; nothing is sent."""
    yield from ()
    method = _method(server)
    if method in {tool.get("name") for tool in server.tools}:
        return []
    text = f"The server announces the validation tool {quote(method)} but does not list it."
    return [fault("TVAL-001", text, fix="List the tool, or do not announce it.")]


@probe("TVAL-008", need=announced)
def broken_validation_tool(server: Known) -> Dialogue:
    """Read the announcement; nothing is sent."""
    yield from ()
    said = announced_in(server.capabilities)
    found = (*_oddities(said), *_unannounced(server.capabilities))
    return [fault("TVAL-008", text, key=name) for name, text in found]


@probe(*RULES, need=announced)
def answers(server: Known) -> Dialogue:
    """Ask about valid and invalid calls of several tools, one by one and together; make some."""
    method = _method(server)
    if method not in server.callable:
        reason = NOT_ALLOWED.format(method)
        return [not_testable(rule, reason) for rule in RULES]
    samples = _chosen(server, method)
    if not samples:
        return [not_testable(rule, NO_SAMPLE) for rule in RULES]
    found: Verdicts = []
    alone: list[CheckedCall] = []
    for tool, sample in samples:
        verdicts, checked = yield from _about(method, tool, sample)
        found += verdicts
        alone += checked
        if NO_ANSWER in (it.reason for it in verdicts if isinstance(it, OpenStep)):
            break
    found += _untested_refusals(samples, found)
    found += yield from _batch(server, method, _steady(alone, found))
    found += yield from _effects(server, method)
    return _settled(found)


class CheckedCall(NamedTuple):
    """A call, and what the validation said of it."""

    tool: str
    arguments: Mapping[str, Any]
    check: ToolCheck


def _chosen(server: Known, method: str) -> list[tuple[str, ArgumentSample]]:
    """A few tools of different kinds: such that only read or not, with arguments or without."""
    tools = {str(tool.get("name")): tool for tool in server.tools}
    kinds: dict[tuple[bool, ...], list[tuple[str, ArgumentSample]]] = {}
    for name, sample in _samples(server, method):
        reads = _only_reads(tools.get(name, {}).get("annotations"))
        kind = (reads, bool(sample.valid), sample.invalid is not None)
        kinds.setdefault(kind, []).append((name, sample))
    in_turns = (one for some in zip_longest(*kinds.values()) for one in some if one is not None)
    return list(islice(in_turns, MOST_TOOLS))


def _about(
    method: str, tool: str, sample: ArgumentSample
) -> Generator[Step, Reply, tuple[Verdicts, list[CheckedCall]]]:
    """Ask about one tool, then call it; the verdicts of calls that got one."""
    valid = sample.valid or {}
    first = yield from _asked(method, tool, valid)
    if not isinstance(first, ToolCheck):
        others = [undecided(rule, NO_ANSWER) for rule in RULES[1:4]]
        return [first or undecided("TVAL-002", NO_ANSWER), *others], []
    found = yield from _same_again(method, tool, valid, first)
    wrong, more = yield from _wrong_call(method, tool, sample)
    found += more
    found += yield from _real_call(tool, valid, first)
    invalid = [] if wrong is None else [CheckedCall(tool, sample.invalid or {}, wrong)]
    return found, [CheckedCall(tool, valid, first), *invalid]


def _untested_refusals(
    samples: Sequence[tuple[str, ArgumentSample]], found: Sequence[Found | OpenStep]
) -> Verdicts:
    """Say that no call was wrong where none could be made so."""
    is_tried = any(sample.invalid is not None for _, sample in samples)
    if is_tried or any(it.rule == "TVAL-003" for it in found):
        return []
    return [not_testable("TVAL-003", NO_INVALID)]


def _steady(alone: Sequence[CheckedCall], found: Sequence[Found | OpenStep]) -> list[CheckedCall]:
    """The calls with a verdict to compare with, none where verdicts vary."""
    return [] if any(it.rule == "TVAL-004" for it in found) else list(alone)


def _settled(found: Verdicts) -> Verdicts:
    """What is wrong; of a rule with which nothing is wrong, one reason why it is open."""
    faults = [it for it in found if isinstance(it, Found)]
    broken = {it.rule for it in faults}
    first = {(it.rule, it.key): it for it in reversed(faults)}
    reasons = {it.rule: it for it in reversed(found) if isinstance(it, OpenStep)}
    left = [it for rule, it in sorted(reasons.items()) if rule not in broken]
    return [*reversed(first.values()), *left]


def _asked(method: str, tool: str, arguments: Mapping[str, Any]) -> Part:
    reply = yield _call(method, {"tool": tool, "arguments": arguments})
    if not reply.is_result:
        if reply.ending != "answered":
            return None
        text = f"The validation tool {quote(method)} {how_it_ended(reply)}."
        return fault("TVAL-002", text)
    try:
        return read_verdict(content_of(reply.result))
    except NoVerdict as refusal:
        text = (
            f"The tool {quote(method)} returns an invalid verdict on a call to "
            f"{quote(tool)}: {refusal}."
        )
        return fault("TVAL-002", text)


def _same_again(
    method: str, tool: str, arguments: Mapping[str, Any], first: ToolCheck
) -> Generator[Step, Reply, Verdicts]:
    again = yield from _asked(method, tool, arguments)
    if not isinstance(again, ToolCheck):
        return [undecided("TVAL-004", NO_ANSWER)]
    if again.valid == first.valid:
        return []
    text = f"The same call to {quote(tool)} gets two different verdicts."
    return [fault("TVAL-004", text)]


def _wrong_call(
    method: str, tool: str, sample: ArgumentSample
) -> Generator[Step, Reply, tuple[ToolCheck | None, Verdicts]]:
    """The verdict on a call that is wrong, and what is wrong with that."""
    if sample.invalid is None:
        return None, []
    check = yield from _asked(method, tool, sample.invalid)
    if not isinstance(check, ToolCheck):
        return None, [check or undecided("TVAL-003", NO_ANSWER)]
    if not check.valid:
        return check, []
    text = f"A call to {quote(tool)} that violates its inputSchema is declared valid."
    fix = "Check arguments against the inputSchema first."
    return check, [fault("TVAL-003", text, fix=fix)]


def _batch(
    server: Known, method: str, alone: Sequence[CheckedCall]
) -> Generator[Step, Reply, Verdicts]:
    """Ask about as many calls as are announced, in turns about those with a verdict alone."""
    capability = ToolValidationCapability.from_capabilities(server.capabilities)
    if not capability.batch_validation:
        return [OpenStep("TVAL-006", "not_declared", "the server does not announce batches")]
    if not alone:
        return [undecided("TVAL-006", "single calls get no verdict, or verdicts that vary")]
    size = min(MOST_IN_A_BATCH, capability.max_batch_size)
    asked = [alone[at % len(alone)] for at in range(size)]
    calls = [{"tool": one.tool, "arguments": one.arguments} for one in asked]
    reply = yield _call(method, {"calls": calls})
    if reply.ending != "answered":
        return [undecided("TVAL-006", NO_ANSWER)]
    try:
        found = read_verdicts(content_of(reply.result if reply.is_result else {}), size)
    except NoVerdict as refusal:
        text = (
            f"The server announces batches of {size} but returns an invalid batch result: "
            f"{refusal}."
        )
        return [fault("TVAL-006", text)]
    odd = [one.tool for one, it in zip(asked, found, strict=True) if it.valid != one.check.valid]
    if not odd:
        return []
    text = f"Calls to {quote(odd[0])} get different verdicts in a batch than alone."
    return [fault("TVAL-006", text)]


def _effects(server: Known, method: str) -> Generator[Step, Reply, Verdicts]:
    """Look through a tool that only reads whether asking about another one changes something.

    Whether it would show a change is known after a real call of the other one.
    """
    hints = {str(tool.get("name")): tool.get("annotations") for tool in server.tools}
    known = dict(_samples(server, method))
    readers = [name for name in known if _only_reads(hints.get(name))]
    others = [name for name in known if not _only_reads(hints.get(name))]
    if not readers or not others:
        return [not_testable("TVAL-007", NO_READER)]
    whom, found = others[0], list[OpenStep]()
    readers.sort(key=lambda who: -len(_stems(who) & _stems(whom)))
    for who in readers[:MOST_READERS]:
        verdict = yield from _effect_seen(
            method, SampledTool(who, known[who]), SampledTool(whom, known[whom])
        )
        if not isinstance(verdict, OpenStep):
            return [] if verdict is None else [verdict]
        found.append(verdict)
    return [*found[:1]]


def _stems(name: str) -> set[str]:
    """The words of a name, those for one and for several alike."""
    return {word.rstrip("s") for word in name_words(name)}


class SampledTool(NamedTuple):
    """A tool, and arguments for it."""

    name: str
    sample: ArgumentSample

    @property
    def arguments(self) -> Mapping[str, Any]:
        """Arguments that it should take."""
        return self.sample.valid or {}


def _effect_seen(
    method: str, reader: SampledTool, other: SampledTool
) -> Generator[Step, Reply, Found | OpenStep | None]:
    """What one reader shows: a fault, why it shows nothing, or None where the rule is kept."""
    who, whom = quote(reader.name), quote(other.name)
    step = _call(reader.name, reader.arguments)
    before = [(yield step).result, (yield step).result]
    checked = yield from _asked(method, other.name, other.arguments)
    after = (yield step).result
    if before[0] != before[1] or not isinstance(after, dict):
        return undecided("TVAL-007", f"{who} does not always return the same result")
    if after != before[0]:
        text = f"Validating a call to {whom} changed the result of {who}."
        return fault("TVAL-007", text, fix="Validate calls without executing them.")
    if not isinstance(checked, ToolCheck):
        return undecided("TVAL-007", NO_ANSWER)
    yield _call(other.name, other.arguments)
    finally_shown = (yield step).result
    if isinstance(finally_shown, dict) and finally_shown != after:
        return None
    return undecided("TVAL-007", f"no tool was seen to react to a real call to {whom}")


def _real_call(
    tool: str, arguments: Mapping[str, Any], said: ToolCheck
) -> Generator[Step, Reply, Verdicts]:
    reply = yield _call(tool, arguments)
    if reply.ending != "answered":
        return [undecided("TVAL-005", "the call got no response")]
    is_taken = reply.is_result and reply.result.get("isError") is not True
    if is_taken == said.valid:
        return []
    if said.valid:
        text = f"A call to {quote(tool)} was declared valid but is rejected."
        return [fault("TVAL-005", text, grade="a call that was declared valid is rejected")]
    return [fault("TVAL-005", f"A call to {quote(tool)} was declared invalid but succeeds.")]


def _call(tool: str, arguments: Mapping[str, Any]) -> Ask:
    return Ask("tools/call", {"name": tool, "arguments": arguments})


def _method(server: Known) -> str:
    return ToolValidationCapability.from_capabilities(server.capabilities).method


def _samples(server: Known, method: str) -> Iterator[tuple[str, ArgumentSample]]:
    """The tools that may be called, with the arguments that were made for them."""
    for name in server.callable:
        sample = server.samples.get(name)
        if name != method and sample is not None and sample.valid is not None:
            yield name, sample


def _only_reads(hints: object) -> bool:
    return isinstance(hints, dict) and hints.get("readOnlyHint") is True


def _unannounced(capabilities: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The events that are to end verdicts, and of which the server does not tell."""
    caching = ToolValidationCapability.from_capabilities(capabilities).caching
    for event, (kind, members) in NOTIFYING.items():
        declared = capabilities.get(kind)
        known = declared if isinstance(declared, Mapping) else {}
        is_announced = any(known.get(member) is True for member in members)
        if caching.enabled and event in caching.invalidate_on and not is_announced:
            needed = " or ".join(f"{kind}.{member}" for member in members)
            text = (
                f"Cached verdicts expire on {event}, but without {needed} clients are "
                "never notified of it."
            )
            yield f"invalidateOn {event}", text


def _oddities(said: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What is wrong with an announcement, by the member that it is about."""
    read = ToolValidationCapability.from_capabilities({"experimental": {"toolValidation": said}})
    if "maxBatchSize" in said and said.get("batchValidation") is not True:
        yield "maxBatchSize", "The capability has maxBatchSize without batchValidation."
    caching = said.get("caching")
    if isinstance(caching, Mapping) and "ttl" in caching and caching.get("enabled") is not True:
        yield "caching", "The capability has a caching ttl, but caching is not enabled."
    for level in sorted(set(read.levels) - set(LEVELS)):
        yield "levels", f"The level {quote(level)} is unknown; use {', '.join(LEVELS)}."
    for event in sorted(set(read.caching.invalidate_on) - set(EVENTS)):
        yield (
            "invalidateOn",
            f"The event {quote(event)} is unknown; use {', '.join(EVENTS)}.",
        )


ANNOUNCED: Final = {"tools": {}, "experimental": {"toolValidation": {"supported": True}}}
OF_TWO: Final = {"supported": True, "batchValidation": True, "maxBatchSize": 2}
BATCHES: Final = {"tools": {}, "experimental": {"toolValidation": OF_TWO}}
UNANNOUNCED: Final = {"ttl": 60, "invalidateOn": ["tool_update"]}
TOOLS: Final = [{"name": "find_note"}, {"name": "validate"}]
SERVER: Final = Known(
    capabilities=ANNOUNCED,
    tools=TOOLS,
    callable=["find_note", "validate"],
    samples={"find_note": ArgumentSample(valid={"id": 1}, invalid={"id": "x"})},
)
BATCHING: Final = Known(
    capabilities=BATCHES, tools=TOOLS, callable=SERVER.callable, samples=SERVER.samples
)
CHANGING: Final = Known(
    capabilities=ANNOUNCED,
    tools=[{"name": "list_notes", "annotations": {"readOnlyHint": True}}, {"name": "add_note"}],
    callable=["list_notes", "add_note", "validate"],
    samples={
        "list_notes": ArgumentSample(valid={}),
        "add_note": ArgumentSample(valid={"text": "x"}),
    },
)


def said(*, valid: bool, **more: Any) -> Reply:
    """The verdict of a server in an example."""
    errors = [] if valid else ["The id must be a number."]
    return Reply(result={"structuredContent": {"valid": valid, "errors": errors, **more}})


def in_a_batch(*verdicts: Reply) -> Reply:
    """The verdicts of a server on several calls."""
    results = [it.result["structuredContent"] for it in verdicts]
    return Reply(result={"structuredContent": {"results": results}})


TAKEN: Final = Reply(result={"content": [{"type": "text", "text": "Buy milk"}]})
REFUSED: Final = Reply(result={"content": [{"type": "text", "text": "No."}], "isError": True})
YES, NO = said(valid=True), said(valid=False)
KEPT_ALL: Final = (YES, YES, NO, TAKEN)


def noted(text: str) -> Reply:
    """What a tool that only reads answers in an example."""
    return Reply(result={"content": [{"type": "text", "text": text}]})


probe_rule(
    "TVAL-001",
    "announced-but-missing",
    """The server announces call validation but does not list the validation tool.

    Why: a client that relies on the announcement fails before every call.
    Instead: list the tool that `method` names (validate, if it names none), or announce nothing.
    """,
    of=unlisted_validation_tool,
    reason="announced_but_missing",
    good=lambda: [replay(known=SERVER)],
    bad=lambda: [replay(known=Known(capabilities=ANNOUNCED, tools=TOOLS[:1]))],
)
probe_rule(
    "TVAL-002",
    "no-verdict",
    """The validation tool returns something other than a verdict.

    Why: the client cannot tell whether the call is valid and has to fall back to the schema.
    Instead: return `valid` (true or false) and `errors`, a list of strings that is empty exactly if
    the call is valid.
    """,
    of=answers,
    reason="no_verdict",
    good=lambda: [replay(*KEPT_ALL, known=SERVER)],
    bad=lambda: [
        replay(Reply(result={"structuredContent": {"valid": "yes", "errors": []}}), known=SERVER),
        replay(said(valid=True, errors=["but"]), known=SERVER),
        replay(Reply(error={"code": -32603, "message": "oops"}), known=SERVER),
    ],
)
probe_rule(
    "TVAL-003",
    "verdict-against-schema",
    """A call that violates the tool's inputSchema is declared valid.

    Why: the client makes the call, and it fails.
    Instead: check arguments against the inputSchema before anything else.
    """,
    of=answers,
    reason="verdict_against_schema",
    good=lambda: [replay(*KEPT_ALL, known=SERVER)],
    bad=lambda: [replay(YES, YES, YES, TAKEN, known=SERVER)],
)
probe_rule(
    "TVAL-004",
    "verdict-changes",
    """The same call gets different verdicts although nothing changed.

    Why: clients cache verdicts, and people do not trust a check that changes its mind.
    Instead: decide by the arguments and the current state alone.
    """,
    of=answers,
    reason="verdict_changes",
    good=lambda: [replay(*KEPT_ALL, known=SERVER)],
    bad=lambda: [replay(YES, NO, NO, TAKEN, known=SERVER)],
)
probe_rule(
    "TVAL-005",
    "verdict-against-call",
    """A call does not behave as its verdict said.

    Why: a client that relies on the verdict skips a good call, or makes one that is rejected.
    Instead: let the validation tool and the tool share their checks.
    """,
    of=answers,
    reason="verdict_against_call",
    good=lambda: [replay(*KEPT_ALL, known=SERVER), replay(NO, NO, NO, REFUSED, known=SERVER)],
    bad=lambda: [
        replay(NO, NO, NO, TAKEN, known=SERVER),
        replay(YES, YES, NO, REFUSED, known=SERVER),
    ],
)
probe_rule(
    "TVAL-006",
    "batch-not-answered",
    """The server announces batch validation but does not return one verdict per call.

    Why: a client that validates several calls at once gets nothing, or cannot match verdicts to
    calls.
    Instead: answer `{"calls": [...]}` with `{"results": [...]}`, a verdict for each call in order,
    or do not announce batches.
    """,
    of=answers,
    reason="batch_not_answered",
    good=lambda: [replay(*(YES, YES, NO, TAKEN), in_a_batch(YES, NO), known=BATCHING)],
    bad=lambda: [
        replay(*(YES, YES, NO, TAKEN), answer, known=BATCHING)
        for answer in (YES, in_a_batch(YES), in_a_batch(NO, YES))
    ],
)
probe_rule(
    "TVAL-007",
    "validation-changes-something",
    """Validating a call has side effects, as if the call had been made.

    Why: people validate calls to be safe; a validation with side effects causes the harm it should
    prevent.
    Instead: check the arguments and the current state, and change nothing.
    """,
    of=answers,
    reason="validation_changes_something",
    good=lambda: [
        replay(
            *(YES, YES, noted("1 note"), YES, YES, TAKEN),
            *(noted("2 notes"), noted("2 notes"), YES, noted("2 notes"), TAKEN, noted("3 notes")),
            known=CHANGING,
        )
    ],
    bad=lambda: [
        replay(
            *(YES, YES, noted("1 note"), YES, YES, TAKEN),
            *(noted("2 notes"), noted("2 notes"), YES, noted("3 notes")),
            known=CHANGING,
        )
    ],
)
probe_rule(
    "TVAL-008",
    "odd-announcement",
    """The toolValidation capability contradicts itself, or has unknown members.

    Why: clients rely on it, and ignore what they do not understand.
    Instead: announce only what you implement, with the documented values.
    """,
    of=broken_validation_tool,
    reason="odd_announcement",
    good=lambda: [replay(known=SERVER)],
    bad=lambda: [
        replay(
            known=Known(
                capabilities={"experimental": {"toolValidation": {"supported": True, **more}}},
                tools=TOOLS,
            )
        )
        for more in ({"maxBatchSize": 5}, {"caching": {"enabled": True, **UNANNOUNCED}})
    ],
)
