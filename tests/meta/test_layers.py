"""Imports go downhill only, and pure folders do no I/O: the house keeps its order."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcp_assay.rules import MODULES

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "mcp_assay"
LAYERS = (
    "model",
    "spec",
    "wire",
    "text",
    "schema",
    "session",
    "rules",
    "judge",
    "scenario",
    "findings",
    "drift",
    "report",
    "client",
    "engine",
    "validate",
    "archive",
    "proxy",
    "assess",
    "history",
    "fleet",
    "web",
    "contracts",
    "envelope",
    "capability",
    "facade",
    "cli",
)
PURE = frozenset(LAYERS[: LAYERS.index("client")])
"""What lies below the client does no I/O."""
ROOT_MODULES = frozenset({"__init__", "__main__"})
FACADES = frozenset(path.stem for path in PACKAGE.glob("*.py")) - ROOT_MODULES
IMPURE_MODULES = frozenset(
    [
        "aiohttp",
        "asyncio",
        "http",
        "io",
        "multiprocessing",
        "os",
        "select",
        "selectors",
        "shutil",
        "signal",
        "socket",
        "ssl",
        "subprocess",
        "tempfile",
        "threading",
        "time",
    ]
)
STREAMS = frozenset({"sys.stdin", "sys.stdout", "sys.stderr", "sys.argv", "sys.exit"})
FILE_CALLS = frozenset(
    {"iterdir", "mkdir", "read_bytes", "read_text", "unlink", "write_bytes", "write_text"}
)
IMPURE_CALLS = frozenset({"breakpoint", "exec", "eval", "input", "open", "print"})


def layer(module: str) -> str | None:
    """The layer that a module of ours belongs to; None for the package and for other people's."""
    package, *path = module.split(".")
    if package != "mcp_assay" or not path:
        return None
    if path[0] in LAYERS:
        return path[0]
    return "facade" if path[0] in FACADES else None


def imports(tree: ast.AST) -> Iterator[str]:
    """The modules that a file imports, those inside functions too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def uphill(source: str, home: str) -> list[str]:
    """The imports of a module in layer `home` that go uphill."""
    height = LAYERS.index(home)
    found = ((name, layer(name)) for name in imports(ast.parse(source)))
    return [name for name, its in found if its is not None and LAYERS.index(its) > height]


def impure(source: str, home: str = "report") -> list[str]:
    """What a file of layer `home` imports or calls that no pure file may."""
    tree = ast.parse(source)
    modules = {name.split(".")[0] for name in imports(tree)}
    calls = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    streams = {
        text
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and (text := dotted(node)) in STREAMS
    }
    named = (modules & IMPURE_MODULES) | (calls & IMPURE_CALLS) | streams
    return sorted(named | unseeded(tree) | foreign_files(tree, home))


def dotted(node: ast.AST) -> str:
    """A name, or an attribute of one, as it is written; "" for anything longer."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def foreign_files(tree: ast.AST, home: str) -> set[str]:
    """Every use of a file that does not come with the folder itself.

    What does is a part of the program, as modules are: it is the same in every run.
    """
    own, own_data = f"files('mcp_assay.{home}')", f"get_data('mcp_assay.{home}', "
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    attributes = (call.func for call in calls if isinstance(call.func, ast.Attribute))
    files = {ast.unparse(one) for one in attributes if one.attr in FILE_CALLS}
    data = {ast.unparse(call) for call in calls if dotted(call.func).endswith("get_data")}
    return {
        text for text in files if not (text.startswith(own) and text.endswith(".read_text"))
    } | {text for text in data if not text.startswith(own_data)}


