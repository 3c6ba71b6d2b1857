"""A server with a family that wants to stay, which stops answering at a chosen moment.

`python -m tests.assess.family MOMENT FILE`: the file appears when the moment has come.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.servers.base import A_HANDSHAKE, Asked, Server
from tests.servers.things import Object, found, lookup

DEAF = "import signal, time; [signal.signal(n, signal.SIG_IGN) for n in (1, 2, 15)]; "
SLEEP = (sys.executable, "-S", "-c", f"{DEAF}time.sleep(600)")
STUCK = {
    "connecting": "initialize",
    "listing": "tools/list",
    "probing": "mcp-assay/no-such-method",
    "calling": "tools/call",
}
"""The request that is never answered, by moment."""


class Family(Server):
    """A server with three processes of its own, all deaf to whatever can be ignored."""

    revisions = (A_HANDSHAKE,)
    tools = (lookup(found),)

    def __init__(self, moment: str, come: Path) -> None:
        super().__init__()
        self.moment, self.come = moment, come

    def run(self) -> int:
        """Bear the family, then serve; at the end of input stay, where that is the moment."""
        for name in ("SIGTERM", "SIGINT", "SIGHUP"):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
        subprocess.Popen(SLEEP)
        subprocess.Popen(SLEEP, start_new_session=True)
        bear_a_daemon()
        super().run()
        self.come.with_suffix(".closing").touch()
        if self.moment == "closing":
            self.stay()
        return 0

    def result(self, asked: Asked) -> Object:
        """Answer, or never, where this is the moment."""
        if asked.method == STUCK.get(self.moment):
            self.stay()
        return super().result(asked)

    def stay(self) -> None:
        """Say that the moment has come, and answer nothing more; an end of input is still seen."""
        self.come.touch()
        if self.moment != "closing":
            sys.stdin.buffer.read()
            self.come.with_suffix(".closing").touch()
        time.sleep(600)


def bear_a_daemon() -> None:
    """Start a process whose parent is gone, in a session of its own."""
    if (child := os.fork()) == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        os.execv(SLEEP[0], SLEEP)
    os.waitpid(child, 0)


if __name__ == "__main__":
    sys.exit(Family(sys.argv[1], Path(sys.argv[2])).run())
