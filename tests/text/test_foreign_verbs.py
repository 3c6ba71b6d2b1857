"""What sentences in other languages than English say of a tool."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_assay.text.foreign_verbs import foreign_changes, foreign_reads, is_foreign, languages

SPEECH = Path(__file__).parents[2] / "src/mcp_assay/judge/wording/speech"


def test_every_language_of_errors_has_its_verbs() -> None:
    spoken = {file.stem for file in SPEECH.glob("*.txt")} - {"any_language"}
    assert {one.name for one in languages()} == spoken
    assert all(one.verbs("reads") and one.verbs("changes") for one in languages())


def test_no_language_reads_with_a_verb_that_changes() -> None:
    for one in languages():
        assert not set(one.verbs("reads")) & set(one.verbs("changes"))


@pytest.mark.parametrize(
    ("sentence", "reads", "changes"),
    [
        ("读取文件", True, False),
        ("读取文件并删除", True, True),
        ("获取创建时间", True, False),
        ("执行命令", False, True),
        ("执行加法运算", True, False),
        ("执行删除后分析", True, True),
        ("Liest eine Datei", True, False),
        ("Liest eine Datei und löscht sie", True, True),
        ("Busca libros por autor", True, False),
        ("Borra los libros", False, True),
        ("Récupère les données", True, False),
        ("Verileri getirir ve siler", True, True),
        ("Get x, 删除", False, True),
        ("Get x, löscht y", False, True),
        ("อ่านข้อมูล", False, False),
    ],
)
def test_a_verb_says_what_is_done(sentence: str, reads: bool, changes: bool) -> None:
    assert is_foreign(sentence)
    assert foreign_reads(sentence) is reads
    assert foreign_changes(sentence) is changes


@pytest.mark.parametrize(
    "sentence",
    [
        "Get the forecast of Météo-France for Zürich",
        "Search the web, e.g. example.com, with the os module",
        "Get x and y",
        "Convert \u03bc to \u03a9",
        "Lists files",
        "",
    ],
)
def test_names_and_symbols_are_no_other_language(sentence: str) -> None:
    assert not is_foreign(sentence)
