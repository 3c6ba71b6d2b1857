"""The public names: listed, sorted, complete, and cheap to ask for."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import mcp_assay
from mcp_assay import envelope

PUBLIC = (
    *("mcp_assay.compare", "mcp_assay.envelope", "mcp_assay.lint", "mcp_assay.protocol"),
    "mcp_assay.validate",
)
MESSAGE = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'


@pytest.mark.parametrize("name", ["mcp_assay", *PUBLIC])
def test_public_names_are_sorted_and_exist(name: str) -> None:
    module = import_module(name)
    assert module.__all__ == sorted(module.__all__)
    assert all(hasattr(module, public) for public in module.__all__)


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_function_and_class_is_listed(name: str) -> None:
    module = import_module(name)
    defined = {
        key
        for key, value in vars(module).items()
        if not key.startswith("_")
        and (inspect.isfunction(value) or inspect.isclass(value))
        and value.__module__ == name
    }
    assert defined <= set(module.__all__)


@pytest.mark.parametrize(
    ("module", "own"), [(mcp_assay, {"__version__"}), (envelope, set())], ids=["all", "envelope"]
)
def test_a_package_lists_the_names_that_it_loads(module: ModuleType, own: set[str]) -> None:
    tree = ast.parse(Path(str(module.__file__)).read_text("utf-8"))
    typed = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("mcp_assay.")
        for alias in node.names
    }
    assert set(module.__all__) == typed | own
    assert dir(module) == module.__all__


@pytest.mark.parametrize("module", [mcp_assay, envelope])
def test_a_name_that_does_not_exist_is_an_attribute_error(module: ModuleType) -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        getattr(module, "nonsense")  # noqa: B009  the checker knows that it is not there


@pytest.mark.parametrize(
    ("code", "unwanted"),
    [
        ("import mcp_assay", "click msgspec orjson jsonschema_rs rich typing"),
        ("import mcp_assay.envelope", "msgspec orjson jsonschema_rs typing mcp fastmcp"),
        ("main(['version'])", "click msgspec orjson jsonschema_rs rich typing"),
        ("main(['--version'])", "click msgspec orjson jsonschema_rs rich"),
        (
            f"import io; sys.stdin = io.TextIOWrapper(io.BytesIO({MESSAGE!r})); main(['validate'])",
            "rich asyncio mcp fastmcp pydantic hypothesis aiohttp importlib.metadata",
        ),
        ("main(['rules', '--select', 'BATCH'])", "rich asyncio mcp pydantic importlib.metadata"),
    ],
)
def test_a_command_loads_only_what_it_needs(code: str, unwanted: str) -> None:
    start = "import sys; from mcp_assay.cli.main import main" if "main" in code else "import sys"
    script = f"{start}; {code}; print(*(set({unwanted.split()}) & set(sys.modules)))"
    ended = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:] = {sys.path}; {script}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout.splitlines()[-1] == ""
