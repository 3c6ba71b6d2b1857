"""What an assessment says of resources, templates and prompts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from msgspec.structs import replace

import mcp_assay.report
from mcp_assay.model.report import Offer, Report
from mcp_assay.report.as_text import full_text
from tests.assess.running import QUICK, run_of

EXAMPLES = {"book": {"values": {"shelfmark": ["B 978"]}}}


def reported(name: str, **options: Any) -> Report:
    """The report on a server of the catalogue."""
    return run_of(name, replace(QUICK, max_calls=3, **options))


def statuses(offers: list[Offer]) -> dict[str, str]:
    return {offer.uri or offer.name or "": offer.status for offer in offers}


def test_everything_that_is_listed_is_had() -> None:
    report = reported("resources-and-prompts")
    assert statuses(report.resources) == {
        "library://hours": "fully_working",
        "library://rules": "fully_working",
    }
    assert statuses(report.prompts) == {"recommend": "fully_working", "surprise": "fully_working"}
    assert statuses(report.templates) == {"library://books/{shelfmark}": "not_called"}
    (template,) = report.templates
    assert template.reason == (
        'no value is known for "shelfmark"; add one to [tools."book"] values'
    )
    assert {check.outcome for check in report.checks if check.rule == "RES-011"} == {"passed"}


def test_values_for_a_template_come_from_the_user() -> None:
    (template,) = reported("resources-and-prompts", examples=EXAMPLES).templates
    assert template.status == "unproven"
    assert template.reason == "it rejected the values that were tried"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"calls": "none"}, "excluded by --calls none"),
        ({"only": "find_book"}, "excluded by --only"),
        ({"dry_run": True}, "excluded by --dry-run"),
    ],
)
def test_nothing_is_had_that_the_user_leaves_out(options: dict[str, Any], reason: str) -> None:
    report = reported("resources-and-prompts", **options)
    offers = [*report.resources, *report.templates, *report.prompts]
    assert {(offer.status, offer.reason) for offer in offers} == {("not_called", reason)}
    outcomes = {check.rule: check.outcome for check in report.checks}
    assert outcomes["RES-011"] == "undecided"


def test_one_fault_of_many_resources_is_reported_once() -> None:
    report = reported("lists-what-is-gone")
    (finding,) = [one for one in report.findings if one.rule == "RES-011"]
    assert finding.count == 5
    assert finding.message.endswith("(and 4 more like this).")
    assert [offer.findings for offer in report.resources] == [[finding.fingerprint]] * 5


def test_only_so_many_are_read_and_the_rest_is_said() -> None:
    report = reported("sixty-resources")
    read = [offer.status for offer in report.resources]
    assert read == ["fully_working"] * 50 + ["not_called"] * 10
    (limit,) = [one for one in report.limits if one.name == "resources-had"]
    assert (limit.value, limit.count) == (50, 10)
    lines = ["".join(text for text, _ in line) for line in full_text(report)]
    assert "  and 50 more resources: 50 working" in lines
    (check,) = [check for check in report.checks if check.rule == "RES-011"]
    assert (check.outcome, check.reason) == (
        "undecided",
        "10 of 60 listed resources were not read",
    )


def test_a_malformed_blob_makes_a_resource_partially_working() -> None:
    report = reported("blob-that-is-none")
    (resource,) = report.resources
    assert resource.status == "partially_working"
    assert {one.fingerprint for one in report.findings} >= set(resource.findings) != set()


def test_the_report_has_the_form_that_its_schema_says() -> None:
    path = Path(next(iter(mcp_assay.report.__path__))) / "report.schema.json"
    report = msgspec.to_builtins(reported("lists-what-is-gone"))
    jsonschema_rs.validator_for(json.loads(path.read_text())).validate(report)


def test_two_runs_say_the_same() -> None:
    first, second = (reported("resources-and-prompts", examples=EXAMPLES) for _ in range(2))
    assert replace(first, timing=second.timing) == second
