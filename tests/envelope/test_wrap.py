"""Wrapped functions: known as before, and always with a response."""

from __future__ import annotations

import asyncio
import functools
import inspect
import logging
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
from mcp.types import CallToolResult, ImageContent, TextContent

from mcp_assay.envelope import validate_mcp_response, wrap_tool_response


def divide(a: float, b: float = 1, *, digits: int | None = None) -> float:
    """Divide a by b."""
    return a / b


async def divide_soon(a: float, b: float = 1) -> float:
    """Divide a by b, but not at once."""
    return a / b


class Calculator:
    def divide(self, a: float, b: float = 1) -> float:
        """Divide by a calculator."""
        return a / b

    async def __call__(self, a: float) -> float:
        return a


def returning(value: Any) -> dict[str, Any]:
    response: dict[str, Any] = wrap_tool_response(lambda: value)()
    assert [one.message for one in validate_mcp_response(response)] == []
    return response


@pytest.mark.parametrize("fn", [divide, divide_soon, Calculator().divide])
def test_name_docstring_and_parameters_stay(fn: Callable[..., Any]) -> None:
    wrapped = wrap_tool_response(fn)
    assert wrapped.__name__ == fn.__name__
    assert wrapped.__doc__ == fn.__doc__
    assert wrapped.__module__ == fn.__module__
    expected = inspect.signature(fn, eval_str=True).parameters
    assert inspect.signature(wrapped).parameters == expected
    assert inspect.iscoroutinefunction(wrapped) is inspect.iscoroutinefunction(fn)


def test_the_return_annotation_goes_because_it_holds_no_longer() -> None:
    wrapped = wrap_tool_response(divide)
    assert inspect.signature(wrapped).return_annotation is inspect.Signature.empty
    assert "return" not in wrapped.__annotations__


def test_annotations_that_nobody_can_evaluate_stay_as_they_are() -> None:
    def lookup(key: Missing) -> int:  # type: ignore[name-defined]  # noqa: F821
        return 1

    wrapped = wrap_tool_response(lookup)
    assert inspect.signature(wrapped).parameters["key"].annotation == "Missing"
    assert wrapped(key=3)["data"] == 1


def test_builtins_without_a_signature_can_be_wrapped() -> None:
    wrapped: Callable[..., Any] = wrap_tool_response(max)
    assert wrapped([1, 3, 2])["data"] == 3


def test_partials_and_callables_have_a_name_too() -> None:
    half = wrap_tool_response(functools.partial(divide, b=2))
    assert (half.__name__, half(a=3)["data"]) == ("divide", 1.5)
    called = wrap_tool_response(Calculator())
    assert called.__name__ == "Calculator"
    assert asyncio.run(called(a=3))["data"] == 3


def test_an_async_function_is_awaited() -> None:
    wrapped = wrap_tool_response(divide_soon)
    assert asyncio.run(wrapped(3, b=2))["data"] == 1.5
    assert asyncio.run(wrapped(3, b=0))["error"]["code"] == "ZERO_DIVISION_ERROR"


def test_a_function_that_returns_something_to_await_is_awaited_too() -> None:
    wrapped = wrap_tool_response(lambda: divide_soon(3, 0))
    assert asyncio.run(wrapped())["error"]["code"] == "ZERO_DIVISION_ERROR"


class HTTPTimeout(Exception):
    """An exception of somebody's own."""


