"""Archives in object stores and on web servers: the reports of local files, but for the names."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import boto3
import fsspec
import pytest
from moto.server import ThreadedMotoServer

from mcp_assay.archive.files import archive_files
from mcp_assay.history.identity import files_identity
from mcp_assay.validate import remote_files
from tests.archive.gateways import rotated
from tests.archive.judged import BackwardsEngine, in_batches

BUCKET = "traces"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that speaks S3."""
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(store: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A bucket of that server, which s3:// means meanwhile."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "for-tests")
    monkeypatch.setenv("AWS_ENDPOINT_URL", store)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    client = boto3.client("s3")
    client.create_bucket(Bucket=BUCKET)
    fsspec.get_filesystem_class("s3").clear_instance_cache()
    yield client
    for one in client.list_objects(Bucket=BUCKET).get("Contents", ()):
        client.delete_object(Bucket=BUCKET, Key=one["Key"])
    client.delete_bucket(Bucket=BUCKET)


def test_a_bucket_is_judged_as_a_folder_is(bucket: Any, tmp_path: Path) -> None:
    files = rotated(tmp_path, files=4, sessions=20, calls=6)
    for number, name in enumerate(files):
        text = Path(name).read_bytes()
        key = f"2026/{Path(name).name}"
        if number % 2:
            bucket.put_object(Bucket=BUCKET, Key=f"{key}.gz", Body=gzip.compress(text))
        else:
            bucket.put_object(Bucket=BUCKET, Key=key, Body=text)
    local = in_batches([str(tmp_path / "gateway*")])
    for source in (f"s3://{BUCKET}/2026/gateway*", f"s3://{BUCKET}/2026", f"s3://{BUCKET}/2026/"):
        found = in_batches([source])
        assert found["summary"] == local["summary"]
        assert found["checks"] == local["checks"]
        assert found["options"]["files"] == [
            f"s3://{BUCKET}/2026/gateway.{number}.jsonl{'.gz' * (number % 2)}"
            for number in range(4)
        ]


def test_an_object_that_has_changed_is_looked_through_again(bucket: Any, tmp_path: Path) -> None:
    for name in rotated(tmp_path, files=2, sessions=4, calls=2):
        bucket.put_object(Bucket=BUCKET, Key=Path(name).name, Body=Path(name).read_bytes())
    done = []
    for number in range(3):
        if number == 2:
            bucket.put_object(Bucket=BUCKET, Key="gateway.0.jsonl", Body=b"{}\n" * 9)
            fsspec.filesystem("s3").invalidate_cache()
        engine = BackwardsEngine()
        in_batches([f"s3://{BUCKET}/*"], engine=engine)
        done.append(engine.tasks)
    assert done == [3, 1, 2]


def test_an_object_that_is_not_there_is_a_finding_among_others(bucket: Any, tmp_path: Path) -> None:
    (name,) = rotated(tmp_path, files=1, sessions=2, calls=2)
    found = in_batches([name, f"s3://{BUCKET}/missing.jsonl", "s3://no-such-bucket/*.jsonl"])
    said = sorted(one["message"] for one in found["findings"])
    assert said[1] == f"s3://{BUCKET}/missing.jsonl does not exist; check the address."
    assert said[0].startswith("s3://no-such-bucket/*.jsonl ")
    assert found["summary"]["errors"] == 2
    assert found["summary"]["messages"] == 14


def test_a_file_on_a_web_server_that_knows_no_pieces_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_files, "PIECE", 1_000)
    (name,) = rotated(tmp_path, files=1, sessions=3, calls=20)
    handler = partial(_Quiet, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/{Path(name).name}"
        found = in_batches([address])
        missing = in_batches([f"{address}.gone"])
        signed = in_batches([f"{address}.gone?X-Signature=5f4dcc3b5aa765d6&v=2", name])
        server.shutdown()
    assert found["summary"] == in_batches([name])["summary"]
    (one,) = missing["findings"]
    assert one["message"] == f"{address}.gone does not exist; check the address."
    assert signed["findings"][0]["where"]["file"].endswith(".gone?X-Signature=redacted&v=2")
    assert "5f4dcc3b" not in json.dumps(signed)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def test_any_other_file_system_of_fsspec_is_read_alike(tmp_path: Path) -> None:
    files = rotated(tmp_path, files=2, sessions=5, calls=3)
    memory = fsspec.filesystem("memory")
    for name in files:
        memory.pipe(f"/archive/{Path(name).name}", Path(name).read_bytes())
    local = in_batches(files)
    assert in_batches(["memory://archive"])["summary"] == local["summary"]
    assert in_batches(["memory://archive/*.jsonl"])["checks"] == local["checks"]
    assert in_batches([f"file://{name}" for name in files]) == local


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("ftp://host/file", "ftp:// is not read; choose one of s3://, gs://"),
        ("https://me:secret@host/file", "an address must not hold a user name or password"),
        ("gs://bucket/file", "gs:// cannot be read here: Please install gcsfs"),
        ("-", "standard input is read once, and an archive twice; name its files"),
    ],
)
def test_what_cannot_be_part_of_an_archive_is_refused(source: str, words: str) -> None:
    with pytest.raises(ValueError, match=words) as refused:
        archive_files([source])
    assert "secret" not in str(refused.value)


def test_a_store_that_fails_in_the_middle_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (name,) = rotated(tmp_path, files=1, sessions=30, calls=40)
    memory = fsspec.filesystem("memory")
    memory.pipe("/broken/trace.jsonl", Path(name).read_bytes())
    opening = type(memory).open

    def failing(self: Any, path: str, *given: Any, **named: Any) -> Any:
        file = opening(self, path, *given, **named)
        read, left = file.read, [2]

        def read_on(size: int = -1) -> bytes:
            left[0] -= 1
            if left[0] < 0:
                raise RuntimeError("the connection\nwas reset")
            data: bytes = read(size)
            return data

        monkeypatch.setattr(file, "read", read_on)
        return file

    monkeypatch.setattr(type(memory), "open", failing)
    found = in_batches(["memory://broken/trace.jsonl"])
    (broken,) = [one for one in found["findings"] if one["rule"] == "ENV-002"]
    assert broken["message"] == (
        "memory://broken/trace.jsonl is incomplete: the store failed: the connection was reset; "
        "everything before that was checked."
    )
    assert json.dumps(found).count("partial") > 0


def test_an_archive_is_one_run_of_the_history_by_its_address() -> None:
    identity = files_identity(["s3://bucket/2026/*.jsonl", "https://host/a?signature=x"], "/srv")
    assert identity.name == "https://host/a, s3://bucket/2026/*.jsonl"
