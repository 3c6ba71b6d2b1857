"""What sentences in other languages than English say of a tool."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_assay.text.foreign_languages import languages
from mcp_assay.text.foreign_verbs import foreign_changes, foreign_reads, is_foreign, is_known

FORMS = Path(__file__).parent / "foreign_forms.tsv"
"""Infinitives, third persons, imperatives, participles and polite forms, made by hand."""
SPEECH = Path(__file__).parents[2] / "src/mcp_assay/judge/wording/speech"


def test_every_language_of_errors_has_its_verbs() -> None:
    spoken = {file.stem for file in SPEECH.glob("*.txt")} - {"any_language"}
    assert {one.name for one in languages()} == spoken
    assert all(one.verbs("reads") and one.verbs("changes") for one in languages())


def test_no_language_reads_with_a_verb_that_changes() -> None:
    for one in languages():
        assert not set(one.verbs("reads")) & set(one.verbs("changes"))


@pytest.mark.parametrize("line", FORMS.read_text("utf-8").splitlines())
def test_every_form_of_the_usual_verbs_is_known(line: str) -> None:
    language, kind, forms = line.split("\t")
    said = foreign_changes if kind == "changes" else foreign_reads
    assert [form for form in forms.split() if not said(form)] == [], language
    assert kind == "changes" or not any(map(foreign_changes, forms.split()))


def test_the_forms_are_of_every_language() -> None:
    forms = [line.split("\t")[0] for line in FORMS.read_text("utf-8").splitlines()]
    assert sorted(forms) == sorted(2 * [one.name for one in languages()])


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
        ("登録番号を検証する", True, False),
        ("番号を検証して登録する", True, True),
        ("Belege werden im Archiv gesucht", False, False),
        ("Belege werden im Archiv gesucht und verschoben", False, True),
        ("Beleg im Archiv finden", True, False),
        ("Beleg im Archiv löschen", False, True),
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


@pytest.mark.parametrize(
    ("sentence", "known"),
    [
        ("Recette du jour pour une ville", True),
        ("今日の献立", True),
        ("Рецепт для города", True),
        ("อ่านข้อมูล", False),
        ("קורא נתונים", False),
        ("Radkó sorok lekérése", False),
    ],
)
def test_a_language_is_known_by_its_letters_or_small_words(sentence: str, known: bool) -> None:
    assert is_known(sentence) is known


@pytest.mark.parametrize(
    ("sentence", "changes"),
    [
        ("学校の献立を生成する", False),
        ("画像を生成する", True),
        ("Genera un menú para la semana", False),
        ("Genera un archivo para la semana", True),
        ("Genera un menú y lo envía para la semana", True),
    ],
)
def test_what_makes_a_text_by_its_name_makes_no_file(sentence: str, changes: bool) -> None:
    assert foreign_changes(sentence)
    assert foreign_changes(sentence, is_text_made=True) is changes
