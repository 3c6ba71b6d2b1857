"""Messages between the processes that make a world, however long."""

from __future__ import annotations

import os
import socket

import pytest

from mcp_assay.client.sandbox.messages import LONGEST, MOST_DESCRIPTORS, receive, send


@pytest.mark.parametrize("size", [0, LONGEST, 20 * LONGEST])
def test_a_message_arrives_with_its_descriptors(size: int) -> None:
    """A machine with many mounts has much to tell of its files."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    reader, writer = os.pipe()
    with ours, theirs:
        send(ours, {"text": "x" * size}, (writer,) * MOST_DESCRIPTORS)
        message, descriptors = receive(theirs)
        assert message == {"text": "x" * size}
        assert len(descriptors) == MOST_DESCRIPTORS
        os.write(descriptors[-1], b"here")
        assert os.read(reader, 10) == b"here"
        ours.close()
        assert receive(theirs) == ({}, [])
    for one in (reader, writer, *descriptors):
        os.close(one)
