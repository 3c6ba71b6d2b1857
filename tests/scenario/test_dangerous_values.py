"""Values that are never sent: by the words of an argument's name, and of the tool's."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.scenario.dangerous_values import danger_in


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("kill_process", {"pid": 0}),
        ("kill_process", {"pid": 1}),
        ("kill_process", {"pid": -1}),
        ("kill_process", {"pid": -4711}),
        ("kill_process", {"pid": "1"}),
        ("kill_process", {"pid": " 0"}),
        ("kill_process", {"pid": "1e"}),
        ("kill_process", {"pid": True}),
        ("kill_process", {"pid": None}),
        ("kill_process", {"pid": ""}),
        ("kill_process", {"pid": []}),
        ("kill_process", {"pid": 4711}),
        ("kill_process", {"id": 1}),
        ("endProcess", {"options": {"processId": [5]}}),
        ("get_process", {"pid": 1}),
        ("resize", {"width": 2**31}),
        ("make_buffer", {"size": 2**31 - 1}),
        ("make_buffer", {"bytes": -(2**63)}),
        ("make_buffer", {"size": "9999999999"}),
        ("make_buffer", {"size": float("nan")}),
        ("read_file", {"path": "/dev/zero"}),
        ("read_file", {"paths": ["a.txt", "/dev/random"]}),
        ("write_file", {"where": "/proc/sysrq-trigger"}),
        ("write_file", {"path": "\\\\.\\PhysicalDrive0"}),
        ("write_file", {"path": "COM1"}),
        ("delete_folder", {"path": "/"}),
        ("remove", {"target": "*"}),
        ("wipe_disk", {"path": "C:\\"}),
        *(
            ("delete_folder", {"path": path})
            for path in (
                *(".", "./", "..", "../..", "../../", "//", "/.", "/*", "**/*", "*.*", "file:///"),
                *("/etc", "/etc/", "/root", "/opt/*", "/home/bob", "C:/Users", "/Users/bob/"),
                *("~", "~/", "~bob", "$HOME", "${HOME}/*", "%USERPROFILE%", "c:", "c:/*"),
            )
        ),
        ("read_file", {"path": "/proc/self/mem"}),
    ],
)
def test_a_danger_is_seen(tool: str, arguments: dict[str, Any]) -> None:
    assert danger_in(tool, arguments) is not None


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("kill_process", {"pid": 99_999_999}),
        ("kill_process", {"pid": "assay"}),
        ("kill_process", {"name": "assay"}),
        ("get_process", {"pid": 4711}),
        ("get_user", {"id": 1}),
        ("get_user", {"id": 0}),
        ("rapid_search", {"limit": 0}),
        ("resize", {"width": 16, "height": 1}),
        ("make_buffer", {"size": 0}),
        ("set_time", {"timestamp": 2**31}),
        ("read_file", {"path": "/dev/null"}),
        ("read_file", {"path": "devices.txt"}),
        ("list_folder", {"path": "/"}),
        ("delete_folder", {"path": "assay-example"}),
        *(
            ("delete_folder", {"path": path})
            for path in (
                "",
                "a/..b",
                "./a",
                "../a",
                "/tmp/a",
                "~/a",
                "/home/bob/a",
                "c:/a/b",
                "*a",
                "https://",
            )
        ),
        ("search", {"query": "/device/"}),
        ("search", {}),
    ],
)
def test_ordinary_values_are_sent(tool: str, arguments: dict[str, Any]) -> None:
    assert danger_in(tool, arguments) is None


def test_what_the_user_typed_is_sent() -> None:
    assert danger_in("kill_process", {"pid": 1}, typed=[1]) is None


def test_a_value_that_never_ends_is_looked_at_in_bounds() -> None:
    deep: Any = 1
    for _ in range(10_000):
        deep = {"pid": deep}
    assert danger_in("kill_process", deep) is None
