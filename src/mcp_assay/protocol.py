"""Validate MCP messages, parts of them, and names: the public functions of the protocol validator.

No data makes any of these raise; a wrong option raises ValueError that names the allowed values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.drift import compare_tools
from mcp_assay.model.entry import NO_DELIVERY, Delivery, Direction
from mcp_assay.model.finding import Finding
from mcp_assay.rules.engine.checker import SessionChecker
from mcp_assay.rules.engine.decided import DecidedRules
from mcp_assay.rules.engine.findings import answer, to_finding
from mcp_assay.rules.engine.method_names import unknown_name
from mcp_assay.rules.engine.rule import Found
from mcp_assay.rules.engine.slow import Setting, asked_by, judge
from mcp_assay.spec.dialects import Dialect, registered_error_code, require_dialect, tolerates
from mcp_assay.spec.methods import MethodKind, methods_in
from mcp_assay.spec.revisions import DEFAULT_REVISION, R2025_11_25, require_revision
from mcp_assay.text.words import JSON_TYPES, UNREADABLE, glimpse, json_type, listing, quote
from mcp_assay.wire.python_values import examine
from mcp_assay.wire.reader import Reading, read

__all__ = [
    "Outcome",
    "Session",
    "format_validation_error",
    "validate_error_code",
    "validate_field_type",
    "validate_jsonrpc",
    "validate_method_name",
    "validate_notification",
    "validate_notification_name",
    "validate_request",
    "validate_required_fields",
    "validate_response",
]

FIELD_TYPES: Final[Mapping[str, frozenset[str]]] = {
    "binary": frozenset({"string"}),
    "string": frozenset({"string"}),
    "integer": frozenset({"integer"}),
    "number": frozenset({"integer", "number"}),
    "boolean": frozenset({"boolean"}),
    "map": frozenset({"object"}),
    "object": frozenset({"object"}),
    "array": frozenset({"array"}),
    "any": frozenset({*JSON_TYPES.values(), UNREADABLE}),
}
"""The names of field types, each with the JSON types that it stands for."""

DIRECTIONS: Final[tuple[Direction, ...]] = ("c2s", "s2c")
_ERROR_MEMBERS: Final = frozenset({"code", "message", "data"})
_ANY_ID: Final = 1
MOST_MEMBERS_NAMED: Final = 10
"""So many names of a list stand in a sentence."""


class Outcome(Struct, frozen=True):
    """What a check found; it is true when no finding is an error."""

    findings: tuple[Finding, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether there is no finding of severity error."""
        return all(finding.severity != "error" for finding in self.findings)

    def __bool__(self) -> bool:
        return self.ok

    @property
    def reason(self) -> str | None:
        """The reason of the first error, else of the first finding, else None."""
        return self._first.reason if self._first else None

    @property
    def details(self) -> dict[str, Any]:
        """The details of the first error, else of the first finding, else {}."""
        return (self._first.details or {}) if self._first else {}

    @property
    def _first(self) -> Finding | None:
        errors = (finding for finding in self.findings if finding.severity == "error")
        return next(errors, self.findings[0] if self.findings else None)


def validate_jsonrpc(
    message: object,
    *,
    revision: str = DEFAULT_REVISION,
    direction: str | None = None,
    dialect: str = "mcp",
) -> Outcome:
    """Validate one message: a dict, or its text as str or bytes."""
    checker = SessionChecker(require_revision(revision), dialect=require_dialect(dialect))
    return Outcome(tuple(_checked(checker, message, _require_direction(direction))))


def validate_request(
    method: object, params: object = None, *, revision: str = DEFAULT_REVISION, dialect: str = "mcp"
) -> Outcome:
    """Validate a request by its method and params; the method must exist in the revision."""
    message = {"jsonrpc": "2.0", "id": _ANY_ID, "method": method}
    return _named("request", _with_params(message, params), revision, dialect)


def validate_notification(
    name: object, params: object = None, *, revision: str = DEFAULT_REVISION, dialect: str = "mcp"
) -> Outcome:
    """Validate a notification by its name and params; the name must exist in the revision."""
    message = {"jsonrpc": "2.0", "method": name}
    return _named("notification", _with_params(message, params), revision, dialect)


def validate_response(
    id: object,
    result_or_error: object,
    *,
    method: str | None = None,
    revision: str = DEFAULT_REVISION,
    dialect: str = "mcp",
) -> Outcome:
    """Validate a response by its id and its result or error object.

    An object with `code` or `message` and nothing besides them and `data` is an error object.
    """
    message: dict[str, object] = {"jsonrpc": "2.0", "id": id}
    is_error = _is_error_object(result_or_error)
    message["error" if is_error else "result"] = result_or_error
    if id is None and is_error and require_revision(revision) >= R2025_11_25:
        del message["id"]
    asked: Any = examine(method).value
    setting = Setting(revision=require_revision(revision), request_of=asked_by(asked, revision))
    return _outcome(judge(examine(message), setting), require_dialect(dialect))


