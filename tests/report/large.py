"""A report as large as reports get: 10,000 findings, 5,000 calls, 5,000 messages."""

from __future__ import annotations

import json
from random import Random

from msgspec.structs import replace

from mcp_assay.model.finding import Finding, Severity, Where
from mcp_assay.model.report import Report, TimedMessage
from mcp_assay.model.tool import CallRow, ScenarioRow, ToolRow
from tests.report.reports import report

FINDINGS = 10_000
CALLS = 5_000
TOOLS = 100
RULES = ("CALL-003", "DRIFT-001", "DRIFT-006", "RESP-004", "RESP-008", "TOOL-015", "JSONRPC-005")
"""Rules whose faults of several tools are not shown as one."""
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "warning", "info")
WORDS = ("note", "list", "search", "title", "order", "limit", "query", "page", "tag", "value")


def large_report(findings: int = FINDINGS, calls: int = CALLS, seed: int = 0) -> Report:
    """A report on a server with many tools, all of which are talkative."""
    chance = Random(seed)
    found = [_finding(chance, number, calls) for number in range(findings)]
    small = report("x", found)
    return replace(
        small,
        tools=[_tool(small.tools[0], number) for number in range(TOOLS)],
        calls=[_call(chance, number) for number in range(1, calls + 1)],
        limits=[],
        summary=replace(small.summary, tools_listed=TOOLS, tools_called=TOOLS),
        timing=replace(small.timing, messages=[_message(number) for number in range(calls)]),
    )


def _sentence(chance: Random, words: int) -> str:
    return " ".join(chance.choices(WORDS, k=words))


def _finding(chance: Random, number: int, calls: int) -> Finding:
    tool, arguments = f"tool_{number % TOOLS}", {"query": _sentence(chance, 8), "limit": number}
    raw = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool}}
    raw["params"] = {"name": tool, "arguments": arguments, "_meta": {"x/y": _sentence(chance, 20)}}
    severity = SEVERITIES[number % len(SEVERITIES)]
    return Finding(
        rule=RULES[number % len(RULES)],
        name="some-name-of-a-rule",
        severity=severity,
        subject="server",
        message=f'The tool "{tool}" does something else: {_sentence(chance, 8)} ({number}).',
        pointer="/result/structuredContent/total",
        where=Where(tool=tool, scenario="random 7: one fault", call=1 + number % calls),
        revision="2026-07-28",
        statement="A statement of the rule, as long as such statements are, in one sentence.",
        url="https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool",
        reason="some_reason",
        details={
            "smallest": arguments,
            "repeat": f"mcp-assay assess --only {tool} --args '{json.dumps(arguments)}' -- server",
            "raw": json.dumps(raw),
        },
        evidence=_sentence(chance, 6),
        fix="Do what the schema says, or say in the schema what is done.",
        cause=f"cause {number % 500}",
        fingerprint=f"{number:016x}",
    )


def _call(chance: Random, number: int) -> CallRow:
    text = _sentence(chance, 30 + number % 200)
    result = {"content": [{"type": "text", "text": text}], "structuredContent": {"total": number}}
    return CallRow(
        number=number,
        tool=f"tool_{number % TOOLS}",
        scenario="random 7: one fault",
        arguments={"query": _sentence(chance, 8), "limit": number},
        valid=number % 2 == 0,
        outcome=("passed", "failed", "unproven")[number % 3],
        answer=json.dumps({"jsonrpc": "2.0", "id": number, "result": result})[:2048],
    )


def _tool(tool: ToolRow, number: int) -> ToolRow:
    outcomes = ("passed", "failed", "unproven", "undecided")
    scenarios = [ScenarioRow(name="random", outcome=outcomes[n % 4]) for n in range(50)]
    return replace(tool, name=f"tool_{number}", scenarios=scenarios)


def _message(number: int) -> TimedMessage:
    is_answer = number % 2 == 1
    return TimedMessage(
        at=number / 1000,
        direction="s2c" if is_answer else "c2s",
        what="answer to tools/call tool_1" if is_answer else "tools/call tool_1",
        id=number // 2,
        bytes=300 + number,
        milliseconds=float(number % 97) if is_answer else None,
    )
