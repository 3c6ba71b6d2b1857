"""Every writer's output is well formed and holds every finding, whatever text a server chose."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree as ET

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_assay.report.as_junit import to_junit
from mcp_assay.report.as_markdown import LARGEST, to_markdown
from mcp_assay.report.as_sarif import to_sarif
from mcp_assay.report.plain import plain
from tests.report.reports import NASTY, finding, report

SARIF = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "items": {
                "required": ["tool", "results"],
                "properties": {
                    "tool": {"properties": {"driver": {"required": ["name", "rules"]}}},
                    "results": {
                        "items": {
                            "required": ["ruleId", "ruleIndex", "level", "message", "locations"],
                            "properties": {
                                "level": {"enum": ["none", "note", "warning", "error"]},
                                "message": {"required": ["text"]},
                                "ruleIndex": {"type": "integer", "minimum": 0},
                                "locations": {"minItems": 1, "items": {"$ref": "#/$defs/location"}},
                                "relatedLocations": {"items": {"$ref": "#/$defs/location"}},
                                "occurrenceCount": {"type": "integer", "minimum": 1},
                            },
                        }
                    },
                    "invocations": {"items": {"required": ["executionSuccessful"]}},
                },
            }
        },
    },
    "$defs": {
        "location": {
            "properties": {
                "physicalLocation": {
                    "required": ["artifactLocation"],
                    "properties": {
                        "artifactLocation": {
                            "properties": {"uri": {"pattern": "^[A-Za-z0-9/._~%-]*$"}}
                        },
                        "region": {
                            "properties": {
                                "startLine": {"minimum": 1},
                                "startColumn": {"minimum": 1},
                            }
                        },
                    },
                }
            }
        }
    },
}
"""What SARIF 2.1.0 and the services that take it ask of such a file."""
TEXTS = st.text(st.characters(codec=None), max_size=60) | st.sampled_from(NASTY)


def cases(text: str) -> list[ET.Element]:
    return list(ET.fromstring(to_junit(report(text))).iter("testcase"))


@settings(max_examples=80, deadline=None)
@given(TEXTS)
def test_junit_is_xml_with_a_case_for_every_finding_and_sums_that_are_right(text: str) -> None:
    root = ET.fromstring(to_junit(report(text)).encode())
    told = "".join(element.text or "" for element in root.iter())
    assert all(f"{number:016x}" in told for number in (1, 2, 3))
    assert root.attrib["tests"] == str(len(list(root.iter("testcase"))))
    assert root.attrib["failures"] == str(len(list(root.iter("failure"))))
    assert root.attrib["skipped"] == str(len(list(root.iter("skipped"))))
    for suite in root.iter("testsuite"):
        assert suite.attrib["tests"] == str(len(list(suite.iter("testcase"))))


def test_junit_has_a_suite_for_each_tool_and_each_family() -> None:
    root = ET.fromstring(to_junit(report("x")))
    names = [suite.attrib["name"] for suite in root.iter("testsuite")]
    assert names == ["tool x", "rules JSONRPC", "rules PING"]


def test_junit_passes_only_what_was_shown() -> None:
    passed = {case.attrib["name"] for case in cases("x") if not list(case)}
    assert passed == {"JSONRPC-001"}


@settings(max_examples=80, deadline=None)
@given(TEXTS)
def test_sarif_is_valid_and_has_every_finding_with_its_fingerprint(text: str) -> None:
    written = json.loads(to_sarif(report(text)))
    jsonschema_rs.validate(SARIF, written)
    (run,) = written["runs"]
    prints = [result["partialFingerprints"]["mcpAssay/v1"] for result in run["results"]]
    assert prints == [f"{number:016x}" for number in (1, 2, 3)]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])


@settings(max_examples=80, deadline=None)
@given(TEXTS)
def test_markdown_keeps_server_text_text(text: str) -> None:
    written = to_markdown(report(text))
    assert all(f"Message {number}" in written for number in (1, 2, 3))
    assert written == "\n".join(plain(line) for line in written.split("\n"))
    for line in written.splitlines():
        assert "<script" not in re.sub("`+.*`+", "", line)
        assert not line.startswith("# ")
    rows = [line for line in written.splitlines() if line.startswith("| ")]
    assert len(rows) == 2


@pytest.mark.parametrize("text", ["[x](http://a.invalid)", "@someone", "![i](x)", "a | b", "<b>"])
def test_markdown_shows_what_it_would_otherwise_obey(text: str) -> None:
    (line,) = [it for it in to_markdown(report(text)).splitlines() if "Message 3" in it]
    assert text not in line


def test_markdown_fits_a_step_summary_and_says_what_it_left_out() -> None:
    many = [finding("y" * 1900, "error", number, tool="x") for number in range(2000)]
    written = to_markdown(report("x", many))
    assert len(written) < LARGEST + 1000
    assert "left out" in written