def validate_method_name(
    name: object, *, revision: str = DEFAULT_REVISION, dialect: str = "mcp"
) -> Outcome:
    """Validate the name of a request's method."""
    outcome = validate_request(name, revision=revision, dialect=dialect)
    return _about(outcome, "/method")


def validate_notification_name(
    name: object, *, revision: str = DEFAULT_REVISION, dialect: str = "mcp"
) -> Outcome:
    """Validate the name of a notification."""
    outcome = validate_notification(name, revision=revision, dialect=dialect)
    return _about(outcome, "/method")


def validate_error_code(
    code: object, *, ranges: str = "registered", revision: str = DEFAULT_REVISION
) -> Outcome:
    """Validate an error code: within the registered ranges, or as the specification has it."""
    if ranges not in ("registered", "spec"):
        raise ValueError(f"unknown ranges {ranges!r}; allowed: registered, spec")
    error = {"code": code, "message": "The code is what matters"}
    message = {"jsonrpc": "2.0", "id": _ANY_ID, "error": error}
    outcome = _about(validate_jsonrpc(message, revision=revision), "/error/code")
    if ranges == "spec" or outcome.reason in ("invalid_error_code_type", "parse_error"):
        return outcome
    number: Any = examine(code).value
    return Outcome() if registered_error_code(number) else _unregistered(number)


def validate_field_type(field: str, value: object, types: str | Sequence[str]) -> Outcome:
    """Validate that a field's value is of one of the named types."""
    names = _require_types(types)
    actual = json_type(examine(value).value)
    if actual in frozenset().union(*(FIELD_TYPES[name] for name in names)):
        return Outcome()
    name = _as_name(field)
    details = {"field": name, "expected": names, "actual": actual}
    text = f"{quote(name)} is of type {actual}, not {' or '.join(names)}."
    found = Found((name,), text, "LINT-003", reason="type_mismatch", details=details)
    return _answer(found, "field-of-wrong-type")


def validate_required_fields(message: object, fields: Iterable[str]) -> Outcome:
    """Validate that a message is an object with all these fields."""
    value = _reading(message).value
    if not isinstance(value, dict):
        return validate_jsonrpc(message)
    wanted = [fields] if isinstance(fields, str) else map(_as_name, fields)
    missing = [field for field in wanted if field not in value]
    if not missing:
        return Outcome()
    text = f"The message lacks {listing(missing[:MOST_MEMBERS_NAMED], 'and')}."
    details = {"missing": missing}
    found = Found((), text, "LINT-004", reason="missing_required_fields", details=details)
    return _answer(found, "required-field-missing")


def format_validation_error(error: Outcome | Finding | Mapping[str, Any]) -> str:
    """Say in one line what is wrong: "reason: key=value, key=value"; "" where nothing is."""
    if type(error) is Outcome:
        return "" if error.ok else _in_one_line(error.reason, error.details)
    if type(error) is Finding:
        return _in_one_line(error.reason, error.details)
    given = examine(error).value
    return (
        _in_one_line(given.get("reason"), given.get("details")) if isinstance(given, dict) else ""
    )


class Session:
    """One conversation, line by line.

    Every message is judged by the revision that the peers agreed on, unless one is given, responses
    by the request that they answer, and each by what was said before. `partial` says that the
    conversation may have begun before the first line, or may go on after the last one.
    """

    def __init__(self, revision: str | None = None, *, partial: bool = False) -> None:
        decided = DecidedRules(compare_tools=compare_tools)
        self._checker: Final = SessionChecker(
            revision, partial=partial, sessions=True, decided=decided
        )
        self.partial: Final = partial

    @property
    def revision(self) -> str:
        """The revision that the next message is judged by."""
        return self._checker.revision

    def feed(
        self,
        direction: str,
        message: object = None,
        *,
        at: float | None = None,
        http: Mapping[str, Any] | None = None,
        sse: Mapping[str, Any] | None = None,
        end: bool = False,
    ) -> list[Finding]:
        """Judge the next line, sent in `direction`; give back what is wrong with it.

        A line without a message tells how things stood: the head of an HTTP exchange, or that the
        stream was closed (`end`). `at` is the time in seconds.
        """
        sent = _require_direction(direction)
        if sent is None:
            raise ValueError("a session needs the direction of each message: c2s or s2c")
        delivery = _delivery(at, http, sse, end)
        if message is None:
            return list(self._checker.hear(sent, delivery=delivery))
        return list(_checked(self._checker, message, sent, delivery))

    def close(self) -> list[Finding]:
        """End the conversation; give back what is wrong with it as a whole."""
        return [finding for _, finding in self._checker.close()]


