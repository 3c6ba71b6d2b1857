"""Call a real server as calls/HALF-SERVER.json says, and record what it answers.

Run as `python -m tests.judge.error_corpus.collect HALF SERVER`. The labels stand next to the calls,
so recording anew keeps them; read the difference before you commit it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import IO, Any

from tests.judge.error_corpus.servers.upstream import upstream
from tools.servers import npm_folder

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
NPM = npm_folder().parent
HOME = "/srv/data"
LIBRARIES = "/srv/libraries"
LONGEST_CALL = 90
SETTLING = 0.2
GIT_IDENTITY = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in {
        "NAME": "Ada",
        "EMAIL": "ada@example.org",
        "DATE": "2026-01-05T09:00:00Z",
    }.items()
}

Json = dict[str, Any]


class Names:
    """The paths of this machine, and the lasting ones that stand for them in the corpus."""

    def __init__(self, home: Path, venv_path: Path) -> None:
        self.home = str(home)
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        self.libraries = str(venv_path / "lib" / version / "site-packages")
        self.lasting = {
            self.home: HOME,
            str(venv_path): "/srv/app/.venv",
            str(HERE / "servers"): "/srv/app",
            sys.prefix: "/srv/app/.venv",
            str(NPM): "/srv/app/node_modules",
            str(ROOT): "/srv/app",
            sys.base_prefix: "/usr",
        }

    def here(self, value: Any) -> Any:
        """The value with the folders of the corpus replaced by those of this run."""
        text = json.dumps(value).replace(HOME, self.home).replace(LIBRARIES, self.libraries)
        return json.loads(text)

    def lastingly(self, text: str) -> str:
        """The text without any path of this machine."""
        for path, name in self.lasting.items():
            text = text.replace(path, name)
        return text


class Peer:
    """A server behind pipes, spoken to in lines of JSON-RPC."""

    def __init__(self, process: subprocess.Popen[str], errors: IO[str], client: Json) -> None:
        self.process = process
        self.errors = errors
        self.client = client
        self.ids = 0

    def start(self) -> dict[str, Json]:
        """Shake hands and return the definitions of its tools by name."""
        self.request(
            "initialize",
            {
                "protocolVersion": "2025-11-25",
                "capabilities": self.client.get("capabilities", {}),
                "clientInfo": {"name": "collector", "version": "1"},
            },
        )
        self._send({"method": "notifications/initialized"})
        time.sleep(self.client.get("patience", 0))
        return {tool["name"]: tool for tool in self.request("tools/list", {})["result"]["tools"]}

    def request(self, method: str, params: Json) -> Json:
        """Send a request and return its response, answering what the server asks meanwhile."""
        self.ids += 1
        self._send({"id": self.ids, "method": method, "params": params})
        watchdog = Timer(LONGEST_CALL, self.process.kill)
        watchdog.start()
        try:
            return self._response(self.ids)
        finally:
            watchdog.cancel()

    def observed(self) -> str:
        """What the server wrote to stderr since the last time."""
        time.sleep(SETTLING)
        return self.errors.read()

    def _response(self, id: int) -> Json:
        assert self.process.stdout is not None
        for line in filter(spoken, self.process.stdout):
            message: Json = json.loads(line)
            if "method" in message and "id" in message:
                self._answer(message)
            elif message.get("id") == id:
                return message
        raise SystemExit(f"The server ended with {self.process.wait()}.\n{self.observed()}")

    def _answer(self, message: Json) -> None:
        reply = self.client.get("replies", {}).get(message["method"], {"result": {}})
        if reply is not None:
            self._send({"id": message["id"], **reply})

    def _send(self, message: Json) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()


def spoken(line: str) -> bool:
    """Whether the line is a message: some servers let their libraries print in between."""
    return line.startswith("{")


@contextmanager
def running(run: Json, command: list[str], names: Names) -> Iterator[Peer]:
    """Start the server of this run in a folder with the files that it names."""
    prepare(Path(names.home), run)
    environment = {**os.environ, "NO_COLOR": "1", **names.here(run.get("env", {}))}
    with (
        tempfile.NamedTemporaryFile("w") as written,
        Path(written.name).open(encoding="utf-8", errors="replace") as errors,
    ):
        process = subprocess.Popen(
            [*command, *names.here(run.get("arguments", []))],
            cwd=names.home,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=written if run.get("stderr") == "kept" else subprocess.DEVNULL,
            encoding="utf-8",
        )
        try:
            yield Peer(process, errors, run.get("client", {}))
        finally:
            process.kill()
            process.communicate()


def prepare(home: Path, run: Json) -> None:
    """Write the files of this run and let its commands do the rest."""
    for name, text in run.get("files", {}).items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text, "utf-8")
    environment = os.environ | GIT_IDENTITY
    for command in run.get("commands", []):
        subprocess.run(command, cwd=home, env=environment, check=True, capture_output=True)


def command_of(table: Json, venv_path: Path) -> list[str]:
    """How the server is started: from PyPI, from npm, or one written for the purpose."""
    kind, name = table["start"].split(":")
    if kind == "npm":
        return ["node", str(NPM / "@modelcontextprotocol" / name / "dist" / "index.js")]
    if not venv_path.exists():
        install(venv_path)
    if kind == "own":
        return [sys.executable, str(HERE / "servers" / f"{name}.py")]
    return [str(venv_path / "bin" / name)]


def install(venv_path: Path) -> None:
    """Make the environment that the servers from PyPI run in."""
    venv.create(venv_path, with_pip=True)
    pip = [str(venv_path / "bin" / "python"), "-m", "pip", "install", "--quiet", "--requirement"]
    subprocess.run([*pip, str(HERE / "requirements.txt")], check=True)


def collected(table: Json, venv_path: Path) -> Iterator[Json]:
    """Every call of the table as a line of the corpus."""
    number = 0
    for run in table["runs"]:
        with tempfile.TemporaryDirectory() as folder:
            names = Names(Path(folder), venv_path)
            with running(run, command_of(table, venv_path), names) as peer:
                tools = peer.start()
                for call in run["calls"]:
                    number += 1
                    head = {"id": f"{table['source']}/{number}", "source": table["source"]}
                    yield head | recorded(peer, tools, call, names)


def recorded(peer: Peer, tools: dict[str, Json], call: Json, names: Names) -> Json:
    """Make one call, and write down what came back, with the label that stands next to it."""
    peer.observed()
    unknown = {"name": call["tool"], "inputSchema": {"type": "object"}}
    params = {"name": call["tool"], "arguments": names.here(call["input"])}
    message = peer.request("tools/call", params)
    item = {
        "origin": "recorded",
        "tool": tools.get(call["tool"], unknown),
        "input": call["input"],
        "category": call.get("category"),
        "response": message.get("result") or {"error": message.get("error")},
        "stderr": peer.observed(),
        "kind": call.get("kind"),
        "why": call.get("why", ""),
        "hard": call.get("hard", []),
    }
    plain: Json = json.loads(names.lastingly(json.dumps(item, ensure_ascii=False)))
    return plain


def main() -> None:
    """Record one server of one half."""
    parser = argparse.ArgumentParser(description="Record the error responses of one server.")
    parser.add_argument("half", choices=("seen", "unseen"))
    parser.add_argument("server", help="as in calls/HALF-SERVER.json")
    default = Path(tempfile.gettempdir()) / "mcp-servers"
    parser.add_argument("--venv", type=Path, default=default, help="where servers from PyPI live")
    chosen = parser.parse_args()
    table = json.loads((HERE / "calls" / f"{chosen.half}-{chosen.server}.json").read_text("utf-8"))
    with upstream():
        items = list(collected(table, chosen.venv))
    lines = (json.dumps(item, ensure_ascii=False, separators=(",", ":")) for item in items)
    target = HERE / chosen.half / f"recorded-{chosen.server}.jsonl"
    target.write_text("\n".join(lines) + "\n", "utf-8")
    print(f"{len(items)} responses in {target.name}")


if __name__ == "__main__":
    main()
