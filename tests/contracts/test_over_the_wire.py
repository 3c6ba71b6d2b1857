"""Servers behind a command or a URL: what they say is judged, what is secret appears nowhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.contracts.projects import Project, failed, outcomes, says
from tests.servers.base import Server
from tests.servers.http_base import HttpServer, Reply, _handler
from tests.servers.things import Object, found, lookup, refusal, text

SERVERS = Path(__file__).parents[1] / "servers"
SPEAKS = "the-server::speaks-mcp-as-the-specification-says"
SECRET = "hunter2-abcdef"
BEARER = f"Authorization: Bearer {SECRET}"


def command(name: str) -> tuple[str, str]:
    """A server of the catalogue, as an option."""
    return "--mcp-assay-server", f"{sys.executable} {SERVERS} {name}"


class Locked(HttpServer):
    """Lets in who has the key; those with another one learn which it was."""

    def handle(self, method: str, headers: Any, body: bytes) -> Reply:
        given = headers.get("Authorization", "nothing")
        if given == f"Bearer {SECRET}":
            return super().handle(method, headers, body)
        return Reply(401, {"error": f"{given} is no key"})


def verbose(arguments: Object) -> Object:
    """What a careless tool answers: it tells its key."""
    if arguments["title"] == "none":
        return text(f"found with {SECRET}")
    return refusal(f"No book {arguments['title']!r} for {SECRET}.")


@contextmanager
def served(server: HttpServer) -> Iterator[tuple[str, str]]:
    """The server in this process, as an option."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _handler(server)) as listening:
        Thread(target=listening.serve_forever, daemon=True).start()
        yield "--mcp-assay-server", f"http://127.0.0.1:{listening.server_port}/mcp"
        listening.shutdown()


@pytest.fixture
def project(pytester: pytest.Pytester) -> Project:
    return Project(pytester)


def test_a_command_is_a_server(project: Project) -> None:
    result = project.run("-v", *command("both-eras"))
    assert set(outcomes(result).values()) == {"passed"}
    assert outcomes(result)["find_book::a-valid-call-succeeds"] == "passed"
    assert says(result, "checks of 1 tool ")


def test_several_processes_share_the_items(pytester: pytest.Pytester) -> None:
    plain = ("--assert=plain", "-p", "no:hypothesispytest")
    named = command("both-eras")
    result = pytester.runpytest_subprocess("--mcp-assay", "-n2", "-v", *plain, *named)
    assert {line.split()[0] for line in result.outlines if "PASSED" in line} == {"[gw0]", "[gw1]"}
    assert result.parseoutcomes().keys() == {"passed"}


def test_what_the_server_says_is_judged_too(project: Project) -> None:
    result = project.run("-v", "-k", "succeeds or speaks", *command("answers-twice"))
    assert failed(result) == {SPEAKS}
    assert says(result, "JSONRPC-024: ", "Run `mcp-assay explain RULE` for details.")


VARIABLE = "--mcp-assay-env"
HEADER = "--mcp-assay-header"


@pytest.mark.parametrize(
    ("options", "toml", "ini"),
    [
        ((HEADER, BEARER), "", ""),
        ((HEADER, "Authorization: @key.txt"), "", ""),
        ((), f'header = "{BEARER}"', ""),
        ((), "", f"mcp_assay_header =\n    Accept-Language: en\n    {BEARER}\n"),
    ],
    ids=["typed", "file", "toml", "ini"],
)
def test_a_url_gets_headers(
    project: Project, pytester: pytest.Pytester, options: tuple[str, ...], toml: str, ini: str
) -> None:
    project.put("key.txt", f"Bearer {SECRET}\n")
    project.configure(toml)
    pytester.makeini(f"[pytest]\n{ini}")
    with served(Locked(lambda: Server(lookup(found)))) as named:
        result = project.run("-v", *named, *options)
    assert set(outcomes(result).values()) == {"passed"}


CALLS = """
def test_refuses(mcp_assay):
    result = mcp_assay.call("find_book", title="x")
    print(repr(result))
    result.ok()
"""


def test_the_values_of_headers_appear_nowhere(project: Project) -> None:
    project.write(test_calls=CALLS)
    with served(Locked(lambda: Server(lookup(verbose)))) as named:
        result = project.run("-v", "-rA", "--junit-xml=out.xml", *named, HEADER, BEARER)
        refused = project.run(*named, HEADER, f"Authorization: Bearer {SECRET}-old")
    assert "find_book::has-a-success-sample" in failed(result)
    assert says(result, "No book 'x' for [redacted].")
    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    screens = (result.outlines, result.errlines, refused.outlines, refused.errlines)
    assert SECRET not in "".join("".join(lines) for lines in screens)
    assert SECRET not in project.read("out.xml")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((HEADER, "nonsense"), "--mcp-assay-header 'nonsense' has no ':' between name and value."),
        ((HEADER, "A: @none.txt"), "--mcp-assay-header cannot read 'none.txt'"),
        ((VARIABLE, "NO_SUCH_ONE"), "--mcp-assay-env NO_SUCH_ONE: no such environment variable"),
    ],
)
def test_wrong_headers_and_variables_are_usage_errors(
    project: Project, options: tuple[str, ...], words: str
) -> None:
    result = project.run(*command("both-eras"), *options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert words in result.stderr.str()


ECHO = """
import json, os, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked.get("method") != "initialize" and "id" in asked:
        error = {"code": -32601, "message": "no"}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "error": error}), flush=True)
    elif "id" in asked:
        info = {"name": os.environ["SHOP"], "version": "1"}
        said = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": info}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": said}), flush=True)
"""


def test_a_command_gets_variables(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHOP", raising=False)
    project.write(shop=ECHO)
    named: Mapping[str, str] = {"--mcp-assay-server": "python shop.py", VARIABLE: "SHOP=corner"}
    options = [word for pair in named.items() for word in pair]
    assert outcomes(project.run("-v", *options)) == {SPEAKS: "passed"}
    assert project.run("-v", *options[:2]).ret == pytest.ExitCode.USAGE_ERROR
