"""What the prepared folder holds, and that any program reads it as what it is."""

from __future__ import annotations

import csv
import json
import re
import sqlite3
import tomllib
import zlib
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from mcp_assay.client.sandbox.copies import write_all
from mcp_assay.scenario.contents_values import named_in
from mcp_assay.scenario.folder_contents import Contents, contents_of
from mcp_assay.scenario.path_values import samples_known
from mcp_assay.scenario.prepared_folder import DATABASE, PICTURE, TEXTS, prepared_files
from mcp_assay.text.digests import sha1
from mcp_assay.text.secrets import secrets_in

DOCS = Path(__file__).parents[2] / "docs" / "sandbox.md"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("prepared")
    write_all(prepared_files(), str(made))
    return made


def test_the_documentation_lists_what_is_made() -> None:
    rows = re.findall(r"^\| `([^`]+)` \| ", DOCS.read_text("utf-8"), re.MULTILINE)
    listed = [row for row in rows if row in (*TEXTS, PICTURE, DATABASE, ".git")]
    made = dict.fromkeys(
        path if not path.startswith(".git/") else ".git" for path in prepared_files()
    )
    assert listed == list(made)


def test_every_text_has_one_word_in_common_once() -> None:
    files = prepared_files()
    assert {path: files[path].count(b"plum") for path in TEXTS} == dict.fromkeys(TEXTS, 1)
    assert samples_known().words[0] == "plum"


def test_nothing_in_it_looks_like_a_secret() -> None:
    texts = {path: content.decode("latin-1") for path, content in prepared_files().items()}
    assert {path for path, text in texts.items() if list(secrets_in(text))} == set()


def test_it_is_the_same_whenever_it_is_made() -> None:
    before = dict(prepared_files())
    prepared_files.cache_clear()
    assert prepared_files() == before


def test_texts_are_what_their_names_say(folder: Path) -> None:
    json.loads((folder / "fruits.json").read_text())
    tomllib.loads((folder / "fruits.toml").read_text())
    ET.parse(folder / "fruits.xml")
    compile((folder / "prices.py").read_text(), "prices.py", "exec")
    with (folder / "fruits.csv").open() as file:
        assert {len(row) for row in csv.reader(file)} == {4}


def test_the_database_has_tables_that_can_be_joined(folder: Path) -> None:
    connection = sqlite3.connect(folder / DATABASE)
    rows = connection.execute("SELECT name FROM orders JOIN fruits ON fruits.id = fruit_id")
    assert sorted(name for (name,) in rows) == ["apple", "apple", "plum"]
    connection.close()


def test_the_picture_has_the_size_that_it_tells() -> None:
    picture = prepared_files()[PICTURE]
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = (int.from_bytes(picture[at : at + 4], "big") for at in (16, 20))
    at = picture.index(b"IDAT")
    length = int.from_bytes(picture[at - 4 : at], "big")
    assert len(zlib.decompress(picture[at + 4 : at + 4 + length])) == height * (1 + 3 * width)


def test_every_object_of_the_repository_is_what_its_name_says() -> None:
    start = ".git/objects/"
    objects = {path: it for path, it in prepared_files().items() if path.startswith(start)}
    assert len(objects) > 20
    for path, content in objects.items():
        name = path.removeprefix(start).replace("/", "")
        assert sha1(zlib.decompress(content)).hexdigest() == name


def test_what_lies_in_it_can_be_named() -> None:
    known = samples_known()
    assert known.repositories == ("",)
    assert known.branches == ("assay-branch", "main")
    assert known.tags == ("v1.0.0",)
    assert known.tables["fruits"] == ("id", "name", "price", "day")
    assert {"notes.txt", "prices.py", PICTURE, DATABASE} <= set(known.files)
    assert known.folders == ("garden", "garden/trees")


@pytest.mark.parametrize(
    ("tool", "name", "description", "first"),
    [
        ("git_checkout", "branch_name", "", "assay-branch"),
        ("git_create_branch", "branch_name", "", "assay-example"),
        ("git_checkout", "target", "The branch or commit to switch to", "assay-branch"),
        ("git_show", "revision", "", "HEAD"),
        ("git_tag_delete", "tag_name", "", "v1.0.0"),
        ("add_note", "tag", "A label of the note", None),
        ("describe_table", "table_name", "", "fruits"),
        ("create_table", "table_name", "", None),
        ("column_stats", "column", "", "id"),
        ("edit_file", "oldText", "", "plum"),
        ("str_replace", "old_str", "", "plum"),
        ("grep", "pattern", "", "plum"),
        ("search_files", "pattern", "", "*.txt"),
        ("save_context", "file_globs", "", "*.txt"),
        ("search_files", "pattern", "A regular expression", "plum"),
        ("read_query", "query", "A SELECT statement", None),
        ("search_web", "query", "", "plum"),
        ("greet", "text", "", None),
    ],
)
def test_an_argument_gets_what_it_names(
    tool: str, name: str, description: str, first: str | None
) -> None:
    assert next(named_in(samples_known(), tool, name, description), None) == first


def test_of_a_large_folder_a_few_files_of_each_kind_are_named() -> None:
    paths = [f"{number:02}.py" for number in range(9)] + ["deep/a.md", "LICENSE", ".env", "a.md"]
    assert contents_of(paths, lambda _: b"").files == (
        *("00.py", "a.md", "01.py", "deep/a.md", "02.py"),
        "LICENSE",
    )


def test_the_words_to_look_for_stand_in_the_file_that_is_named_first() -> None:
    files = {"b.py": b"green tree", "a.txt": b"black water", "c.txt": b"black snow"}
    assert contents_of(files, lambda path: files[path]).words == (
        *("green", "tree", "black", "water", "snow"),
    )


def test_references_are_found_where_git_has_packed_them() -> None:
    commit = "1" * 40
    files = {
        "shop/.git/HEAD": b"ref: refs/heads/main\n",
        "shop/.git/packed-refs": f"# pack-refs\n{commit} refs/heads/main\n".encode(),
        "shop/.git/refs/heads/next": f"{commit}\n".encode(),
        "shop/.git/refs/heads/broken": b"\xff",
    }
    known = contents_of(files, lambda path: files.get(path, b""))
    assert (known.repositories, known.branches) == (("shop",), ("next", "main"))
    assert known.commits == (commit,)


@pytest.mark.parametrize(
    "content", [b"", b"SQLite format 3\0", b"SQLite format 3\0" + b"\xff" * 4096]
)
def test_a_broken_database_has_no_tables(content: bytes) -> None:
    assert contents_of(["a.db"], lambda _: content) == Contents(files=("a.db",))
