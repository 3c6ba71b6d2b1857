from __future__ import annotations

from msgspec.structs import replace

from bench.writers import FORMS, TOOLS, enlarged, steepest
from mcp_assay.model.tool import CallRow
from mcp_assay.report.formats import WRITERS
from tests.report.reports import report


def test_a_report_is_made_larger_and_no_two_findings_are_the_same() -> None:
    called = CallRow(number=1, tool="x", scenario="x", arguments={}, outcome="passed")
    sample = replace(report("x"), calls=[called])
    large = enlarged(sample, 50)
    assert (len(large.findings), len(large.calls), len(large.tools)) == (50, 25, TOOLS)
    assert len({finding.fingerprint for finding in large.findings}) == 50


def test_every_form_is_measured() -> None:
    assert set(FORMS) == {"text", *WRITERS}


def test_growth_is_the_steepest_step_as_a_multiple_of_linear() -> None:
    assert steepest([1.0, 10.0, 150.0]) == 1.5
    assert steepest([1.0, 5.0, 50.0]) == 1.0