def unseeded(tree: ast.AST) -> set[str]:
    """Every use of random that is not random.Random(seed)."""
    names = {name for name in imports(tree) if name.startswith("random.")} - {"random.Random"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and dotted(node.value) == "random":
            names |= {ast.unparse(node)} - {"random.Random"}
        elif isinstance(node, ast.Call) and not (node.args or node.keywords):
            names |= {f"{dotted(node.func)}()"} & {"Random()", "random.Random()"}
    return names


def sources(pure_only: bool = False) -> list[Path]:
    found = [path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).parts[0] in LAYERS]
    facades = [path for path in PACKAGE.glob("*.py") if path.stem not in ROOT_MODULES]
    if pure_only:
        return sorted(path for path in found if path.relative_to(PACKAGE).parts[0] in PURE)
    return sorted(found + facades)


def shown(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


def test_imports_go_downhill() -> None:
    for path in sources():
        home = layer("mcp_assay." + shown(path).removesuffix(".py").replace("/", "."))
        assert home is not None, shown(path)
        assert uphill(path.read_text("utf-8"), home) == [], shown(path)


def test_pure_folders_do_no_input_or_output() -> None:
    for path in sources(pure_only=True):
        home = path.relative_to(PACKAGE).parts[0]
        assert impure(path.read_text("utf-8"), home) == [], shown(path)


def rules_in(source: str) -> list[str]:
    """What a file imports from the folders that hold rules."""
    folders = tuple(f"mcp_assay.rules.{subject}." for subject in MODULES)
    return [name for name in imports(ast.parse(source)) if name.startswith(folders)]


@pytest.mark.parametrize(
    "path", sorted((PACKAGE / "rules" / "engine").glob("*.py")), ids=lambda path: path.name
)
def test_the_engine_imports_no_rule(path: Path) -> None:
    assert rules_in(path.read_text("utf-8")) == []


def test_an_import_of_a_rule_is_noticed() -> None:
    found = rules_in("from mcp_assay.rules.message.meta import CLIENT")
    assert found == ["mcp_assay.rules.message.meta.CLIENT"]
    assert rules_in("from mcp_assay.rules.engine.rule import Rule") == []


def test_every_folder_has_its_place() -> None:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert folders <= set(LAYERS)
    assert set(LAYERS) - folders == {"facade"}


@pytest.mark.parametrize(
    ("home", "line", "wrong"),
    [
        ("model", "from mcp_assay.spec.catalogue import entry", True),
        ("wire", "import mcp_assay.rules.engine.checker", True),
        ("rules", "from mcp_assay import validate", True),
        ("assess", "from mcp_assay import lint", True),
        ("report", "def f():\n    from mcp_assay.cli import main", True),
        ("rules", "from mcp_assay.wire.reader import read", False),
        ("facade", "from mcp_assay import __version__", False),
        ("cli", "from mcp_assay.validate import Run", False),
    ],
)
def test_an_uphill_import_is_noticed(home: str, line: str, wrong: bool) -> None:
    assert bool(uphill(line, home)) == wrong


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("import time", True),
        ("from asyncio import run", True),
        ("import random\nrandom.random()", True),
        ("from random import choice", True),
        ("from random import Random\nRandom()", True),
        ("open('x')", True),
        ("Path('x').read_text()", True),
        ("files('mcp_assay.report').joinpath('html', name).read_text('utf-8')", False),
        ("files('mcp_assay.spec').joinpath('x').read_text()", True),
        ("files('mcp_assay.report').joinpath('x').write_text(text)", True),
        ("get_data('mcp_assay.report', f'html/{name}')", False),
        ("get_data('mcp_assay.spec', 'x')", True),
        ("pkgutil.get_data('mcp_assay.spec', 'x')", True),
        ("get_data(package, 'x')", True),
        ("import sys\nsys.stdout.write('')", True),
        ("import sys\nsys.maxunicode", False),
        ("import random\nrandom.Random(1)", False),
        ("from random import Random\nRandom(seed)", False),
        ("from urllib.parse import urlsplit", False),
    ],
)
def test_impurity_is_noticed(line: str, wrong: bool) -> None:
    assert bool(impure(line)) == wrong
