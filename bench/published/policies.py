"""The least that published servers need, and whether it is enough for the same verdicts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from bench.published.runs import RESULTS, PublishedOptions, assessed
from bench.published.servers import chosen, installed
from bench.tables import table

TEN: Final = (
    *("mcp-todo", "mcp-server-duckdb", "mcp-text-editor", "mcp-grep", "mcp-workspace"),
    *("excel-mcp-server", "mcp-server-make", "xmind-mcp", "mcp-json-yaml-toml", "git-mcp"),
)
"""Servers that write to databases, documents and repositories, start programs, or do neither."""
SECONDS: Final = 240.0
"""Enough for every call, also under the policy: a run that is cut is not compared."""
CALLS: Final = ("--calls", "all", "--max-calls", "12", "--ignore", "EFF")
HEAD: Final = ("server", "tools", "writes", "hosts", "programs", "verdicts under it")
MOST_NAMED: Final = 3


def published_policies(options: PublishedOptions) -> tuple[str, dict[str, Any]]:
    """Assess servers, write what they need at least, and assess them with nothing but that."""
    options = replace(options, max_time=options.max_time or SECONDS)
    RESULTS.mkdir(parents=True, exist_ok=True)
    rows = [_policy(name, options) for name in chosen(options.names or TEN, options.half)]
    text = table(list(HEAD), [_row(one) for one in rows])
    same = sum(_is_same(one) for one in rows)
    return f"{text}\n\nThe same verdicts under the policy: {same} of {len(rows)}", {"rows": rows}


def _policy(name: str, options: PublishedOptions) -> dict[str, Any]:
    """The policy of one server, which says what came of it."""
    installed(name)
    file = RESULTS / f"{name}.policy.json"
    file.unlink(missing_ok=True)
    assessed(name, options, *CALLS, "--report", f"policy={file}")
    found: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    print(f"{name}: {found.get('checked')}", flush=True)
    return {"server": name, **found}


def _is_same(policy: Mapping[str, Any]) -> bool:
    checked = policy.get("checked")
    return checked is not None and not checked["changed"] and checked["undecided"] is None


def _row(policy: Mapping[str, Any]) -> list[str]:
    needs = policy.get("needs") or {}
    writes = [*needs.get("write", ()), *needs.get("temporary", ())]
    hosts = [one["host"] for one in needs.get("hosts", ())]
    cells = (_named(one) for one in (writes, hosts, needs.get("programs", ())))
    return [policy["server"], str(policy.get("tools_listed", "-")), *cells, _verdicts(policy)]


def _named(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join((*names[:MOST_NAMED], *((f"{more} more",) if more > 0 else ()))) or "-"


def _verdicts(policy: Mapping[str, Any]) -> str:
    checked = policy.get("checked")
    if not checked:
        return "no policy"
    if checked["undecided"]:
        return f"undecided: {checked['undecided']}"
    changed = [f"{one['tool']} {one['free']} -> {one['under']}" for one in checked["changed"]]
    return "; ".join(changed) or f"the same on {checked['tools']}"
