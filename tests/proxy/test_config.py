"""A proxy before a server of a client's configuration."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.assess.running import SERVERS
from tests.proxy.stdio import PROXY, run

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'


def test_the_server_is_taken_from_the_file_with_its_variables(tmp_path: Path) -> None:
    words = "import os; input(); print(os.environ['WORDS'] + os.environ['MORE'])"
    entry = {"command": sys.executable, "args": ["-c", words], "env": {"WORDS": "from the file"}}
    other = {"command": sys.executable, "args": [str(SERVERS), "both-eras"]}
    path = tmp_path / "mcp.json"
    path.write_text(json.dumps({"servers": {"talker": entry, "books": other}}))
    common = [*PROXY, "--config", str(path)]
    exchanged = run([*common, "--server", "talker", "--env", "MORE= and typed"], PING)
    assert (exchanged.code, exchanged.out) == (0, b"from the file and typed\n")
    assert b'"result": {}' in run([*common, "--server", "books"], PING).out
    unnamed = run(common, PING)
    assert (unnamed.code, unnamed.out) == (2, b"")
    assert "contains 2 servers; add --server NAME: talker, books" in unnamed.err
