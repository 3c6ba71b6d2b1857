"""What a disposable world refuses is no fault of the tool; outside of one it may be."""

from __future__ import annotations

import pytest

from mcp_assay.judge.errors.world_patterns import world_patterns
from mcp_assay.model.verdict import ValidationContext
from mcp_assay.responses import Judge

OF_WORLDS = [
    "EXDEV: cross-device link not permitted, rename '/w/a' -> '/w/b'",
    "[Errno 18] Invalid cross-device link: 'a' -> 'b'",
    "Error: Value too large for defined data type (os error 75)",
    "OSError: [Errno 75] Value too large for defined data type: '/srv/shared/x'",
    "EOVERFLOW: value too large for defined data type, open '/srv/x'",
    "io_uring_setup failed: Function not implemented",
    "ENOSYS: function not implemented, io_uring_enter",
    "Failed to move to new namespace: PID namespaces supported, but EPERM",
    "No usable sandbox! Update your kernel",
    "unshare failed: Operation not permitted",
    "connect ECONNREFUSED 11.0.0.1:443",
]


def _context(text: str) -> ValidationContext:
    response = {"content": [{"type": "text", "text": text}], "isError": True}
    return ValidationContext({"name": "move_folder"}, {"to": "x"}, response)


@pytest.fixture(scope="module")
def inside() -> Judge:
    return Judge(world_patterns())


@pytest.mark.parametrize("text", OF_WORLDS)
def test_inside_it_is_the_environment(inside: Judge, text: str) -> None:
    assert inside.explain_error(_context(text)).kind == "environment"


def test_inside_a_traceback_it_still_is(inside: Judge) -> None:
    trace = (
        "Traceback (most recent call last):\n"
        '  File "/srv/server.py", line 7, in move\n'
        "    os.rename(a, b)\n"
        "OSError: [Errno 18] Invalid cross-device link: 'a' -> 'b'"
    )
    assert inside.explain_error(_context(trace)).kind == "environment"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("AttributeError: 'NoneType' object has no attribute 'rows'", "failure"),
        ("No such note: 12", "business"),
        ("TypeError: Cannot read properties of undefined (reading 'name')", "failure"),
    ],
)
def test_all_else_is_judged_as_ever(inside: Judge, text: str, kind: str) -> None:
    assert inside.explain_error(_context(text)).kind == Judge().explain_error(_context(text)).kind
    assert inside.explain_error(_context(text)).kind == kind


def test_outside_what_the_system_could_not_do_may_be_a_fault() -> None:
    text = "OSError: [Errno 75] Value too large for defined data type"
    assert Judge().explain_error(_context(text)).kind == "failure"
