"""A small server without any library that does one thing wrong, named on the command line.

It speaks the revisions with a handshake, and knows nothing of server/discover.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

INFO = {"name": "plain", "version": "1.0"}
TOOL = {"name": "echo", "inputSchema": {"type": "object"}}
SLEEPER = "import time; time.sleep(600)"
LONGEST_RELAY = 20


def say(value: Any) -> None:
    """Write one message."""
    write(json.dumps(value).encode() + b"\n")


def write(data: bytes) -> None:
    """Write any bytes."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def answer(id: Any, result: Any) -> None:
    """Answer a request."""
    say({"jsonrpc": "2.0", "id": id, "result": result})


def refuse(id: Any, code: int = -32601) -> None:
    """Refuse a request."""
    say({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": "Method not found"}})


def text(words: str) -> dict[str, Any]:
    """What a tool says."""
    return {"content": [{"type": "text", "text": words}]}


def endless_line(_: Any) -> None:
    while True:
        write(b"x" * 65536)


def flood_stderr(request: Any) -> None:
    for number in range(20_000):
        sys.stderr.write(f"line {number} of very many\n")
    sys.stderr.write("the last word\n")
    sys.stderr.flush()
    answer(request["id"], text("done"))


def noise(request: Any) -> None:
    write(b'Loading the model ...\n\n42\n{"ready": true}\n\xff\xfe\n')
    answer(request["id"], text("done"))


def wrong_ids(request: Any) -> None:
    id = request["id"]
    for wrong in (str(id), id + 1000, float(id) + 0.5, None, [id], True):
        answer(wrong, text("wrong"))
    answer(id, text("right"))


def two_answers(request: Any) -> None:
    answer(request["id"], text("first"))
    answer(request["id"], text("second"))


def death(_: Any) -> None:
    sys.stderr.write("KeyError: 'it all ends here'\n")
    sys.stderr.flush()
    os._exit(3)


def half_an_answer(request: Any) -> None:
    write(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": {}}).encode()[:-4])
    os._exit(0)


def huge(size: int) -> Callable[[Any], None]:
    def say_much(request: Any) -> None:
        answer(request["id"], text("x" * size))

    return say_much


def bloated(lists: int, last: bytes = b"[]") -> Callable[[Any], None]:
    """Few bytes that make many objects."""

    def say_much(request: Any) -> None:
        many = b"[" + b"[]," * lists + last + b"]"
        write(b'{"jsonrpc":"2.0","id":%d,"result":{"content":%b}}\n' % (request["id"], many))

    return say_much


def chatter(request: Any) -> None:
    """Say very much that nobody asked for."""
    data: list[Any] = [[]] * 5000
    message = {"jsonrpc": "2.0", "method": "notifications/message"}
    for _ in range(300):
        say({**message, "params": {"level": "info", "data": data}})
    answer(request["id"], text("done"))


def progress(request: Any) -> None:
    token = request["params"]["_meta"]["progressToken"]
    params = {"progressToken": token}
    number = 0
    while True:
        number += 1
        say(
            {
                "jsonrpc": "2.0",
                "method": "notifications/progress",
                "params": {**params, "progress": number},
            }
        )


def asks(request: Any) -> None:
    """Ask the client everything that can be asked, then tell what it said."""
    said = []
    for method in ("ping", "roots/list", "sampling/createMessage", "elicitation/create"):
        say({"jsonrpc": "2.0", "id": f"ask-{method}", "method": method, "params": {}})
        said.append(json.loads(sys.stdin.buffer.readline()))
    answer(request["id"], text(json.dumps(said)))


def odd_json(request: Any) -> None:
    write(
        b'{"jsonrpc":"2.0","id":%d,"result":{"content":[],"x":NaN,"y":"\\ud800"}}\n' % request["id"]
    )


def mute(_: Any) -> None:
    """Close standard output, and live on."""
    os.close(1)
    time.sleep(LONGEST_RELAY)


def silent(_: Any) -> None:
    """Say nothing."""


def environment(request: Any) -> None:
    answer(request["id"], text(json.dumps(dict(os.environ))))


def family(request: Any) -> None:
    """Start a child, one in a session of its own, and one whose parent is gone."""
    command = [sys.executable, "-c", SLEEPER]
    subprocess.Popen(command)
    subprocess.Popen(command, start_new_session=True)
    script = f"import subprocess, sys; subprocess.Popen({command!r}, start_new_session=True)"
    subprocess.run([sys.executable, "-c", script], check=True)
    answer(request["id"], text(str(os.getpid())))


def relay(request: Any) -> None:
    """Start a process that hands over to a new one and ends, again and again, for some seconds."""
    if os.fork() == 0:
        os.setsid()
        until = time.monotonic() + LONGEST_RELAY
        while time.monotonic() < until:
            if os.fork():
                os._exit(0)
        os._exit(0)
    answer(request["id"], text("running"))


def terminal(request: Any) -> None:
    """Look for the terminal of the user."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR))
    except OSError:
        answer(request["id"], text("none"))
    else:
        answer(request["id"], text("found"))


CALLS: dict[str, Callable[[Any], None]] = {
    "asks": asks,
    "bloated": bloated(4_000_000),
    "bloated-2": bloated(690_000),
    "bloated-odd": bloated(690_000, b"NaN"),
    "chatter": chatter,
    "death": death,
    "endless-line": endless_line,
    "environment": environment,
    "family": family,
    "flood-stderr": flood_stderr,
    "half-an-answer": half_an_answer,
    "huge-3": huge(3_000_000),
    "huge-20": huge(20_000_000),
    "mute": mute,
    "noise": noise,
    "odd-json": odd_json,
    "progress": progress,
    "relay": relay,
    "silent": silent,
    "terminal": terminal,
    "two-answers": two_answers,
    "wrong-ids": wrong_ids,
}


def page(request: Any, how: str) -> dict[str, Any]:
    """A page of a list that has no end, or turns in a circle."""
    cursor = (request.get("params") or {}).get("cursor")
    if how == "endless-pages":
        return {"tools": [TOOL], "nextCursor": str(int(cursor or 0) + 1)}
    if how == "empty-cursor" and cursor is None:
        return {"tools": [TOOL], "nextCursor": ""}
    if how == "circle":
        return {"tools": [TOOL], "nextCursor": "again"}
    if how == "many-items":
        return {"tools": [TOOL] * 20_000}
    return {"tools": [TOOL]}


def hang(_: Any) -> None:
    """Never read again."""
    while True:
        time.sleep(60)


def close_output(_: Any) -> None:
    os.close(1)
    hang(None)


def talk_nonsense(request: Any) -> None:
    """Answer with what is no answer, and end as soon as there is more to read."""
    write(b"Traceback (most recent call last):\n\xff\n[]\n")
    answer(request["id"], {"supportedVersions": "yes"})
    sys.stdin.buffer.readline()
    os._exit(1)


def turn_away(request: Any) -> None:
    """Refuse this, and everything after it."""
    refuse(request["id"], -32602)
    for line in sys.stdin.buffer:
        refuse(json.loads(line).get("id"), -32602)
    os._exit(0)


DISCOVERY: dict[str, Callable[[Any], None]] = {
    "dies-of-discovery": death,
    "hangs-at-discovery": hang,
    "closes-at-discovery": close_output,
    "floods-at-discovery": endless_line,
    "nonsense-at-discovery": talk_nonsense,
    "confused-by-discovery": turn_away,
    "shrugs-at-discovery": lambda request: answer(request["id"], ["what?"]),
}
"""What comes of server/discover, which this server does not know."""


def initialize(request: Any, how: str) -> None:
    """Shake hands, or not."""
    if how == "never":
        return
    answer(
        request["id"],
        {
            "protocolVersion": request["params"]["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": INFO,
        },
    )


def main() -> None:
    """Serve until the input ends; some do not even end then."""
    how = sys.argv[1] if len(sys.argv) > 1 else ""
    if how == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if request.get("method") == "initialize":
            initialize(request, how)
        elif request.get("method") == "tools/list":
            answer(request["id"], page(request, how))
        elif request.get("method") == "tools/call":
            CALLS.get(how, lambda asked: answer(asked["id"], text("done")))(request)
        elif request.get("method") == "server/discover" and how in DISCOVERY:
            DISCOVERY[how](request)
        elif how == "dies-of-the-unknown" and "id" in request:
            os._exit(1)
        elif how not in ("never", "deaf") and "id" in request:
            refuse(request["id"])
    while how in ("stubborn", "lingering"):
        signal.pause()


if __name__ == "__main__":
    main()