def _delivery(
    at: float | None, http: Mapping[str, Any] | None, sse: Mapping[str, Any] | None, end: bool
) -> Delivery:
    if http is None and sse is None and not end:
        return NO_DELIVERY
    return Delivery(at=at, http=http, sse=sse, end=end)


def _checked(
    checker: SessionChecker,
    message: object,
    direction: Direction | None,
    delivery: Delivery = NO_DELIVERY,
) -> Sequence[Finding]:
    text = _text(message)
    if isinstance(text, bytes):
        return checker.check(text, direction, delivery=delivery)
    return checker.check_reading(_reading(message), direction, delivery)


def _reading(message: object) -> Reading:
    text = _text(message)
    return examine(message) if text is None else read(text)


def _text(message: object) -> bytes | str | None:
    """The text of a message that comes as one; no code of the caller's classes runs."""
    kind = type(message)
    if issubclass(kind, str):
        return str.__str__(message)
    if not issubclass(kind, bytes | bytearray | memoryview):
        return None
    try:
        return bytes(memoryview(message))  # type: ignore[arg-type]
    except ValueError:
        return None


def _require_direction(direction: str | None) -> Direction | None:
    if direction is None:
        return None
    for known in DIRECTIONS:
        if direction == known:
            return known
    raise ValueError(f"unknown direction {direction!r}; allowed: {', '.join(DIRECTIONS)}")


def _require_types(types: str | Sequence[str]) -> list[str]:
    names: list[Any] = list(types) if isinstance(types, list | tuple) else [types]
    for name in names or [None]:
        if not isinstance(name, str) or name not in FIELD_TYPES:
            raise ValueError(f"unknown type {name!r}; allowed: {', '.join(FIELD_TYPES)}")
    return names


def _as_name(name: object) -> str:
    """The name of a field; what is no string names none, and is reported by its kind."""
    cleaned = examine(name).value
    return cleaned if isinstance(cleaned, str) else glimpse(cleaned)


def _is_error_object(value: object) -> bool:
    value = examine(value).value
    if not isinstance(value, dict):
        return False
    return ("code" in value or "message" in value) and _ERROR_MEMBERS.issuperset(value)


def _unregistered(code: Any) -> Outcome:
    shown = glimpse(code)
    text = f"The error code {shown} lies in no registered range."
    details = {"code": code if shown == str(code) else shown}
    found = Found(("error", "code"), text, "LINT-002", reason="invalid_error_code", details=details)
    return _answer(found, "unregistered-error-code")


def _in_one_line(reason: object, details: object) -> str:
    members = details.items() if isinstance(details, dict) else ()
    given = ", ".join(f"{key}={_shown(value)}" for key, value in members)
    return ": ".join(part for part in (_shown(reason or ""), given) if part)


def _shown(value: object) -> str:
    if isinstance(value, list):
        return "/".join(map(_shown, value[:MOST_MEMBERS_NAMED]))
    return value if isinstance(value, str) else glimpse(value)


def _with_params(message: dict[str, object], params: object) -> dict[str, object]:
    return message if params is None else {**message, "params": params}


def _named(kind: MethodKind, message: dict[str, object], revision: str, dialect: str) -> Outcome:
    """Judge a message whose method has to exist: there an unknown name is an error."""
    setting = Setting(revision=require_revision(revision), kind=kind)
    reading = examine(message)
    findings = judge(reading, setting)
    if not any(finding.pointer == "/method" for finding in findings):
        findings += _undefined_name(reading.value, kind, revision)
    outcome = _outcome(findings, require_dialect(dialect))
    return Outcome(
        tuple(
            replace(finding, severity="error") if finding.rule == "SCHEMA-003" else finding
            for finding in outcome.findings
        )
    )


def _undefined_name(value: Any, kind: MethodKind, revision: str) -> list[Finding]:
    """Extensions and vendors may name methods as they like, but the revision has none of them."""
    name = value.get("method") if isinstance(value, dict) else None
    if not isinstance(name, str) or name in methods_in(revision):
        return []
    return [to_finding(unknown_name(name, kind, revision), revision, value=value)]


def _outcome(findings: Iterable[Finding], dialect: Dialect) -> Outcome:
    return Outcome(tuple(one for one in findings if not tolerates(dialect, one)))


def _about(outcome: Outcome, place: str) -> Outcome:
    return Outcome(tuple(one for one in outcome.findings if one.pointer == place))


def _answer(found: Found, name: str) -> Outcome:
    return Outcome((answer(found, DEFAULT_REVISION, name),))
