"""A tool that works on another system only lacks that one: it is neither at fault nor a success."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mcp_assay.model.verdict import ValidationContext, ValidationResult
from mcp_assay.responses import ResponseValidator

TEXTS = (Path(__file__).parent / "other_systems.txt").read_text("utf-8")
ELSEWHERE = [line for line in TEXTS.splitlines() if line and not line.startswith("#")]


def validated(
    text: str, is_error: bool, arguments: dict[str, Any] | None = None, name: str = "take_picture"
) -> ValidationResult:
    tool = {"name": name, "inputSchema": {"type": "object"}}
    response = {"content": [{"type": "text", "text": text}], "isError": is_error}
    context = ValidationContext(tool, arguments or {}, response)
    return ResponseValidator.validate_response(context)


@pytest.mark.parametrize("is_error", [True, False])
@pytest.mark.parametrize("text", ELSEWHERE)
def test_what_needs_another_system_lacks_it(text: str, is_error: bool) -> None:
    found = validated(text, is_error)
    assert found.error_verdict is not None
    assert found.error_verdict.kind == "environment"
    assert found.sign_kind == (None if is_error else "unflagged_error")


@pytest.mark.parametrize(
    "text",
    [
        "The app is available on Windows, macOS and Linux.",
        "Supported platforms: linux, macos, windows",
        "platform: linux\nrelease: 6.1\nmachine: x86_64",
        "Windows 11 requires 4 GB of RAM.",
        "Found 2 notes about Windows",
        "1. Wrong on Windows only.\n2. It flickers.\n3. A typo.\n4. No icon.\n5. Too small.",
    ],
)
def test_what_only_names_systems_is_an_answer(text: str) -> None:
    assert validated(text, False).sign is None


def test_what_was_asked_about_may_need_another_system() -> None:
    text = "Xcode is only available on macOS"
    assert validated(text, False, {"name": "Xcode"}, "describe_app").sign is None
    assert validated(text, False, {"name": "x"}, "build_app").sign_kind == "unflagged_error"


@pytest.mark.parametrize("name", ["get_note", "read_file", "fetch_page"])
def test_a_text_that_is_handed_out_may_say_so_of_anything(name: str) -> None:
    assert validated("Requires macOS", False, {"id": 4}, name).sign is None
