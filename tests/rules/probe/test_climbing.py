"""How URIs are made that climb, and what replies to them show."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.model.probe import OpenStep, Reply
from mcp_assay.rules.probe.path_traversal import (
    CLIMB,
    EMPTY,
    REFUSED,
    climbs,
    climbs_out_of_its_folder,
)
from mcp_assay.rules.probe.rule import Known, replayed

ECHO = Reply(result={"contents": [{"uri": "echo://x", "text": "You said dev/null"}]})


def known(*templates: str, resources: tuple[str, ...] = ()) -> Known:
    return Known(
        capabilities={"resources": {}},
        resources=[{"uri": uri} for uri in resources],
        templates=[{"uriTemplate": template} for template in templates],
    )


def outcomes(server: Known, *replies: Reply) -> list[str]:
    _, verdicts = replayed(climbs_out_of_its_folder, server, replies)
    return [one.outcome if isinstance(one, OpenStep) else "failed" for one in verdicts]


def test_files_and_templates_are_climbed_out_of() -> None:
    server = known("notes://{id}", "files://{+path}", resources=("file:///srv/notes/7.md",))
    there = [climb.there for climb in climbs(server)]
    assert there[0] == f"file:///srv/notes/{CLIMB}dev/null"
    assert there[1] == f"files://{CLIMB}dev/null"
    assert there[2] == f"notes://{CLIMB.replace('/', '%2F')}dev%2Fnull"


@pytest.mark.parametrize("template", ["notes://all", "notes://{a}/{b}", "{+uri}", "x" * 3000])
def test_what_has_no_one_name_is_left_alone(template: str) -> None:
    assert climbs(known(template)) == []
    assert outcomes(known(template)) == ["not_testable"]


@pytest.mark.parametrize("odd", [None, 7, {}, "library://hours"])
def test_what_is_no_file_is_left_alone(odd: Any) -> None:
    assert climbs(Known(resources=[{"uri": odd}], templates=[{"uriTemplate": odd}])) == []


@pytest.mark.parametrize(
    ("replies", "outcome"),
    [
        ((REFUSED,), []),
        ((EMPTY, REFUSED, REFUSED), ["failed"]),
        ((EMPTY, EMPTY, REFUSED), ["undecided"]),
        ((EMPTY, REFUSED, EMPTY), ["undecided"]),
        ((ECHO,), ["undecided"]),
        ((Reply(result={"contents": []}),), ["undecided"]),
        ((Reply(ending="timed_out"),), ["undecided"]),
    ],
)
def test_only_a_server_that_went_there_is_blamed(
    replies: tuple[Reply, ...], outcome: list[str]
) -> None:
    assert outcomes(known("files://{+path}"), *replies) == outcome


def test_an_open_template_does_not_hide_one_that_climbs() -> None:
    server = known("files://{+path}", "echo://{text}")
    assert outcomes(server, ECHO, EMPTY, REFUSED, REFUSED) == ["failed"]
