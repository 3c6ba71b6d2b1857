"""What SARIF 2.1.0, JUnit XML and the services that take them ask of a file: our own account."""

from __future__ import annotations

from typing import Any, NamedTuple

TEXT: dict[str, Any] = {"type": "string"}
URI: dict[str, Any] = {"type": "string", "pattern": "^[A-Za-z0-9/._~%:#?=&-]*$"}
LEVEL: dict[str, Any] = {"enum": ["none", "note", "warning", "error"]}


def record(required: str = "", **members: Any) -> dict[str, Any]:
    """An object that has no other members than these."""
    return {
        "type": "object",
        "required": required.split(),
        "properties": members,
        "additionalProperties": False,
    }


def some(item: Any, **more: Any) -> dict[str, Any]:
    """An array of things of one kind."""
    return {"type": "array", "items": item, **more}


def of(name: str) -> dict[str, Any]:
    """A record that is described under its own name."""
    return {"$ref": f"#/$defs/{name}"}


BAG: dict[str, Any] = {"properties": {"tags": some(TEXT, uniqueItems=True, maxItems=10)}}
COUNTED: dict[str, Any] = {"type": "integer", "minimum": 1}
DESCRIPTION = record("text", text={"type": "string", "minLength": 1, "maxLength": 1024})
RECORDS: dict[str, dict[str, Any]] = {
    "run": record(
        "tool results",
        tool=record("driver", driver=of("driver")),
        columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
        results=some(of("result"), maxItems=25_000),
        invocations=some(of("invocation")),
        automationDetails=record("id", id=TEXT),
        properties=BAG,
    ),
    "driver": record(
        "name rules",
        name=TEXT,
        version=TEXT,
        semanticVersion=TEXT,
        rules=some(of("rule"), uniqueItems=True, maxItems=25_000),
    ),
    "rule": record(
        "id shortDescription fullDescription help",
        id={"type": "string", "maxLength": 255},
        name={"type": "string", "maxLength": 255},
        shortDescription=DESCRIPTION,
        fullDescription=DESCRIPTION,
        help=record("text", text=TEXT, markdown=TEXT),
        helpUri={**URI, "format": "uri"},
        defaultConfiguration=record("level", level=LEVEL),
        properties=BAG,
    ),
    "result": record(
        "ruleId ruleIndex level message locations partialFingerprints",
        ruleId=TEXT,
        ruleIndex={"type": "integer", "minimum": 0},
        level=LEVEL,
        message=of("message"),
        locations=some(of("location"), minItems=1, maxItems=100),
        relatedLocations=some(of("location"), uniqueItems=True, maxItems=100),
        occurrenceCount=COUNTED,
        partialFingerprints={
            "required": ["primaryLocationLineHash"],
            "additionalProperties": {"type": "string", "maxLength": 100},
        },
    ),
    "message": record("text", text={"type": "string", "minLength": 1, "maxLength": 25_000}),
    "location": record(
        "physicalLocation",
        id={"type": "integer", "minimum": -1},
        physicalLocation=record(
            "artifactLocation region",
            artifactLocation=record("uri", uri={**URI, "minLength": 1, "format": "uri-reference"}),
            region=record("startLine", startLine=COUNTED, startColumn=COUNTED),
        ),
        logicalLocations=some(
            record("fullyQualifiedName", name=TEXT, fullyQualifiedName=TEXT, kind=TEXT),
            uniqueItems=True,
        ),
    ),
    "invocation": record(
        "executionSuccessful",
        executionSuccessful={"type": "boolean"},
        toolExecutionNotifications=some(record("message", level=LEVEL, message=of("message"))),
    ),
}
SARIF: dict[str, Any] = {
    **record(
        "version runs",
        **{"$schema": URI},
        version={"const": "2.1.0"},
        runs=some(of("run"), minItems=1, maxItems=20),
    ),
    "$defs": RECORDS,
}
"""The part of SARIF that we write, and the limits of code scanning."""


class Element(NamedTuple):
    """What an element of JUnit XML may have."""

    required: str = ""
    optional: str = ""
    children: str = ""


JUNIT = {
    "testsuites": Element("", "name time tests failures errors", "testsuite"),
    "testsuite": Element(
        "name tests failures errors", "skipped time timestamp hostname id package", "testcase"
    ),
    "testcase": Element("name", "classname time", "skipped failure error"),
    "skipped": Element("", "message type"),
    "failure": Element("", "message type"),
}
"""What the schemas of Jenkins and of its xUnit plugin both know; other systems read less."""
