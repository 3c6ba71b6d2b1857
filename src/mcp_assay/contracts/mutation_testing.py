"""Whether tests can fail: each change is made in memory, and everything is run again without calls.

The server is not asked again. Its answers are played from the record of the run before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, cast

import orjson
import pytest
from _pytest.runner import runtestprotocol
from msgspec.structs import replace

from mcp_assay.client.response import Response
from mcp_assay.contracts.agreement import lost_checks
from mcp_assay.contracts.check import Broken, Undecided
from mcp_assay.contracts.checks import checks_of, gone_checks
from mcp_assay.contracts.conventions import NOTHING, data_of, reported_error
from mcp_assay.contracts.learned import Contract
from mcp_assay.contracts.listed_values import lists_by_name
from mcp_assay.contracts.mutations import (
    Mutation,
    answer_mutations,
    definition_mutations,
    flag_mutations,
)
from mcp_assay.contracts.results import Player, Recorded
from mcp_assay.contracts.samples import GivenSample, LeftAlone
from mcp_assay.contracts.server_fixture import ServerFixture
from mcp_assay.contracts.server_under_test import ServerUnderTest
from mcp_assay.model.call import CallResult as Judged

UNKNOWN: Final = {"code": -32602, "message": "Unknown tool"}


class MutationTesting:
    """One look for changes that nobody would notice."""

    def __init__(
        self,
        fixture: ServerFixture,
        tests: list[tuple[pytest.Item, set[str]]],
        given: Iterable[GivenSample],
    ) -> None:
        self._fixture: Final = fixture
        self._tests: Final = tests
        self._given: Final = tuple(given)
        self._calls: Final = list(fixture.recorder.calls)
        self._contract: Contract | None = None
        self._first: ServerUnderTest | None = None
        """What is known where nothing is changed."""
        self._known: dict[str, set[str]] = {}
        self._is_done = False
        self._made = self._by_tests = 0
        self._awake: Final[set[str]] = set()
        """The tests of the user's that noticed something."""
        self._unnoticed: Final[list[Mutation]] = []

    def run(self, config: pytest.Config, contract: Contract | None) -> int:
        """Make every change; give how many things nobody or no test noticed."""
        self._contract = contract
        live, option = self._fixture.assay.backend, config.option
        shown, option.tbstyle = option.tbstyle, "line"  # nobody reads how a test fails here
        try:
            self._first = first = self._server(None)
            self._known = {tool: self._noticing(first, tool) for tool in self._tools()}
            self._tests[:] = [one for one in self._tests if self._passes(one[0], None)]
            for mutation in self._mutations():
                self._make(mutation)
        finally:
            self._fixture.assay.backend = live
            option.tbstyle = shown
        self._is_done = True
        return len(self._unnoticed) + len(self._idle())

    def _make(self, mutation: Mutation) -> None:
        """Make one change, and note who notices it."""
        tool, known = mutation.tool, self._known[mutation.tool]
        by_checks = bool(self._noticing(self._server(mutation), tool) - known)
        tests = [item for item, used in self._tests if tool in used]
        noticing = [item.nodeid for item in tests if not self._passes(item, mutation)]
        self._made += 1
        self._by_tests += bool(noticing)
        self._awake.update(noticing)
        if not noticing and not by_checks:
            self._unnoticed.append(mutation)

    def _idle(self) -> list[str]:
        """The tests of the user's that no change made fail."""
        return [item.nodeid for item, _ in self._tests if item.nodeid not in self._awake]

    def summary(self) -> list[str]:
        """What came of it, in lines."""
        if not self._is_done:
            return ["Skipped: all tests must pass first."]
        noticed = self._made - len(self._unnoticed)
        alone = noticed - self._by_tests
        made = f"{self._made} changes were made in memory: {self._by_tests} were noticed by your"
        lines = [f"{made} tests, {alone} more by the generated checks."]
        if idle := self._idle():
            lines += ["These tests passed with every mutation of what they use:"]
            lines += [f"  {id}" for id in idle]
        if self._unnoticed:
            ranked = sorted(self._unnoticed, key=lambda one: one.rank)
            lines += ["No test noticed these changes:", *(f"  {one.words}" for one in ranked)]
        return lines

    def _tools(self) -> Mapping[str, dict[str, Any]]:
        return self._fixture.tools

    def _mutations(self) -> Iterator[Mutation]:
        for tool, definition in self._tools().items():
            answers = [one.answer for one in self._calls if one.tool == tool]
            good = [one.result for one in answers if not _reports_error(one)]
            data = [value for value in map(data_of, good) if value is not NOTHING]
            lists = lists_by_name(self._server(None).samples.planned(tool)) if data else {}
            for made in (
                definition_mutations(tool, definition),
                answer_mutations(tool, data, lists),
                flag_mutations(tool, has_success=bool(good), has_error=len(good) < len(answers)),
            ):
                yield from made

    def _noticing(self, server: ServerUnderTest, tool: str) -> set[str]:
        """The checks that fail, or report a change."""
        found = set()
        own = checks_of(tool, server) if tool in server.tools else gone_checks(server)
        for check in (*own, *lost_checks(server)):
            try:
                if check.run(server):
                    found.add(check.name)
            except Broken:
                found.add(check.name)
            except (Undecided, LeftAlone):
                continue
        return found

    def _passes(self, item: pytest.Item, mutation: Mutation | None) -> bool:
        """Whether a test of the user's passes, where the change is made."""
        self._fixture.assay.backend = self._fixture.backend(
            self._listed(mutation), self._player(mutation)
        )
        request = getattr(item, "_initrequest", None)
        if request is not None:
            request()
        others = cast(pytest.Item, item.parent)  # what belongs to its module stays as it is
        reports = runtestprotocol(item, log=False, nextitem=others)
        return not any(report.failed for report in reports)

    def _server(self, mutation: Mutation | None) -> ServerUnderTest:
        server = self._fixture.under_test(
            self._listed(mutation),
            self._player(mutation),
            reset=lambda _: None,
            given=self._given,
            contract=self._contract,
        )
        if self._first is not None:
            server.inherit(self._first)
        return server

    def _listed(self, mutation: Mutation | None) -> dict[str, dict[str, Any]]:
        tools = dict(self._tools())
        if mutation is not None and mutation.definition is not None:
            changed = mutation.definition(tools.pop(mutation.tool))
            if changed is not None:
                tools[mutation.tool] = changed
        return tools

    def _player(self, mutation: Mutation | None) -> Player:
        calls = [_mutated(one, mutation) for one in self._calls]
        gone = mutation is not None and mutation.tool not in self._listed(mutation)
        if gone and mutation is not None:
            calls = [one for one in calls if one.tool != mutation.tool]
        return Player(calls, _Standin(self._fixture, calls).answer)


