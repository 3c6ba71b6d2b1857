"""Roots: the folders that a client lets a server know."""

from __future__ import annotations

from mcp_assay.rules.examples import bad, good, modern_request, result
from mcp_assay.rules.rule import table_rule
from mcp_assay.spec.revisions import R2024_11_05, R2026_07_28

NOTES = {"uri": "file:///home/ada/notes", "name": "Notes"}
SITE = {"roots": [{"uri": "https://example.com/notes"}]}

table_rule(
    "ROOT-001",
    "root-not-a-file-uri",
    """A root whose uri does not begin with file://.

    Why: servers turn roots into paths of the file system, and any other address leads nowhere.
    Instead: send an absolute file URI, such as file:///home/ada/notes.
    """,
    reason="invalid_result",
    good=[
        good(result({"roots": [NOTES]}), method="roots/list"),
        good(
            modern_request(
                "tools/call", {"name": "sync", "inputResponses": {"where": {"roots": [NOTES]}}}
            ),
            revision=R2026_07_28,
        ),
    ],
    bad=[
        bad(result(SITE), "/result/roots/0/uri", method="roots/list"),
        bad(
            result({"roots": [NOTES, {"uri": "FILE:/home/ada"}]}),
            "/result/roots/1/uri",
            revision=R2024_11_05,
            method="roots/list",
        ),
        bad(
            modern_request("tools/call", {"name": "sync", "inputResponses": {"where": SITE}}),
            "/params/inputResponses/where/roots/0/uri",
            revision=R2026_07_28,
        ),
    ],
)
