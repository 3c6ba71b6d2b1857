"""The server under test, kept open for a whole run of tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Final, TypeAlias

from mcp_assay.assess.tool_runner import Judge
from mcp_assay.client.connection import Caller, connect
from mcp_assay.client.late_worker import LateWorker
from mcp_assay.client.links import NotReached
from mcp_assay.client.target import Bounds, Command, ConnectionOptions, Reachable
from mcp_assay.client.target_secrets import secrets_of
from mcp_assay.contracts.learned import Contract
from mcp_assay.contracts.loop_thread import Host, Stuck
from mcp_assay.contracts.results import Assay, Backend, Recorder
from mcp_assay.contracts.samples import GivenSample, Reset, Samples
from mcp_assay.contracts.server_under_test import ServerUnderTest
from mcp_assay.contracts.settings import ContractSettings
from mcp_assay.model.finding import Finding
from mcp_assay.schema.checker import Schemas, Worker
from mcp_assay.text.redaction import Redactor
from mcp_assay.text.safe import plain

JudgeMaker: TypeAlias = Callable[[Worker, bool], Judge]
"""Makes a judge with a worker, for a server that runs in a disposable world, or does not."""


class ServerFixture:
    """Opens a server, keeps what it lists and all that it answers, and closes it."""

    def __init__(self, target: Reachable, settings: ContractSettings, judge: JudgeMaker) -> None:
        self.host: Final = Host(settings.timeout)
        self.settings: Final = settings
        self._redactor: Final = Redactor((*settings.secrets, *secrets_of(target)))
        self.worker: Final = LateWorker()
        in_world = isinstance(target, Command) and target.sandbox is not None
        self.judge: Final = judge(self.worker, in_world)
        self.schemas: Final = Schemas(self.worker)
        try:
            options = _options(settings)
            work = connect(target, options)
            self._connection: Final = self.host.run(work, 2 * options.bounds.connect_seconds)
        except NotReached as refusal:
            self.host.close()
            raise NotReached(self.clean(str(refusal))) from None
        except BaseException:
            self.host.close()
            raise
        self.recorder: Final = Recorder(self._connection)
        self.tools: Final = self._listed()
        self.revision: Final = self._connection.revision
        self.assay: Final = Assay(self.backend(self.tools, self.recorder))

    def clean(self, text: str) -> str:
        """A text for people: without secrets, and without what a terminal would obey."""
        return plain(self._redactor.line(text))

    def observed(self) -> list[Finding]:
        """What is wrong with what the server said up to now."""
        return self.host.run(self._observed())

    async def _observed(self) -> list[Finding]:
        return self._connection.findings()

    def _listed(self) -> dict[str, dict[str, Any]]:
        if not self._connection.declares("tools"):
            return {}
        listing = self.host.run(self._connection.list_all("tools"))
        if listing.cut is not None:
            raise NotReached(f"the list of tools is incomplete: {listing.cut}")
        return {
            tool["name"]: tool
            for tool in listing.items
            if isinstance(tool, dict) and isinstance(tool.get("name"), str)
        }

    def backend(self, tools: dict[str, dict[str, Any]], caller: Caller) -> Backend:
        """Who answers tests: a caller that knows these tools."""
        own = self.settings.errors
        return Backend(
            host=self.host,
            tools=tools,
            caller=caller,
            judge=self.judge,
            schemas=self.schemas,
            clean=self.clean,
            error_schema=None if own is None or isinstance(own, str) else self.schemas.prepare(own),
        )

    def under_test(
        self,
        tools: dict[str, dict[str, Any]],
        caller: Caller,
        *,
        reset: Reset,
        given: Iterable[GivenSample],
        contract: Contract | None,
        collected: Sequence[str] = (),
    ) -> ServerUnderTest:
        """What checks look things up in, where these tools are listed and this caller answers."""
        samples = Samples(
            tools,
            caller,
            judge=self.judge,
            settings=self.settings,
            schemas=self.schemas,
            run=self.host.run,
            reset=reset,
            given=tuple(given),
        )
        return ServerUnderTest(
            tools,
            samples,
            self.settings,
            schemas=self.schemas,
            clean=self.clean,
            revision=self.revision,
            observed=self.observed,
            worker=self.worker,
            containment=self.worker,
            contract=contract,
            collected=collected,
        )

    def close(self) -> None:
        """End the server, and all that was started for it."""
        try:
            with suppress(Stuck):
                self.host.run(self._connection.close())
        finally:
            self.host.close()
            self.worker.close()


def _options(settings: ContractSettings) -> ConnectionOptions:
    bounds = Bounds(call_seconds=settings.timeout)
    return ConnectionOptions(session="pytest", bounds=bounds, secrets=settings.secrets)
