"""Running numbers lead back to the file and the line."""

from __future__ import annotations

from mcp_assay.intake.numbering import Numbering
from mcp_assay.model.finding import Where


def test_every_line_of_every_input_is_found_again() -> None:
    numbering = Numbering()
    numbers = {}
    for file, lines in {"a": 3, "b": 0, "c": 2}.items():
        numbering.begin(file)
        numbers[numbering.last] = Where(file=file)
        for line in range(1, lines + 1):
            numbers[numbering.of(file, line)] = Where(file=file, line=line)
    assert list(numbers) == sorted(numbers)
    assert {number: numbering.where(number) for number in numbers} == numbers


def test_an_input_that_was_not_announced_begins_with_its_first_line() -> None:
    numbering = Numbering()
    first, second = numbering.of("a", 7), numbering.of("b", 1)
    assert numbering.where(first, "s") == Where(file="a", line=7, session="s")
    assert numbering.where(second) == Where(file="b", line=1)


def test_what_comes_next_is_the_input_itself_or_the_line_behind_the_last() -> None:
    numbering = Numbering()
    numbering.begin("a")
    assert numbering.where(numbering.next()) == Where(file="a")
    numbering.of("a", 5)
    assert numbering.where(numbering.next()) == Where(file="a", line=6)


def test_a_number_before_all_inputs_is_nowhere() -> None:
    assert Numbering().where(0, "s") == Where(session="s")
