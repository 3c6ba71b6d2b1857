"""Every difference between the official schemas and us that is meant, with its reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeAlias

from mcp_assay.model.finding import Finding
from mcp_assay.spec.revisions import R2024_11_05, R2025_11_25, R2026_07_28, REVISIONS, between
from mcp_assay.text.words import folded
from tests.oracle.comparison import Disagreement
from tests.oracle.official import official
from tests.oracle.reachable_rules import Form, Path, UnitKey, forms, paths

Places: TypeAlias = frozenset[tuple[UnitKey, Path]]
Where: TypeAlias = Callable[[Disagreement, Finding], bool]


@dataclass(frozen=True)
class Beyond:
    """A rule by which we reject what the schema accepts, and where it may do so."""

    rule: str
    reason: str
    where: Where
    revisions: tuple[str, ...] = REVISIONS


@dataclass(frozen=True)
class Lenience:
    """A message that the schema rejects and we do not."""

    name: str
    reason: str
    applies: Callable[[Disagreement], bool]


@dataclass(frozen=True)
class Addition:
    """Paths that our tables have and the schema has not: what they add to those known so far."""

    name: str
    reason: str
    revisions: tuple[str, ...]
    to: Callable[[Places], Places]


def explanations(found: Disagreement) -> set[str]:
    """The names that explain a difference; none where a part of it is unexplained."""
    if not found.accepted:
        return {lenience.name for lenience in LENIENT if lenience.applies(found)}
    errors = [finding for finding in found.findings if finding.severity == "error"]
    known = all(_is_beyond(found, finding) for finding in errors)
    return {finding.rule for finding in errors} if known else set()


@cache
def expected_paths(revision: str) -> Places:
    """The paths of the official schema with what our tables add to them."""
    known = paths(revision)
    for addition in ADDITIONS:
        if revision in addition.revisions:
            known |= addition.to(known)
    return known


@cache
def expected_forms(revision: str) -> frozenset[Form]:
    """The forms of the official schema but for one: our EnumSchema stands for two of its kinds."""
    untitled = frozenset({"type", "title", "description", "enum", "default"})
    return frozenset(form for form in forms(official(revision)) if form[2] != untitled)


def _is_beyond(found: Disagreement, finding: Finding) -> bool:
    return any(
        finding.rule == beyond.rule
        and found.revision in beyond.revisions
        and beyond.where(found, finding)
        for beyond in BEYOND
    )


def _ends_in(*names: str) -> Where:
    return lambda _, finding: finding.pointer.rpartition("/")[2] in names


def _lies_in(name: str) -> Where:
    return lambda _, finding: name in finding.pointer.split("/")[:-1]


def _answers(method: str) -> Where:
    return lambda found, _: found.case.unit.key == ("result", method)


def _message_has(*names: str) -> Where:
    return lambda found, _: found.case.message.keys() >= set(names)


def _either(one: Where, other: Where) -> Where:
    return lambda found, finding: one(found, finding) or other(found, finding)


def _is_text_and_blob(found: Disagreement, finding: Finding) -> bool:
    resource = _at(found.case.message, finding.pointer)
    return isinstance(resource, dict) and resource.keys() >= {"text", "blob"}


def _names_a_task(_: Disagreement, finding: Finding) -> bool:
    return "/_meta/io.modelcontextprotocol~1" in finding.pointer


def _has_no_meta_in_the_schema(found: Disagreement, finding: Finding) -> bool:
    place = found.case.unit.key, ("params", "_meta")
    return finding.pointer.startswith("/params/_meta") and place not in paths(found.revision)


def _misspells_a_result_type(found: Disagreement, _: Finding) -> bool:
    known = folded("complete"), folded("input_required")
    return folded(found.case.message["result"]["resultType"]) in known


def _has_foreign_result_type(found: Disagreement) -> bool:
    said = found.case.message.get("result", {}).get("resultType")
    return isinstance(said, str) and said not in ("complete", "input_required")


def _names_a_request(found: Disagreement) -> bool:
    units = official(found.revision).units()
    return ("request", found.case.message.get("method")) in {unit.key for unit in units}


def _lacks_id(found: Disagreement) -> bool:
    return "id" not in found.case.message


def _warns(found: Disagreement, rule: str) -> bool:
    return any(finding.rule == rule for finding in found.findings)


def _at(message: Any, pointer: str) -> Any:
    """What is at `pointer`, None where nothing is."""
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        message = message[int(name)] if isinstance(message, list) else message.get(name)
    return message


BEYOND: Final = (
    Beyond(
        "COMP-001",
        "only the last schema limits the number of values, the text always did",
        _ends_in("values"),
        between(R2024_11_05, R2025_11_25),
    ),
    Beyond(
        "JSONRPC-008",
        "no schema forbids a notification to have an id",
        _message_has("method", "id"),
    ),
    Beyond(
        "JSONRPC-009",
        "no schema forbids an answer to have a result and an error",
        _message_has("result", "error"),
    ),
    Beyond(
        "JSONRPC-016",
        "no schema forbids a message to be a call and an answer",
        _either(_message_has("method", "result"), _message_has("method", "error")),
    ),
    Beyond(
        "META-001",
        "the schema of some task requests and of one notification leaves out _meta",
        _has_no_meta_in_the_schema,
        (R2025_11_25,),
    ),
    Beyond(
        "META-002",
        "no schema says how the prefix of a _meta key is written",
        _lies_in("_meta"),
    ),
    Beyond(
        "META-003",
        "no schema says how the name of a _meta key is written",
        _lies_in("_meta"),
    ),
    Beyond(
        "META-006",
        "no schema knows the trace keys of _meta",
        _ends_in("traceparent", "tracestate", "baggage"),
    ),
    Beyond(
        "META-011",
        "the schema of some task requests leaves out _meta",
        _has_no_meta_in_the_schema,
        (R2025_11_25,),
    ),
    Beyond(
        "META-013",
        "to the schema any text is a resultType, even one that misspells a known one",
        _misspells_a_result_type,
    ),
    Beyond(
        "META-014",
        "no schema says how the name of an extension is written",
        _lies_in("extensions"),
    ),
    Beyond(
        "MRTR-001",
        "the schema accepts a result that asks for input but says neither which nor what for",
        lambda found, _: found.case.message["result"]["resultType"] == "input_required",
    ),
    Beyond("PING-001", "to the schema any result answers a ping", _answers("ping")),
    Beyond("PROMPT-005", "to the schema a media type is any text", _ends_in("mimeType")),
    Beyond(
        "PROMPT-006",
        "the schema lets a resource in a prompt go without media type, or be text and blob",
        _either(_ends_in("mimeType"), _is_text_and_blob),
    ),
    Beyond("ROOT-001", "to the schema a root is any URI", _ends_in("uri")),
    Beyond(
        "SAMP-003",
        "no schema relates the blocks of a sampling message to each other",
        _lies_in("messages"),
    ),
    Beyond("SAMP-004", "no schema relates sampling messages to each other", _lies_in("messages")),
    Beyond("SCHEMA-009", "the schema accepts a resource that is text and blob", _is_text_and_blob),
    Beyond(
        "SUB-007",
        "no schema compares the subscription with the id",
        _answers("subscriptions/listen"),
    ),
    Beyond(
        "TASK-001",
        "to the schema any text is a point in time",
        _ends_in("createdAt", "lastUpdatedAt"),
    ),
    Beyond("TASK-007", "the schema does not know how a message names its task", _names_a_task),
)
"""Rules that go beyond a schema: the only errors we may report where the schema has none."""

LENIENT: Final = (
    Lenience(
        "null-error-id",
        "JSON-RPC itself asks for the id null at times, so JSONRPC-013 only warns",
        lambda found: _warns(found, "JSONRPC-013") and found.case.message["id"] is None,
    ),
    Lenience(
        "unknown-method",
        "a method that the revision does not know may be an extension's, so SCHEMA-003 only warns",
        lambda found: _warns(found, "SCHEMA-003") and not _names_a_request(found),
    ),
    Lenience(
        "request-without-id",
        "without an id it is a notification, whose name may be an extension's too",
        lambda found: _warns(found, "SCHEMA-003") and _names_a_request(found) and _lacks_id(found),
    ),
    Lenience(
        "result-type-of-an-extension",
        "so may a resultType be, and then the members of the result are the extension's too",
        lambda found: found.revision == R2026_07_28 and _has_foreign_result_type(found),
    ),
)
"""The only reasons for which we may have no error where the schema has one."""


def _below_meta(*tails: Path, apart_from: UnitKey | None = None) -> Callable[[Places], Places]:
    return lambda known: frozenset(
        (key, (*path, *tail))
        for key, path in known
        for tail in tails
        if path[-1] == "_meta" and key != apart_from
    )


_META: Final = ("params", "_meta")
_TASK_CALLS: Final = [("request", f"tasks/{verb}") for verb in ("get", "result", "cancel")]
_RELATED: Final = "io.modelcontextprotocol/related-task"

ADDITIONS: Final = (
    Addition(
        "untyped-meta",
        "all params have a _meta; the schema omits it for some task requests and a notification",
        (R2025_11_25,),
        lambda _: frozenset(
            {
                *((key, _META) for key in _TASK_CALLS),
                *((key, (*_META, "progressToken")) for key in _TASK_CALLS),
                (("notification", "notifications/elicitation/complete"), _META),
            }
        ),
    ),
    Addition(
        "related-task",
        "the text defines this key of _meta, the schema does not say where it is",
        (R2025_11_25,),
        _below_meta((_RELATED,), (_RELATED, "taskId")),
    ),
    Addition(
        "model-immediate-response",
        "the text defines this key of _meta, which the result of a task has no use for",
        (R2025_11_25,),
        _below_meta(
            ("io.modelcontextprotocol/model-immediate-response",),
            apart_from=("result", "tasks/result"),
        ),
    ),
    Addition(
        "trace-keys",
        "the text defines these keys of _meta, the schema does not",
        (R2026_07_28,),
        _below_meta(("traceparent",), ("tracestate",), ("baggage",)),
    ),
)
"""Where our tables know more than the schema."""
