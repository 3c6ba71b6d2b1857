"""A recording holds the exact bytes, no secrets, and can be judged again."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.client.trace_file import Recording, trace_line
from mcp_assay.model.entry import Entry
from mcp_assay.text.redaction import Redactor
from mcp_assay.validate import validate
from mcp_assay.validate.trace import read_trace_line
from tests.proxy.stdio import proxied, run

TOKEN = "ghp_" + "a1B2" * 9
CANARY = "correct-horse-battery"


def call(**arguments: Any) -> bytes:
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "save", "arguments": arguments},
    }
    return json.dumps(message).encode()


def received(text: bytes | None, **more: Any) -> Entry:
    known: dict[str, Any] = {"transport": "stdio", **more}
    return Entry(direction="c2s", at=1.25, conn="stdio", text=text, **known)


def written(text: bytes | None, *secrets: str, **more: Any) -> dict[str, Any]:
    line: dict[str, Any] = json.loads(trace_line(received(text, **more), "s", Redactor(secrets)))
    return line


@pytest.mark.parametrize(
    "text",
    [
        call(text="tea"),
        b'{ "jsonrpc" :"2.0", "id":1,"id":1 , "method":"ping"}\r',
        b'{"jsonrpc":"2.0","id":18446744073709551616,"method":"ping"}',
        b"\xef\xbb\xbf{}",
        b"\xff\xfe not UTF-8",
        b'"\xed\xa0\x80"',
        b'{"a":"\\ud800"}',
        b"Server started, no password needed",
        b"[" * 5000,
    ],
)
def test_what_holds_no_secret_is_kept_to_the_byte(text: bytes) -> None:
    line = written(text)
    kept = line["raw"].encode() if "raw" in line else base64.b64decode(line["raw64"])
    assert kept == text
    entry = read_trace_line(trace_line(received(text), "s", Redactor()))
    assert entry is not None
    assert entry.text == text
    assert entry.exact


@pytest.mark.parametrize(
    ("text", "pointers"),
    [
        (call(password="hunter22"), ["/params/arguments/password"]),
        (call(apiKey=["one-key", "two"]), [f"/params/arguments/apiKey/{n}" for n in (0, 1)]),
        (call(secret=4711), ["/params/arguments/secret"]),
        (call(text=f"use {TOKEN} to log in"), ["/params/arguments/text"]),
        (call(text=TOKEN).replace(b"ghp_", b"\\u0067hp_"), ["/params/arguments/text"]),
        (call(a=[{"b": TOKEN}, TOKEN]), [f"/params/arguments/a/{n}" for n in ("0/b", "1")]),
        (call(text=f"it is {CANARY}!"), ["/params/arguments/text"]),
        (call(**{CANARY: CANARY}), ["/params/arguments/[redacted]"]),
        (call(text=CANARY).replace(b"c", b"\\u0063"), ["/params/arguments/text"]),
        (f"export API_KEY={TOKEN}".encode(), [""]),
        (b'{"password": "hunter22", ' + b"[" * 5000, [""]),
    ],
)
def test_secrets_are_taken_out_before_anything_is_written(text: bytes, pointers: list[str]) -> None:
    line = written(text, CANARY)
    assert line["redacted"] == pointers
    assert "raw" not in line
    for secret in (TOKEN, CANARY, "hunter22", "4711", "one-key"):
        assert secret not in json.dumps(line)


def test_a_secret_does_not_hide_behind_a_second_member_of_its_name() -> None:
    line = written(b'{"password":"hunter22","password":null}')
    assert line["message"] == {"password": None}
    assert line["redacted"] == []


def test_a_schema_that_speaks_of_a_password_is_kept() -> None:
    schema = {"properties": {"password": {"type": "string"}}, "required": ["password"]}
    text = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"inputSchema": schema}}).encode()
    assert written(text)["raw"].encode() == text


def test_headers_that_are_secrets_are_taken_out() -> None:
    headers = {
        "Authorization": "Basic dGVh",
        "Cookie": "a=b",
        "Mcp-Session-Id": "abc",
        "X-API-Key": "k",
        "Accept": "text/event-stream",
    }
    line = written(None, http={"method": "POST", "path": "/mcp", "request_headers": headers})
    kept = line["http"]["request_headers"]
    assert kept.pop("Accept") == "text/event-stream"
    assert set(kept.values()) == {"[redacted]"}


def test_a_recording_is_appended_to_and_says_when_it_breaks_off(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    for _ in range(2):
        recording = Recording(str(path), Redactor())
        recording.add(received(b"{}"), "s")
        recording.flush()
        assert recording.close() == f"trace {path}"
    assert len(path.read_bytes().splitlines()) == recording.lines == 2


def test_a_full_disk_ends_the_recording_and_nothing_else() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("/dev/full stands for a full disk; there is none here")
    ended = run(proxied(["cat"], "--record", full), call(text="tea") + b"\n")
    assert (ended.code, ended.out) == (0, call(text="tea") + b"\n")
    assert "trace /dev/full is incomplete: No space left on device" in ended.err


def test_a_recording_judged_again_gives_the_same_findings(tmp_path: Path) -> None:
    trace, report = tmp_path / "trace.jsonl", tmp_path / "report.json"
    said = b'{"jsonrpc":"2.0","id":null,"method":"ping"}\nnoise\n' + call(password="hunter22")
    run(proxied(["cat"], "--record", trace, "--report", f"json={report}"), said + b"\n")
    live = json.loads(report.read_text())["findings"]
    again = validate([str(trace)]).findings
    assert live
    assert {(f["rule"], f["where"]["line"]) for f in live} == {
        (f.rule, f.where.line) for f in again
    }


def test_values_given_with_env_are_redacted_everywhere(tmp_path: Path) -> None:
    trace, report = tmp_path / "trace.jsonl", tmp_path / "report.json"
    options = ("--env", f"KEY={CANARY}", "--record", trace, "--report", f"json={report}")
    server = ["sh", "-c", 'echo "$KEY is not JSON"; echo "{\\"method\\": \\"$KEY\\"}"']
    ended = run(proxied(server, *options))
    assert CANARY in ended.out.decode()
    assert CANARY not in ended.err + trace.read_text() + report.read_text()