@pytest.mark.parametrize(
    ("fault", "code", "message"),
    [
        (ValueError("too large"), "VALUE_ERROR", "too large"),
        (KeyError("id"), "KEY_ERROR", "'id'"),
        (FileNotFoundError("a.txt"), "FILE_NOT_FOUND_ERROR", "a.txt"),
        (HTTPTimeout("slow"), "HTTP_TIMEOUT", "slow"),
        (OSError(), "OS_ERROR", "OSError"),
        (ExceptionGroup("two", [ValueError()]), "EXCEPTION_GROUP", "two (1 sub-exception)"),
    ],
)
def test_an_exception_becomes_a_failure_with_the_code_of_its_class(
    fault: Exception, code: str, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise fault

    with caplog.at_level(logging.ERROR, "mcp_assay.envelope"):
        error = wrap_tool_response(fail)()["error"]
    assert error == {"code": code, "message": message}
    [record] = caplog.records
    assert record.exc_info is not None
    assert record.exc_info[1] is fault


@pytest.mark.parametrize("ending", [KeyboardInterrupt, SystemExit, asyncio.CancelledError])
def test_what_ends_a_program_or_a_task_passes_through(ending: type[BaseException]) -> None:
    def end() -> None:
        raise ending

    async def end_soon() -> None:
        raise ending

    with pytest.raises(ending):
        wrap_tool_response(end)()
    with pytest.raises(ending):
        wrap_tool_response(end_soon)().send(None)


def test_a_result_that_runs_its_own_code_cannot_break_the_answer() -> None:
    class Shy:
        @property
        def content(self) -> None:
            raise RuntimeError("do not look")

    assert returning(Shy())["error"]["code"] == "RESULT_NOT_SERIALIZABLE"


def test_wrong_arguments_are_a_failure() -> None:
    wrapped: Callable[..., Any] = wrap_tool_response(divide)
    assert wrapped(1, c=2)["error"]["code"] == "TYPE_ERROR"


def test_generators_are_a_failure_that_says_so() -> None:
    def count() -> Iterator[int]:
        yield 1

    async def count_soon() -> AsyncIterator[int]:
        yield 1

    for wrapped in (wrap_tool_response(count), wrap_tool_response(count_soon)):
        assert wrapped()["error"]["code"] == "RESULT_NOT_SERIALIZABLE"


MOMENT = "2026-03-01T09:30:00+02:00"


@pytest.mark.parametrize(
    ("returned", "text", "members"),
    [
        ({"success": True}, "Operation completed successfully", {}),
        ({"success": True, "message": "Done"}, "Done", {}),
        ({"success": True, "error": None, "message": "Done"}, "Done", {}),
        ({"success": True, "data": [1]}, "[\n  1\n]", {"data": [1]}),
        ({"success": True, "n": 1}, '{\n  "n": 1\n}', {"data": {"n": 1}}),
        ({"success": True, "timestamp": MOMENT, "data": "a"}, "a", {"timestamp": MOMENT}),
        ({"content": [{"type": "text", "text": "a"}]}, "a", {}),
        ({"content": [], "structuredContent": {"n": 1}}, '{\n  "n": 1\n}', {"data": {"n": 1}}),
        ({"content": [], "isError": False}, "Operation completed successfully", {}),
    ],
)
def test_a_returned_success_is_completed(
    returned: dict[str, Any], text: str, members: dict[str, Any]
) -> None:
    response = returning(returned)
    assert response["success"] is True
    assert [item["text"] for item in response["content"]] == [text]
    assert members.items() <= response.items()


@pytest.mark.parametrize(
    "data", [{"ok": True, "n": 1}, {"success": "true"}, {"content": "words"}, {"content": [1]}]
)
def test_what_only_resembles_a_response_is_data(data: dict[str, Any]) -> None:
    assert returning(data)["data"] == data


@pytest.mark.parametrize(
    ("returned", "code", "message"),
    [
        ({"success": False, "error": "gone"}, "UNKNOWN_ERROR", "gone"),
        ({"success": False, "message": "gone"}, "UNKNOWN_ERROR", "gone"),
        ({"success": False}, "UNKNOWN_ERROR", "Unknown error"),
        ({"success": False, "error": {"code": 404, "message": "gone"}}, "404", "gone"),
        ({"success": True, "error": {"code": "GONE"}}, "GONE", "Unknown error"),
        ({"success": True, "isError": True, "message": "gone"}, "UNKNOWN_ERROR", "gone"),
        (
            {"isError": True, "content": [{"type": "text", "text": "Error: gone"}]},
            "UNKNOWN_ERROR",
            "gone",
        ),
    ],
)
def test_a_returned_failure_is_completed(returned: Any, code: str, message: str) -> None:
    response = returning(returned)
    assert (response["error"]["code"], response["error"]["message"]) == (code, message)
    assert response["content"][0]["text"] == f"Error: {message}"
    assert response["structuredContent"]["error"] == response["error"]
    assert (response["success"], response["isError"]) == (False, True)


def test_the_content_of_a_failure_follows_its_error() -> None:
    hint = {"type": "text", "text": "Try another id."}
    response = returning({"success": False, "error": "gone", "content": [hint]})
    assert [item["text"] for item in response["content"]] == ["Error: gone", "Try another id."]


def test_what_mcp_does_not_allow_becomes_a_failure() -> None:
    response = returning({"content": [{"type": "image", "data": "?", "mimeType": "image/png"}]})
    assert response["error"]["code"] == "INVALID_RESULT"
    assert "base64" in response["error"]["message"]


def test_result_objects_and_content_blocks_are_understood() -> None:
    block = TextContent(type="text", text="gone")
    response = returning(CallToolResult(content=[block], is_error=True))
    assert response["error"]["message"] == "gone"
    picture = ImageContent(type="image", data="aGk=", mime_type="image/png")
    types = [item["type"] for item in returning([block, picture])["content"]]
    assert types == ["text", "image"]
    assert returning(picture)["content"][0]["data"] == "aGk="


@pytest.mark.parametrize("thing", [None, 3, classmethod(print)])
def test_what_cannot_be_called_cannot_be_wrapped(thing: Any) -> None:
    with pytest.raises(TypeError, match="expected a function"):
        wrap_tool_response(thing)


def failing(words: str) -> Callable[[], Any]:
    def fail() -> None:
        raise RuntimeError(words)

    return fail


@pytest.mark.parametrize(
    ("words", "reported"),
    [
        ("postgres://admin:hunter2@db/prod refused", "postgres://[redacted]@db/prod refused"),
        ("wrong: password=hunter2hunter2", "RuntimeError: [redacted]"),
        ("no note 7", "no note 7"),
    ],
)
def test_the_secrets_of_an_exception_are_not_reported(words: str, reported: str) -> None:
    assert wrap_tool_response(failing(words))()["error"]["message"] == reported


def test_what_an_exception_says_can_be_kept_from_the_caller() -> None:
    hiding = functools.partial(wrap_tool_response, expose_errors=False)
    error = hiding(failing("table notes is locked"))()["error"]
    assert error["code"] == "RUNTIME_ERROR"
    assert error["message"] == "The tool failed; see the server log"


def test_the_log_names_the_tool_that_failed(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, "mcp_assay.envelope"):
        wrap_tool_response(failing("no"))()
    assert caplog.messages == ["The tool fail failed; its caller gets an error response."]


def test_wrapping_loads_no_server() -> None:
    code = (
        "import sys; from mcp_assay.envelope import wrap_tool_response;"
        "wrap_tool_response(print)('a'); print('mcp' in sys.modules)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert ended.stdout.split() == ["a", "False"]
