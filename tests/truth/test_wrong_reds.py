"""What our own arguments bring about is no fault of a tool, and its own faults are."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.judge.our_hosts import is_owed_to_our_host
from mcp_assay.model.verdict import ErrorKind, ValidationContext
from mcp_assay.responses import ResponseValidator


def context(sent: dict[str, Any], text: str) -> ValidationContext:
    properties = {name: {"type": "string"} for name in sent}
    tool = {"name": "run", "inputSchema": {"type": "object", "properties": properties}}
    response = {"content": [{"type": "text", "text": text}], "isError": True}
    return ValidationContext(tool, sent, response, "happy_path")


@pytest.mark.parametrize(
    ("sent", "text", "kind"),
    [
        ({"selector": "[x"}, 'Unexpected token "" while parsing css selector "[x"', "business"),
        ({"url": "assay"}, "TypeError: Only absolute URLs are supported", "business"),
        ({"id": "assay"}, "ValueError: badly formed hexadecimal UUID string", "business"),
        ({"data": "abcde"}, "binascii.Error: Incorrect padding", "business"),
        ({"pid": 99_999_999}, "ProcessLookupError: [Errno 3] No such process", "business"),
        (
            {"manifest": "kind: X"},
            'error validating "STDIN": error validating data: [apiVersion not set]',
            "business",
        ),
        ({"path": "a.txt"}, "ValueError: File must be a .pptx file", "business"),
        (
            {"language": "ruby", "code": "puts 1"},
            "[Errno 2] No such file or directory: 'ruby'",
            "environment",
        ),
        ({"code": "assay"}, "NameError: name 'assay' is not defined", "business"),
        ({"city": "Oslo"}, "TypeError: Only absolute URLs are supported", "failure"),
        ({"city": "Oslo"}, "ValueError: badly formed hexadecimal UUID string", "failure"),
        ({"city": "Oslo"}, "binascii.Error: Incorrect padding", "failure"),
        ({"city": "Oslo"}, "ProcessLookupError: [Errno 3] No such process", "failure"),
        ({"city": "Oslo"}, "error validating data: [apiVersion not set]", "failure"),
        (
            {"id": "123e4567-e89b-12d3-a456-426614174000"},
            "ValueError: badly formed hexadecimal UUID string",
            "failure",
        ),
        ({"city": "Oslo"}, "KeyError: 'temperature'", "failure"),
        ({"geojson": "tea"}, "Expecting value: line 1 column 1 (char 0)", "business"),
        ({"json_data": '{"a" 1}'}, "Expecting ':' delimiter: line 1 column 6 (char 5)", "business"),
        ({"json": "tea"}, "SyntaxError: Unexpected token e in JSON at position 0", "business"),
        ({"city": "Oslo"}, "Expecting value: line 1 column 1 (char 0)", "failure"),
        ({"json": "tea"}, "Expecting value: line 7 column 3 (char 90)", "failure"),
    ],
)
def test_whose_fault_it_is(sent: dict[str, Any], text: str, kind: ErrorKind) -> None:
    assert ResponseValidator.explain_error(context(sent, text)).kind == kind


OURS = {"url": "https://example.invalid/"}


@pytest.mark.parametrize(
    ("sent", "text", "is_ours"),
    [
        (OURS, "getaddrinfo ENOTFOUND example.invalid", True),
        (OURS, "TypeError: fetch failed", True),
        (OURS, "net::ERR_NAME_NOT_RESOLVED at https://example.invalid/", True),
        (OURS, "[Errno -2] Name or service not known", True),
        ({"hosts": ["db.example"]}, "Could not resolve host: db.example", True),
        ({"ip": "192.0.2.7"}, "Connection timed out: 192.0.2.7", True),
        ({"city": "Oslo"}, "getaddrinfo ENOTFOUND api.weather.org", False),
        ({"path": "a.test.js"}, "getaddrinfo ENOTFOUND registry.internal", False),
        ({"id": "v.example-2"}, "getaddrinfo ENOTFOUND registry.internal", False),
        ({"version": "10.192.0.2.5"}, "getaddrinfo ENOTFOUND registry.internal", False),
        (OURS, "connect ECONNREFUSED 127.0.0.1:5432", False),
        (OURS, "Cannot connect to the Docker daemon at unix:///var/run/docker.sock", False),
        (OURS, "BROWSER_PATH is not set", False),
        (OURS, "spawn chromium ENOENT: no such program, chromium is not installed", False),
        ({}, "TypeError: fetch failed", False),
    ],
)
def test_that_nobody_reaches_our_hosts_accuses_nobody(
    sent: dict[str, Any], text: str, is_ours: bool
) -> None:
    asked = context(sent, text)
    result = ResponseValidator.validate_response(asked)
    assert is_owed_to_our_host(sent, asked.response, result) is is_ours
