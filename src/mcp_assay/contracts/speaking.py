"""The check of a server as a whole: whatever it said while it was tested is judged too."""

from __future__ import annotations

from typing import Final

from mcp_assay.contracts.book import Book
from mcp_assay.contracts.check import Broken, Check, Checks
from mcp_assay.contracts.naming import SERVER
from mcp_assay.model.finding import Finding

MOST_TOLD: Final = 20


def speaking_checks() -> Checks:
    """The check of what the server said."""
    yield Check(SERVER, "speaks-mcp-as-the-specification-says", _speaks)


def _speaks(book: Book) -> list[Finding]:
    """Fail on errors in what was said up to now; give the warnings."""
    found = {said(one): one for one in reversed(book.overheard())}
    errors = [words for words, one in found.items() if one.severity == "error"]
    if errors:
        more = [f"… and {len(errors) - MOST_TOLD:,} more"] if len(errors) > MOST_TOLD else []
        hint = "`mcp-assay explain RULE` says more."
        raise Broken("\n".join((*errors[:MOST_TOLD], *more, hint)))
    return [one for one in found.values() if one.severity == "warning"]


def said(finding: Finding) -> str:
    """A finding in a line."""
    return f"{finding.rule}: {finding.message}"
