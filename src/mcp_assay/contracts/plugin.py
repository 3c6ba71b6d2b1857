"""The part of the pytest plugin that works where it is asked for: items, samples, summary."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from mcp_assay.client.links import NotReached
from mcp_assay.contracts.check import ROOT, SERVER, slug, unique
from mcp_assay.contracts.checks import all_checks, learn
from mcp_assay.contracts.items import CHANGES, NOT_CALLED, WARNINGS, Branch, CheckItem, root_of
from mcp_assay.contracts.learned import Contract, WrongContract, read_contract, write_contract
from mcp_assay.contracts.mutation_testing import MutationTesting
from mcp_assay.contracts.requested import Requested, only_collected, option, wants_items
from mcp_assay.contracts.samples import GivenSample
from mcp_assay.contracts.server_fixture import JudgeMaker, ServerFixture
from mcp_assay.contracts.server_under_test import ServerUnderTest
from mcp_assay.text.safe import plain

if TYPE_CHECKING:
    from mcp_assay.contracts.remembered_run import RememberedRun

SAMPLE: Final = "mcp_assay_sample"
"""The mark that gives a sample."""
FIXTURES: Final = frozenset({"mcp_assay", "mcp_assay_async", "mcp_assay_answer"})
MOST_SHOWN: Final = 100
HISTORY: Final = "--mcp-assay-history"
NOT_RECORDED: Final = 3
"""The exit code of a run that its history does not have."""


class ContractRun:
    """One run of tests: the server is opened when it is first needed."""

    def __init__(self, config: pytest.Config, table: Callable[[], Any], judge: JudgeMaker) -> None:
        self._config: Final = config
        self._table: Final = table
        self._judge: Final = judge
        self._fixture: ServerFixture | None = None
        self._server: ServerUnderTest | None = None
        self._used: Final[dict[str, set[str]]] = {}
        self._mutation_testing: MutationTesting | None = None
        self._written: Path | None = None
        self._remembered: RememberedRun | None = None
        self._told: list[str] = []
        _collect_samples_too(config)

    @property
    def fixture(self) -> ServerFixture:
        """The server; raises UsageError where there is none."""
        if self._fixture is None:
            try:
                asked = Requested(self._config, self._table())
                self._open_history(asked)
                self._fixture = ServerFixture(asked.target(), asked.settings(), self._judge)
            except (ValueError, NotReached) as refusal:
                raise pytest.UsageError(f"mcp-assay: {plain(str(refusal))}") from None
        return self._fixture

    def _open_history(self, asked: Requested) -> None:
        """Open the history before anything runs, where there is to be one; raises UsageError."""
        given = asked.history()
        if given is None or self._remembered is not None:
            return
        from mcp_assay.contracts.remembered_run import RememberedRun  # noqa: PLC0415  seldom used
        from mcp_assay.history.faults import StoreFault  # noqa: PLC0415
        from mcp_assay.history.location import WrongLocation  # noqa: PLC0415

        try:
            self._remembered = RememberedRun.opened(given, asked.target())
        except (StoreFault, WrongLocation) as refusal:
            raise pytest.UsageError(f"mcp-assay: {HISTORY}: {refusal}") from None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Note how each check ended, for the history."""
        report = yield
        if self._remembered is not None and isinstance(item, CheckItem) and report.when == "call":
            from mcp_assay.contracts.remembered_run import CheckResult  # noqa: PLC0415

            its = CheckResult(item.check, report.outcome, report.longreprtext)
            self._remembered.results.append(its)
        return report

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Record the run; that it could not be is told, and counts as a failure of the run."""
        if self._remembered is None or self._server is None or session.config.option.collectonly:
            return
        from mcp_assay.history.faults import StoreFault  # noqa: PLC0415  seldom used

        try:
            number = self._remembered.record(self._server, self.fixture.revision)
            self._told.append(f"recorded as run {number}")
        except StoreFault as fault:
            self._told.append(f"{fault}; this run was not recorded")
            session.exitstatus = max(session.exitstatus, NOT_RECORDED)
        finally:
            self._remembered.store.close()

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(
        self, session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Add the items of all checks, and leave those that were asked for by their ids."""
        if not wants_items(config):
            return
        given = _samples(items)
        own = list(self._items(session, given))
        ids = config.option.mcp_assay_ids
        if ids:
            own = self._chosen(own, ids)
        if ids and not config.option.mcp_assay_others:
            config.hook.pytest_deselected(items=items)
            items.clear()
        items.extend(own)

    def pytest_report_collectionfinish(self, items: list[pytest.Item]) -> str:
        """Say how many items are ours: pytest counts those only that it found in files."""
        own = [item for item in items if isinstance(item, CheckItem)]
        tools = {item.check.tool for item in own} - {SERVER}
        checks, things = _counted(len(own), "check"), _counted(len(tools), "tool")
        return f"mcp-assay: {checks} of {things}" if own else ""

    def _items(self, session: pytest.Session, given: list[GivenSample]) -> Iterator[CheckItem]:
        server = self._opened_server(given)
        root = root_of(session)
        branches: dict[str, Branch] = {}
        known = [*server.tools, SERVER]
        names = dict(zip(known, unique(map(slug, known)), strict=True))
        for check in all_checks(server):
            if check.tool not in branches:
                name = names.get(check.tool, slug(check.tool))
                branches[check.tool] = Branch.from_parent(root, name=name, path=session.path)
            parent = branches[check.tool]
            item: CheckItem = CheckItem.from_parent(
                parent, name=check.name, check=check, server=server, path=session.path
            )
            self._expect_failure(item)
            yield item

    def _expect_failure(self, item: CheckItem) -> None:
        for end, why in self.fixture.settings.xfail.items():
            if item.nodeid.endswith(f"::{end}"):
                item.add_marker(pytest.mark.xfail(reason=why))

    def _opened_server(self, given: list[GivenSample]) -> ServerUnderTest:
        fixture = self.fixture
        self._server = fixture.under_test(
            fixture.tools,
            fixture.recorder,
            reset=self._reset,
            given=given,
            contract=None if option(self._config, "update") else self._contract(),
            collected=only_collected(self._config),
        )
        return self._server

    def _contract(self) -> Contract | None:
        try:
            return read_contract(self._contract_file())
        except WrongContract as refusal:
            raise pytest.UsageError(f"mcp-assay: {refusal}") from None

    def _contract_file(self) -> Path:
        return self._config.rootpath / self.fixture.settings.file

    def _chosen(self, items: list[CheckItem], ids: Iterable[str]) -> list[CheckItem]:
        chosen = []
        for id in ids:
            found = [it for it in items if it.nodeid == id or it.nodeid.startswith(f"{id}::")]
            if not found:
                raise pytest.UsageError(f"mcp-assay: not found: {id}")
            chosen += found
        return list(dict.fromkeys(chosen))

    def _reset(self, tool: str) -> None:
        self._config.hook.pytest_mcp_assay_reset(config=self._config, tool=tool)

    def answer(self, sample: GivenSample) -> Any:
        """The answer to a sample of the user's tests, which must be as the sample says."""
        self._reset(sample.tool)
        fixture = self.fixture
        before = fixture.settings.reset(sample.tool)
        if before is not None:
            fixture.assay.call(before)
        result = fixture.assay.call(sample.tool, sample.arguments)
        return result.ok() if sample.valid else result.rejected()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Note which tools a test of the user's calls or looks at."""
        if self._fixture is None or not FIXTURES & set(getattr(item, "fixturenames", ())):
            return (yield)
        assay = self.fixture.assay
        assay.used.clear()
        result = yield
        self._used[item.nodeid] = set(assay.used)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        """After the tests, learn the contract or look for tests that never fail."""
        result = yield
        if self._server is not None and not session.config.option.collectonly:
            self._afterwards(session, self._server)
        return result

    def _afterwards(self, session: pytest.Session, server: ServerUnderTest) -> None:
        if option(self._config, "update"):
            try:
                write_contract(self._contract_file(), learn(server))
            except NotReached as refusal:
                raise pytest.UsageError(f"mcp-assay: {plain(str(refusal))}") from None
            self._written = self._contract_file()
        if option(self._config, "mutate"):
            self._mutate(session)

    def _mutate(self, session: pytest.Session) -> None:
        own = [item for item in session.items if item.nodeid in self._used]
        tests = [(item, self._used[item.nodeid]) for item in own]
        fixture = self.fixture
        given = _samples(session.items)
        self._mutation_testing = MutationTesting(fixture, tests, given)
        if session.testsfailed == 0:
            session.testsfailed += self._mutation_testing.run(self._config, self._contract())

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say what was not called, what changed, and what nobody would notice."""
        for title, lines in self._sections(terminalreporter):
            terminalreporter.section(f"mcp-assay: {title}")
            for line in lines[:MOST_SHOWN]:
                terminalreporter.write_line(plain(line))
            if len(lines) > MOST_SHOWN:
                terminalreporter.write_line(f"… and {len(lines) - MOST_SHOWN:,} more")

    def _sections(self, terminal: Any) -> Iterator[tuple[str, list[str]]]:
        reports = [one for kind in terminal.stats.values() for one in kind]
        if skipped := sorted(set(_noted(reports, NOT_CALLED))):
            yield f"not called: {len(skipped)}", skipped
        if changes := sorted(set(_noted(reports, CHANGES))):
            yield "changes since the contract was learned", changes
        if warnings := sorted(set(_noted(reports, WARNINGS))):
            yield "warnings about the server's messages", warnings
        if self._written is not None:
            yield "contract", [f"written: {self._written.name}. Review and commit it."]
        if self._told:
            yield "history", self._told
        if self._mutation_testing is not None:
            yield "tests that never fail", self._mutation_testing.summary()

    def pytest_unconfigure(self) -> None:
        """End the server."""
        if self._fixture is not None:
            self._fixture.close()
            self._fixture = None


def _collect_samples_too(config: pytest.Config) -> None:
    """Where --lf repeats checks of ours, look into files without failures too, for samples."""
    cache = getattr(config, "cache", None)
    last = cache.get("cache/lastfailed", {}) if cache and config.getoption("lf", False) else {}
    if any(id.startswith(f"{ROOT}::") for id in last):
        config.pluginmanager.set_blocked("lfplugin-collskip")


def _samples(items: Iterable[pytest.Item]) -> list[GivenSample]:
    found = [GivenSample(*mark.args) for item in items for mark in item.iter_markers(SAMPLE)]
    return [one for at, one in enumerate(found) if one not in found[:at]]


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _noted(reports: Iterable[Any], kind: str) -> Iterator[str]:
    for report in reports:
        if _is_ours(report) and getattr(report, "when", "") == "call":
            yield from (str(words) for name, words in report.user_properties if name == kind)


def _is_ours(report: Any) -> bool:
    return str(getattr(report, "nodeid", "")).startswith(f"{ROOT}::")
