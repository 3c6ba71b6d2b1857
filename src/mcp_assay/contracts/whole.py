"""Checks of a tool and of a server as a whole: definition, answers together, samples, errors."""

from __future__ import annotations

from functools import partial
from typing import Final

from mcp_assay.contracts.agreement import agreement_checks, shown_all, succeeded
from mcp_assay.contracts.calls import call_words
from mcp_assay.contracts.check import (
    SERVER,
    Broken,
    Checks,
    ContractCheck,
    ToolNotCalled,
    Undecided,
    check,
)
from mcp_assay.contracts.conventions import (
    CONVENTIONS,
    SCHEMA,
    CallOutcome,
    ReportedError,
    What,
    own_errors,
    shown,
    words_of,
)
from mcp_assay.contracts.listed_values import governed, lists_by_name, strangers
from mcp_assay.contracts.samples import REFUSED
from mcp_assay.contracts.server_under_test import ServerUnderTest
from mcp_assay.judge.blocks import check_output
from mcp_assay.model.call import Call
from mcp_assay.model.finding import Finding
from mcp_assay.model.scenario import Plan

MOST_SHOWN: Final = 20


def speaking_checks() -> Checks:
    """The check of what the server said."""
    yield ContractCheck(SERVER, "speaks-mcp-as-the-specification-says", _speaks)


def _speaks(server: ServerUnderTest) -> list[Finding]:
    """Fail on errors in what was said up to now; give the warnings."""
    found = {said(one): one for one in reversed(server.observed())}
    errors = [words for words, one in found.items() if one.severity == "error"]
    if errors:
        more = [f"… and {len(errors) - MOST_SHOWN:,} more"] if len(errors) > MOST_SHOWN else []
        hint = "Run `mcp-assay explain RULE` for details."
        raise Broken("\n".join((*errors[:MOST_SHOWN], *more, hint)))
    return [one for one in found.values() if one.severity == "warning"]


def said(finding: Finding) -> str:
    """A finding in a line."""
    return f"{finding.rule}: {finding.message}"


PROVIDE: Final = (
    "Provide what it depends on; in a disposable world there is no network, but for "
    "--mcp-assay-sandbox-allow HOST."
)
MOST_TRIED: Final = 12
"""So many calls are made in search of one that succeeds, or of one that is refused."""
FEWEST: Final = 2
"""So many tools must keep a convention before another tool deviates from it."""


def whole_checks(tool: str, plan: Plan, server: ServerUnderTest) -> Checks:
    """The checks of a tool as a whole."""
    definition = server.tools[tool]
    yield check(tool, "definition-is-sound", partial(_definition_is_sound, tool))
    yield from agreement_checks(tool, plan, server)
    if not plan.scenarios and not server.samples.permission(tool).allowed:
        yield from _closed(tool, server)
        return
    if definition.get("outputSchema") is not None:
        yield check(tool, "answers-fit-the-output-schema", partial(_answers_fit, tool))
    if lists_by_name(plan):
        yield check(tool, "answers-hold-listed-values", partial(_answers_hold, tool))
    yield check(tool, "has-a-success-sample", partial(_require_success_sample, tool))
    is_refusing = any(one.valid is False or _is_given_wrong(one.name) for one in plan.scenarios)
    if is_refusing:
        yield check(tool, "errors-keep-the-convention", partial(_errors_keep, tool))
    if is_refusing or server.settings.no_error(tool) is not None:
        yield check(tool, "has-an-error-sample", partial(_require_error_sample, tool))


def _closed(tool: str, server: ServerUnderTest) -> Checks:
    reason = server.samples.permission(tool).text

    def skipped(_: ServerUnderTest) -> None:
        raise ToolNotCalled(
            f"{tool} is not called: {reason}. Allow it with --mcp-assay-allow {tool}, call all "
            "tools in a disposable world with --mcp-assay-sandbox, or provide its arguments in a "
            f"test with @accepts and @refuses.{server.unseen}"
        )

    yield check(tool, "has-a-success-sample", skipped)
    yield check(tool, "has-an-error-sample", skipped)


def _definition_is_sound(tool: str, server: ServerUnderTest) -> None:
    if found := server.faults(tool):
        lines = [f"{one.rule} {one.pointer}: {one.message}" for one in found]
        raise Broken("\n".join((f"The definition of {tool} is invalid.", *lines)))


def _is_given_wrong(name: str) -> bool:
    return name.startswith(REFUSED)


def _require_some(server: ServerUnderTest, tool: str) -> list[Call]:
    found = succeeded(server, tool)
    if not found:
        raise Undecided(f"no call of {tool} succeeded. See has-a-success-sample.")
    return found


