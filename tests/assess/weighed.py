"""`mcp-assay` as it is, which says at its end how much memory it had at most.

`python -m tests.assess.weighed ARGUMENT…` does so on the last line of standard error.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from mcp_assay.cli.main import main
from tests.patience import LONGEST
from tests.proxy.http_process import peak_megabytes
from tests.servers.planting import Planted

ROOT = Path(__file__).parents[2]
AT_ONCE = 4
TIMES = ("--timeout", "30", "--max-time", "600")
QUICK = ("--no-input", "--format", "json", "--max-calls", "12", *TIMES)


class Weighed(NamedTuple):
    """How one assessment ended: what it said, and the megabytes that it took."""

    name: str
    code: int
    out: str
    err: str
    megabytes: float


def weigh_all(all_planted: Iterable[Planted]) -> list[Weighed]:
    """Assess servers of the catalogue, each in a process of its own."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(weigh, all_planted))


def weigh(planted: Planted) -> Weighed:
    """Assess one server of the catalogue in a process of its own."""
    with address_of(planted) as words:
        return run(planted.name, "assess", *QUICK, *planted.options, *words)


def run(name: str, *arguments: str) -> Weighed:
    """Run mcp-assay in a process of its own."""
    command = (sys.executable, "-m", "tests.assess.weighed", *arguments)
    ended = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=LONGEST, check=False
    )
    *said, peak = ended.stderr.splitlines()
    return Weighed(name, ended.returncode, ended.stdout, "\n".join(said), float(peak))


@contextmanager
def address_of(planted: Planted) -> Iterator[tuple[str, ...]]:
    """The words of the command line that name the server."""
    command = (sys.executable, "tests/servers", planted.name)
    if not planted.over_http:
        yield ("--", *command)
        return
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as server:
        assert server.stdout is not None
        yield (server.stdout.readline().strip(),)
        server.communicate()


if __name__ == "__main__":
    code = main(sys.argv[1:])
    print(f"\n{peak_megabytes():.1f}", file=sys.stderr)
    sys.exit(code)
