"""Nothing in a schema makes us open a connection or a file."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from socket import create_server, socket
from subprocess import DEVNULL
from typing import Any, Final

import jsonschema_rs
import orjson
import pytest

from tests.patience import LONGEST

ROOT: Final = Path(__file__).resolve().parents[2]

LED_ASTRAY: Final[dict[str, Any]] = {
    "reference": {"$ref": "URI"},
    "unused reference": {"$defs": {"a": {"$ref": "URI"}}},
    "reference with fragment": {"$ref": "URI#/a"},
    "dynamic reference": {"$dynamicRef": "URI#a"},
    "recursive reference": {
        "$schema": "https://json-schema.org/draft/2019-09/schema",
        "$recursiveRef": "URI",
    },
    "dialect": {"$schema": "URI"},
    "dialect of a part": {"items": {"$id": "a", "$schema": "URI"}},
    "reference under an identifier": {"$id": "URI", "properties": {"a": {"$ref": "b"}}},
    "identifier": {"$id": "URI", "type": "integer"},
    "identifier of a part": {"$defs": {"a": {"$id": "URI"}}, "type": "integer"},
    "draft 4 identifier": {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "id": "URI",
        "items": {"$ref": "b"},
    },
    "data": {"enum": [{"$ref": "URI"}, 1]},
}
"""Each names an address, URI, in another way."""

CHECK_ALL: Final = """
import sys
import orjson
from mcp_assay.schema.checker import Schemas
from mcp_assay.client.schema_worker import SchemaWorker

happened = []
watched = ("open", "os.", "socket.", "subprocess.", "urllib.")
with SchemaWorker() as worker:
    schemas = Schemas(worker)
    for harmless in ({"type": "integer"}, {"$dynamicRef": "#"}, {"pattern": "(?=a)"}):
        assert schemas.prepare(harmless).check("b").outcome != "undecided"
    sys.addaudithook(lambda event, args: event.startswith(watched) and happened.append(event))
    outcomes = [schemas.prepare(schema).check(1).outcome for schema in orjson.loads(sys.argv[1])]
    before_the_end = list(happened)
print(orjson.dumps({"outcomes": outcomes, "happened": before_the_end}).decode())
"""

COMPILE_AT_ONCE: Final = """
import sys
import orjson
from mcp_assay.schema.engine import compiled
from mcp_assay.schema.outline import RefusedSchema
from mcp_assay.schema.preflight import Survey

outcomes = []
for schema in orjson.loads(sys.argv[1]):
    try:
        compiled(Survey("tame", document=schema))
        outcomes.append("compiled")
    except RefusedSchema:
        outcomes.append("refused")
print(orjson.dumps({"outcomes": outcomes}).decode())
"""

FETCH: Final = """
import sys
import jsonschema_rs

jsonschema_rs.is_valid({"$ref": sys.argv[1]}, 1)
"""


def run(code: str, address: str) -> Any:
    """What a process prints that meets all the schemas; one that waits for a file would hang."""
    schemas = orjson.dumps([*LED_ASTRAY.values()]).replace(b"URI", address.encode())
    done = subprocess.run(
        [sys.executable, "-c", code, schemas],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        timeout=LONGEST,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return orjson.loads(done.stdout)


@pytest.fixture
def door() -> Iterator[socket]:
    """A listening socket at which nobody should knock."""
    with create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        yield listening


def address_of(door: socket) -> str:
    return f"http://127.0.0.1:{door.getsockname()[1]}/schema.json"


def knocks(door: socket) -> int:
    """How many connections were made."""
    count = 0
    while True:
        try:
            connection, _ = door.accept()
        except BlockingIOError:
            return count
        connection.close()
        count += 1


def undecided(outcomes: list[str]) -> set[str]:
    return {what for what, one in zip(LED_ASTRAY, outcomes, strict=True) if one == "undecided"}


HARMLESS: Final = {"identifier", "identifier of a part", "data"}


def test_no_connection_is_made(door: socket) -> None:
    seen = run(CHECK_ALL, address_of(door))
    assert seen["happened"] == []
    assert undecided(seen["outcomes"]) == LED_ASTRAY.keys() - HARMLESS
    assert knocks(door) == 0


def test_no_file_is_opened(tmp_path: Path) -> None:
    pipe = tmp_path / "schema.json"
    os.mkfifo(pipe)  # Whoever opens it waits for a writer for ever.
    seen = run(CHECK_ALL, pipe.as_uri())
    assert seen["happened"] == []
    assert undecided(seen["outcomes"]) == LED_ASTRAY.keys() - HARMLESS


def test_the_engine_itself_is_kept_from_fetching(door: socket, tmp_path: Path) -> None:
    pipe = tmp_path / "schema.json"
    os.mkfifo(pipe)
    for address in (address_of(door), pipe.as_uri()):
        assert "refused" in run(COMPILE_AT_ONCE, address)["outcomes"]
    assert knocks(door) == 0


def test_a_connection_would_be_noticed(door: socket) -> None:
    door.settimeout(LONGEST)
    child = subprocess.Popen([sys.executable, "-c", FETCH, address_of(door)], stderr=DEVNULL)
    try:
        connection, _ = door.accept()
        connection.close()
    finally:
        child.kill()
        child.wait()


def test_a_file_would_be_opened_by_an_engine_that_may(tmp_path: Path) -> None:
    file = tmp_path / "schema.json"
    file.write_text('{"type": "string"}', "utf-8")
    assert not jsonschema_rs.is_valid({"$ref": file.as_uri()}, 1)
