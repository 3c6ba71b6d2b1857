"""What pip and npm write in vain -> a reason, and whether another try may help."""

from __future__ import annotations

import pytest

from mcp_assay.fleet.packages.failures import reason_of, unknown_requirement

PIP_UNKNOWN = """
ERROR: Could not find a version that satisfies the requirement a==9 (from versions: 1.0)
ERROR: No matching distribution found for a==9
"""
PIP_AWAY = f"""
WARNING: Retrying (Retry(total=1)) after connection broken by 'NewConnectionError'
{PIP_UNKNOWN}"""
NPM = """
npm error code {code}
npm error syscall connect
npm error {words}
npm error A complete log of this run can be found in: ~/.npm/_logs/1.log
"""


@pytest.mark.parametrize(
    ("output", "kind", "is_passing", "words"),
    [
        (PIP_UNKNOWN, "not_prepared", False, "no registry has a: Could not find a version"),
        (PIP_AWAY, "not_prepared", True, "was not there, or too busy"),
        (NPM.format(code="E404", words="404 Not Found"), "not_prepared", False, "404 Not Found"),
        (NPM.format(code="ECONNREFUSED", words="no"), "not_prepared", True, "not there"),
        (NPM.format(code="E503", words="busy"), "not_prepared", True, "too busy"),
        (NPM.format(code="E401", words="who"), "not_prepared", False, "wants to know who asks"),
        (NPM.format(code="ENOSPC", words="full"), "over_disk", False, "more disk"),
        ("OSError: [Errno 28] No space left on device", "over_disk", False, "more disk"),
        ("FATAL ERROR: JavaScript heap out of memory", "over_memory", False, "more memory"),
        ("ERROR: a requires a different Python", "not_prepared", False, "different Python"),
        ("", "not_prepared", False, "failed without a word"),
        ("ERROR: \x1b[31mred\x1b[0m" + "x" * 5000, "not_prepared", False, "\\x1b[31mred"),
    ],
)
def test_a_failure_has_its_reason(output: str, kind: str, is_passing: bool, words: str) -> None:
    found = reason_of("a", output)
    assert (found.kind, found.is_passing) == (kind, is_passing)
    assert words in found.text
    assert len(found.text) <= 300
    assert found.text.isprintable()


def test_the_requirement_that_has_no_file_is_found() -> None:
    assert unknown_requirement(PIP_UNKNOWN) == "a==9"
    assert unknown_requirement("something else") is None
