"""The table of `make coverage`: what the files of a package add up to."""

from __future__ import annotations

from tools.package_coverage import Covered, by_package


def test_coverage_is_summed_up_by_package() -> None:
    summary = {"num_statements": 4, "covered_lines": 2, "num_branches": 2, "covered_branches": 1}
    paths = ("protocol.py", "rules/message/jsonrpc.py", "rules/message/meta.py", "wire/sse.py")
    packages = by_package({f"src/mcp_assay/{path}": {"summary": summary} for path in paths})
    assert list(packages) == ["protocol.py", "rules/message/", "wire/"]
    assert packages["rules/message/"] == Covered(8, 4, 4, 2)
    assert packages["rules/message/"].share == 0.5
