"""All that is known about the server under test: what checks look things up in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, Final, TypeAlias

from mcp_assay.contracts.conventions import CallOutcome, ReportedError, majority, outcome
from mcp_assay.contracts.learned import Contract
from mcp_assay.contracts.samples import REFUSED, LeftAlone, Samples
from mcp_assay.contracts.settings import ContractSettings
from mcp_assay.drift.definitions import Containment
from mcp_assay.model.call import Call
from mcp_assay.model.finding import Finding
from mcp_assay.model.scenario import Scenario
from mcp_assay.rules.definition.linter import Linter
from mcp_assay.rules.definition.surface import Surface
from mcp_assay.schema.checker import Prepared, Schemas, Worker

Clean: TypeAlias = Callable[[str], str]
MOST_COLLECTED_NAMED: Final = 3
MOST_ERRORS: Final = 3
"""So many wrong calls of a tool are made to learn how it tells errors."""


class ServerUnderTest:
    """The tools of a server, their samples, and what the user says about them."""

    def __init__(
        self,
        tools: Mapping[str, dict[str, Any]],
        samples: Samples,
        settings: ContractSettings,
        *,
        schemas: Schemas,
        clean: Clean,
        revision: str,
        observed: Callable[[], list[Finding]],
        worker: Worker | None = None,
        containment: Containment | None = None,
        contract: Contract | None = None,
        collected: Sequence[str] = (),
    ) -> None:
        self.tools: Final = tools
        self.samples: Final = samples
        self.settings: Final = settings
        self.schemas: Final = schemas
        self.clean: Final = clean
        """Makes a text fit to be shown."""
        self.observed: Final = observed
        """What is wrong with what the server said up to now."""
        self.containment: Final = containment
        self.contract: Final = contract
        """What was learned in an earlier run, where there is such a file."""
        self._collected: Final = collected
        self._revision: Final = revision
        self._worker: Final = worker

    def outcome(self, call: Call) -> CallOutcome:
        """What a call came to."""
        return outcome(call, self.error_schema)

    def tried(self, scenario: Scenario) -> tuple[Call, CallOutcome]:
        """A scenario, called, and what it came to."""
        call = self.samples.called(scenario)
        return call, self.outcome(call)

    @cached_property
    def error_schema(self) -> Prepared | None:
        """The user's JSON Schema of errors."""
        own = self.settings.errors
        return self.schemas.prepare(own) if isinstance(own, Mapping) else None

    @property
    def unseen(self) -> str:
        """The samples that may be there and were not collected, as a sentence after others."""
        if not self._collected:
            return ""
        only = ", ".join(self._collected[:MOST_COLLECTED_NAMED])
        return f" Only {only} was collected: samples in other tests are not known in this run."

    def inherit(self, other: ServerUnderTest) -> None:
        """Know what was found out for another run with the same server."""
        self.samples.inherit(other.samples)
        self.convention = other.convention

    def faults(self, tool: str) -> list[Finding]:
        """What is wrong with a definition, errors only."""
        linter = Linter(self._revision, self._worker)
        findings = linter.findings(Surface(tools=[self.tools[tool]]))
        return [finding for finding in findings if finding.severity == "error"]

    def errors(self, tool: str) -> list[tuple[Call, ReportedError]]:
        """Errors that a tool tells: of a few wrong calls, and of all calls that were made."""
        scenarios = self.samples.prepared(tool).scenarios
        given = [one for one in scenarios if one.name.startswith(REFUSED)]
        wrong = [one for one in scenarios if one.valid is False and one not in given]
        with suppress(LeftAlone):
            for scenario in (*given, *wrong[:MOST_ERRORS]):
                self.samples.called(scenario)
        calls = ((call, self.outcome(call)) for call in self.samples.made(tool))
        return [(call, it.error) for call, it in calls if it.error is not None]

    @cached_property
    def convention(self) -> tuple[str, int] | None:
        """The convention of most tools, and of how many tools it is."""
        error = {tool: [error for _, error in self.errors(tool)] for tool in self.tools}
        return majority(error)
