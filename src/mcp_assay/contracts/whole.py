"""Checks of a tool as a whole: its definition, its answers together, its samples, its errors."""

from __future__ import annotations

from functools import partial
from typing import Final

from mcp_assay.contracts.agreement import agreement_checks, shown_all, succeeded
from mcp_assay.contracts.book import Book
from mcp_assay.contracts.calls import told
from mcp_assay.contracts.check import Broken, Checks, Open, check
from mcp_assay.contracts.conventions import CONVENTIONS, SCHEMA, Told, own_errors
from mcp_assay.contracts.listed import governed, lists_by_name, strangers
from mcp_assay.contracts.outcomes import Outcome, What
from mcp_assay.contracts.reading import shown, words_of
from mcp_assay.contracts.samples import REFUSED
from mcp_assay.judge.output import check_output
from mcp_assay.model.call import Call
from mcp_assay.model.scenario import Plan

MOST_TRIED: Final = 12
"""So many calls are made in search of one that succeeds, or of one that is refused."""
FEWEST: Final = 2
"""So many tools must keep a convention before another tool deviates from it."""


def whole_checks(tool: str, plan: Plan, book: Book) -> Checks:
    """The checks of a tool as a whole."""
    definition = book.tools[tool]
    yield check(tool, "definition-is-sound", partial(_definition_is_sound, tool))
    yield from agreement_checks(tool, plan, book)
    if not plan.scenarios and not book.samples.permission(tool).allowed:
        yield from _closed(tool, book)
        return
    if definition.get("outputSchema") is not None:
        yield check(tool, "answers-fit-the-output-schema", partial(_answers_fit, tool))
    if lists_by_name(plan):
        yield check(tool, "answers-hold-listed-values", partial(_answers_hold, tool))
    yield check(tool, "has-a-success-sample", partial(_has_a_success_sample, tool))
    is_refusing = any(one.valid is False or _is_given_wrong(one.name) for one in plan.scenarios)
    if is_refusing:
        yield check(tool, "errors-keep-the-convention", partial(_errors_keep, tool))
    if is_refusing or book.settings.no_error(tool) is not None:
        yield check(tool, "has-an-error-sample", partial(_has_an_error_sample, tool))


def _closed(tool: str, book: Book) -> Checks:
    reason = book.samples.permission(tool).reason

    def skipped(_: Book) -> None:
        raise Open(
            f"{tool} is not called: {reason}. Allow it with --mcp-assay-allow {tool}, or give its"
            f" arguments in a test of yours with @accepts and @refuses.{book.unseen}"
        )

    yield check(tool, "has-a-success-sample", skipped)
    yield check(tool, "has-an-error-sample", skipped)


def _definition_is_sound(tool: str, book: Book) -> None:
    if found := book.faults(tool):
        lines = [f"{one.rule} {one.pointer}: {one.message}" for one in found]
        raise Broken("\n".join((f"The definition of {tool} is not sound.", *lines)))


def _is_given_wrong(name: str) -> bool:
    return name.startswith(REFUSED)


def _require_some(book: Book, tool: str) -> list[Call]:
    found = succeeded(book, tool)
    if not found:
        raise Open(f"no call of {tool} succeeded. See has-a-success-sample.")
    return found


def _answers_fit(tool: str, book: Book) -> None:
    undecided = None
    for call in _require_some(book, tool):
        found = check_output(book.tools[tool], call.answer.result, book.schemas)
        if found is not None and found.is_valid is False:
            arguments = shown(call.scenario.arguments)
            raise Broken(
                f"The answer to {tool}({arguments}) does not fit the outputSchema: {found.error}."
                f" It is {words_of(call.answer)}"
            )
        undecided = undecided or (found.error if found and found.is_valid is None else None)
    if undecided:
        raise Open(f"could not be decided: {undecided}")


