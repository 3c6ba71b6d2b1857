"""The response envelope: what the profile with success, timestamp and content asks of a tool."""

from __future__ import annotations

from typing import Final

from mcp_assay.spec.rule_table.entry import (
    ALL,
    ERROR,
    INFO,
    PROBE,
    RESPONSE,
    SERVER,
    WARNING,
    Entry,
)

_RESULTS: Final = "server/tools#calling-tools"
_ERRORS: Final = "server/tools#error-handling"
_TIMES: Final = "https://www.rfc-editor.org/rfc/rfc3339#section-5.6"
_OURSELVES: Final = "the tests of mcp-assay itself, which hold it to this"

# An error breaks the profile. What breaks MCP alone is a warning: the profile accepts it.
# fmt: off
ENVELOPE_RULES: Final = (
    Entry("ENV-101", ERROR, SERVER, RESPONSE, ALL,
          "A response is an object with a content array.", _RESULTS),
    Entry("ENV-102", ERROR, SERVER, RESPONSE, ALL,
          "The content array has at least one item.", _RESULTS),
    Entry("ENV-103", ERROR, SERVER, RESPONSE, ALL,
          "Every content item is an object whose type is a string that is not empty.", _RESULTS),
    Entry("ENV-104", ERROR, SERVER, RESPONSE, ALL,
          "A text item has its text, which is a string.", _RESULTS),
    Entry("ENV-105", ERROR, SERVER, RESPONSE, ALL,
          "An image item has url and altText, or data and mimeType as MCP has it; all are strings.",
          _RESULTS),
    Entry("ENV-106", ERROR, SERVER, RESPONSE, ALL,
          "A resource item has the strings resourceType, identifier and name, or the resource that "
          "MCP embeds: its uri and its text or blob.", "server/tools#embedded-resources"),
    Entry("ENV-107", ERROR, SERVER, RESPONSE, ALL,
          "A response has success, which is true or false.", _RESULTS),
    Entry("ENV-108", ERROR, SERVER, RESPONSE, ALL,
          "A response has a timestamp: a string with date, time and offset as RFC 3339 has it.",
          _TIMES),
    Entry("ENV-109", ERROR, SERVER, RESPONSE, ALL,
          "A response that reports success has no error.", _ERRORS),
    Entry("ENV-110", ERROR, SERVER, RESPONSE, ALL,
          "A response that reports failure has an error object with a code and a message, both "
          "strings.", _ERRORS),
    Entry("ENV-111", ERROR, SERVER, RESPONSE, ALL,
          "The data of a response and the details of its error are JSON values, of whatever type.",
          _RESULTS),
    Entry("ENV-112", WARNING, SERVER, RESPONSE, ALL,
          "The type of a content item is one that MCP defines.", _RESULTS),
    Entry("ENV-113", WARNING, SERVER, RESPONSE, ALL,
          "Image and resource items have the form that MCP gives them.", _RESULTS),
    Entry("ENV-114", WARNING, SERVER, RESPONSE, ALL,
          "A response that reports failure also sets isError, which is what clients look at.",
          _ERRORS),
    Entry("ENV-115", ERROR, SERVER, RESPONSE, ALL,
          "A response that reports success does not set isError to true.", _ERRORS),
    Entry("ENV-116", WARNING, SERVER, RESPONSE, ALL,
          'The first text of a failure starts with "Error: " and the message of its error.',
          _ERRORS),
    Entry("ENV-117", ERROR, SERVER, PROBE, ALL,
          "What a response wrapper makes keeps the profile.", _RESULTS, needs=_OURSELVES),
    Entry("ENV-118", ERROR, SERVER, PROBE, ALL,
          "An auditor of responses changes none of them and fails on none of them.", _RESULTS,
          needs=_OURSELVES),
    Entry("ENV-119", ERROR, SERVER, PROBE, ALL,
          "A middleware that checks responses leaves bodies alone that are not JSON.", _RESULTS,
          needs=_OURSELVES),
    Entry("ENV-120", INFO, SERVER, RESPONSE, ALL,
          "Whether a call succeeded is told by success, not by ok, status or result.", _RESULTS),
    Entry("ENV-121", INFO, SERVER, RESPONSE, ALL,
          "Text is written for people where data holds the same for programs.", _RESULTS),
    Entry("ENV-122", INFO, SERVER, RESPONSE, ALL,
          "A response that reports failure has no data, or null.", _ERRORS),
    Entry("ENV-123", WARNING, SERVER, RESPONSE, ALL,
          "A response is a result of tools/call as MCP has it.", _RESULTS),
)
# fmt: on
