"""Servers whose process misbehaves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from itertools import count

from tests.servers.base import A_HANDSHAKE, Asked, Server
from tests.servers.planting import Family
from tests.servers.things import Object, Tool, accepts, found, lookup

SERVERS = Family("processes")
plant = SERVERS.plant
SLEEPER = (sys.executable, "-S", "-c", "import time; time.sleep(600)")
UNREACHED = 3
QUICK = ("--timeout", "1")


class Working(Server):
    """A server with one tool that works."""

    tools = (lookup(found),)


@plant("missing-variable", "Dies for want of a variable.", exit_code=UNREACHED)
class MissingVariable(Working):
    def run(self) -> int:
        os.environ["LIBRARY_CATALOGUE_URL"]
        return super().run()


@plant("missing-module", "Dies for want of a module.", exit_code=UNREACHED)
class MissingModule(Working):
    def run(self) -> int:
        __import__("no_such_library_module")
        return super().run()


@plant("exits-at-once", "Ends with 0 before it says anything.", exit_code=UNREACHED)
class ExitsAtOnce(Working):
    def run(self) -> int:
        return 0


@plant("never-answers", "Reads everything and answers nothing.", exit_code=UNREACHED, options=QUICK)
class NeverAnswers(Working):
    def hear(self, line: bytes) -> None:
        """Ignore whatever comes."""


@plant("killed-by-signal", "Is killed by a signal at its first line.", exit_code=UNREACHED)
class KilledBySignal(Working):
    def hear(self, line: bytes) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


@plant("dies-after-three-calls", "Dies at every fourth call.", "RESP-010", exit_code=1)
class DiesAfterThreeCalls(Server):
    def __init__(self) -> None:
        calls = count(1)
        super().__init__(lookup(lambda given: found(given) if next(calls) < 4 else os._exit(5)))


@plant("dies-at-every-call", "Every call of every tool kills it.", "RESP-010", exit_code=UNREACHED,
       limits=True)  # fmt: skip
class DiesAtEveryCall(Server):
    tools = tuple(
        Tool(f"shelf_{n}", lambda given: os._exit(5), accepts(limit={"type": "integer"}))
        for n in range(10)
    )


@plant("closes-stdout", "Closes its output and lives on.", exit_code=UNREACHED, options=QUICK)
class ClosesStdout(Working):
    def run(self) -> int:
        os.close(1)
        for _ in sys.stdin.buffer:
            pass
        os._exit(0)


@plant("ignores-sigterm", "Stays when told to go, by end of input and by SIGTERM.", correct=True)
class IgnoresSigterm(Working):
    revisions = (A_HANDSHAKE,)

    def run(self) -> int:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        super().run()
        time.sleep(600)
        return 0


@plant("stays-after-eof", "Does not end with its input.", "STDIO-006")
class StaysAfterEof(Working):
    def run(self) -> int:
        super().run()
        time.sleep(600)
        return 0


@plant("leaves-grandchild", "Leaves a process of its own behind.", correct=True)
class LeavesGrandchild(Working):
    def run(self) -> int:
        child = self.bear()
        print(f"grandchild {child.pid}", file=sys.stderr, flush=True)
        super().run()
        os._exit(0)

    def bear(self) -> subprocess.Popen[bytes]:
        """Start a process that outlives this one."""
        quiet = subprocess.DEVNULL
        return subprocess.Popen(SLEEPER, stdin=quiet, stdout=quiet, stderr=quiet)


@plant("grandchild-in-own-session", "Leaves one in a session of its own.", correct=True)
class GrandchildInOwnSession(LeavesGrandchild):
    def bear(self) -> subprocess.Popen[bytes]:
        quiet = subprocess.DEVNULL
        return subprocess.Popen(
            SLEEPER, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
        )


@plant("grandchild-holds-pipes", "Leaves one that keeps the pipes open.", correct=True)
class GrandchildHoldsPipes(LeavesGrandchild):
    def bear(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(SLEEPER)


@plant("floods-stderr", "Writes 8 MiB to standard error with each call.", correct=True)
class FloodsStderr(Working):
    def call_tool(self, asked: Asked) -> Object:
        for _ in range(128):
            os.write(2, b"DEBUG " * 10922 + b"note\n")
        return super().call_tool(asked)


@plant("exits-nonzero-at-eof", "Ends with 9 when its input ends.", correct=True)
class ExitsNonzeroAtEof(Working):
    def run(self) -> int:
        super().run()
        return 9
