"""One way out of a world, to a host that was allowed, and none beside it."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

import pytest

from tests.client.sandbox.yards import Who, everybody, yard

CALL = """
import socket, sys
for port in map(int, sys.argv[2:]):
    try:
        with socket.create_connection((sys.argv[1], port), 10) as link:
            link.sendall(b"hello")
            link.shutdown(socket.SHUT_WR)
            print(link.makefile().read())
    except OSError as fault:
        print(type(fault).__name__)
"""


def answer(listener: socket.socket) -> None:
    """Answer everybody with what they said, twice."""
    with suppress(OSError):
        while True:
            link, _ = listener.accept()
            with link:
                link.sendall(2 * link.makefile("rb").read())


@pytest.mark.parametrize("who", everybody())
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_only_the_allowed_port_of_the_allowed_host_is_reached(who: Who, host: str) -> None:
    with (
        yard(who) as place,
        socket.create_server(("127.0.0.1", 0)) as open_one,
        socket.create_server(("127.0.0.1", 0)) as closed_one,
    ):
        for listener in (open_one, closed_one):
            threading.Thread(target=answer, args=(listener,), daemon=True).start()
        ports = [one.getsockname()[1] for one in (open_one, closed_one)]
        program = place.add("call.py", CALL)
        spec = place.spec(
            place.python, program, host, *map(str, ports), allow=(f"{host}:{ports[0]}",)
        )
        with place.started(spec) as world:
            ended = world.end()
    assert ended.output.split() == ["hellohello", "ConnectionRefusedError"], ended


def test_a_name_that_was_allowed_has_the_address_of_the_relay() -> None:
    text = "import socket; print(socket.gethostbyname('api.example.com'))"
    own = everybody()[-1].values[0]
    assert isinstance(own, Who)
    with yard(own) as place:
        ended = place.run(place.python, "-c", text, allow=("api.example.com:443",))
    assert ended.output.split() == ["11.0.0.1"]
