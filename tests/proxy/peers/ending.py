"""A server that ends in the given way: each word on the command line is done in turn."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from types import FrameType


def _stop(number: int, _: FrameType | None) -> None:
    os.write(1, f"signal {number}\n".encode())
    os._exit(7)


def say_half() -> None:
    os.write(1, b'{"jsonrpc":"2.0","id":1,"resu')


def say_ready() -> None:
    os.write(1, f"ready {os.getpid()}\n".encode())


def hear_all() -> None:
    while os.read(0, 1 << 16):
        pass


def hear_line() -> None:
    while os.read(0, 1) not in (b"\n", b""):
        pass


def close_output() -> None:
    os.close(1)


def close_input() -> None:
    os.close(0)


def heed_signals() -> None:
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        signal.signal(getattr(signal, name), _stop)


def send_until_broken() -> None:
    try:
        while True:
            os.write(1, b"x" * 1024 + b"\n")
    except BrokenPipeError:
        os._exit(9)


def leave_child() -> None:
    child = subprocess.Popen([sys.executable, __file__, "wait"])
    os.write(1, f"child {child.pid}\n".encode())


def wait() -> None:
    signal.pause()


def kill_self() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def exit_5() -> None:
    os._exit(5)


def main() -> None:
    for word in sys.argv[1:]:
        globals()[word]()


if __name__ == "__main__":
    main()
