"""What clients do where a rule is broken: seen with the clients of the Python SDK 2 and FastMCP 4.

tests/real/test_what_clients_do.py shows each of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

CLIENTS: Final[Mapping[str, str]] = {
    "CALL-001": "The Python SDK and FastMCP refuse the whole result, and raise.",
    "CALL-002": "The Python SDK and FastMCP drop the whole result, and raise.",
    "CALL-003": "The Python SDK and FastMCP drop the whole result, and raise.",
    "CALL-009": "The Python SDK and FastMCP raise, in place of a result that the model can read.",
    "JSONRPC-002": "The Python SDK and FastMCP pass over the message: the call waits in vain.",
    "JSONRPC-009": "The Python SDK and FastMCP raise the error and drop the result.",
    "JSONRPC-023": "The Python SDK and FastMCP pass over an answer under another id; the call "
    "waits in vain. They take \"1\" for 1, which others may not.",
    "RESP-001": "The Python SDK and FastMCP hand an empty content on as a success, and raise "
    "where content is missing or no list.",
    "RESP-003": "The Python SDK and FastMCP take it for a success, and so does the model.",
    "RESP-004": "The Python SDK passes the text on as a tool error; FastMCP raises.",
    "RESP-005": "The Python SDK passes the text on as a tool error; FastMCP raises.",
    "RESP-010": "The Python SDK and FastMCP say \"Connection closed\"; the session is over.",
    "STDIO-001": "The Python SDK and FastMCP skip such lines; MCP does not ask clients to.",
    "TOOL-006": "The Python SDK and FastMCP refuse the whole list: no tool can be used.",
}  # fmt: skip
"""One sentence for each rule of which it is known."""
