"""Every listed resource is read, every template filled in, every prompt asked for; all bounded."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, Literal, TypeAlias

from msgspec.structs import replace

from mcp_assay.assess.options import AssessOptions
from mcp_assay.assess.state import AssessmentState, Read
from mcp_assay.client.connection import Connection
from mcp_assay.client.links import NotReached
from mcp_assay.client.response import Response
from mcp_assay.judge.response import Explain
from mcp_assay.model.ending import LOST
from mcp_assay.model.finding import NOWHERE, Finding, Where
from mcp_assay.model.probe import Ask, OpenStep, Reply
from mcp_assay.model.report import CheckOutcome, Limit
from mcp_assay.model.tool import NotCalled
from mcp_assay.model.verdict import ValidationContext
from mcp_assay.rules import load
from mcp_assay.rules.definition.surface import Surface
from mcp_assay.rules.engine.findings import to_finding
from mcp_assay.rules.probe.reads import (
    DECIDED,
    Having,
    ReadOutcome,
    get_prompt,
    read_filled_in,
    read_listed,
)
from mcp_assay.scenario.known_values import Values
from mcp_assay.scenario.usual_values import NUMBERS, TEXTS, by_name
from mcp_assay.spec.formats import FORMATS
from mcp_assay.spec.uri_templates import expanded, variables
from mcp_assay.text.words import listing, quote

OfferKind: TypeAlias = Literal["resources", "templates", "prompts"]

MOST_READ: Final = 50
"""So many of each kind are had; of those that come after them the report says so."""
MOST_LOST: Final = 3
"""After so many that were not answered, or that the server did not survive, the rest is left."""
MOST_TRIES: Final = 3
"""So many values are tried for a template or a prompt that refuses them."""
MOST_NAMES: Final = 20
"""For no more arguments of a prompt, or names in a template, values are looked for."""
SHARE: Final = 0.25
"""The part of --max-time that reading may take, so that time is left for the calls of tools."""
LONGEST_KEY: Final = 200
ANY: Final = ("example", "1")
"""What is tried for an argument whose name suggests nothing."""
MOST_BYTES: Final = 2 * 1024 * 1024
"""A resource that is said to be larger is not read."""
TOO_MANY: Final = ReadOutcome("not_called", f"more than {MOST_READ} are listed")
TOO_LARGE: Final = ReadOutcome("not_called", f"its listed size is more than {MOST_BYTES:,} bytes")
LEFT_ALONE: Final = ReadOutcome(
    "not_called", "the server crashed or stopped responding on an earlier read"
)
TOO_LATE: Final = ReadOutcome("not_called", NotCalled.READ_TOO_LATE.value)
OF_ALL_RESOURCES: Final = "RES-011"
"""The rule that every listed resource has to keep."""
ADRIFT: Final = ReadOutcome("unproven", "a dependency was unavailable", shows="an answer")
TOO_WIDE: Final = ReadOutcome("not_called", f"it needs more than {MOST_NAMES} values")
NO_TEMPLATE: Final = ReadOutcome("not_called", "it is not a valid URI template")
KEYS: Final[dict[OfferKind, str]] = {
    "resources": "uri",
    "templates": "uriTemplate",
    "prompts": "name",
}
"""What the things of each kind are had by."""
WORDS: Final[dict[OfferKind, str]] = {
    "resources": "read",
    "templates": "fill in",
    "prompts": "get",
}


def why_not(options: AssessOptions) -> str | None:
    """Why the user does not want anything to be read, None where nothing speaks against it."""
    if options.only is not None:
        return NotCalled.NOT_CHOSEN.value
    if options.dry_run:
        return NotCalled.NOT_READ_DRY.value
    return NotCalled.NOT_READ.value if options.calls == "none" else None


def about(kind: OfferKind, key: str) -> Where:
    """The place of what is found while something is had."""
    return Where(scenario=f"{WORDS[kind]} {key[:LONGEST_KEY]}")


def offered(surface: Surface, kind: OfferKind) -> dict[str, dict[str, Any]]:
    """What can be fetched of a kind, each once."""
    listed = getattr(surface, kind)
    return {
        item[KEYS[kind]]: item
        for item in listed
        if isinstance(item, dict) and isinstance(item.get(KEYS[kind]), str)
    }


class ServerReads:
    """The reads of one assessment: what came of them can be read at any time."""

    def __init__(
        self,
        state: AssessmentState,
        connection: Connection,
        explain: Explain,
    ) -> None:
        load("probe")
        self._explain: Final = explain
        self._options: Final = state.options
        self._outcomes: Final = state.outcomes
        self._connection: Final = connection
        self._revision: Final = state.revision or ""
        self._surface: Final = state.listed.surface
        self._had: Final[dict[tuple[str, str], ReadOutcome]] = {}
        self._lost = 0
        self._until = 0.0
        self._found: Final[dict[tuple[str, str], Finding]] = {}

    def so_far(self) -> Read:
        """What came of the reads up to now."""
        return Read(outcomes=dict(self._had))

    async def read_listed(self) -> Read:
        """Read the resources, and ask for the prompts; before calls of tools change anything."""
        against = why_not(self._options)
        if against is None:
            with self._keeping(), suppress(NotReached):
                await self._read_resources()
                await self._get_prompts()
        else:
            self._leave_open("undecided", f"reads were {against}")
        return self.so_far()

    async def fill_in_templates(self, values: Values) -> Read:
        """Fill in the templates; what the calls of tools have told gives values for them."""
        if why_not(self._options) is None:
            with self._keeping(), suppress(NotReached):
                for template, definition in self._bounded("templates"):
                    had = await self._filled_in(template, definition, values)
                    self._note("templates", template, had)
        return self.so_far()

    async def _read_resources(self) -> None:
        for uri, resource in self._bounded("resources"):
            size = resource.get("size")
            is_large = isinstance(size, int) and size > MOST_BYTES
            self._note("resources", uri, TOO_LARGE if is_large else await self._read(resource))

    async def _get_prompts(self) -> None:
        values = Values.given(self._options.examples)
        for name, prompt in self._bounded("prompts"):
            self._note("prompts", name, await self._get_prompt(prompt, values))

    def _bounded(self, kind: OfferKind) -> Iterator[tuple[str, dict[str, Any]]]:
        """What is to be had of a kind, one by one, while the server goes along."""
        left_out = Counter[ReadOutcome]()
        for number, (key, item) in enumerate(offered(self._surface, kind).items()):
            against = self._against(number)
            if against is None:
                yield key, item
            else:
                self._note(kind, key, against)
                left_out[against] += 1
        most, seconds = MOST_READ, int(SHARE * self._options.max_time)
        for had, name, value in ((TOO_MANY, "had", most), (TOO_LATE, "seconds", seconds)):
            if left_out[had]:
                effect = f"further {kind} were not read"
                limit = Limit(
                    name=f"{kind}-{name}", value=value, count=left_out[had], effect=effect
                )
                self._outcomes.limits.append(limit)

    def _against(self, number: int) -> ReadOutcome | None:
        """Why the next one is not had, None where nothing speaks against it."""
        if number >= MOST_READ:
            return TOO_MANY
        if self._lost >= MOST_LOST:
            return LEFT_ALONE
        return TOO_LATE if _now() > self._until else None

    async def _read(self, resource: dict[str, Any]) -> ReadOutcome:
        return await self._held(read_listed(resource), about("resources", resource["uri"]))

    async def _get_prompt(self, prompt: dict[str, Any], values: Values) -> ReadOutcome:
        name, where = prompt["name"], about("prompts", prompt["name"])
        reference = {"type": "ref/prompt", "name": name}
        required = _required(prompt)
        if len(required) > MOST_NAMES:
            return TOO_WIDE
        choices = {
            argument: [*await self._known(name, argument, reference, values), *ANY]
            for argument in required
        }
        tries = (get_prompt(name, arguments) for arguments in _chosen(choices))
        return await self._first_had(tries, where)

    async def _filled_in(
        self, template: str, definition: dict[str, Any], values: Values
    ) -> ReadOutcome:
        name, place = str(definition.get("name", "")), about("templates", template)
        reference = {"type": "ref/resource", "uri": template}
        names = variables(template)
        if not FORMATS["uri-template"].checks[0].accepts(template):
            return NO_TEMPLATE
        if len(names) > MOST_NAMES:
            return TOO_WIDE
        choices = {
            variable: await self._known(name, variable, reference, values) for variable in names
        }
        unknown = [variable for variable, known in choices.items() if not known]
        if unknown:
            where = f"add one to [tools.{quote(name)}] values"
            return ReadOutcome(
                "not_called", f"no value is known for {listing(unknown, 'and')}; {where}"
            )
        tries = (read_filled_in(expanded(template, chosen)) for chosen in _chosen(choices))
        return await self._first_had(tries, place)

    async def _known(
        self, owner: str, name: str, reference: dict[str, str], values: Values
    ) -> list[str]:
        """What may be tried for a name: what the user says, the server offers, or names suggest."""
        given = values.examples[owner].values.get(name, ()) if owner in values.examples else ()
        if given:
            return _texts(given)
        offered = await self._completed(name, reference)
        known = values.of_field(owner, f"/{name}", name)
        return _texts([*offered, *known, *by_name(TEXTS, name), *by_name(NUMBERS, name)])

    async def _completed(self, name: str, reference: dict[str, str]) -> list[Any]:
        """What the server itself offers for a name."""
        if "completions" not in (self._connection.opened.capabilities or {}):
            return []
        params = {"ref": reference, "argument": {"name": name, "value": ""}}
        reply = await self._replied(Ask("completion/complete", params), NOWHERE)
        completion = reply.result.get("completion") if reply.is_result else None
        offered = completion.get("values") if isinstance(completion, dict) else None
        return offered[:MOST_TRIES] if isinstance(offered, list) else []

    async def _first_had(self, tries: Iterable[Having], where: Where) -> ReadOutcome:
        """What came of the first of these tries that proves anything, else of the last."""
        had = ReadOutcome("unproven", "nothing was tried")
        for having in tries:
            had = await self._held(having, where)
            if had.status != "unproven":
                break
        return had

    async def _held(self, having: Having, where: Where) -> ReadOutcome:
        """Hold a dialogue to its end."""
        try:
            step = next(having)
            while True:
                assert isinstance(step, Ask)
                asked, reply = step, await self._replied(step, where)
                step = having.send(reply)
        except StopIteration as end:
            had: ReadOutcome = end.value
            return ADRIFT if had.status == "broken" and self._is_adrift(asked, reply) else had

    def _is_adrift(self, asked: Ask, reply: Reply) -> bool:
        """Whether an error reports dependencies that fail, as that of a tool may."""
        if not isinstance(reply.error, dict):
            return False
        tool, sent = {"name": asked.method}, dict(asked.params or {})
        return self._explain(ValidationContext(tool, sent, {"error": reply.error})).kind == (
            "environment"
        )

    async def _replied(self, step: Ask, where: Where) -> Reply:
        answer = await self._connection.ask(step.method, step.params, about=where)
        self._lost += answer.ending in LOST
        return _reply(answer)

    def _note(self, kind: OfferKind, key: str, had: ReadOutcome) -> None:
        """Keep what came of it; faults of one kind are reported once, with their number."""
        self._had[kind, key] = had
        if had.status != "not_called" and had is not ADRIFT:
            self._outcomes.decided.update(_decided_by(kind, had))
        for found in had.faults:
            finding = replace(to_finding(found, self._revision), where=about(kind, key))
            known = self._found.setdefault((found.rule, found.key), finding)
            if known is not finding:
                self._found[found.rule, found.key] = _with_one_more(known, finding.where)

    @contextmanager
    def _keeping(self) -> Iterator[None]:
        """Give reading its time; keep what was found in the end, also where that comes early."""
        self._until = _now() + SHARE * self._options.max_time
        try:
            yield
        finally:
            self._outcomes.keep(_numbered(finding) for finding in self._found.values())
            self._found.clear()
            self._leave_open("not_testable", "nothing that this rule applies to could be read")
            self._leave_unread_open()

    def _leave_unread_open(self) -> None:
        """Take back what was decided of all resources where some of them were not read."""
        listed = [had for (kind, _), had in self._had.items() if kind == "resources"]
        unread = [had for had in listed if had.status == "not_called" or had.shows != "all"]
        if 0 < len(unread) < len(listed):
            reason = f"{len(unread)} of {len(listed)} listed resources were not read"
            self._outcomes.decided.discard(OF_ALL_RESOURCES)
            self._outcomes.leave_open([OpenStep(OF_ALL_RESOURCES, "undecided", reason)])

    def _leave_open(self, outcome: CheckOutcome, reason: str) -> None:
        decided = self._outcomes.decided
        self._outcomes.leave_open(
            OpenStep(rule, outcome, reason) for rule in DECIDED if rule not in decided
        )


def _now() -> float:
    return asyncio.get_running_loop().time()


def _decided_by(kind: OfferKind, had: ReadOutcome) -> Iterable[str]:
    """The rules that one read, or one request for a prompt, could have shown to be broken."""
    if had.shows == "nothing":
        return ()
    of_kind = {"resources": (OF_ALL_RESOURCES,), "prompts": ("RESP-021",)}.get(kind, ())
    of_size = ("RES-005",) if had.measures else ()
    return ("RESP-020", *(of_kind if had.shows == "all" else ()), *of_size)


def _with_one_more(finding: Finding, where: Where) -> Finding:
    examples = [*finding.examples, where][:3]
    return replace(finding, count=finding.count + 1, examples=examples)


def _numbered(finding: Finding) -> Finding:
    if finding.count == 1:
        return finding
    text = f"{finding.message.removesuffix('.')} (and {finding.count - 1} more like this)."
    return replace(finding, message=text)


def _required(prompt: dict[str, Any]) -> list[str]:
    listed = prompt.get("arguments")
    arguments = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    return [
        one["name"]
        for one in arguments
        if one.get("required") is True and isinstance(one.get("name"), str)
    ]


def _chosen(choices: dict[str, list[str]]) -> Iterator[dict[str, str]]:
    """The first values of all names, then the second ones, and so on; of none nothing, once."""
    most = max(map(len, choices.values()), default=1)
    for turn in range(min(most, MOST_TRIES)):
        yield {name: known[min(turn, len(known) - 1)] for name, known in choices.items()}


def _texts(values: Iterable[Any]) -> list[str]:
    """Values as texts, each once."""
    usable = (value for value in values if isinstance(value, str | int | float))
    return list(dict.fromkeys(str(value) for value in usable if value != ""))[:MOST_TRIES]


def _reply(answer: Response) -> Reply:
    return Reply(
        ending=answer.ending,
        result=answer.result,
        error=answer.error,
        unread=answer.unread,
        status=answer.status,
    )
