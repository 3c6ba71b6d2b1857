"""A run of pytest in a child process, on the package as it is or with one module mutated."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType
from typing import Any, Final

import pytest
from hypothesis import Phase, settings

from bench.mutation.scope import Scope

OPTIONS: Final = (
    *("-x", "-q", "--tb=short", "--no-header", "--assert=plain"),
    *("-p", "no:cacheprovider", "-p", "no:mcp-assay", "-p", "no:faulthandler"),
)
"""The plugin of the package itself stays out: it would be imported before it can be mutated."""


class Selection:
    """A plugin of pytest that runs just these tests, in this order."""

    def __init__(self, tests: Sequence[str]) -> None:
        self._rank: Final = {test: rank for rank, test in enumerate(tests)}

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self) -> None:
        """Let property tests end at the first failure: nobody reads the smallest example."""
        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("mutants", settings(), phases=phases)
        settings.load_profile("mutants")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep what was chosen."""
        chosen = [item for item in items if item.nodeid in self._rank]
        items[:] = sorted(chosen, key=lambda item: self._rank[item.nodeid])

    def files(self) -> list[str]:
        """The files that hold the tests, those of the first tests first."""
        return list(dict.fromkeys(test.partition("::")[0] for test in self._rank))


class _Mutated(SourceFileLoader):
    """Loads a module from code that was made already."""

    def __init__(self, module: str, path: Path, code: CodeType) -> None:
        super().__init__(module, str(path))
        self._code = code

    def get_code(self, fullname: str) -> CodeType:
        """The mutated code."""
        return self._code


class Mutation(MetaPathFinder):
    """Finds the mutated module in place of the real one."""

    def __init__(self, module: str, path: Path, code: CodeType) -> None:
        self._spec = spec_from_file_location(module, path, loader=_Mutated(module, path, code))
        self._module = module

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """The mutated module, if it is the one that is asked for."""
        return self._spec if fullname == self._module else None


def run_pytest(
    scope: Scope, paths: Sequence[str], plugin: object, mutation: Mutation | None = None
) -> int:
    """Run the tests in these files and folders, all of the package imported anew."""
    os.chdir(scope.root)
    for name in [
        name for name in sys.modules if name.partition(".")[0] in (scope.package, "tests")
    ]:
        del sys.modules[name]
    if mutation is not None:
        sys.meta_path.insert(0, mutation)
    existing = [path for path in paths if (scope.root / path).exists()]
    return int(pytest.main([*OPTIONS, *existing], plugins=[plugin]))
