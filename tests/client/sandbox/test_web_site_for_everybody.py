"""The web site of a world answers root and an ordinary user, and its key is in no file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcp_assay.client.sandbox.authority import Authority, authority
from tests.client.sandbox.yards import Who, everybody, yard

PROGRAM = """
import os, sys, urllib.request
sys.stdin.readline()
print(urllib.request.urlopen("https://example.invalid/notes.txt", timeout=5).read().decode())
for place in ("/tmp/mcp-assay-certificates/authority.pem", os.environ["SSL_CERT_FILE"]):
    print("PRIVATE" in open(place).read(), "BEGIN CERTIFICATE" in open(place).read())
"""


@pytest.mark.parametrize("who", everybody())
def test_a_page_is_read_over_https(who: Who) -> None:
    signer = authority()
    assert signer is not None
    places = {"example.invalid": ["/"]}
    order = {"do": "serve", "number": 1, "places": places, "chain": signer.chain_for(places)}
    with yard(who) as place:
        script = place.add("program.py", PROGRAM)
        with place.started(place.spec(place.python, script)) as world:
            assert world.first()["event"] == "started"
            world.control.sendall(json.dumps(order).encode() + b"\n")
            assert json.loads(world.lines.readline())["number"] == 1
            assert world.process.stdin is not None
            world.process.stdin.write(b"\n")
            world.process.stdin.close()
            ended = world.end()
    assert ended.code == 0, ended.output
    (request,) = ended.event("effects")["effects"]["requests"]
    assert request["url"] == "https://example.invalid/notes.txt"
    assert request["stamp"] in ended.output
    assert ended.output.splitlines()[-2:] == ["False True"] * 2


def test_authorities_differ_and_have_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    one, other = Authority(), Authority()
    one.chain_for(["a.invalid"])
    assert one.certificate != other.certificate
    assert "PRIVATE" not in one.certificate
    assert list(tmp_path.iterdir()) == []
