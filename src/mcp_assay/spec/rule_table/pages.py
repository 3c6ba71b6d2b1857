"""Where the specification says it: the address of a page in each revision."""

from __future__ import annotations

from typing import Final

from mcp_assay.spec.revisions import R2025_03_26, R2025_06_18, R2025_11_25, R2026_07_28

SITE: Final = "https://modelcontextprotocol.io/specification"
SCHEMAS: Final = "https://github.com/modelcontextprotocol/modelcontextprotocol/blob/main/schema"
SCHEMA_FILE: Final = "schema.ts"
"""The page that stands for a revision's schema as a whole."""
SCHEMA_PAGE_SINCE: Final = R2025_06_18
"""The first revision whose schema has a page of its own on the site."""

STREAMABLE: Final = "basic/transports/streamable-http"

MOVED: Final = {
    "basic/authorization/authorization-server-discovery": (R2026_07_28, "basic/authorization"),
    "basic/authorization/security-considerations": (R2026_07_28, "basic/authorization"),
    "basic/index#error-responses": (R2025_11_25, "basic/index"),
    "basic/index#messages": (R2025_03_26, "basic/index"),
    "basic/index#meta": (R2025_06_18, "basic/index"),
    "basic/index#notifications": (R2025_03_26, "basic/messages#notifications"),
    "basic/index#ref-resolution": (R2026_07_28, "basic/index"),
    "basic/index#requests": (R2025_03_26, "basic/messages#requests"),
    "basic/index#responses": (R2025_03_26, "basic/messages#responses"),
    "basic/index#result-responses": (R2025_11_25, "basic/index"),
    "basic/index#schema-validation": (R2025_11_25, "basic/index"),
    "basic/patterns/cancellation": (R2026_07_28, "basic/utilities/cancellation"),
    "basic/patterns/progress": (R2026_07_28, "basic/utilities/progress"),
    "basic/transports#messages": (R2026_07_28, "basic/transports"),
    "basic/transports/stdio": (R2026_07_28, "basic/transports#stdio"),
    f"{STREAMABLE}#receiving-messages": (
        R2026_07_28,
        "basic/transports#sending-messages-to-the-server",
    ),
    f"{STREAMABLE}#security-&-endpoint": (R2026_07_28, "basic/transports#security-warning"),
    f"{STREAMABLE}#sending-messages": (
        R2026_07_28,
        "basic/transports#sending-messages-to-the-server",
    ),
    f"{STREAMABLE}#standard-request-headers": (R2026_07_28, "basic/transports#streamable-http"),
    "client/elicitation#form-mode-security": (R2025_11_25, "client/elicitation"),
    "client/elicitation#requested-schema": (R2025_11_25, "client/elicitation"),
    "deprecated": (R2026_07_28, f"{SITE}/{R2026_07_28}/deprecated"),
    "server/resources#annotations": (R2025_06_18, "server/resources"),
    "server/tools#tool-names": (R2025_11_25, "server/tools"),
}
"""Page -> the first revision that has it, and what to read in the revisions before.

A page without an anchor stands for its anchors too, but for those that have a line of their own.
"""


def address(page: str, revision: str) -> str:
    """The full address of `page`, or of what stood for it in `revision`."""
    page = _in(page, revision)
    if page.startswith("https://"):
        return page
    if page == SCHEMA_FILE or (page.startswith("schema#") and revision < SCHEMA_PAGE_SINCE):
        return f"{SCHEMAS}/{revision}/{SCHEMA_FILE}"
    return f"{SITE}/{revision}/{page}"


def _in(page: str, revision: str) -> str:
    path, mark, anchor = page.partition("#")
    for known, rest in ((page, ""), (path, mark + anchor)):
        since, earlier = MOVED.get(known, ("", ""))
        if revision < since:
            return earlier + rest
    return page
