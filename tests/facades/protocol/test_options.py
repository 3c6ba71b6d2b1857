"""A wrong option raises ValueError that names the allowed values; data never does."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import pytest

from mcp_assay import protocol
from mcp_assay.protocol import Session
from mcp_assay.spec.revisions import DEFAULT_REVISION, REVISIONS

PING: Final = {"jsonrpc": "2.0", "id": 1, "method": "ping"}

TAKE_REVISION: Final[dict[str, Callable[..., Any]]] = {
    "validate_jsonrpc": partial(protocol.validate_jsonrpc, PING),
    "validate_request": partial(protocol.validate_request, "tools/list"),
    "validate_response": partial(protocol.validate_response, 1, {}),
    "validate_notification": partial(protocol.validate_notification, "notifications/initialized"),
    "validate_method_name": partial(protocol.validate_method_name, "tools/list"),
    "validate_notification_name": partial(
        protocol.validate_notification_name, "notifications/initialized"
    ),
    "validate_error_code": partial(protocol.validate_error_code, -32603),
    "Session": Session,
}
TAKE_DIALECT: Final = [
    name for name in TAKE_REVISION if name not in ("validate_error_code", "Session")
]
WRONG: Final[tuple[Any, ...]] = ("", "2025-11-26", "latest", "MCP", 7, ["mcp"], {})


@pytest.mark.parametrize("function", TAKE_REVISION)
@pytest.mark.parametrize("wrong", WRONG)
def test_an_unknown_revision_is_refused(function: str, wrong: Any) -> None:
    with pytest.raises(ValueError, match=", ".join(REVISIONS)):
        TAKE_REVISION[function](revision=wrong)


@pytest.mark.parametrize("function", TAKE_REVISION)
@pytest.mark.parametrize("revision", REVISIONS)
def test_every_revision_is_taken(function: str, revision: str) -> None:
    TAKE_REVISION[function](revision=revision)


@pytest.mark.parametrize("function", TAKE_DIALECT)
@pytest.mark.parametrize("wrong", [*WRONG, None])
def test_an_unknown_dialect_is_refused(function: str, wrong: Any) -> None:
    with pytest.raises(ValueError, match="mcp, erlmcp"):
        TAKE_REVISION[function](dialect=wrong)


@pytest.mark.parametrize("wrong", ["", "server", "C2S", 7, ["c2s"]])
def test_an_unknown_direction_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match="c2s, s2c"):
        protocol.validate_jsonrpc(PING, direction=wrong)
    with pytest.raises(ValueError, match="c2s, s2c"):
        Session().feed(wrong, PING)


def test_a_session_needs_a_direction() -> None:
    with pytest.raises(ValueError, match="c2s or s2c"):
        Session().feed(None, PING)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", ["", "all", "Spec", 7, None, ["spec"]])
def test_unknown_ranges_are_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match="registered, spec"):
        protocol.validate_error_code(1001, ranges=wrong)


@pytest.mark.parametrize("wrong", ["", "int", "String", 7, None, [], ["string", "int"], [None], {}])
def test_an_unknown_type_is_refused(wrong: Any) -> None:
    names = "binary, string, integer, number, boolean, map, object, array, any"
    with pytest.raises(ValueError, match=names):
        protocol.validate_field_type("x", 1, wrong)


def test_the_default_revision_is_2025_11_25() -> None:
    assert DEFAULT_REVISION == "2025-11-25"
    later = {"jsonrpc": "2.0", "id": 1, "result": {"tools": [], "ttlMs": 1}}
    session = Session(DEFAULT_REVISION)
    session.feed("c2s", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    assert [one.revision for one in session.feed("s2c", later)] == ["2025-11-25"]
    assert protocol.validate_jsonrpc({}).findings[0].revision == "2025-11-25"


@pytest.mark.parametrize(
    ("direction", "method", "reason"),
    [
        ("c2s", "roots/list", "wrong_direction"),
        ("s2c", "tools/list", "wrong_direction"),
        ("c2s", "tools/list", None),
        ("s2c", "ping", None),
        (None, "roots/list", None),
    ],
)
def test_the_direction_is_judged_where_it_is_given(
    direction: str | None, method: str, reason: str | None
) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": method}
    assert protocol.validate_jsonrpc(message, direction=direction).reason == reason
