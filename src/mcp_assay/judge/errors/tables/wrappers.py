"""What SDKs and frameworks put around a message, and the codes of JSON-RPC in a text."""

from __future__ import annotations

from typing import Final

from mcp_assay.judge.errors.patterns import (
    CERTAIN,
    DECISIVE,
    FAIR,
    STRONG,
    business,
    failure,
    table,
    unclear,
    wrapper,
)

# The Python SDK hides exceptions behind "Error executing tool", FastMCP says "Error calling tool";
# the TypeScript SDK begins with "MCP error" and the code.
WRAPPERS: Final = table(
    "SDK wrappers",
    failure(
        DECISIVE,
        """
        output validation error | invalid structured content | has an output schema but
        outputSchema defined but | structured output returned | output does not match
        does not match its output schema | response does not match schema
        """,
    ),
    business(
        CERTAIN,
        """
        input validation error | invalid arguments for tool | invalid arguments for prompt
        unknown tool | tool not found | no such tool | unexpected keyword argument [type
        unknown prompt | unknown resource
        """,
    ),
    business(STRONG, "-32600 | -32601 | -32602 | -32700"),
    business(FAIR, "method not found | invalid params"),
    unclear(
        FAIR,
        """
        tool execution failed | execution failed | error executing | failed to execute
        """,
    ),
    wrapper(
        """
        error executing tool | error calling tool | error running tool | error in tool
        error while executing tool | error invoking tool | tool execution error | mcp error
        McpError | tool error | tool call failed | failed to call tool | -32603 | -32000
        update the mcp server configuration | update your mcp server configuration
        update the server configuration | update your configuration | check your configuration
        input_type=NoneType | raised an unexpected exception | UnexpectedToolError
        """
    ),
)