class _Standin:
    """What a server would most likely answer to a call that was not made of it."""

    def __init__(self, fixture: ServerFixture, calls: list[Recorded]) -> None:
        self._fixture: Final = fixture
        self._calls: Final = calls

    def answer(self, tool: str, arguments: Mapping[str, Any]) -> Response:
        """As it answered another call that was as right or as wrong, by what it really lists."""
        known = [one.answer for one in self._calls if one.tool == tool]
        if not known:
            return Response(ending="answered", error=UNKNOWN, seconds=0.0, request=b"")
        schema = self._fixture.tools.get(tool, {}).get("inputSchema", {})
        verdict = self._fixture.schemas.prepare(schema).check(dict(arguments))
        same = [one for one in known if _reports_error(one) == (verdict.outcome == "invalid")]
        return (same or known)[0]


def _mutated(one: Recorded, mutation: Mutation | None) -> Recorded:
    if mutation is None or one.tool != mutation.tool or one.answer.result is None:
        return one
    result = one.answer.result
    if mutation.answer is not None and not _reports_error(one.answer):
        result = _with_data(result, mutation.answer(data_of(result)))
    whole = mutation.error if _reports_error(one.answer) else mutation.success
    if whole is not None:
        result = whole(result)
    return Recorded(one.tool, one.key, replace(one.answer, result=result))


def _with_data(result: dict[str, Any], data: Any) -> dict[str, Any]:
    """The result with other data, in structuredContent and in the texts that held the same."""
    old = data_of(result)
    if old is NOTHING:
        return result
    content = [_with_text(block, old, data) for block in result.get("content") or []]
    structured = {"structuredContent": data} if "structuredContent" in result else {}
    return {**result, **structured, "content": content}


def _with_text(block: Any, old: Any, data: Any) -> Any:
    text = block.get("text") if isinstance(block, dict) else None
    try:
        is_same = isinstance(text, str) and orjson.loads(text) == old
    except (orjson.JSONDecodeError, RecursionError):
        is_same = False
    return {**block, "text": orjson.dumps(data).decode()} if is_same else block


def _reports_error(answer: Response) -> bool:
    if not isinstance(answer.result, dict):
        return True
    return reported_error(Judged(result=answer.result)) is not None
