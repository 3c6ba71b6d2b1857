"""Why no valid call shows that a tool works: the kind, what is said of it, and what helps."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final


class Obstacle(Enum):
    """What stood between a tool and its first success."""

    CLIENT_INPUT = "client_input"
    """The server asked its client for something that it did not get."""
    ACCESS_DENIED = "access_denied"
    """The server refused whoever calls, by an HTTP status."""
    DEPENDENCY = "dependency"
    """What the tool needs was unavailable."""
    DUPLICATE_NAME = "duplicate_name"
    """Several definitions have this name, and only one of them can be called."""
    UNSATISFIABLE = "unsatisfiable"
    """No arguments can fit the inputSchema."""
    NOT_GENERATED = "not_generated"
    """No arguments were found that fit the inputSchema."""
    NOT_CHECKED = "not_checked"
    """Nothing can be checked against the inputSchema."""
    TOO_LONG = "too_long"
    """Answers came that were longer than what is read."""
    CUT_OFF = "cut_off"
    """The run ended before an answer came."""
    SERVER_BUSY = "server_busy"
    """The server was still busy with a call of another tool."""
    WAITS = "waits"
    """The tool waits by design, longer than a call may take."""
    BROKEN_DOWN = "broken_down"
    """Valid calls crashed, timed out or had no usable content."""
    INTERNAL_ERROR = "internal_error"
    """Every valid call was answered with the JSON-RPC error -32603."""
    NOT_IMPLEMENTED = "not_implemented"
    """The answers say that there is nothing behind the tool yet."""
    NO_INFORMATION = "no_information"
    """The answers say nothing."""
    SAME_RESULT = "same_result"
    """Calls succeeded, but nothing in their results shows that the tool did anything."""
    NO_ARGUMENTS = "no_arguments"
    """It takes no arguments, and refused the only call there is."""
    ALL_TRIED = "all_tried"
    """Whatever arguments its inputSchema lists were tried, and refused."""
    ANOTHER_STEP = "another_step"
    """The answers ask for another step first."""
    UNFLAGGED_ERROR = "unflagged_error"
    """Every answer reported an error without isError."""
    FLAGGED_SUCCESS = "flagged_success"
    """Every answer reported a success, and set isError."""
    UNCLEAR_ERROR = "unclear_error"
    """The errors do not say whether the call was refused."""
    REJECTED = "rejected"
    """Every valid call was refused: other arguments may do."""

    @classmethod
    def read(cls, kind: str | None) -> Obstacle | None:
        """The obstacle of this kind; None for none, and for a kind of a later version."""
        return next((one for one in cls if one.value == kind), None)


OBSTACLE_REASONS: Final[Mapping[Obstacle, str]] = {
    Obstacle.CLIENT_INPUT: "the client could not provide what the server asked for",
    Obstacle.ACCESS_DENIED: "the server denied access",
    Obstacle.DEPENDENCY: "a dependency was unavailable",
    Obstacle.DUPLICATE_NAME: "the name is listed more than once",
    Obstacle.UNSATISFIABLE: "no arguments can satisfy the inputSchema",
    Obstacle.NOT_GENERATED: "no arguments were found that satisfy the inputSchema",
    Obstacle.NOT_CHECKED: "the inputSchema is invalid or too complex",
    Obstacle.TOO_LONG: "results were too long to decode",
    Obstacle.CUT_OFF: "the run ended before a response came",
    Obstacle.SERVER_BUSY: "the server was still busy with a call of another tool",
    Obstacle.WAITS: "it waits by design, longer than a call may take",
    Obstacle.BROKEN_DOWN: "valid calls crashed, timed out or returned nothing",
    Obstacle.INTERNAL_ERROR: "every valid call returned JSON-RPC error -32603 (internal error)",
    Obstacle.NOT_IMPLEMENTED: "results say that nothing is implemented yet",
    Obstacle.NO_INFORMATION: "results carry no information",
    Obstacle.SAME_RESULT: "results do not vary with the arguments",
    Obstacle.NO_ARGUMENTS: "the only possible call, without arguments, was rejected",
    Obstacle.ALL_TRIED: "all arguments that the inputSchema allows were tried",
    Obstacle.ANOTHER_STEP: "results ask for another step first",
    Obstacle.UNFLAGGED_ERROR: "every result reported an error without isError",
    Obstacle.FLAGGED_SUCCESS: "every result reported success and set isError",
    Obstacle.UNCLEAR_ERROR: "errors do not say what was wrong",
    Obstacle.REJECTED: "every valid call returned an error",
}
"""What is said of each, as the reason why a tool never succeeded."""

OBSTACLE_REMEDIES: Final[Mapping[Obstacle, str]] = {
    Obstacle.CLIENT_INPUT: "Provide answers to the server's requests in mcp-assay.toml.",
    Obstacle.ACCESS_DENIED: 'Provide a token with access: --header "Authorization: @FILE".',
    Obstacle.DEPENDENCY: (
        "Provide the dependency: network access, programs, keys (--env), or arguments that "
        "lead to something reachable."
    ),
    Obstacle.DUPLICATE_NAME: "Give every tool a name of its own.",
    Obstacle.UNSATISFIABLE: "Correct the inputSchema: it contradicts itself.",
    Obstacle.NOT_CHECKED: "Correct or simplify the inputSchema.",
    Obstacle.TOO_LONG: "Return less data at a time, or paginate.",
    Obstacle.CUT_OFF: "Let the run finish, or raise --max-time.",
    Obstacle.SERVER_BUSY: "Call it alone: --only TOOL.",
    Obstacle.WAITS: "Raise --timeout, or add arguments with a short wait to mcp-assay.toml.",
    Obstacle.BROKEN_DOWN: "Fix those calls first; the findings above show them.",
    Obstacle.INTERNAL_ERROR: "Fix the exception in the tool; the server's log may show it.",
    Obstacle.NOT_IMPLEMENTED: "Implement the tool, or do not list it.",
    Obstacle.NO_INFORMATION: "Return content that says what was done or found.",
    Obstacle.SAME_RESULT: "Results that depend on the arguments would prove that it works.",
    Obstacle.FLAGGED_SUCCESS: "Set isError only in results that report a failure.",
    Obstacle.NO_ARGUMENTS: "See what the error says is missing; arguments cannot help.",
    Obstacle.ALL_TRIED: "Accept the listed values, or list those that work.",
}
"""What helps against each; against those that are not here, other arguments do."""
