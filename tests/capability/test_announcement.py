"""What a server announces is read as it stands, and nothing is taken for more than it says."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.capability import ToolValidationCapability, has_capability
from mcp_assay.spec.tool_validation import EXTENSION, Caching

WHOLE = {
    "supported": True,
    "method": "check_call",
    "version": "1.0",
    "async": True,
    "streaming": True,
    "contextAware": True,
    "cacheable": True,
    "levels": {"syntax": True, "security": False},
    "batchValidation": True,
    "maxBatchSize": 3,
    "caching": {"enabled": True, "ttl": 60, "invalidateOn": ["tool_update"]},
}


def announced(value: Any) -> dict[str, Any]:
    return {"experimental": {"toolValidation": value}}


def test_every_field_of_the_announcement_is_read() -> None:
    read = ToolValidationCapability.from_capabilities(announced(WHOLE))
    assert read == ToolValidationCapability(
        supported=True,
        method="check_call",
        version="1.0",
        is_async=True,
        streaming=True,
        context_aware=True,
        cacheable=True,
        levels={"syntax": True, "security": False},
        batch_validation=True,
        max_batch_size=3,
        caching=Caching(enabled=True, ttl=60, invalidate_on=["tool_update"]),
    )


@pytest.mark.parametrize("supported", ["true", 1, {}, None, False, [True]])
def test_only_a_literal_true_is_support(supported: Any) -> None:
    read = ToolValidationCapability.from_capabilities(announced({"supported": supported}))
    assert not read.supported


@pytest.mark.parametrize("capabilities", [None, [], "x", {}, {"experimental": []}, announced(True)])
def test_what_is_no_announcement_is_no_support(capabilities: Any) -> None:
    assert not ToolValidationCapability.from_capabilities(capabilities).supported


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("method", 5),
        ("levels", {"syntax": "yes"}),
        ("maxBatchSize", 0),
        ("maxBatchSize", True),
        ("maxBatchSize", "10"),
        ("caching", {"enabled": "yes"}),
        ("batchValidation", "yes"),
    ],
)
def test_a_malformed_field_counts_as_not_said(name: str, value: Any) -> None:
    read = ToolValidationCapability.from_capabilities(announced({"supported": True, name: value}))
    assert read == ToolValidationCapability(supported=True)


def test_the_extension_of_2026_07_28_counts_first() -> None:
    capabilities = {
        "experimental": {"toolValidation": {"supported": True, "method": "old"}},
        "extensions": {EXTENSION: {"supported": True, "method": "new"}},
    }
    assert ToolValidationCapability.from_capabilities(capabilities).method == "new"


def test_the_announcement_goes_under_extensions_only_where_they_exist() -> None:
    reported = ToolValidationCapability.from_capabilities(announced(WHOLE))
    assert reported.to_capabilities("2025-11-25") == announced(WHOLE | {"maxBatchSize": 3})
    modern = reported.to_capabilities("2026-07-28")
    assert modern["extensions"] == {EXTENSION: modern["experimental"]["toolValidation"]}


def test_an_unknown_revision_is_refused() -> None:
    with pytest.raises(ValueError, match="2025-11-25"):
        ToolValidationCapability().to_capabilities("2031-01-01")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("experimental.toolValidation.supported", True),
        (["experimental", "toolValidation", "supported"], True),
        ("experimental.toolValidation", False),
        ("experimental.toolValidation.supported.more", False),
        (["experimental", "a.b"], True),
        ("experimental.a.b", False),
    ],
)
def test_a_capability_is_there_where_it_is_literally_true(path: Any, expected: bool) -> None:
    capabilities = {"experimental": {"toolValidation": {"supported": True}, "a.b": True}}
    assert has_capability(capabilities, path) is expected
