"""The corpus of nst/JSONTestSuite: what every parser must accept, must reject, and may choose."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from mcp_assay.wire.notes import NoteKind
from mcp_assay.wire.reader import read

CORPUS: Final = Path(__file__).parents[3] / "shared/corpora/JSONTestSuite/test_parsing"
ERRORS: Final = {"syntax", "encoding", "bom", "trailing", "non-finite", "too-large", "not-json"}

pytestmark = pytest.mark.skipif(
    not CORPUS.is_dir(), reason="../shared/corpora/JSONTestSuite is absent"
)

CHOICES: Final[dict[str, list[NoteKind]]] = {
    "i_number_double_huge_neg_exp.json": [],
    "i_number_huge_exp.json": ["huge-number"],
    "i_number_neg_int_huge_exp.json": ["huge-number"],
    "i_number_pos_double_huge_exp.json": ["huge-number"],
    "i_number_real_neg_overflow.json": ["huge-number"],
    "i_number_real_pos_overflow.json": ["huge-number"],
    "i_number_real_underflow.json": [],
    "i_number_too_big_neg_int.json": [],
    "i_number_too_big_pos_int.json": [],
    "i_number_very_big_negative_int.json": [],
    "i_object_key_lone_2nd_surrogate.json": ["lone-surrogate"],
    "i_string_1st_surrogate_but_2nd_missing.json": ["lone-surrogate"],
    "i_string_1st_valid_surrogate_2nd_invalid.json": ["lone-surrogate"],
    "i_string_UTF-16LE_with_BOM.json": ["encoding"],
    "i_string_UTF-8_invalid_sequence.json": ["encoding"],
    "i_string_UTF8_surrogate_U+D800.json": ["encoding"],
    "i_string_incomplete_surrogate_and_escape_valid.json": ["lone-surrogate"],
    "i_string_incomplete_surrogate_pair.json": ["lone-surrogate"],
    "i_string_incomplete_surrogates_escape_valid.json": ["lone-surrogate"],
    "i_string_invalid_lonely_surrogate.json": ["lone-surrogate"],
    "i_string_invalid_surrogate.json": ["lone-surrogate"],
    "i_string_invalid_utf-8.json": ["encoding"],
    "i_string_inverted_surrogates_U+1D11E.json": ["lone-surrogate"],
    "i_string_iso_latin_1.json": ["encoding"],
    "i_string_lone_second_surrogate.json": ["lone-surrogate"],
    "i_string_lone_utf8_continuation_byte.json": ["encoding"],
    "i_string_not_in_unicode_range.json": ["encoding"],
    "i_string_overlong_sequence_2_bytes.json": ["encoding"],
    "i_string_overlong_sequence_6_bytes.json": ["encoding"],
    "i_string_overlong_sequence_6_bytes_null.json": ["encoding"],
    "i_string_truncated-utf-8.json": ["encoding"],
    "i_string_utf16BE_no_BOM.json": ["encoding"],
    "i_string_utf16LE_no_BOM.json": ["encoding"],
    "i_structure_500_nested_arrays.json": [],
    "i_structure_UTF-8_BOM_empty_object.json": ["bom"],
}


def files(prefix: str) -> list[Path]:
    return sorted(CORPUS.glob(f"{prefix}_*.json"))


def kinds(file: Path) -> list[NoteKind]:
    return [note.kind for note in read(file.read_bytes()).notes]


def test_the_whole_corpus_is_there() -> None:
    assert [len(files(prefix)) for prefix in "yni"] == [95, 188, 35]


@pytest.mark.parametrize("file", files("y"), ids=lambda file: file.stem)
def test_what_must_be_accepted_is_read_without_an_error(file: Path) -> None:
    reading = read(file.read_bytes())
    assert reading.readable
    assert not ERRORS.intersection(kinds(file))


@pytest.mark.parametrize("file", files("n"), ids=lambda file: file.stem)
def test_what_must_be_rejected_has_an_error(file: Path) -> None:
    assert ERRORS.intersection(kinds(file))


@pytest.mark.parametrize("file", files("i"), ids=lambda file: file.stem)
def test_what_may_be_chosen_is_chosen_as_documented(file: Path) -> None:
    reading = read(file.read_bytes())
    assert kinds(file) == CHOICES[file.name]
    assert reading.readable == ("encoding" not in CHOICES[file.name])
