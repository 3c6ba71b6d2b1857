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

from mcp_assay.contracts.agreement import lost_checks
from mcp_assay.contracts.book import Book
from mcp_assay.contracts.check import Broken, Open
from mcp_assay.contracts.checks import checks_of
from mcp_assay.contracts.conventions import told_error
from mcp_assay.contracts.keeper import Keeper
from mcp_assay.contracts.keeping import gone_checks
from mcp_assay.contracts.learned import Contract
from mcp_assay.contracts.listed import lists_by_name
from mcp_assay.contracts.mutations import (
    Mutation,
    answer_mutations,
    definition_mutations,
    flag_mutations,
)
from mcp_assay.contracts.reading import NOTHING, data_of
from mcp_assay.contracts.record import Player, Recorded
from mcp_assay.contracts.samples import LeftAlone, Sample
from mcp_assay.drive.answer import Answer
from mcp_assay.model.call import Answer as Judged

UNKNOWN: Final = {"code": -32602, "message": "Unknown tool"}


class Vacuity:
    """One look for changes that nobody would notice."""

    def __init__(
        self,
        keeper: Keeper,
        tests: list[tuple[pytest.Item, set[str]]],
        given: Iterable[Sample],
    ) -> None:
        self._keeper: Final = keeper
        self._tests: Final = tests
        self._given: Final = tuple(given)
        self._calls: Final = list(keeper.recorder.calls)
        self._contract: Contract | None = None
        self._first: Book | None = None
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
        live, option = self._keeper.assay.backend, config.option
        shown, option.tbstyle = option.tbstyle, "line"  # nobody reads how a test fails here
        try:
            self._first = first = self._book(None)
            self._known = {tool: self._noticing(first, tool) for tool in self._tools()}
            self._tests[:] = [one for one in self._tests if self._passes(one[0], None)]
            for mutation in self._mutations():
                self._make(mutation)
        finally:
            self._keeper.assay.backend = live
            option.tbstyle = shown
        self._is_done = True
        return len(self._unnoticed) + len(self._idle())

    def _make(self, mutation: Mutation) -> None:
        """Make one change, and note who notices it."""
        tool, known = mutation.tool, self._known[mutation.tool]
        by_checks = bool(self._noticing(self._book(mutation), tool) - known)
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
            return ["Not looked for: first all tests must pass."]
        noticed = self._made - len(self._unnoticed)
        alone = noticed - self._by_tests
        made = f"{self._made} changes were made in memory: {self._by_tests} were noticed by your"
        lines = [f"{made} tests, {alone} more by the generated checks."]
        if idle := self._idle():
            lines += ["No change of what they use made these tests fail:"]
            lines += [f"  {id}" for id in idle]
        if self._unnoticed:
            ranked = sorted(self._unnoticed, key=lambda one: one.rank)
            lines += ["Nothing noticed these changes:", *(f"  {one.words}" for one in ranked)]
        return lines

    def _tools(self) -> Mapping[str, dict[str, Any]]:
        return self._keeper.tools

    def _mutations(self) -> Iterator[Mutation]:
        for tool, definition in self._tools().items():
            answers = [one.answer for one in self._calls if one.tool == tool]
            good = [one.result for one in answers if not _tells_error(one)]
            data = [value for value in map(data_of, good) if value is not NOTHING]
            lists = lists_by_name(self._book(None).samples.planned(tool)) if data else {}
            for made in (
                definition_mutations(tool, definition),
                answer_mutations(tool, data, lists),
                flag_mutations(tool, has_success=bool(good), has_error=len(good) < len(answers)),
            ):
                yield from made

    def _noticing(self, book: Book, tool: str) -> set[str]:
        """The checks that fail, or tell of a change."""
        found = set()
        own = checks_of(tool, book) if tool in book.tools else gone_checks(book)
        for check in (*own, *lost_checks(book)):
            try:
                if check.run(book):
                    found.add(check.name)
            except Broken:
                found.add(check.name)
            except (Open, LeftAlone):
                continue
        return found

    def _passes(self, item: pytest.Item, mutation: Mutation | None) -> bool:
        """Whether a test of the user's passes, where the change is made."""
        self._keeper.assay.backend = self._keeper.backend(
            self._listed(mutation), self._player(mutation)
        )
        request = getattr(item, "_initrequest", None)
        if request is not None:
            request()
        others = cast(pytest.Item, item.parent)  # what belongs to its module stays as it is
        reports = runtestprotocol(item, log=False, nextitem=others)
        return not any(report.failed for report in reports)

    def _book(self, mutation: Mutation | None) -> Book:
        book = self._keeper.book(
            self._listed(mutation),
            self._player(mutation),
            reset=lambda _: None,
            given=self._given,
            contract=self._contract,
        )
        if self._first is not None:
            book.inherit(self._first)
        return book

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
        return Player(calls, _Standin(self._keeper, calls).answer)


class _Standin:
    """What a server would most likely answer to a call that was not made of it."""

    def __init__(self, keeper: Keeper, calls: list[Recorded]) -> None:
        self._keeper: Final = keeper
        self._calls: Final = calls

    def answer(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """As it answered another call that was as right or as wrong, by what it really lists."""
        known = [one.answer for one in self._calls if one.tool == tool]
        if not known:
            return Answer(ending="answered", error=UNKNOWN, seconds=0.0, request=b"")
        schema = self._keeper.tools.get(tool, {}).get("inputSchema", {})
        verdict = self._keeper.schemas.prepare(schema).check(dict(arguments))
        same = [one for one in known if _tells_error(one) == (verdict.outcome == "invalid")]
        return (same or known)[0]


def _mutated(one: Recorded, mutation: Mutation | None) -> Recorded:
    if mutation is None or one.tool != mutation.tool or one.answer.result is None:
        return one
    result = one.answer.result
    if mutation.answer is not None and not _tells_error(one.answer):
        result = _with_data(result, mutation.answer(data_of(result)))
    whole = mutation.error if _tells_error(one.answer) else mutation.success
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


def _tells_error(answer: Answer) -> bool:
    if not isinstance(answer.result, dict):
        return True
    return told_error(Judged(result=answer.result)) is not None
