"""Real servers, assessed: no false error, every tool as it really is, twice the same report."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from mcp_assay.model.report import MAX_CALLS, Report
from tools.real_servers import TRUE_ERRORS, UNSEEN, page
from tools.real_subjects import LIBRARIES, SUBJECTS, Subject, assessed
from tools.servers import Missing

COERCED = {"get_book": "partially_working"}
"""Libraries on pydantic take a text of digits for a number."""
NOT_AS_DECLARED: dict[str, dict[str, str]] = {
    "mcp-server-git": {
        "git_diff": "partially_working",
        "git_diff_unstaged": "partially_working",
        "git_branch": "partially_working",  # an empty text where no branch is left
        "git_diff_staged": "partially_working",
        "git_log": "partially_working",
        **dict.fromkeys(
            ["git_reset", "git_commit", "git_add", "git_create_branch", "git_checkout"],
            "not_called",
        ),
    },
    "mcp-server-sqlite": {
        **dict.fromkeys(["read_query", "create_table", "write_query"], "partially_working"),
        "describe_table": "partially_working",
    },
    # they find nothing: they are asked before something is created, and after it was deleted
    "server-memory": dict.fromkeys(["search_nodes", "open_nodes"], "unproven"),
    "server-everything": dict.fromkeys(
        [
            *("gzip-file-as-resource", "toggle-simulated-logging", "toggle-subscriber-updates"),
            *("trigger-long-running-operation", "simulate-research-query"),
        ],
        "not_called",
    ),
    "server-filesystem": {
        "read_multiple_files": "partially_working",  # errors without isError
    },
    "shelf on mcp": COERCED,
    "shelf on fastmcp": COERCED,
}
"""The tools that are not fully working, by the beginning of the server's name."""


MOST_CALLS = 20
"""Enough to show of each tool what it is."""
NEEDS_MORE = ("server-filesystem",)
"""What its tools need is found late, by the answers of others."""
REPEATED = ("server-filesystem", "server-memory", "shelf on lowlevel over http, 2025-11-25")
"""Servers that are quickly assessed twice, and have to give the same report."""
TESTED = [name for name in SUBJECTS if not name.startswith("shelf on lowlevel over stdio")]
"""Over stdio the low level is what MCPServer stands on, and slow to start."""


def reports_on(subject: Subject, folder: Path) -> list[Report]:
    library = LIBRARIES.get(subject.name.split()[2]) if subject.name.startswith("shelf") else None
    if library and find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    try:
        return assessed(subject, folder, runs=1 + (subject.name in REPEATED))
    except Missing as reason:
        pytest.skip(str(reason))


def statuses(report: Report) -> dict[str, str]:
    return {tool.name: tool.status for tool in report.tools}


def expected(name: str, report: Report) -> dict[str, str]:
    known = (it for start, it in NOT_AS_DECLARED.items() if name.startswith(start))
    return {**dict.fromkeys(statuses(report), "fully_working"), **next(known, {})}


def without_times(report: Report) -> dict[str, Any]:
    """A report without its timing, and without answers: those of a file server tell the time."""
    reported: dict[str, Any] = msgspec.to_builtins(report)
    calls = [{key: it for key, it in call.items() if key != "answer"} for call in reported["calls"]]
    return {**{key: it for key, it in reported.items() if key != "timing"}, "calls": calls}


@pytest.mark.parametrize("name", TESTED)
def test_a_real_server_is_assessed_without_a_false_error(name: str, tmp_path: Path) -> None:
    subject = SUBJECTS[name]
    if name not in NEEDS_MORE:
        subject = replace(subject, options=replace(subject.options, max_calls=MOST_CALLS))
    first, *again = reports_on(subject, tmp_path / "server")
    errors = {one.rule for one in first.findings if one.severity == "error"}
    assert errors == set(TRUE_ERRORS.get(name, {}))
    assert statuses(first) == expected(name, first)
    assert {limit.name for limit in first.limits} <= {MAX_CALLS}
    assert [without_times(it) for it in again] == [without_times(first)] * (name in REPEATED)
    assert UNSEEN not in page({name: first})
