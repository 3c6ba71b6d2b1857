"""Write the generated files, or with --check tell which of them are stale."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from mcp_assay.cli.stored_pages import HELP_PAGES, RULE_PAGES
from mcp_assay.contracts.learned import FORMAT, Contract
from mcp_assay.drift.comparison import SCHEMA as DIFF
from mcp_assay.drift.comparison import Comparison
from mcp_assay.drift.servers import SCHEMA as DIFFS
from mcp_assay.drift.servers import Comparisons
from mcp_assay.fleet.report import form as fleet_form
from mcp_assay.history import answers
from mcp_assay.model import baseline, event
from mcp_assay.model.policy import POLICY, Policy
from mcp_assay.model.report import SCHEMA, Report
from mcp_assay.model.reports import SCHEMA as SCHEMA_OF_ALL
from mcp_assay.model.reports import Reports
from tools import cli_page, format_page, keys_page, rule_index, rule_pages, stored_pages
from tools.consoles import ROOT, blocks, refreshed

RULES = ROOT / "docs" / "rules"
RULE_INDEX = ROOT / "src" / "mcp_assay" / "rules" / "index.py"
REPORT_SCHEMA = ROOT / "src" / "mcp_assay" / "report" / "report.schema.json"
DIFF_SCHEMA = REPORT_SCHEMA.with_name("diff.schema.json")
DIFFS_SCHEMA = REPORT_SCHEMA.with_name("diffs.schema.json")
REPORTS_SCHEMA = REPORT_SCHEMA.with_name("reports.schema.json")
POLICY_SCHEMA = REPORT_SCHEMA.with_name("policy.schema.json")
EVENTS_SCHEMA = REPORT_SCHEMA.with_name("events.schema.json")
FLEET_SCHEMA = ROOT / "src" / "mcp_assay" / "fleet" / "report" / "fleet.schema.json"
HISTORY = ROOT / "src" / "mcp_assay" / "history"
HISTORY_FORMS: dict[str, tuple[str, type[msgspec.Struct]]] = {
    "history.schema.json": (answers.LIST, answers.HistoryList),
    "server.schema.json": (answers.SERVER, answers.ServerHistory),
    "tool.schema.json": (answers.TOOL, answers.ToolHistory),
    "findings.schema.json": (answers.FINDINGS, answers.HistoryFindings),
}
"""The schema of each answer of the history, by its file."""
DIALECT = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
CONTRACT_SCHEMA = ROOT / "src" / "mcp_assay" / "contracts" / "contract.schema.json"
BASELINE_SCHEMA = ROOT / "src" / "mcp_assay" / "report" / "baseline.schema.json"


def _help_pages() -> str:
    """The help of a process that has done nothing else: a command is made once in each, from
    whatever a test had changed at that moment."""
    code = "import sys; from tools.stored_pages import help_pages; sys.stdout.write(help_pages())"
    run = (sys.executable, "-c", code)
    return subprocess.run(run, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def generated() -> dict[Path, str]:
    """Every file that is generated as a whole, and what it should hold."""
    return {
        **{RULES / name: text for name, text in rule_pages.pages().items()},
        RULE_INDEX: rule_index.source(),
        ROOT / "docs" / "cli.md": cli_page.page(),
        Path(HELP_PAGES): _help_pages(),
        Path(RULE_PAGES): stored_pages.rule_pages(),
        ROOT / "docs" / "configuration-keys.md": keys_page.page(),
        ROOT / "docs" / "report-format.md": format_page.page(report_schema(), events_schema()),
        REPORT_SCHEMA: json.dumps(report_schema(), indent=2) + "\n",
        DIFF_SCHEMA: json.dumps(diff_schema(), indent=2) + "\n",
        DIFFS_SCHEMA: json.dumps(diffs_schema(), indent=2) + "\n",
        REPORTS_SCHEMA: json.dumps(reports_schema(), indent=2) + "\n",
        POLICY_SCHEMA: json.dumps(policy_schema(), indent=2) + "\n",
        EVENTS_SCHEMA: json.dumps(events_schema(), indent=2) + "\n",
        FLEET_SCHEMA: json.dumps(fleet_schema(), indent=2) + "\n",
        CONTRACT_SCHEMA: json.dumps(contract_schema(), indent=2) + "\n",
        BASELINE_SCHEMA: json.dumps(baseline_schema(), indent=2) + "\n",
        **{
            HISTORY / name: json.dumps(history_schema(*form), indent=2) + "\n"
            for name, form in HISTORY_FORMS.items()
        },
    }


def replayed() -> dict[Path, str]:
    """Every page written by hand, with the output that its commands have today."""
    return {path: refreshed(path.read_text("utf-8")) for path in with_consoles()}


def with_consoles() -> Iterator[Path]:
    """The pages written by hand that show commands and their output."""
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        if blocks(path.read_text("utf-8")):
            yield path


def report_schema() -> dict[str, Any]:
    """The JSON Schema of the report: every member is written, but for those of places, entries."""
    return {**DIALECT, "title": SCHEMA, **_whole(msgspec.json.schema(Report))}


def diff_schema() -> dict[str, Any]:
    """The JSON Schema of comparisons: every member is written, but for those of places, changes."""
    return {**DIALECT, "title": DIFF, **_whole(msgspec.json.schema(Comparison))}


def diffs_schema() -> dict[str, Any]:
    """The JSON Schema of comparisons of several servers."""
    return {**DIALECT, "title": DIFFS, **_whole(msgspec.json.schema(Comparisons))}


def events_schema() -> dict[str, Any]:
    """The JSON Schema of one line of events."""
    return {**DIALECT, "title": event.SCHEMA, **_whole(msgspec.json.schema(event.Event))}


def policy_schema() -> dict[str, Any]:
    """The JSON Schema of what a server must be allowed."""
    return {**DIALECT, "title": POLICY, **_whole(msgspec.json.schema(Policy))}


def fleet_schema() -> dict[str, Any]:
    """The JSON Schema of the report on a fleet."""
    schema = _whole(msgspec.json.schema(fleet_form.FleetReport))
    return {**DIALECT, "title": fleet_form.SCHEMA, **schema}


def history_schema(title: str, form: type[msgspec.Struct]) -> dict[str, Any]:
    """The JSON Schema of an answer of the history."""
    return {**DIALECT, "title": title, **_whole(msgspec.json.schema(form))}


def reports_schema() -> dict[str, Any]:
    """The JSON Schema of the report on several servers."""
    return {**DIALECT, "title": SCHEMA_OF_ALL, **_whole(msgspec.json.schema(Reports))}


def _whole(schema: dict[str, Any]) -> dict[str, Any]:
    for name, struct in schema["$defs"].items():
        if name not in ("Where", "BaselineEntry", "Change"):
            struct["required"] = list(struct["properties"])
    return schema


def contract_schema() -> dict[str, Any]:
    """The JSON Schema of learned contracts."""
    return {**DIALECT, "title": FORMAT, **msgspec.json.schema(Contract)}


def baseline_schema() -> dict[str, Any]:
    """The JSON Schema of baselines."""
    return {**DIALECT, "title": baseline.SCHEMA, **msgspec.json.schema(baseline.Baseline)}


def stale(expected: dict[Path, str]) -> list[Path]:
    """The files that differ from what they should hold, and rule pages without a rule."""
    left_over = set(RULES.glob("*.md")) - set(expected)
    changed = {path for path, text in expected.items() if _content(path) != text}
    return sorted(left_over | changed)


def main() -> int:
    """Write or check, and say what was done."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, fail on stale files")
    only_check = parser.parse_args().check
    if not only_check and _content(RULE_INDEX) != (index := rule_index.source()):
        _write(RULE_INDEX, index)
        print(f"written: {RULE_INDEX.relative_to(ROOT)}")
        os.execv(sys.executable, sys.orig_argv)  # pages are made of the index that is loaded
    expected = generated() | replayed()
    found = stale(expected)
    for path in found:
        print(f"{'stale' if only_check else 'written'}: {path.relative_to(ROOT)}")
        if not only_check:
            _write(path, expected.get(path))
    if only_check and found:
        print("Run `make docs` and commit what it writes.")
    return int(only_check and bool(found))


def _content(path: Path) -> str | None:
    return path.read_text("utf-8") if path.exists() else None


def _write(path: Path, text: str | None) -> None:
    if text is None:
        path.unlink()
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    sys.exit(main())
