"""What clients do where a rule is broken: seen with the clients of the Python SDK 2 and FastMCP 4.

tests/real/test_what_clients_do.py shows each of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

CLIENTS: Final[Mapping[str, str]] = {
    "CALL-001": "The Python SDK and FastMCP reject the whole result and raise.",
    "CALL-002": "The Python SDK and FastMCP drop the whole result and raise.",
    "CALL-003": "The Python SDK and FastMCP drop the whole result and raise.",
    "CALL-009": "The Python SDK and FastMCP raise; the model gets no result to read.",
    "JSONRPC-002": "The Python SDK and FastMCP ignore the message, and the call times out.",
    "JSONRPC-009": "The Python SDK and FastMCP raise the error and drop the result.",
    "JSONRPC-023": "The Python SDK and FastMCP ignore a response with another id, and the call "
    "times out. They accept \"1\" for 1, which others may not.",
    "RESP-001": "The Python SDK and FastMCP pass empty content on as a success, and raise "
    "if content is missing or not a list.",
    "RESP-003": "The Python SDK and FastMCP treat it as a success, and so does the model.",
    "RESP-004": "The Python SDK passes the text on as a tool error; FastMCP raises.",
    "RESP-005": "The Python SDK passes the text on as a tool error; FastMCP raises.",
    "RESP-010": "The Python SDK and FastMCP report \"Connection closed\"; the session is lost.",
    "STDIO-001": "The Python SDK and FastMCP skip such lines; MCP does not ask clients to.",
    "TOOL-006": "The Python SDK and FastMCP reject the whole list: no tool can be used.",
}  # fmt: skip
"""One sentence for each rule of which it is known."""
