"""A server that sends what it was given to send, and writes down what it received: SAYS HEARD."""

from __future__ import annotations

import sys
from pathlib import Path
from threading import Thread


def main() -> None:
    says, received = map(Path, sys.argv[1:])
    sender = Thread(target=lambda: sys.stdout.buffer.write(says.read_bytes()))
    sender.start()
    received.write_bytes(sys.stdin.buffer.read())
    sender.join()


if __name__ == "__main__":
    main()
