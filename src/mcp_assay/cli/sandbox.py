"""`mcp-assay sandbox`: which disposable worlds can be made here, tried, and why not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from mcp_assay.cli.output import show, write
from mcp_assay.client.sandbox.availability import TriedBackend, attempt
from mcp_assay.model.outcome import CLEAN, USAGE
from mcp_assay.report.as_json import json_text
from mcp_assay.report.effects_table import BACKENDS
from mcp_assay.text.lines import BLANK, Line, indented, named, said

OPTIONS: Final = {"namespaces": "--sandbox", "bwrap": "--sandbox", "sudo": "--sandbox=sudo"}


def show_worlds(format: str, *, color: bool) -> int:
    """Try every way to make a world, say what came of it, and whether there is one."""
    attempts = tried()
    working = next((one for one in attempts if one.works), None)
    if format == "json":
        write(json_text(facts(attempts, working)))
    else:
        show(lines(attempts, working), color=color)
    return CLEAN if working else USAGE


def tried() -> list[TriedBackend]:
    """The attempts; sudo is asked only where nothing else works, for it may tell its admin."""
    attempts = [attempt("namespaces"), attempt("bwrap")]
    return attempts if any(one.works for one in attempts) else [*attempts, attempt("sudo")]


def facts(attempts: list[TriedBackend], working: TriedBackend | None) -> dict[str, Any]:
    """The same for programs."""
    return {
        "backend": working.backend if working else None,
        "option": OPTIONS[working.backend] if working else None,
        "attempts": [
            {
                "backend": one.backend,
                "works": one.works,
                "kind": one.why,
                "reason": one.reason or None,
                "detail": one.detail or None,
                "remedy": one.remedy or None,
                "seconds": round(one.seconds, 3),
            }
            for one in attempts
        ],
    }


def lines(attempts: list[TriedBackend], working: TriedBackend | None) -> Iterator[Line]:
    """The same for people."""
    yield said("Disposable worlds on this machine", "strong")
    yield BLANK
    for one in attempts:
        yield from _told(one)
    yield BLANK
    if working is None:
        yield said("No disposable world can be made here, so --sandbox starts nothing.", "fail")
        yield named("try", attempts[0].remedy)
    else:
        yield said("A server can run where nothing on this machine changes:", "pass")
        yield named("try", f"mcp-assay assess {OPTIONS[working.backend]} -- COMMAND")


def _told(one: TriedBackend) -> Iterator[Line]:
    method = f"{BACKENDS[one.backend]:<28} "
    if one.works:
        yield indented(((method, ""), ("works", "pass"), (f" ({one.seconds:.1f} s)", "faint")))
        return
    detail = f" ({one.detail})" if one.detail else ""
    yield indented(((method, ""), ("no", "fail"), (f": {one.reason}{detail}", "")))
