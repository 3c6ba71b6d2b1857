"""Run one server of the catalogue: `python tests/servers NAME`, from anywhere, with any Python."""

from __future__ import annotations

import sys
from os import path

ROOT = path.dirname(path.dirname(path.dirname(path.realpath(__file__))))


def main(arguments: list[str]) -> int:
    """Run the server that is named; without a name, list them all."""
    sys.path[0] = ROOT
    from tests.servers.catalogue import catalogue, named  # noqa: PLC0415  the path is set above

    if not arguments:
        print("\n".join(f"{one.family:14} {one.name:30} {one.truth}" for one in catalogue()))
        return 0
    return named(arguments[0]).make().run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
