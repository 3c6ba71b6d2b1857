"""The pytest plugin: a server's promises as tests, and fixtures to write more of them.

`pytest --mcp-assay --mcp-assay-server "python server.py"` adds a test for each check of each tool.
Nothing but pytest and the standard library is loaded before it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import pytest

from mcp_assay import lazy_names

if TYPE_CHECKING:
    from mcp_assay.contracts.plugin import ContractRun
    from mcp_assay.contracts.results import Assay, AsyncAssay, Result

__all__ = ["Assay", "AsyncAssay", "Result", "accepts", "refuses"]

IniType: TypeAlias = Literal["string", "args", "linelist", "bool"]

ROOT: Final = "mcp-assay"
RUN: Final = pytest.StashKey["ContractRun"]()
MARKER: Final = "mcp_assay_sample(tool, arguments, valid): a call that shows what a tool does"
HISTORY: Final = "--mcp-assay-history"
STORES: Final = ("sqlite:", "postgresql:", "@")
"""How the word behind --mcp-assay-history begins where it is its value."""
DEFAULT_STORE: Final = "default"
OPTIONS: Final[tuple[tuple[str, dict[str, Any], IniType, str], ...]] = (
    (
        "server",
        {"metavar": "SERVER"},
        "string",
        "its command, URL or package.module:object",
    ),
    (
        "header",
        {"action": "append", "metavar": '"NAME: VALUE"'},
        "linelist",
        "a header for a URL; a value @FILE is read from the file; repeatable",
    ),
    (
        "env",
        {"action": "append", "metavar": "NAME=VALUE"},
        "linelist",
        "a variable for a command; a value @FILE is read from the file; repeatable",
    ),
    ("calls", {"choices": ("safe", "none", "all")}, "string", "which tools to call (safe)"),
    ("allow", {"action": "append", "metavar": "TOOL"}, "args", "also call this tool; repeatable"),
    (
        "sandbox",
        {"action": "store_true"},
        "string",
        "run the server in a disposable world; in the ini file: true, or sudo",
    ),
    (
        "sandbox-allow",
        {"action": "append", "metavar": "HOST[:PORT]"},
        "args",
        "with the sandbox: a host that the server may reach; repeatable",
    ),
    (
        "sandbox-show",
        {"action": "append", "metavar": "PATH"},
        "args",
        "with the sandbox: a secret place that the server may see; repeatable",
    ),
    (
        "update",
        {"action": "store_true"},
        "bool",
        "learn the contract again and write it to the file",
    ),
    ("mutate", {"action": "store_true"}, "bool", "list mutations that no test notices"),
    (
        "history",
        {"nargs": "?", "const": DEFAULT_STORE, "metavar": "URL"},
        "string",
        "remember the run in your history, or in the one at URL",
    ),
)
"""Each option, also an ini key: how it is typed, of which type the key is, what it does."""


__getattr__ = lazy_names(
    __name__, dict.fromkeys(("Assay", "AsyncAssay", "Result"), "contracts.results")
)
"""The types of the fixtures, for annotations."""


def accepts(
    tool: str, arguments: Mapping[str, Any] | None = None, /, **more: Any
) -> pytest.MarkDecorator:
    """Give a test, a class or a module a call that the tool must take."""
    return pytest.mark.mcp_assay_sample(tool, {**(arguments or {}), **more}, True)


def refuses(
    tool: str, arguments: Mapping[str, Any] | None = None, /, **more: Any
) -> pytest.MarkDecorator:
    """Give a test, a class or a module a call that the tool must refuse."""
    return pytest.mark.mcp_assay_sample(tool, {**(arguments or {}), **more}, False)


class Hooks:
    """What a conftest.py may say about the server under test."""

    @pytest.hookspec(firstresult=True)
    def pytest_mcp_assay_server(self, config: pytest.Config) -> object:
        """Give the server: an object, or what --mcp-assay-server takes."""

    @pytest.hookspec
    def pytest_mcp_assay_enums(self, config: pytest.Config) -> Mapping[str, Any] | None:
        """Give what the code takes, by FIELD or TOOL.FIELD: Enum classes, lists, "module:NAME"."""

    @pytest.hookspec
    def pytest_mcp_assay_reset(self, config: pytest.Config, tool: str) -> None:
        """Bring the server into its first state, before each sample of a tool."""


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Make our hooks known."""
    pluginmanager.add_hookspecs(Hooks)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add our options, and an ini key for each."""
    group = parser.getgroup(ROOT, "contract tests of an MCP server")
    group.addoption(
        "--mcp-assay", action="store_true", help=("run contract tests against the server")
    )
    parser.addini("mcp_assay", "run contract tests against the server", type="bool", default=False)
    for name, typed, kind, words in OPTIONS:
        key = f"mcp_assay_{name.replace('-', '_')}"
        group.addoption(f"--mcp-assay-{name}", dest=key, help=words, **typed)
        parser.addini(key, words, type=kind, default=None)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(args: list[str]) -> None:
    """Leave the word behind a bare --mcp-assay-history to pytest, where it names no store."""
    for at in reversed([at for at, word in enumerate(args) if word == HISTORY]):
        has_value = args[at + 1 : at + 2] and args[at + 1].startswith(STORES)
        value = args.pop(at + 1) if has_value else DEFAULT_STORE
        args[at] = f"{HISTORY}={value}"


def pytest_configure(config: pytest.Config) -> None:
    """Take our ids from the arguments, and load the rest where it is asked for."""
    config.addinivalue_line("markers", MARKER)
    if not hasattr(config.option, "mcp_assay_ids"):  # a worker of xdist has them already
        _take_ids(config)
    if _is_asked_for(config):
        _refuse_workers(config)
        _run_of(config)


def _take_ids(config: pytest.Config) -> None:
    ids = [arg for arg in config.args if arg == ROOT or arg.startswith(f"{ROOT}::")]
    others = [arg for arg in config.args if arg not in ids]
    config.option.mcp_assay_ids = ids
    config.option.mcp_assay_others = bool(others)
    if ids:
        config.args[:] = others or config.getini("testpaths") or [str(config.invocation_params.dir)]


def _is_asked_for(config: pytest.Config) -> bool:
    names = ("mcp_assay", "mcp_assay_update", "mcp_assay_mutate")
    typed = any(config.getoption(name) or config.getini(name) for name in names)
    return bool(typed or config.option.mcp_assay_ids)


def _refuse_workers(config: pytest.Config) -> None:
    """Refuse what must see all calls, where other processes make them."""
    for name in ("update", "mutate", "history"):
        key = f"mcp_assay_{name}"
        is_wanted = config.getoption(key) or config.getini(key)
        if is_wanted and config.getoption("numprocesses", None):
            raise pytest.UsageError(f"--mcp-assay-{name} works in one process: remove -n")


def _run_of(config: pytest.Config) -> ContractRun:
    if RUN not in config.stash:
        from mcp_assay.client.project_config import find_configuration  # noqa: PLC0415  only where used
        from mcp_assay.contracts.plugin import ContractRun  # noqa: PLC0415
        from mcp_assay.responses import Judge  # noqa: PLC0415

        folder = str(config.rootpath)
        config.stash[RUN] = ContractRun(
            config,
            lambda: find_configuration(folder).table,
            lambda worker, in_world: (
                Judge.configured(folder, worker, in_world=in_world).validate_response
            ),
        )
        config.pluginmanager.register(config.stash[RUN], "mcp-assay-contracts")
    return config.stash[RUN]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for an answer once for each of its samples."""
    if "mcp_assay_answer" in metafunc.fixturenames:
        samples = [mark.args for mark in metafunc.definition.iter_markers("mcp_assay_sample")]
        ids = [f"{'accepts' if valid else 'refuses'}-{tool}" for tool, _, valid in samples]
        metafunc.parametrize("mcp_assay_answer", samples[::-1], ids=ids[::-1], indirect=True)


@pytest.fixture(scope="session")
def mcp_assay(request: pytest.FixtureRequest) -> Assay:
    """The server under test: `.call(tool, **arguments)` gives a result that can be asked about."""
    return _run_of(request.config).fixture.assay


@pytest.fixture(scope="session")
def mcp_assay_async(mcp_assay: Assay) -> AsyncAssay:
    """The same, to be awaited."""
    from mcp_assay.contracts.results import AsyncAssay  # noqa: PLC0415  only where used

    return AsyncAssay(mcp_assay)


@pytest.fixture
def mcp_assay_answer(request: pytest.FixtureRequest) -> Result:
    """The answer to each sample that the test is given by @accepts and @refuses."""
    from mcp_assay.contracts.samples import GivenSample  # noqa: PLC0415  only where used

    result: Result = _run_of(request.config).answer(GivenSample(*request.param))
    return result
