"""`python -m bench.published.call SERVER`: what a published server lists and answers, not judged.

    python -m bench.published.call SERVER --list
    python -m bench.published.call SERVER TOOL '{"path": "tea.txt"}'
    python -m bench.published.call SERVER --calls FILE     [["TOOL", {…}], …], in one session

The server runs in a disposable world without network, in a folder as new.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.published.session import session
from mcp_assay.client.connection import Connection


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tools of a server, or its answers to calls, one JSON text per line."""
    asyncio.run(_speak(_parser().parse_args(arguments)))


async def _speak(options: argparse.Namespace) -> None:
    async with session(options.server) as (server, work):
        if options.list:
            for tool in await server.tools_now():
                print(json.dumps(tool, ensure_ascii=False))
        for tool, given in _calls(options, work):
            print(f"{tool} {json.dumps(given, ensure_ascii=False)}")
            print(await _answer(server, tool, given), flush=True)


async def _answer(server: Connection, tool: str, arguments: Mapping[str, Any]) -> str:
    answer = await server.ask("tools/call", {"name": tool, "arguments": arguments})
    if answer.error is not None:
        return json.dumps({"error": answer.error}, ensure_ascii=False)
    if answer.result is None:
        return f"{answer.ending}: {answer.stderr.strip()[-500:]}"
    return json.dumps(answer.result, ensure_ascii=False)


def _calls(options: argparse.Namespace, work: Path) -> list[tuple[str, dict[str, Any]]]:
    """The calls asked for; `{work}` in them stands for the working folder."""
    text = options.calls.read_text("utf-8") if options.calls else ""
    if options.tool:
        text = json.dumps([[options.tool, json.loads(options.arguments)]])
    return [(tool, given) for tool, given in json.loads(text.replace("{work}", str(work)) or "[]")]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.published.call")
    parser.add_argument("server")
    parser.add_argument("tool", nargs="?")
    parser.add_argument("arguments", nargs="?", default="{}", help="a JSON object")
    parser.add_argument("--list", action="store_true", help="print the definitions of its tools")
    parser.add_argument("--calls", type=Path, metavar="FILE", help="make these calls")
    return parser


if __name__ == "__main__":
    main()
