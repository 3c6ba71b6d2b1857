"""The sources stay simple: the numbers of `python -m tools.structure` that are promises."""

from __future__ import annotations

import json
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import Final, NamedTuple

import pytest

from tools.consoles import ROOT
from tools.loaded_modules import COMMANDS, all_loaded_modules, loaded_modules
from tools.structure import (
    NOUNS,
    PACKAGE,
    PUBLIC_CLASSES,
    Measures,
    Package,
    as_json,
    as_text,
    measure,
)

LOADED: Final = "modules loaded for "
MORE_COMMANDS: Final = {
    "validate FOLDER": ("validate", str(ROOT / "examples")),
    "validate a sample": ("validate", "--sample", "99%", str(ROOT / "examples" / "notes.jsonl")),
    "demo": ("demo", "--quiet"),
}


class Promise(NamedTuple):
    measure: str
    at_most: int
    reason: str


PROMISES: Final = (
    # engines, and the archives and fleets that are judged on them, are three things more
    Promise("top level entries", 34, "who looks for a place reads the whole list in a minute"),
    # the disposable world brought 54: what runs in its launcher is read there file by file, alone;
    # the reader of answers 8: what was sent, the tool, members and sentences are read apart;
    # what users asked of reports 12: badge, score, answers, wire examples, libraries, advice;
    # arguments that can work 5: places, lessons, statements, readers, samples
    # rules about effects 7: records, proofs, outcomes, how such a rule is written, two sections
    # what effects tell of hints and needs 4: what is supported, its table, a policy, its writer
    # a world worth calling in 4: its folder, the repository there, what lies in one, its names
    # evidence of whose fault a crash is, and refusals told as successes 2
    # the web site in a world 7: its pages, its server, its authority, trust, places, addresses
    # whether the least is enough 4: places that may be changed, the check, its command, its words
    # the history 30: one file for each thing that is stored, asked, compared or put right
    # the pages 66: a folder for each of them, and what lets browsers in apart from all of them
    # traffic in them 5 more: private sockets, a feed, its records, what it gets, an index of lines
    # engines and archives 18: the seam, who works, and each step from sources to one run
    # fleets 47: three kinds of files that name them and what workers look up there 12; packages,
    # step by step from a name to a program, 14; jobs, their order, one report of all; and 14 more
    # for a run: a job from a worker to its fork, its limits, the record, the plan, the command
    # archives 3 more: whose turn a task has, sessions followed for their clocks, and those clocks;
    # and what the languages of descriptions are known by
    Promise("files", 790, "a file is for a thing of its own, not for every step that is taken"),
    Promise("class names used twice", 0, "who reads a name knows which class is meant"),
    Promise("import cycles", 0, "every part can be understood, tested and moved without the rest"),
    Promise("functions over 50 lines", 0, "a function fits on a screen together with its call"),
    Promise(f"{LOADED}--help", 60, "help needs the options of the commands, and no rule at all"),
    Promise(
        f"{LOADED}validate MESSAGE",
        121,
        "one message needs the rules about messages, and who asked for it",
    ),
    Promise(f"{LOADED}validate TRACE", 169, "a session needs no rule that asks a server"),
)
"""Each bound with its reason; who raises one writes down what it buys."""


@cache
def numbers() -> dict[str, int]:
    return measure(PACKAGE, {}).numbers()


def number(name: str) -> int:
    if name.startswith(LOADED):
        return len(loaded_modules(COMMANDS[name.removeprefix(LOADED)]))
    return numbers()[name]


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.measure)
def test_a_promise_is_kept(promise: Promise) -> None:
    assert number(promise.measure) <= promise.at_most, (
        f"{promise.reason}; `python -m tools.structure` shows the places"
    )


@pytest.mark.parametrize(("name", "home"), PUBLIC_CLASSES.items())
def test_a_class_name_that_may_occur_again_is_public(name: str, home: str) -> None:
    assert isinstance(getattr(import_module(home), name), type)


def test_the_modules_that_a_command_loads_are_ours() -> None:
    found = loaded_modules(["version"])
    assert {"mcp_assay", "mcp_assay.cli", "mcp_assay.cli.main"} <= set(found)
    assert {name.partition(".")[0] for name in found} == {"mcp_assay"}


@pytest.mark.parametrize("name", [*COMMANDS, *MORE_COMMANDS])
def test_what_only_some_users_need_is_loaded_for_nobody_else(name: str) -> None:
    arguments = COMMANDS.get(name) or MORE_COMMANDS[name]
    packages = {module.partition(".")[0] for module in all_loaded_modules(arguments)}
    assert packages.isdisjoint({"dask", "distributed", "fsspec", "s3fs", "sqlalchemy"})


def test_a_command_that_does_not_work_is_not_measured() -> None:
    with pytest.raises(RuntimeError, match="unknown command"):
        loaded_modules(["nonsense"])


def tree(folder: Path, **files: str) -> Measures:
    """The measures of a made-up package; `a__b` is the module b of its folder a."""
    package = folder / "made"
    for name, text in {"__init__": "", **files}.items():
        place = name if name.startswith("__") else name.replace("__", "/", 1)
        path = package / f"{place}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), "utf-8")
    (package / "py.typed").touch()
    return measure(package, {"--help": 7})


