"""Whether a URI can climb out of the folder that a server gives away.

Nothing is read but the device that holds nothing. A server that gives its empty contents for a URI
that climbs, and not for the same URI with a name that does not exist, really went there.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Any, Final, NamedTuple

from mcp_assay.model.probe import Ask, Reply
from mcp_assay.rules.engine.rule import Found
from mcp_assay.rules.probe.rule import (
    INVALID_PARAMS,
    KEPT,
    Dialogue,
    Known,
    Verdicts,
    declares,
    fault,
    not_testable,
    probe,
    probe_rule,
    replay,
    undecided,
)
from mcp_assay.spec.uri_templates import LONGEST, expanded, variables

CLIMB: Final = "../" * 12
NOTHING: Final = "dev/null"
NOWHERE: Final = "dev/mcp-assay-no-such-file"
PATH: Final = re.compile(r"\{[+#/]|\*\}|path|file", re.IGNORECASE)
MOST_TEMPLATES: Final = 3
UNCLEAR_REFUSAL: Final = "a path traversal URI is neither rejected nor answered with contents"
FOLDER: Final = re.compile(r"file://[^/?#]*/(?:[^/?#]+/)*")


class Climb(NamedTuple):
    """Three URIs: one that climbs to nothing, one to nowhere, and one that goes there straight."""

    there: str
    nowhere: str
    straight: str


def climbs(server: Known) -> list[Climb]:
    """How one could climb out of what a server lists: by a file, and by templates."""
    files = (_of_file(one.get("uri")) for one in server.resources)
    texts = (one.get("uriTemplate") for one in server.templates)
    templates = sorted((one for one in texts if isinstance(one, str)), key=_names_no_path)
    by_template = filter(None, map(_of_template, templates))
    return [*islice(filter(None, files), 1), *islice(by_template, MOST_TEMPLATES)]


def _names_no_path(template: str) -> bool:
    """False for the templates that are tried first: whose names may hold slashes, or say so."""
    return PATH.search(template[:LONGEST]) is None


def _of_file(uri: Any) -> Climb | None:
    folder = FOLDER.match(uri) if isinstance(uri, str) and len(uri) <= LONGEST else None
    if folder is None:
        return None
    root, base = "file:///", folder.group()
    return Climb(base + CLIMB + NOTHING, base + CLIMB + NOWHERE, root + NOTHING)


def _of_template(template: str) -> Climb | None:
    if len(template) > LONGEST or "://" not in template:
        return None
    names = variables(template)
    if len(names) != 1:
        return None
    paths = (CLIMB + NOTHING, CLIMB + NOWHERE, NOTHING)
    return Climb(*(expanded(template, {names[0]: path}) for path in paths))


@probe("RES-010", need=declares("resources"))
def climbs_out_of_its_folder(server: Known) -> Dialogue:
    """Read nothing by a URI that climbs out of the folder of a listed file, or of a template."""
    found = climbs(server)
    if not found:
        return [
            not_testable(
                "RES-010",
                "the server lists no file resources and no template with a single variable",
            )
        ]
    left_open: Verdicts = []
    for climb in found:
        reply = yield _read(climb.there)
        verdicts = KEPT if reply.is_error else (yield from _looked_into(climb, reply))
        if any(isinstance(verdict, Found) for verdict in verdicts):
            return verdicts
        left_open = left_open or verdicts
    return left_open


def _looked_into(climb: Climb, reply: Reply) -> Dialogue:
    """Find out whether a URI that was not refused really led out."""
    if not _is_empty(reply):
        reason = "the contents of a path traversal URI do not show where they come from"
        return [undecided("RES-010", reason if reply.is_result else UNCLEAR_REFUSAL)]
    nowhere = yield _read(climb.nowhere)
    straight = yield _read(climb.straight)
    if not (nowhere.is_error and straight.is_error):
        return [undecided("RES-010", "the server returns empty contents for every URI")]
    text = (
        "The server follows a path traversal URI (../) out of its folder, up to the file "
        "system root."
    )
    return [fault("RES-010", text)]


def _read(uri: str) -> Ask:
    return Ask("resources/read", {"uri": uri})


def _is_empty(reply: Reply) -> bool:
    """Whether the contents are those of an empty file."""
    contents = reply.result.get("contents") if reply.is_result else None
    if not isinstance(contents, list) or len(contents) != 1 or not isinstance(contents[0], dict):
        return False
    return "" in (contents[0].get("text"), contents[0].get("blob"))


FILES: Final = Known(
    capabilities={"resources": {}},
    resources=[{"uri": "file:///notes/7.md", "name": "note"}],
)
REFUSED: Final = Reply(error={"code": INVALID_PARAMS, "message": "There is no such file"})
EMPTY: Final = Reply(result={"contents": [{"uri": "file:///dev/null", "text": ""}]})

probe_rule(
    "RES-010",
    "uri-climbs-out",
    """The server follows a path traversal URI out of its folder.

    Why: anyone who can read the server's resources can read every file that the server can.
    Instead: resolve the path including symbolic links, and reject it if it is outside the folder
    that you serve.
    """,
    of=climbs_out_of_its_folder,
    reason="uri_climbs_out",
    good=lambda: [replay(REFUSED, known=FILES), replay(EMPTY, EMPTY, EMPTY, known=FILES)],
    bad=lambda: [replay(EMPTY, REFUSED, REFUSED, known=FILES)],
)
