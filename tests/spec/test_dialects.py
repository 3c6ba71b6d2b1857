"""The dialect of erlmcp: its names, the official ones that they stand for, its error codes."""

from __future__ import annotations

import pytest

from mcp_assay.spec.dialects import (
    DIALECTS,
    ERLMCP_METHODS,
    ERLMCP_NOTIFICATIONS,
    SPELLINGS,
    is_erlmcp_name,
    official_name,
    registered_error_code,
    require_dialect,
)
from mcp_assay.spec.methods import MethodKind, methods_in
from mcp_assay.spec.revisions import R2025_11_25


@pytest.mark.parametrize(
    ("code", "registered"),
    [
        (-32701, False),
        (-32700, True),
        (-32650, True),
        (-32600, True),
        (-32599, False),
        (-32114, False),
        (-32113, True),
        (-32099, True),
        (-32000, True),
        (-31999, False),
        (-1, False),
        (0, False),
        (1000, False),
        (1001, True),
        (1089, True),
        (1090, False),
        (9999, False),
        (99999, False),
        (10**400, False),
        (float("inf"), False),
        (float("nan"), False),
    ],
)
def test_an_error_code_is_registered_if_it_lies_in_a_range(code: float, registered: bool) -> None:
    assert registered_error_code(code) is registered


@pytest.mark.parametrize(
    ("name", "official"),
    [
        ("logging/set_level", "logging/setLevel"),
        ("sampling/create_message", "sampling/createMessage"),
        ("notifications/resourcesupdated", "notifications/resources/updated"),
        ("requests/cancel", "requests/cancel"),
        ("tasks/create", "tasks/create"),
        ("tools/list", "tools/list"),
        ("nonsense", "nonsense"),
    ],
)
def test_only_another_spelling_of_the_same_message_has_an_official_name(
    name: str, official: str
) -> None:
    assert official_name(name) == official


@pytest.mark.parametrize(
    ("name", "kind", "known"),
    [
        ("logging/set_level", "request", True),
        ("logging/setLevel", "request", False),
        ("tasks/create", "request", True),
        ("tasks/create", "notification", False),
        ("notifications/resourcesupdated", "notification", True),
        ("notifications/resources/updated", "notification", False),
        ("notifications/cancelled", "request", False),
    ],
)
def test_the_dialect_has_its_own_names_and_no_others(
    name: str, kind: MethodKind, known: bool
) -> None:
    assert is_erlmcp_name(name, kind) is known


def test_every_name_of_the_dialect_is_official_or_has_a_spelling() -> None:
    names = ERLMCP_METHODS | ERLMCP_NOTIFICATIONS
    assert names - methods_in(R2025_11_25).keys() == SPELLINGS.keys()


def test_every_spelling_leads_to_a_method_that_exists() -> None:
    officials = {spelling.official for spelling in SPELLINGS.values()}
    assert officials <= methods_in(R2025_11_25).keys()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_known_dialect_is_given_back(dialect: str) -> None:
    assert require_dialect(dialect) == dialect


@pytest.mark.parametrize("dialect", ["", "ERLMCP", "klingon"])
def test_an_unknown_dialect_is_refused_with_the_allowed_ones(dialect: str) -> None:
    with pytest.raises(ValueError, match="allowed: mcp, erlmcp"):
        require_dialect(dialect)
