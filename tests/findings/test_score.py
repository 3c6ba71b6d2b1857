"""The score: 100 for a server all of whose tools are proven, less for what is not or is wrong."""

from __future__ import annotations

import pytest
from msgspec import convert
from msgspec.structs import replace

from mcp_assay.findings.score import COST, MOST_COST, WORTH, score_of
from mcp_assay.model.finding import Finding
from mcp_assay.model.tool import ToolRow
from mcp_assay.model.verdict import ToolStatus
from tests.report.reports import finding

WORKING: ToolStatus = "fully_working"


def rows(*statuses: str) -> list[ToolRow]:
    return [
        convert({"name": f"t{at}", "status": status, "reason": ""}, ToolRow)
        for at, status in enumerate(statuses)
    ]


def broken(number: int, severity: str) -> list[Finding]:
    one = finding("x", "error")
    return [replace(one, rule=f"R-{at}", severity=severity) for at in range(number)]


def test_all_working_and_nothing_found_is_the_best() -> None:
    assert score_of(rows(WORKING, WORKING), []) == 100


@pytest.mark.parametrize("status", [one for one in WORTH if one != WORKING])
def test_every_other_status_lowers_it(status: str) -> None:
    assert (score_of(rows(WORKING, WORKING, status), []) or 0) < 100


@pytest.mark.parametrize(
    ("statuses", "is_known"),
    [
        ((), False),
        (("not_called",), False),
        ((WORKING, "not_called"), True),
        ((WORKING, "not_called", "not_called"), False),
    ],
)
def test_below_half_of_the_tools_called_nothing_is_known(
    statuses: tuple[str, ...], is_known: bool
) -> None:
    assert (score_of(rows(*statuses), []) is not None) is is_known


def test_each_broken_rule_costs_once_and_together_they_cost_a_part() -> None:
    one = broken(1, "error")
    assert score_of(rows(WORKING), [*one, *one]) == 100 - COST["error"]
    assert score_of(rows(WORKING), broken(99, "error")) == 100 - MOST_COST["error"]
    assert score_of(rows(WORKING), broken(2, "warning")) == 98
    assert score_of(rows(WORKING), broken(9, "info")) == 100


def test_it_is_never_below_nothing() -> None:
    assert score_of(rows("broken"), broken(9, "error")) == 0


def test_what_a_library_decides_costs_nothing() -> None:
    (one,) = broken(1, "error")
    assert score_of(rows(WORKING), [replace(one, details={"decided_by": {}})]) == 100
