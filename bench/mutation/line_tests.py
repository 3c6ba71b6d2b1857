"""Which tests run which line, and how long each takes: found out in one run of all of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Generator, Iterable, Mapping
from compileall import compile_dir
from functools import partial
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import Any, Final

import pytest
from coverage import Coverage, CoverageData

from bench.mutation.child import fork, wait
from bench.mutation.mutants import Mutant
from bench.mutation.pytest_run import run_pytest
from bench.mutation.scope import Scope

LINES: Final = "lines"
BUDGET: Final = 15.0
"""Seconds of tests that a mutant is worth."""


class Recorder:
    """A plugin of pytest that notes which lines each test runs, and its seconds of CPU time."""

    def __init__(self, coverage: Coverage) -> None:
        self.coverage: Final = coverage
        self.seconds: Final[dict[str, float]] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Note what happens until the test is over under its name."""
        self.coverage.switch_context(item.nodeid)
        started = _cpu_seconds()
        outcome = yield
        self.seconds[item.nodeid] = _cpu_seconds() - started
        self.coverage.switch_context("")
        return outcome


class LineTests:
    """The tests of a project, by the lines that they run."""

    def __init__(self, folder: Path) -> None:
        self._lines: Final = folder / LINES
        self._seconds: Final[dict[str, float]] = json.loads(_timings(folder).read_text())
        self._files: Final[dict[Path, dict[int, list[str]]]] = {}

    @classmethod
    def of(cls, scope: Scope, cache: Path) -> LineTests:
        """The tests as they are now; they are run only if something has changed since."""
        folder = cache / _digest(scope)
        if not _timings(folder).exists():
            folder.mkdir(parents=True, exist_ok=True)
            output = folder / "output.txt"
            _, code = wait(fork(partial(_record, scope, folder), output))
            if code != 0:
                raise RuntimeError(f"the tests fail without a mutant: see {output}")
        return cls(folder)

    def chosen_for(self, mutant: Mutant) -> list[str]:
        """The tests to run on a mutant, as far as the budget goes, the most telling ones first.

        Those that run its lines, the function around them, the file. What begins at import only, as
        tables do, can be used by others: it is then shown to those of its folder, and to all.
        """
        by_line = self._by_line(mutant.path)
        spans = (mutant.lines, mutant.around, by_line)
        groups = [_running(by_line, span) for span in spans]
        if not by_line.get(mutant.lines.start):
            nearby = {test for test in self._seconds if test.startswith(f"tests/{mutant.folder}/")}
            groups += [nearby, {*self._seconds}]
        return self._within_budget(*groups)

    def seconds(self, tests: Iterable[str]) -> float:
        """What the tests took when nothing was mutated."""
        return sum(self._seconds[test] for test in tests)

    def _by_line(self, path: Path) -> dict[int, list[str]]:
        if path not in self._files:
            self._files[path] = _read(self._lines, path)
        return self._files[path]

    def _within_budget(self, *groups: Iterable[str]) -> list[str]:
        chosen: dict[str, None] = {}
        left = BUDGET
        by_seconds = self._seconds.__getitem__
        for test in (test for group in groups for test in sorted(group, key=by_seconds)):
            if test not in chosen and self._seconds[test] <= left:
                chosen[test] = None
                left -= self._seconds[test]
        return list(chosen)


def _cpu_seconds() -> float:
    """The CPU time of this process and of the children that it has waited for.

    To the microsecond: thousands of tests take less than the hundredth that os.times() tells.
    """
    used = [getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _read(lines: Path, path: Path) -> dict[int, list[str]]:
    data = CoverageData(str(lines))
    data.read()
    by_line = data.contexts_by_lineno(str(path))
    data.close()
    return {line: [test for test in tests if test] for line, tests in by_line.items()}


def _running(by_line: Mapping[int, Iterable[str]], lines: Iterable[int]) -> set[str]:
    return {test for line in lines for test in by_line.get(line, ())}


def _record(scope: Scope, folder: Path) -> int:
    """Run every test once; all is compiled before, because each trial imports it anew."""
    files = [str(path) for _, path in scope.files()]
    for part in (scope.source, *scope.tests):
        compile_dir(scope.root / part, quiet=2)
    coverage = Coverage(str(folder / LINES), include=files, config_file=False)
    recorder = Recorder(coverage)
    coverage.start()
    code = run_pytest(scope, scope.tests, recorder)
    coverage.stop()
    coverage.save()
    if code == 0:
        _timings(folder).write_text(json.dumps(recorder.seconds))
    return code


def _timings(folder: Path) -> Path:
    return folder / "seconds.json"


def _digest(scope: Scope) -> str:
    """What the sources and tests of a project are, in one word."""
    folders = (scope.root / folder for folder in (scope.source, *scope.tests))
    hashed = hashlib.sha256()
    for path in sorted(path for folder in folders for path in folder.rglob("*.py")):
        hashed.update(f"{scope.shown(path)}\n".encode() + path.read_bytes())
    return hashed.hexdigest()[:16]
