"""A trial -> findings, each with the call that shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from mcp_assay.model.call import Call, Trial
from mcp_assay.model.finding import Finding, Where
from mcp_assay.rules import load
from mcp_assay.rules.behaviour.causes import cause_of
from mcp_assay.rules.behaviour.trial import RULES
from mcp_assay.rules.rule import Found
from mcp_assay.rules.telling import fingerprint, tell


def judge_trial(tried: Trial, revision: str) -> Iterator[Finding]:
    """Everything that the calls of a tool show."""
    load()
    for rule in RULES:
        for found in rule.check(tried):
            yield _finding(replace(found, rule=rule.id), tried, revision)


def decided_by(trials: Iterable[Trial]) -> set[str]:
    """The rules of which the calls show whether they are kept."""
    load()
    return {rule.id for trial in trials for rule in RULES if rule.is_decided_by(trial)}


def _finding(found: Found, tried: Trial, revision: str) -> Finding:
    call = tried.calls[int(found.path[1])] if found.path else None
    finding = tell(replace(found, path=()), revision, value=_evidence(call))
    identity = fingerprint(found.rule, finding.subject, tried.name, "", found.key)
    cause = cause_of(found.rule, tried.name, call.scenario.pointer if call else "")
    return replace(finding, where=_where(tried, call), cause=cause, fingerprint=identity)


def _where(tried: Trial, call: Call | None) -> Where:
    if call is None:
        return Where(tool=tried.name)
    return Where(tool=tried.name, scenario=call.scenario.name, call=call.number)


def _evidence(call: Call | None) -> Any:
    return call.scenario.arguments if call else None
