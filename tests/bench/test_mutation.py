"""Mutants are made where a test could notice them, and a tool run tells whether one does."""

from __future__ import annotations

import ast
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from coverage import CoverageData

from bench.mutation.changes import changes
from bench.mutation.line_tests import LineTests
from bench.mutation.mutants import Mutant, shown
from bench.mutation.scope import PROJECT

SIGN = """
LIMIT = 10

def sign(number):
    if number > 0:
        return "plus"
    return "minus"

def forgotten(number):
    return number % LIMIT
"""
TEST_OF_SIGN = """
from pair.sign import sign

def test_a_positive_number():
    assert sign(1) == "plus"

def test_a_negative_number():
    assert sign(-1) == "minus"
"""
SCORE = """
import json, sys
from pathlib import Path
from bench.mutation.scope import Scope
from bench.mutation.score import Sampling, mutation_score

root = Path(sys.argv[1])
scope = Scope(root, "pair", "src", {"all of it": ("pair/*.py",)}, ("tests",))
print(json.dumps(mutation_score(root / "cache", Sampling(lists_survivors=True), scope)))
"""
ENDLESS = """
import os
from pathlib import Path
from bench.mutation.child import fork, wait

def endless():
    while True:
        pass

print(wait(fork(endless, Path(os.devnull), cpu_seconds=1))[1])
"""


def texts(source: str, used_elsewhere: frozenset[str] = frozenset()) -> list[str]:
    found = changes(ast.parse(source), used_elsewhere)
    return [shown(change).replace("  ->  ", " -> ") for change in found]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a = b < c", ["b < c -> b <= c", "b < c -> b >= c"]),
        ("a = b >= c", ["b >= c -> b > c", "b >= c -> b < c"]),
        (
            "a = b < c in d",
            [
                "b < c in d -> b <= c in d",
                "b < c in d -> b >= c in d",
                "b < c in d -> b < c not in d",
            ],
        ),
        ("a = b == c", ["b == c -> b != c"]),
        ("a = b is not c", ["b is not c -> b is c"]),
        ("a = b not in c", ["b not in c -> b in c"]),
        ("a = b and c", ["b and c -> b or c"]),
        ("a = not b", ["not b -> b"]),
        ("a = -b", ["-b -> b"]),
        ("a = b + c", ["b + c -> b - c"]),
        ("a = b // c", ["b // c -> b * c"]),
        ("a = b << c", ["b << c -> b >> c"]),
        ("a += b", ["a += b -> a -= b"]),
        ("a = True", ["True -> False"]),
        ("a = 7", ["7 -> 8"]),
        ("a = 'c2s'", ["'c2s' -> ''"]),
        ("a = ''", ["'' -> 'x'"]),
        ("a = b'{'", ["b'{' -> b''"]),
        ("a = None", []),
        ("append(b)", ["append(b) -> pass"]),
        ("del a[b]", ["del a[b] -> pass"]),
        ("raise Odd", ["raise Odd -> pass"]),
        ("for a in b: break", ["break -> pass"]),
        ("for a in b: continue", ["continue -> pass"]),
        ("if a: b()", ["a -> not a", "b() -> pass"]),
        ("a = [b for b in c if b]", ["b -> not b"]),
        ("def a(): return b", ["return b -> return None"]),
        ("def a(): return None", []),
        ("def a(): yield b", ["yield b -> yield from ()"]),
        ("def a(): yield from b", ["yield from b -> yield from ()"]),
    ],
)
def test_a_change_is_one_small_fault(source: str, expected: list[str]) -> None:
    assert texts(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        '"""A module."""',
        'class A:\n    """A class."""\n    __slots__ = ("b",)\n    b: Literal["c"]\n    """b."""',
        'def a(b: "C") -> "D": """A function."""',
        'A: TypeAlias = Literal["b"] | None',
        'A = TypeVar("A", bound="B")',
        "if TYPE_CHECKING: A = 1",
        'a = cast("B", c)',
        "a = isinstance(b, int | float)",
        'a = "The id is null."',
        'a = f"{b} is null."',
        'a = f"{b:04}"',
        "from a import b",
    ],
)
def test_types_and_words_for_people_are_left_alone(source: str) -> None:
    assert texts(source) == []


def test_an_expression_inside_a_text_is_changed() -> None:
    assert texts('a = f"{b + c} of them"') == ["b + c -> b - c"]
    assert texts('a = f"{b}/tasks"') == ["'/tasks' -> ''"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a = b == 'wrong type'", ["b == 'wrong type' -> b != 'wrong type'", "'wrong type' -> ''"]),
        ("a = {'wrong type': 'is of a wrong type'}", ["'wrong type' -> ''"]),
        ("a['wrong type'] = b", ["'wrong type' -> ''"]),
        ("a = b(grade='wrong type')", ["'wrong type' -> ''"]),
        (r"a = 'goroutine [0-9]+ \\['", [r"'goroutine [0-9]+ \\[' -> ''"]),
        ("a = '[^ ]'", ["'[^ ]' -> ''"]),
        ("a = f'(?: |{b})'", ["'(?: |' -> ''", "')' -> ''"]),
    ],
)
def test_words_that_code_searches_or_goes_by_are_changed(source: str, expected: list[str]) -> None:
    assert texts(source) == expected