def test_files_and_lines_are_counted_by_package(tmp_path: Path) -> None:
    (tmp_path / "made" / "moved_away" / "__pycache__").mkdir(parents=True)
    found = tree(tmp_path, one="x = 1\ny = 2\n", a__b="def f(): ...\n", a__c="")
    assert found.top_level_entries == ["__init__.py", "a", "one.py"]
    assert found.packages == {"(modules)": Package(2, 2, 0), "a": Package(2, 1, 1)}
    assert found.numbers()["files"] == 4
    assert found.numbers()["lines"] == 3
    assert found.numbers()["modules loaded for --help"] == 7


@pytest.mark.parametrize(("lines", "is_long"), [(50, False), (51, True)])
def test_a_long_function_is_noticed(tmp_path: Path, lines: int, is_long: bool) -> None:
    body = "\n".join(["    def method(self):", *["        pass"] * (lines - 1)])
    found = tree(tmp_path, one=f"class C:\n{body}\n")
    shown = [f"one.py:2 method ({lines} lines)"]
    assert found.functions_over_50_lines == (shown if is_long else [])


def test_the_examples_of_a_rule_do_not_make_it_long(tmp_path: Path) -> None:
    decorator = "@rule(\n" + "    'example',\n" * 60 + ")\n"
    assert tree(tmp_path, one=f"{decorator}def f(): ...\n").functions_over_50_lines == []


def test_a_small_module_is_noticed_but_not_the_face_of_a_package(tmp_path: Path) -> None:
    found = tree(tmp_path, small="x = 1\n" * 59, enough="x = 1\n" * 60)
    assert found.modules_under_60_lines == ["small.py (59 lines)"]


def test_a_class_name_used_twice_is_noticed(tmp_path: Path) -> None:
    found = tree(
        tmp_path,
        one="class Twice: ...\nclass Once: ...\nclass Session: ...",
        a__b="class Outer:\n    class _Twice: ...\nclass Session: ...",
    )
    assert found.class_names_used_twice == {"Twice": ["a/b.py:2", "one.py:1"]}


def test_a_gerund_is_noticed_and_a_noun_that_ends_so_is_not(tmp_path: Path) -> None:
    named = dict.fromkeys(("hearing", "http_asking", "assessing____init__", *NOUNS), "")
    found = tree(tmp_path, rings="", **named)
    assert found.gerund_modules == ["assessing/__init__.py", "hearing.py", "http_asking.py"]


@pytest.mark.parametrize(
    ("files", "cycles"),
    [
        ({"one": "import made.two", "two": "x = 1"}, 0),
        ({"one": "import made.two", "two": "from made import one"}, 1),
        ({"one": "from made.two import x", "two": "from made.three import y",
          "three": "def f():\n    from made.one import z"}, 1),
        ({"one": "import made.two", "two": "import made.one\nimport made.three",
          "three": "import made.four", "four": "import made.three"}, 2),
        ({"one": "import made.two",
          "two": "if TYPE_CHECKING:\n    import made.one\nelse:\n    import json"}, 0),
        ({"one": "import made.two",
          "two": "if TYPE_CHECKING:\n    import json\nelse:\n    import made.one"}, 1),
        ({"one": "from made import one"}, 0),
    ],
    ids=["none", "two modules", "three, one hidden", "two cycles", "for types", "else", "itself"],
)  # fmt: skip
def test_an_import_cycle_is_noticed(tmp_path: Path, files: dict[str, str], cycles: int) -> None:
    assert len(tree(tmp_path, **files).import_cycles) == cycles


def test_a_cycle_is_shown_in_the_order_of_its_imports(tmp_path: Path) -> None:
    found = tree(tmp_path, one="import made.two", two="import made.three", three="import made.one")
    (cycle,) = found.import_cycles
    following = {"made.one": "made.two", "made.two": "made.three", "made.three": "made.one"}
    assert len(cycle) == 4
    assert all(following[one] == other for one, other in pairwise(cycle))


def test_an_import_inside_a_function_is_noticed(tmp_path: Path) -> None:
    text = """
        import os
        class C:
            def method(self):
                import json
                from made.two import x
    """
    found = tree(tmp_path, one=text, two="x = 1")
    assert found.hidden_imports == ["one.py:5 json", "one.py:6 made.two.x"]
    assert found.hidden_imports_of_ours == ["one.py:6 made.two.x"]


def test_the_text_shows_the_numbers_and_the_places(tmp_path: Path) -> None:
    text = as_text(tree(tmp_path, hearing="class Twice: ...\nclass Twice: ...\n"))
    assert "class names used twice                       1\n" in text
    assert "\n  Twice: hearing.py:1, hearing.py:2\n" in text
    assert text.endswith("\nGerund modules\n  hearing.py")
    assert "Import cycles" not in text


def test_the_json_has_every_number_and_every_place(tmp_path: Path) -> None:
    measures = tree(tmp_path, hearing="")
    read = json.loads(as_json(measures))
    assert read["numbers"] == measures.numbers()
    assert read["gerund_modules"] == ["hearing.py"]
    assert read["modules_under_60_lines"] == ["hearing.py (0 lines)"]
