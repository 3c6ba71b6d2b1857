"""Real servers, and how each is started for an assessment."""

from __future__ import annotations

import os
import select
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.assess import AssessOptions, assess
from mcp_assay.client.deadline import Deadline
from mcp_assay.client.links import Patience
from mcp_assay.client.target import Command, ConnectionOptions, Endpoint, Target, allowed
from mcp_assay.client.trace_file import Recording
from mcp_assay.model.report import Report
from tools.servers import ROOT, npm_command, pypi_command, version_of

SHELF: Final = ROOT / "tests" / "real" / "shelf_server.py"
LIBRARIES: Final = {"lowlevel": "mcp", "mcp": "mcp", "fastmcp": "fastmcp"}
"""What the server on the shelf can be built on, and the package that has it."""
QUIET: Final = {"FASTMCP_CHECK_FOR_UPDATES": "off", "FASTMCP_SHOW_SERVER_BANNER": "false"}
"""Keeps FastMCP from asking the network for newer versions of itself."""
ERAS: Final = ("2025-11-25", "2026-07-28")
LONGEST_START: Final = 300.0
PAGE: Final = b"<html><body><h1>Tea</h1><p>Black, green and white.</p></body></html>"
IDENTITY: Final = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in {
        "NAME": "Ada",
        "EMAIL": "ada@example.org",
        "DATE": "2026-01-05T09:00:00Z",
    }.items()
}


class PatientOptions(AssessOptions, frozen=True, kw_only=True):
    """Options with which a server has time to start, to answer and to end on a busy machine too."""

    timeout: float = 120.0
    max_time: float = 1800.0

    def driving(
        self, recording: Recording | None = None, deadline: Deadline | None = None
    ) -> ConnectionOptions:
        """How to connect to the server."""
        usual = super().driving(recording, deadline)
        bounds = replace(usual.bounds, connect_seconds=LONGEST_START)
        return replace(usual, bounds=bounds, patience=Patience(30.0, 30.0))


OPTIONS: Final = PatientOptions()

Fill: TypeAlias = Callable[[Path], None]
Begin: TypeAlias = Callable[[Path, ExitStack], "Start"]


class Start(Struct, frozen=True, kw_only=True):
    """A command to start, and what it needs."""

    command: list[str]
    environment: Mapping[str, str] = {}
    examples: Mapping[str, Any] = {}
    url: str | None = None
    """Where it listens; a server that says so itself has none."""
    over_http: bool = False


class Subject(Struct, frozen=True, kw_only=True):
    """A server to assess."""

    name: str
    version: str
    begin: Begin
    fill: Fill = lambda _: None
    """Puts into the folder what the server is to find there."""
    options: AssessOptions = OPTIONS


def _time(_: Path, __: ExitStack) -> Start:
    return Start(command=pypi_command("time"))


def _repository(folder: Path) -> None:
    (folder / "tea.txt").write_text("black\n", "utf-8")
    for words in ("init --quiet --initial-branch=main", "add .", "commit --quiet --message=Tea"):
        subprocess.run(["git", *words.split()], cwd=folder, env=os.environ | IDENTITY, check=True)


def _git(folder: Path, _: ExitStack) -> Start:
    return Start(
        command=pypi_command("git", "--repository", str(folder)),
        examples={"git_branch": {"values": {"branch_type": ["local", "all"]}}},
    )


def _fetch(_: Path, stack: ExitStack) -> Start:
    url = stack.enter_context(_web_page())
    return Start(
        command=pypi_command("fetch", "--allow-private-ips"),
        examples={"fetch": {"valid": [{"url": url}]}},
    )


def _sqlite(folder: Path, _: ExitStack) -> Start:
    examples = {
        "create_table": {"valid": [{"query": "CREATE TABLE tea (name TEXT)"}]},
        "write_query": {"valid": [{"query": "INSERT INTO tea VALUES ('green')"}]},
        "read_query": {"valid": [{"query": "SELECT name FROM tea"}]},
        "describe_table": {"valid": [{"table_name": "tea"}]},
    }
    return Start(
        command=pypi_command("sqlite", "--db-path", str(folder / "tea.db")), examples=examples
    )


def _everything(_: Path, __: ExitStack) -> Start:
    return Start(command=npm_command("everything", "stdio"))


def _everything_over_http(_: Path, __: ExitStack) -> Start:
    port = _free_port()
    return Start(
        command=npm_command("everything", "streamableHttp"),
        environment={"PORT": str(port)},
        url=f"http://127.0.0.1:{port}/mcp",
        over_http=True,
    )


