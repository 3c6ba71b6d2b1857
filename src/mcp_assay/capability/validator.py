"""A client's side: calls are checked before they are made, by the server or by the schema."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Final, Self, TypeAlias

from msgspec.structs import replace

from mcp_assay.capability.cache import Verdicts
from mcp_assay.capability.clients import ClientServer, within
from mcp_assay.capability.schema_only import SchemaOnlyValidator, unknown_tool
from mcp_assay.model.tool_check import (
    NoVerdict,
    ToolCheck,
    Trouble,
    content_of,
    read_verdict,
    read_verdicts,
)
from mcp_assay.spec.tool_validation import ToolValidationCapability

Call: TypeAlias = tuple[str, Mapping[str, Any]]

LOGGER: Final = logging.getLogger("mcp_assay.capability")
TOOLS_SECONDS: Final = 60.0
"""So long a list of tools is kept: not every server tells that it changed."""
TOOLS_CHANGED: Final = "notifications/tools/list_changed"


class ToolValidator:
    """Checks calls of one server's tools; it never makes them."""

    def __init__(self, client: object, *, timeout: float = 5.0) -> None:
        if not timeout > 0:
            raise ValueError("timeout must be above zero: it is the seconds a check may take")
        self._server: Final = ClientServer(client)
        self._timeout: Final = timeout
        self.capability: Final = ToolValidationCapability.from_capabilities(
            self._server.capabilities
        )
        """What the server announces."""
        self._kept: Final = Verdicts(self.capability, time.monotonic)
        self._tools: dict[str, dict[str, Any]] | None = None
        self._tools_until = 0.0
        self._kept.hears(self._server.is_notified)
        self._server.listen(self.heard)
        self._subscription: AbstractAsyncContextManager[None] | None = None

    async def __aenter__(self) -> Self:
        """Be told what makes verdicts stale: since 2026-07-28 a server has to be asked for that."""
        events = self.capability.caching.invalidate_on
        if self.supported and events and not self._server.is_notified:
            self._subscription = self._server.subscribed(events, self._timeout, self._kept.hears)
            await self._subscription.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        subscription, self._subscription = self._subscription, None
        if subscription is not None:
            self._kept.hears(False)
            await subscription.__aexit__(None, None, None)

    @property
    def supported(self) -> bool:
        """Whether the server announces that it validates calls."""
        return self.capability.supported

    def heard(self, notification: str) -> None:
        """Take note of a notification of the server, by its method."""
        if notification == TOOLS_CHANGED:
            self._tools = None
        self._kept.on_notification(notification)

    async def validate(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        levels: Sequence[str] | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> ToolCheck:
        """Check one call."""
        asked, notes = self._asked(tool, arguments, levels, context)
        check = self._kept.get(asked)
        if check is None:
            check = await self._checked(asked)
            self._kept.put(asked, check)
        return replace(check, warnings=[*check.warnings, *notes]) if notes else check

    async def validate_batch(self, calls: Iterable[Call]) -> list[ToolCheck]:
        """Check several calls, at once where the server can; the verdicts keep their order."""
        asked = [self._asked(tool, arguments, None, None)[0] for tool, arguments in calls]
        if not (self.supported and self.capability.batch_validation):
            return [await self.validate(one["tool"], one["arguments"]) for one in asked]
        found = [self._kept.get(one) for one in asked]
        missing = [one for one, check in zip(asked, found, strict=True) if check is None]
        fresh = iter(await self._in_batches(missing))
        return [next(fresh) if check is None else check for check in found]

    async def _in_batches(self, asked: list[dict[str, Any]]) -> list[ToolCheck]:
        size = self.capability.max_batch_size
        checks: list[ToolCheck] = []
        for start in range(0, len(asked), size):
            part = asked[start : start + size]
            checks += await self._batch(part)
        for one, check in zip(asked, checks, strict=True):
            self._kept.put(one, check)
        return checks

    async def _batch(self, asked: list[dict[str, Any]]) -> list[ToolCheck]:
        """Check some calls at once, without those about which the server need not be asked."""
        known = [await self._reason_not_to_ask(one) for one in asked]
        unknown = [one for one, check in zip(asked, known, strict=True) if check is None]
        fresh = iter(await self._together(unknown) if unknown else ())
        return [next(fresh) if check is None else check for check in known]

    async def _together(self, asked: list[dict[str, Any]]) -> list[ToolCheck]:
        try:
            answer = await self._answer({"calls": asked})
            verdicts = read_verdicts(answer, len(asked))
        except NoVerdict as fault:
            return [await self._fall_back(one, "announced-but-broken", str(fault)) for one in asked]
        return [
            await self._compared(one, verdict) for one, verdict in zip(asked, verdicts, strict=True)
        ]

    def _asked(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        levels: Sequence[str] | None,
        context: Mapping[str, Any] | None,
    ) -> tuple[dict[str, Any], list[str]]:
        """What the server is sent; and what it cannot do of what was wanted."""
        asked: dict[str, Any] = {"tool": tool, "arguments": arguments}
        notes: list[str] = []
        if levels and self.supported:
            offered = [level for level in levels if self.capability.offers(level)]
            asked |= {"levels": offered} if offered else {}
            notes = [
                f"The server does not offer checks of the level {level!r}."
                for level in levels
                if level not in offered
            ]
        if context is not None and self.supported and self.capability.context_aware:
            asked["context"] = dict(context)
        return asked, notes

    async def _checked(self, asked: dict[str, Any]) -> ToolCheck:
        refusal = await self._reason_not_to_ask(asked)
        if refusal is not None:
            return refusal
        try:
            verdict = read_verdict(await self._answer(asked))
        except NoVerdict as fault:
            return await self._fall_back(asked, "announced-but-broken", str(fault))
        return await self._compared(asked, verdict)

    async def _reason_not_to_ask(self, asked: dict[str, Any]) -> ToolCheck | None:
        """The verdict where the server need not, or cannot, be asked."""
        tools, name = await self._listed(), asked["tool"]
        if name not in tools:
            return unknown_tool(name, tools)
        if not self.supported:
            return await self._fall_back(asked, None, "the server does not announce validation")
        method = self.capability.method
        if method not in tools:
            return await self._fall_back(
                asked, "announced-but-missing", f"the server has no tool {method!r}"
            )
        return None if name != method else await self._by_schema(asked)

    async def _answer(self, asked: Mapping[str, Any]) -> object:
        """What the server's validation says; raises NoVerdict where it says nothing of use."""
        work = self._server.call(self.capability.method, asked)
        try:
            return content_of(await within(self._timeout, work))
        except NoVerdict:
            raise
        except TimeoutError:
            raise NoVerdict(f"no response within {self._timeout:g} seconds") from None
        except Exception as fault:
            raise NoVerdict(f"the call failed: {type(fault).__name__}") from fault

    async def _compared(self, asked: dict[str, Any], verdict: ToolCheck) -> ToolCheck:
        """The server's verdict; where its own schema disagrees, that is said."""
        schema = await self._by_schema(asked)
        if verdict.valid and not schema.valid:
            disagreements = [
                f"The schema of the tool disagrees: {error}" for error in schema.errors
            ]
            return replace(verdict, warnings=[*verdict.warnings, *disagreements])
        return verdict

    async def _fall_back(
        self, asked: dict[str, Any], problem: Trouble | None, why: str
    ) -> ToolCheck:
        level = logging.INFO if problem is None else logging.WARNING
        LOGGER.log(level, "checking %r by its schema alone: %s", asked["tool"], why)
        return replace(await self._by_schema(asked), problem=problem)

    async def _by_schema(self, asked: dict[str, Any]) -> ToolCheck:
        tools = await self._listed()
        return SchemaOnlyValidator(tools[asked["tool"]]).validate(asked["arguments"])

    async def _listed(self) -> dict[str, dict[str, Any]]:
        if self._tools is None or self._tools_until <= time.monotonic():
            try:
                self._tools = await within(self._timeout, self._server.tools())
                self._tools_until = time.monotonic() + TOOLS_SECONDS
            except TimeoutError:
                words = f"the server did not list its tools within {self._timeout:g} seconds"
                raise TimeoutError(words) from None
        return self._tools
