"""The forms in which a comparison of two reports is written for programs and services."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from mcp_assay.drift.comparison import Comparison
from mcp_assay.drift.servers import Comparisons
from mcp_assay.report.as_json import json_text
from mcp_assay.report.diff_markdown import diff_markdown
from mcp_assay.report.diffs_markdown import diffs_markdown
from mcp_assay.report.formats import TEXT


def diff_json(comparison: Comparison | Comparisons) -> str:
    """The comparison as indented JSON, ending in a newline."""
    return json_text(msgspec.to_builtins(comparison))


DIFF_WRITERS: Final[Mapping[str, Callable[[Comparison], str]]] = {
    "json": diff_json,
    "markdown": diff_markdown,
}
DIFFS_WRITERS: Final[Mapping[str, Callable[[Comparisons], str]]] = {
    "json": diff_json,
    "markdown": diffs_markdown,
}
"""The same for several servers."""
DIFF_FORMATS: Final = (TEXT, *DIFF_WRITERS)