def _answers_fit(tool: str, server: ServerUnderTest) -> None:
    undecided = None
    for call in _require_some(server, tool):
        found = check_output(server.tools[tool], call.answer.result, server.schemas)
        if found is not None and found.is_valid is False:
            arguments = shown(call.scenario.arguments)
            raise Broken(
                f"The answer to {tool}({arguments}) does not match the outputSchema: "
                f"{found.error}. It is {words_of(call.answer)}"
            )
        undecided = undecided or (found.error if found and found.is_valid is None else None)
    if undecided:
        raise Undecided(f"could not be decided: {undecided}")


def _answers_hold(tool: str, server: ServerUnderTest) -> None:
    own = governed(server.tools[tool].get("outputSchema"))
    lists = lists_by_name(server.samples.prepared(tool))
    lists = {name: values for name, values in lists.items() if name not in own}
    odd = strangers((call.answer for call in _require_some(server, tool)), lists)
    if odd:
        raise Broken(
            "\n".join(
                f"Results of {tool} contain {shown_all(values)} in {name!r}; its inputSchema "
                f"lists {shown_all(lists[name])} for an argument of that name."
                for name, values in odd.items()
            )
        )


def _errors_keep(tool: str, server: ServerUnderTest) -> None:
    errors = server.errors(tool)
    if not errors:
        raise Undecided(f"{tool} returned no error.")
    _require_types(tool, [one for _, one in errors], server)
    own = own_errors(one for _, one in errors) or []
    names = list(dict.fromkeys(one.convention for one in own))
    wanted = _wanted(tool, names, server)
    if wanted is None or not names or names == [wanted]:
        return
    forms = " and as ".join(_form(name) for name in names)
    first = next(call for call, one in errors if one.convention == names[-1])
    raise Broken(
        f"{tool} reports errors as {forms}; {_whose(server)} {_form(wanted)}. For one, "
        f"{call_words(first, server.outcome(first))}"
    )


def _wanted(tool: str, names: list[str], server: ServerUnderTest) -> str | None:
    """The convention that a tool is to keep; None where nobody can tell."""
    if server.settings.errors is not None:
        return server.settings.errors if isinstance(server.settings.errors, str) else SCHEMA
    most = server.convention
    if len(names) > 1:
        return most[0] if most else names[0]
    return most[0] if most and most[1] >= FEWEST else None


def _whose(server: ServerUnderTest) -> str:
    if server.settings.errors is not None:
        return "contract.errors says"
    return "most tools of the server report them as"


def _form(name: str) -> str:
    return CONVENTIONS.get(name, "the JSON Schema of contract.errors")


def _require_types(tool: str, errors: list[ReportedError], server: ServerUnderTest) -> None:
    allowed = server.settings.error_types
    odd = [one.type for one in errors if one.type is not None and one.type not in allowed]
    if allowed and odd:
        raise Broken(f"{tool} reports errors of type {odd[0]!r}; allowed are {shown_all(allowed)}.")


def _require_success_sample(tool: str, server: ServerUnderTest) -> None:
    calls = _search(server, tool, valid=True, what="succeeded")
    if calls is None:
        return
    why = f" {call_words(*calls[0])}" if calls else " No arguments could be generated for it."
    if calls and all(it.what == "broke" for _, it in calls):
        raise Broken(f"{tool} has no success sample.{why}\nFix that first.{server.unseen}")
    if calls and calls[0][1].what == "cut off":
        raise Broken(f"{tool} has no success sample.{why}\n{PROVIDE}{server.unseen}")
    raise Broken(
        f"{tool} has no success sample.{why}\nAdd working arguments: in mcp-assay.toml "
        f"[tools.{tool}] valid = [{{...}}], or in a test with @accepts({tool!r}, ...)."
        f"{server.unseen}"
    )


def _require_error_sample(tool: str, server: ServerUnderTest) -> None:
    if reason := server.settings.no_error(tool):
        raise Undecided(f"no error sample is required for {tool}: {reason}")
    calls = _search(server, tool, valid=False, what="refused")
    if calls is None:
        return
    why = f" {call_words(*calls[0])}" if calls else ""
    raise Broken(
        f"{tool} has no error sample.{why}\nAdd arguments that it rejects: in mcp-assay.toml "
        f"[tools.{tool}] invalid = [{{...}}], or in a test with @refuses({tool!r}, ...). If it "
        f'rejects nothing, say why: [tools.{tool}] no_error = "reason".{server.unseen}'
    )


def _search(
    server: ServerUnderTest, tool: str, *, valid: bool, what: What
) -> list[tuple[Call, CallOutcome]] | None:
    """The calls in which it was looked for in vain; None where one of them has it."""
    scenarios = server.samples.prepared(tool).scenarios
    given = [one for one in scenarios if not valid and _is_given_wrong(one.name)]
    kind = [*given, *(one for one in scenarios if one.valid is valid and one not in given)]
    tried = []
    for scenario in kind[:MOST_TRIED]:
        tried.append(server.tried(scenario))
        if tried[-1][1].what == what:
            return None
    made = [(call, server.outcome(call)) for call in server.samples.made(tool)]
    return None if any(it.what == what for _, it in made) else tried