RULE = """
ASKED = {"id": 1}
MEMBERS = ("id",)

def _wrapped(value):
    return [value]

SHOWN = _wrapped(ASKED)

@rule("JSONRPC-005", good=[good(SHOWN)], bad=[bad(None, "/id")])
def null_request_id(message):
    yield from MEMBERS
"""


def test_examples_and_what_only_they_use_are_left_alone() -> None:
    assert texts(RULE) == [
        "'id' -> ''",
        "yield from MEMBERS -> yield from ()",
        "'JSONRPC-005' -> ''",
    ]


def test_what_another_module_uses_too_is_changed() -> None:
    assert "1 -> 2" not in texts(RULE)
    assert "1 -> 2" in texts(RULE, frozenset({"ASKED"}))


def test_a_change_is_made_in_the_tree_it_was_found_in() -> None:
    module = ast.parse("a = [1, 2]\nif b < c:\n    d()")
    for change in changes(module)[-2:]:
        change.apply()
    compile(module, "a.py", "exec")
    assert ast.unparse(module) == "a = [1, 2]\nif b >= c:\n    pass"


def test_every_folder_of_the_project_has_files_and_every_test_folder_is_there() -> None:
    assert {folder for folder, _ in PROJECT.files()} == set(PROJECT.mutated)
    assert [one for one in PROJECT.tests if not (PROJECT.root / one).is_dir()] == []


NEARBY = "tests/signs/test_sign.py::nearby"
SECONDS = {
    "on_line": 6.0,
    "around": 5.0,
    "in_file": 4.0,
    "elsewhere": 0.1,
    "endless": 20.0,
    NEARBY: 3.0,
}


def chosen(folder: Path, run: dict[str, list[int]], lines: range, around: range) -> list[str]:
    """The tests that a mutant of these lines meets, where tests run lines of its file like that."""
    path = folder / "sign.py"
    recorded = CoverageData(str(folder / "lines"))
    for test, numbers in run.items():
        recorded.set_context(test)
        recorded.add_lines({str(path): numbers})
    recorded.close()
    (folder / "seconds.json").write_text(json.dumps(SECONDS))
    mutant = Mutant("signs", path, frozenset(), 0, lines, around, "1 -> 2")
    return LineTests(folder).chosen_for(mutant)


@pytest.mark.parametrize(
    ("lines", "around", "expected"),
    [
        (range(5, 6), range(4, 7), ["on_line", "around", "in_file"]),
        (range(9, 11), range(9, 11), ["in_file", "on_line", "around"]),
        (range(2, 3), range(2, 3), ["in_file", "around", "on_line"]),
        (range(2, 3), range(2, 5), ["around", "in_file", "on_line"]),
    ],
)
def test_a_mutant_meets_the_tests_of_its_line_first_then_those_of_its_file(
    tmp_path: Path, lines: range, around: range, expected: list[str]
) -> None:
    run = {"on_line": [5, 9], "around": [4], "in_file": [10], "endless": [5]}
    assert chosen(tmp_path, run, lines, around) == expected


@pytest.mark.parametrize("lines", [range(2, 3), range(2, 11)], ids=["a line", "with a lambda"])
def test_a_table_is_shown_to_the_tests_of_its_folder_and_to_all(
    tmp_path: Path, lines: range
) -> None:
    found = chosen(tmp_path, {"in_file": [10]}, lines, lines)
    assert found == ["in_file", NEARBY, "elsewhere", "around"]


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    """A project of one package and its tests."""
    for path, text in {
        "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["src"]\n',
        "src/pair/__init__.py": "",
        "src/pair/sign.py": SIGN,
        "tests/test_sign.py": TEST_OF_SIGN,
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def run(program: str, *arguments: object) -> Any:
    """What a program prints as JSON: it forks, which a process with threads should not."""
    command = [sys.executable, "-c", program, *map(str, arguments)]
    ended = subprocess.run(command, cwd=PROJECT.root, check=True, capture_output=True, timeout=300)
    return json.loads(ended.stdout)


def test_what_no_test_notices_survives(pair: Path) -> None:
    text, figures = run(SCORE, pair)
    survivors = [
        "src/pair/sign.py:2  10  ->  11",
        "src/pair/sign.py:5  number > 0  ->  number >= 0",
        "src/pair/sign.py:10  number % LIMIT  ->  number * LIMIT",
        "src/pair/sign.py:10  return number % LIMIT  ->  return None",
    ]
    assert figures["survivors"] == survivors
    assert figures["folders"]["all of it"] == {"killed": 4, "survived": 4}
    assert text.splitlines()[-6:] == ["", "survivors:", *survivors]
    assert "score 50.0%, at least 0.8: missed; of 8 mutants, seed 0" in text


def test_tests_that_fail_without_a_mutant_are_reported(pair: Path) -> None:
    (pair / "src/pair/sign.py").write_text(SIGN.replace("> 0", "< 0"))
    with pytest.raises(subprocess.CalledProcessError) as caught:
        run(SCORE, pair)
    assert b"the tests fail without a mutant" in caught.value.stderr


def test_what_never_ends_is_ended() -> None:
    assert run(ENDLESS) == -signal.SIGXCPU