def _answers_hold(tool: str, book: Book) -> None:
    own = governed(book.tools[tool].get("outputSchema"))
    lists = lists_by_name(book.samples.prepared(tool))
    lists = {name: values for name, values in lists.items() if name not in own}
    odd = strangers((call.answer for call in _require_some(book, tool)), lists)
    if odd:
        raise Broken(
            "\n".join(
                f"Answers of {tool} hold {shown_all(values)} in {name!r}; its inputSchema lists"
                f" {shown_all(lists[name])} for an argument of that name."
                for name, values in odd.items()
            )
        )


def _errors_keep(tool: str, book: Book) -> None:
    told_ones = book.errors(tool)
    if not told_ones:
        raise Open(f"{tool} told no error.")
    _require_types(tool, [one for _, one in told_ones], book)
    own = own_errors(one for _, one in told_ones) or []
    names = list(dict.fromkeys(one.convention for one in own))
    wanted = _wanted(tool, names, book)
    if wanted is None or not names or names == [wanted]:
        return
    forms = " and as ".join(_form(name) for name in names)
    first = next(call for call, one in told_ones if one.convention == names[-1])
    raise Broken(
        f"{tool} tells errors as {forms}; {_whose(book)} {_form(wanted)}."
        f" For one, {told(first, book.outcome(first))}"
    )


def _wanted(tool: str, names: list[str], book: Book) -> str | None:
    """The convention that a tool is to keep; None where nobody can tell."""
    if book.settings.errors is not None:
        return book.settings.errors if isinstance(book.settings.errors, str) else SCHEMA
    most = book.convention
    if len(names) > 1:
        return most[0] if most else names[0]
    return most[0] if most and most[1] >= FEWEST else None


def _whose(book: Book) -> str:
    if book.settings.errors is not None:
        return "contract.errors says"
    return "most tools of the server tell them as"


def _form(name: str) -> str:
    return CONVENTIONS.get(name, "the JSON Schema of contract.errors")


def _require_types(tool: str, told_ones: list[Told], book: Book) -> None:
    allowed = book.settings.error_types
    odd = [one.type for one in told_ones if one.type is not None and one.type not in allowed]
    if allowed and odd:
        raise Broken(f"{tool} tells errors of type {odd[0]!r}; allowed are {shown_all(allowed)}.")


def _has_a_success_sample(tool: str, book: Book) -> None:
    calls = _search(book, tool, valid=True, what="succeeded")
    if calls is None:
        return
    why = f" {told(*calls[0])}" if calls else " No arguments could be made for it."
    raise Broken(
        f"{tool} has no success sample.{why}\nAdd arguments that it takes: in mcp-assay.toml"
        f" [tools.{tool}] valid = [{{...}}], or in a test of yours @accepts({tool!r}, ...)."
        f"{book.unseen}"
    )


def _has_an_error_sample(tool: str, book: Book) -> None:
    if reason := book.settings.no_error(tool):
        raise Open(f"no error sample is wanted of {tool}: {reason}")
    calls = _search(book, tool, valid=False, what="refused")
    if calls is None:
        return
    why = f" {told(*calls[0])}" if calls else ""
    raise Broken(
        f"{tool} has no error sample.{why}\nAdd arguments that it refuses: in mcp-assay.toml"
        f" [tools.{tool}] invalid = [{{...}}], or in a test of yours @refuses({tool!r}, ...). If it"
        f' refuses nothing, say why: [tools.{tool}] no_error = "reason".{book.unseen}'
    )


def _search(book: Book, tool: str, *, valid: bool, what: What) -> list[tuple[Call, Outcome]] | None:
    """The calls in which it was looked for in vain; None where one of them has it."""
    scenarios = book.samples.prepared(tool).scenarios
    given = [one for one in scenarios if not valid and _is_given_wrong(one.name)]
    kind = [*given, *(one for one in scenarios if one.valid is valid and one not in given)]
    tried = []
    for scenario in kind[:MOST_TRIED]:
        tried.append(book.tried(scenario))
        if tried[-1][1].what == what:
            return None
    made = [(call, book.outcome(call)) for call in book.samples.made(tool)]
    return None if any(it.what == what for _, it in made) else tried