def _files(folder: Path) -> None:
    (folder / "tea.txt").write_text("black\ngreen\n", "utf-8")


def _filesystem(folder: Path, _: ExitStack) -> Start:
    return Start(command=npm_command("filesystem", str(folder)))


def _memory(folder: Path, _: ExitStack) -> Start:
    environment = {"MEMORY_FILE_PATH": str(folder / "memory.jsonl")}
    return Start(command=npm_command("memory"), environment=environment)


def _shelf(library: str, transport: str, _: Path, __: ExitStack) -> Start:
    command = [sys.executable, str(SHELF), library, transport]
    return Start(command=command, environment=QUIET, over_http=transport == "http")


def _installed(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"


SQLITE_TOOLS: Final = (
    *("list_tables", "read_query", "write_query", "create_table", "describe_table"),
    "append_insight",
)
MEMORY_TOOLS: Final = (
    *("create_entities", "create_relations", "add_observations", "delete_entities"),
    *("delete_observations", "delete_relations"),
)
FILE_TOOLS: Final = ("create_directory", "write_file", "edit_file", "move_file")


def _subjects() -> Iterator[Subject]:
    """Every server; what is allowed is harmless in the folder that the server gets."""
    yield Subject(name="mcp-server-time", version=version_of("time"), begin=_time)
    yield Subject(name="mcp-server-git", version=version_of("git"), begin=_git, fill=_repository)
    yield Subject(name="mcp-server-fetch", version=version_of("fetch"), begin=_fetch)
    yield Subject(
        name="mcp-server-sqlite",
        version=version_of("sqlite"),
        begin=_sqlite,
        options=replace(OPTIONS, allow=SQLITE_TOOLS),
    )
    yield Subject(
        name="server-everything",
        version=version_of("everything"),
        begin=_everything,
    )
    yield Subject(
        name="server-everything over HTTP",
        version=version_of("everything"),
        begin=_everything_over_http,
    )
    yield Subject(
        name="server-filesystem",
        version=version_of("filesystem"),
        begin=_filesystem,
        fill=_files,
        options=replace(OPTIONS, allow=FILE_TOOLS),
    )
    yield Subject(
        name="server-memory",
        version=version_of("memory"),
        begin=_memory,
        options=replace(OPTIONS, allow=MEMORY_TOOLS),
    )
    for library, package in LIBRARIES.items():
        for transport in ("stdio", "http"):
            for revision in ERAS:
                yield Subject(
                    name=f"shelf on {library} over {transport}, {revision}",
                    version=_installed(package),
                    begin=partial(_shelf, library, transport),
                    options=replace(OPTIONS, revision=revision),
                )


SUBJECTS: Final = {subject.name: subject for subject in _subjects()}


def assessed(subject: Subject, folder: Path, runs: int = 1) -> list[Report]:
    """Assess a server so many times, each time in the same folder as new; raises Missing."""
    reports = []
    with begun(subject, folder) as (target, options):
        for _ in range(runs):
            filled(subject, folder)
            reports.append(assess(target, options))
    return reports


@contextmanager
def begun(subject: Subject, folder: Path) -> Iterator[tuple[Target, AssessOptions]]:
    """A server and how to assess it, while what it needs is there; raises Missing."""
    with ExitStack() as stack:
        start = subject.begin(folder, stack)
        target = stack.enter_context(_target(start))
        yield target, replace(subject.options, examples=start.examples)


def filled(subject: Subject, folder: Path) -> None:
    """Make the folder of a server as new."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    subject.fill(folder)


@contextmanager
def _target(start: Start) -> Iterator[Target]:
    environment = allowed(os.environ, dict(start.environment))
    if not start.over_http:
        yield Command(command=tuple(start.command), environment=environment)
        return
    with subprocess.Popen(
        start.command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE if start.url is None else subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            yield Endpoint(url=_answering(start.url) if start.url else _said_url(process))
        finally:
            process.kill()


def _said_url(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    assert select.select([process.stdout], [], [], LONGEST_START)[0], "it does not say its URL"
    return process.stdout.readline().strip()


def _answering(url: str) -> str:
    """The URL, as soon as somebody listens there."""
    address = urlsplit(url)
    until = time.monotonic() + LONGEST_START
    while time.monotonic() < until:
        try:
            socket.create_connection((address.hostname or "", address.port or 80)).close()
        except ConnectionRefusedError:
            time.sleep(0.05)
        else:
            return url
    raise TimeoutError(f"nobody listens at {url}")


@contextmanager
def _web_page() -> Iterator[str]:
    """A page on this machine."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = self.path == "/tea"
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(PAGE if found else b"")

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/tea"
        server.shutdown()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])
